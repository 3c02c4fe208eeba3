"""The figure of a growing head shows the numbers of the stored file."""

import numpy as np
import pytest

from course.widgets import GrowingHead
from course.widgets.growing_head import HEADS, SEQUENCES, SHOWN
from transformer.small import induction

STEPS = induction.history().steps


def triangle(figure: GrowingHead, step: int, head: int) -> np.ndarray:
    """Return the rows of a head from the file, which stores the lower triangle."""
    size = SHOWN * (SHOWN + 1) // 2
    place = (step * len(SEQUENCES) + figure.sequence) * len(HEADS) + head
    file = induction.HISTORY.read_bytes()[place * size : (place + 1) * size]
    rows = np.zeros((SHOWN, SHOWN))
    rows[np.tril_indices(SHOWN)] = np.frombuffer(file, np.uint8) / 255
    return rows


@pytest.mark.parametrize(("step", "sequence"), [(0, 0), (30, 1), (59, 2)])
def test_numbers_are_not_mean_weights_of_the_stored_rows(step, sequence):
    figure, text = GrowingHead(step=STEPS[step], sequence=sequence), SEQUENCES[sequence]
    before, after = figure.numbers()["before"], figure.numbers()["after"]
    for head in range(len(HEADS)):
        rows = triangle(figure, step, head)
        seen = [
            sum(rows[i, j] for j in range(1, i + 1) if text[j - 1] == text[i])
            for i in range(SHOWN)
            if text[i] in text[:i]
        ]
        assert before[head] == pytest.approx(np.diag(rows, -1).mean())
        assert after[head] == pytest.approx(np.mean(seen))
