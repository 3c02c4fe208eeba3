"""The machine's presets: the notes' examples, and the weights that we chose.

The notes give no weights for the eight tokens and no W_O for the apple
sentence. What stands in for them is made up, simple, and says so on the card.
"""

from dataclasses import dataclass

import numpy as np

from course.kit.stand_ins import MEAN_OF_HEADS
from course.notes import APPLE, CAT, EIGHT_TOKENS, FOOTBALL, WorkedExample
from course.widgets.card import Question, ask
from course.widgets.machine.inputs import MachineInputs


@dataclass(frozen=True)
class Preset:
    """A named set of inputs.

    Attributes
    ----------
    title : str
        Its name in the list of presets.
    provenance : str
        Where the numbers come from, in a sentence or two.
    inputs : MachineInputs
        The numbers.
    question : Question
        What the reader predicts.
    """

    title: str
    provenance: str
    inputs: MachineInputs
    question: Question


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


def _stated(example: WorkedExample) -> MachineInputs:
    """Take a worked example's inputs as they stand in the notes."""
    weights = (example.W_Q, example.W_K, example.W_V)
    return MachineInputs(example.tokens, example.X, *weights, W_O=example.W_O)


def _first_tokens(count: int) -> MachineInputs:
    """Take the first of the eight tokens, with the weights that we chose."""
    tokens = EIGHT_TOKENS.tokens[:count]
    weights = (EIGHT_W_Q, EIGHT_W_K, EIGHT_W_V)
    return MachineInputs(tokens, EIGHT_TOKENS.X[:count], *weights, W_O=EIGHT_W_O)


def _apple() -> MachineInputs:
    weights = (APPLE.W_Q, APPLE.W_K, APPLE.W_V)
    return MachineInputs(APPLE.tokens, APPLE.X, *weights, W_O=MEAN_OF_HEADS)


def _empty() -> MachineInputs:
    eye = np.eye(2)
    return MachineInputs(("token 1", "token 2"), np.zeros((2, 2)), eye, eye, eye)


_EIGHT_CHOSEN = (
    "The notes state shapes for the weights, and no values. All weights here are "
    "ours, picked to be simple. Each head multiplies all four columns of X by its "
    "own 4 × 2 weights; it does not cut X into two halves."
)

_ROWS_OR_COLUMNS = ask(
    "In the matrix of attention weights, what adds up to 1?",
    (
        "Each row",
        True,
        "A row holds what one token gives to all of them: it shares out its "
        "attention once, so a row adds up to 1.",
    ),
    (
        "Each column",
        False,
        "A column holds what one token receives. Nothing limits that: a popular "
        "token receives much more than 1.",
    ),
    (
        "The whole matrix",
        False,
        "Softmax runs over one row at a time, so every row adds up to 1 and the "
        "whole matrix to the number of tokens.",
    ),
)

_WHO_WINS = ask(
    "Whom does “football” look at most?",
    (
        "“football”, itself",
        False,
        "Nothing favours the token itself: the query and the key of a word come "
        "from different weights, and their dot product can be small.",
    ),
    (
        "“I”",
        False,
        "Standing close or first in the sentence does not count. Only the dot "
        "product of query and key does.",
    ),
    (
        "“play”",
        True,
        "The key of “play” has the largest dot product with every query, so all "
        "three words look at it most. No grammar is involved.",
    ),
)

_HEADS_AGREE = ask(
    "Two heads with different weights read the same sentence. In head 1, “sat” "
    "gets the most attention from every word. What does head 2 prefer?",
    (
        "“sat” as well: the sentence is the same",
        False,
        "The sentence is the same, its queries and keys are not: each head makes "
        "its own from its own weights.",
    ),
    (
        "“cat”",
        True,
        "Its own W_Q and W_K give other scores, and there the key of “cat” is "
        "the longest. The heads see the same X and need not agree.",
    ),
    (
        "Nothing: it splits its attention evenly",
        False,
        "Even weights need even scores, and the scores of head 2 differ.",
    ),
)

_APPLE_WINNER = ask(
    "The walkthrough page says that in head 1 “apple” looks at “eat” most. With "
    "the page’s own numbers, whom does it look at most?",
    (
        "“eat”, because apples are eaten",
        False,
        "Meaning is not among the inputs. The weight is large where the dot "
        "product is, and here “eat” comes second.",
    ),
    (
        "“bought”",
        True,
        "Its key has the largest dot product with the query of “apple”, in all "
        "three heads. The names of the heads are a story told over the numbers.",
    ),
    (
        "“apple”, because a word is most like itself",
        False,
        "Query and key come from different weight matrices, so a word need not "
        "score highest with itself; here it comes third.",
    ),
)

_ZEROS = ask(
    "All numbers of X are 0. What are the attention weights?",
    (
        "All 0",
        False,
        "Scores of 0 are not weights of 0: exp(0) is 1, and the row is divided by "
        "its sum.",
    ),
    (
        "Undefined, 0 divided by 0",
        False,
        "The division is by a sum of exponentials, and an exponential is never 0. "
        "Only a row whose keys are all masked has nothing to divide by.",
    ),
    (
        "Equal: every token gets the same share",
        True,
        "All scores are 0, exp(0) is 1, and equal exponentials are equal shares.",
    ),
)

PRESETS = {
    "football": Preset(
        "I play football",
        "All inputs are those of the lecture notes: one head, no Wᴼ.",
        _stated(FOOTBALL),
        _WHO_WINS,
    ),
    "cat": Preset(
        "the cat sat",
        "All inputs are those of the lecture notes: two heads and Wᴼ.",
        _stated(CAT),
        _HEADS_AGREE,
    ),
    "eight-tokens": Preset(
        "Eight tokens",
        f"X is from the lecture notes. {_EIGHT_CHOSEN}",
        _first_tokens(8),
        _ROWS_OR_COLUMNS,
    ),
    "five-tokens": Preset(
        "Five tokens",
        "X is the first five rows of the notes’ eight, so that the number of "
        f"tokens is not taken for the paper’s 8 heads. {_EIGHT_CHOSEN}",
        _first_tokens(5),
        _ROWS_OR_COLUMNS,
    ),
    "apple": Preset(
        "I bought apple to eat",
        "X and the weights of the three heads are the walkthrough page’s. It "
        "stops at the concatenation: Wᴼ is ours and takes the mean of the heads.",
        _apple(),
        _APPLE_WINNER,
    ),
    "empty": Preset(
        "Empty: two tokens",
        "All numbers of X are 0 and every weight matrix changes nothing: yours to "
        "fill in.",
        _empty(),
        _ZEROS,
    ),
}
"""Every preset by its name."""
