"""Planes whose points the reader drags: words, a query, or results of heads."""

from course.widgets.plane.bank import BankPlane
from course.widgets.plane.dial import QueryDial
from course.widgets.plane.rotary import RotaryDial
from course.widgets.plane.shared_board import SharedBoard
from course.widgets.plane.two_heads import TwoHeads

__all__ = ["BankPlane", "QueryDial", "RotaryDial", "SharedBoard", "TwoHeads"]
