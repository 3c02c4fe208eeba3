"""The lecture notes as data: worked examples with their printed figures.

Stated inputs are exact. `course.ledger` holds every printed number, with its line and
its recomputed value.
"""

from course.notes.apple import APPLE
from course.notes.cat import CAT
from course.notes.eight_tokens import EIGHT_TOKENS
from course.notes.football import FOOTBALL
from course.notes.worked_example import WorkedExample

__all__ = ["APPLE", "CAT", "EIGHT_TOKENS", "FOOTBALL", "WorkedExample"]
