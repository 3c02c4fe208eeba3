"""The machine's presets: the notes' examples, and the weights that we chose.

The notes give no weights for the eight tokens and no W_O for the apple
sentence. We made up simple values for these, and the card says so.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from course.kit.stand_ins import MEAN_OF_HEADS
from course.notes import APPLE, CAT, EIGHT_TOKENS, FOOTBALL, WorkedExample
from course.widgets.machine.inputs import MachineInputs


class Preset(NamedTuple):
    """A named set of inputs."""

    title: str  # its name in the list of presets
    provenance: str  # where the numbers come from, in a sentence or two
    inputs: MachineInputs


EIGHT_W_Q = [
    [[0.5, 0.0], [0.0, 0.5], [1.0, 0.0], [0.0, 1.0]],
    [[1.0, 0.5], [0.5, 1.0], [0.0, 0.5], [0.5, 0.0]],
]
EIGHT_W_K = [
    [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.5, -0.5]],
    [[0.0, 1.0], [1.0, 0.0], [-0.5, 0.5], [0.5, 0.5]],
]
EIGHT_W_V = [
    [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]],
    [[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
]
EIGHT_W_O = [
    [1.0, 0.0, 0.5, 0.0],
    [0.0, 1.0, 0.0, 0.5],
    [0.5, 0.0, 1.0, 0.0],
    [0.0, 0.5, 0.0, 1.0],
]


def _inputs_of(example: WorkedExample, W_O: ArrayLike | None = None) -> MachineInputs:
    """Return the inputs of a worked example; `W_O`, if given, replaces its own W_O."""
    weights = (example.W_Q, example.W_K, example.W_V)
    W_O = example.W_O if W_O is None else W_O
    return MachineInputs(example.tokens, example.X, *weights, W_O=W_O)


def _eight_tokens() -> MachineInputs:
    """Return the eight tokens with the weights that we chose."""
    weights = (EIGHT_W_Q, EIGHT_W_K, EIGHT_W_V)
    return MachineInputs(EIGHT_TOKENS.tokens, EIGHT_TOKENS.X, *weights, W_O=EIGHT_W_O)


def _empty() -> MachineInputs:
    eye = np.eye(2)
    return MachineInputs(("token 1", "token 2"), np.zeros((2, 2)), eye, eye, eye)


_EIGHT_CHOSEN = (
    "The notes state shapes for the weights, and no values. All weights here are "
    "ours, picked to be simple. Each head multiplies all four columns of X by its "
    "own 4 × 2 weights; it does not cut X into two halves."
)

PRESETS = {
    "football": Preset(
        "I play football",
        "All inputs are those of the lecture notes: one head, no Wᴼ.",
        _inputs_of(FOOTBALL),
    ),
    "cat": Preset(
        "the cat sat",
        "All inputs are those of the lecture notes: two heads and Wᴼ.",
        _inputs_of(CAT),
    ),
    "eight-tokens": Preset(
        "Eight tokens",
        f"X is from the lecture notes. {_EIGHT_CHOSEN}",
        _eight_tokens(),
    ),
    "apple": Preset(
        "I bought apple to eat",
        "X and the weights of the three heads are the walkthrough page’s. It "
        "stops at the concatenation: Wᴼ is ours and takes the mean of the heads.",
        _inputs_of(APPLE, MEAN_OF_HEADS),
    ),
    "empty": Preset(
        "Empty: two tokens",
        "All numbers of X are 0 and every weight matrix changes nothing: yours to "
        "fill in.",
        _empty(),
    ),
}
"""All presets by name: the inputs from which the reader can start."""
