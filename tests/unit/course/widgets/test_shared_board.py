"""The goal of the shared board needs both heads and a full output projection."""

from itertools import product

import numpy as np
import pytest

from course.widgets import SharedBoard
from course.widgets.plane.shared_board import INPUT, MARKS, MODES, RESULTS

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


def test_two_states_reach_the_goal():
    """For each pair of columns, least squares finds the best strengths."""
    reached = []
    for first, second in product(range(3), repeat=2):
        rows = [np.eye(2, 4, first).T @ RESULTS[0], np.eye(2, 4, second).T @ RESULTS[1]]
        wanted = np.subtract(MARKS, INPUT)
        strengths, *_ = np.linalg.lstsq(np.array(rows).T, wanted, rcond=None)
        if np.allclose(strengths @ rows, wanted):
            reached.append((first + 1, second + 1, *strengths))
    assert reached == [pytest.approx((3, 2, 1, 0.5))]
    column_1, column_2, strength_1, strength_2 = reached[0]
    board = SharedBoard(column_1=column_1, column_2=column_2)
    assert board.said().key != "all"
    board.strength_1, board.strength_2 = strength_1.round(9), strength_2.round(9)
    assert board.said().key == "all"


def test_the_opening_state_gives_the_answer_away():
    board = SharedBoard()
    assert board.said().key == "full"
    assert not np.any(board.projection()[:2, 0])  # head 1 does not write to column 1
