"""The goal of the shared board needs both heads and a full output projection."""

from itertools import product

import numpy as np

from course.widgets import SharedBoard
from course.widgets.plane.shared_board import MODES

STRENGTHS = (0, 0.25, 0.5, 0.75, 1)


def hits(mode, strengths=STRENGTHS, others=STRENGTHS):
    """Return the largest number of columns at their marks, over all blocks."""
    board = SharedBoard(mode=mode)
    found = []
    blocks = (product(range(1, 4), each) for each in (strengths, others))
    for one, other in product(*blocks):
        board.column_1, board.strength_1 = one
        board.column_2, board.strength_2 = other
        found.append(board.facts()["hits"])
    return max(found)


def test_the_goal_is_reached_without_a_full_projection_or_with_one_head():
    assert [hits(mode) for mode in range(len(MODES))] == [0, 2, 4]
    assert hits(2, strengths=[0]) == hits(2, others=[0]) == 2


def test_the_opening_state_gives_the_answer_away():
    board = SharedBoard()
    assert board.said().key == "full"
    assert not np.any(board.projection()[:2, 0])  # head 1 does not write to column 1
