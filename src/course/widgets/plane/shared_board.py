"""Two heads write on a shared board through their blocks of W_O."""

from typing import Any

import numpy as np
import traitlets as t

from course.kit.arrays import Array
from course.widgets.card import Card, Sentence
from course.widgets.card.goal import asks_for, first_reached
from course.widgets.card.still import matrix
from course.widgets.contract import choice, sent, setting

INPUT = (1.0, 0.0, 0.0, 1.0)
RESULTS = ((1.0, 2.0), (2.0, -1.0))
"""What each head returns for the word."""

MARKS = (1.0, 1.0, 0.5, 3.0)
"""The wanted sum of input and heads, for each column."""

LEFT_OUT, BLOCK_DIAGONAL, FULL = range(3)
MODES = ("left out", "block-diagonal", "full")
STEP = 0.25  # step of the number in a block


def _block(column: int) -> tuple[Any, Any]:
    """Declare a block: its first column, from 1, and the number that stands twice."""
    return setting(t.Int(column, min=1, max=3)), setting(t.Float(1.0, min=0, max=1))


class SharedBoard(Card, view="plane/shared_board"):
    """Drag the blocks of two heads until the sum of each column reaches its mark.

    A block holds one number in two neighbouring columns, and zeros in the others.

    Attributes
    ----------
    mode : int
        0: the identity instead of W_O; 1: each block stays in the columns of its head;
        2: each block stands where the reader drags it.
    column_1, column_2 : int
        The first column, from 1, that each block writes into.
    strength_1, strength_2 : float
        The number in each block.
    reached : str
        Columns and numbers, as JSON, with which the reader first reached the goal.
    """

    sentences = (
        Sentence(
            "left-out",
            "Without the output projection each head writes into its own two columns. "
            "Columns that reach their mark: {hits} of 4.",
            lambda fact: fact["mode"] == LEFT_OUT,
        ),
        Sentence(
            "block-diagonal",
            "Each head stays in its own two columns, and its block changes the "
            "strength only. Columns that reach their mark: {hits} of 4.",
            lambda fact: fact["mode"] == BLOCK_DIAGONAL,
        ),
        Sentence(
            "silent",
            "A block of zeros silences its head. Columns that reach their mark: {hits} "
            "of 4.",
            lambda fact: fact["mode"] == FULL and fact["silent"],
        ),
        Sentence(
            "full",
            "Each head writes where its block stands. Columns that reach their mark: "
            "{hits} of 4.",
            lambda fact: (
                fact["mode"] == FULL and not fact["silent"] and fact["hits"] < 4
            ),
        ),
        Sentence(
            "all",
            "Each column reaches its mark. Both heads write into column 3, and the "
            "board adds their numbers.",
            lambda fact: fact["mode"] == FULL and fact["hits"] == 4,
        ),
    )

    title = sent(t.Unicode("Two heads write on one board"))
    mode = choice(FULL, MODES, "Output projection")
    column_1, strength_1 = _block(2)
    column_2, strength_2 = _block(1)
    given = sent(
        t.Dict(
            {"input": INPUT, "results": RESULTS, "marks": MARKS, "step": STEP},
            read_only=True,
        )
    )
    goal = asks_for("bring the sum of each column to its dashed mark.")
    reached = first_reached("plane/shared_board.js")

    def projection(self) -> Array:
        """Return W_O, or the identity if W_O is left out, of shape (4, 4)."""
        if self.mode == LEFT_OUT:
            return np.eye(4)
        columns = [self.column_1, self.column_2] if self.mode == FULL else [1, 3]
        blocks = [np.eye(2, 4, column - 1) for column in columns]
        return np.vstack([self.strength_1 * blocks[0], self.strength_2 * blocks[1]])

    def written(self) -> Array:
        """Return the input and what each head adds to it, of shape (3, 4)."""
        blocks = self.projection().reshape(2, 2, 4)
        return np.vstack([INPUT, *np.einsum("hv,hvd->hd", RESULTS, blocks)])

    def numbers(self) -> dict[str, Any]:
        """Return the entries of W_O and the sums of the columns by name."""
        entries = np.ndenumerate(self.projection())
        sums = enumerate(self.written().sum(axis=0), start=1)
        return {
            "W_O": {f"{i + 1}-{j + 1}": value for (i, j), value in entries},
            "sum": {str(column): value for column, value in sums},
        }

    def facts(self) -> dict[str, Any]:
        """Return how many columns reach their mark, and whether a head is silent."""
        hits = np.isclose(self.written().sum(axis=0), MARKS, rtol=0, atol=1e-9)
        silent = min(self.strength_1, self.strength_2) == 0
        return {"hits": int(hits.sum()), "silent": silent}

    def pictures(self) -> list[str]:
        """Draw W_O, and the board row by row."""
        projection_rows = ["row of head 1", "", "row of head 2", ""]
        written = self.written()
        board_rows = ["input", "head 1", "head 2", "sum", "mark"]
        board = np.vstack([written, written.sum(axis=0), MARKS])
        return [
            matrix("W_O", self.projection(), projection_rows),
            matrix("The board", board, board_rows, role="output"),
        ]
