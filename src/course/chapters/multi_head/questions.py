"""Questions of chapter 3."""

import numpy as np

from course.notes.worked_example import WorkedExample
from course.widgets import Exercise, Slip, ask
from course.widgets.exercise import dot_steps

HALF_AND_HALF = ask(
    "One head gives half its weight to “cat” and half to “tired”. What does it return "
    "under “who”?",
    (
        "The “who” of “cat”",
        False,
        "That would take all the weight on “cat”. Every column of V is averaged with "
        "the same row of weights, so half of what comes back is from “tired”.",
    ),
    (
        "Half the “who” of “cat”, and nothing from “tired”",
        False,
        "“tired” has a number under “who” as well, wanted or not, and half of it is "
        "added.",
    ),
    (
        "The mean of both words’ “who”",
        True,
        "And under “how” the mean of both words’ “how”: one row of weights averages "
        "every column of V.",
    ),
)

WHO_DECIDES = ask(
    "Who decides that a certain head will follow syntax?",
    (
        "Whoever designs the model",
        False,
        "The design fixes how many heads there are and how wide. Nothing in it names a "
        "job.",
    ),
    (
        "The head’s number: early heads take syntax, later ones meaning",
        False,
        "The heads of a layer have no order. Swap two of them together with their rows "
        "of the output projection, and the output is the same.",
    ),
    (
        "Nobody: if it happens, it results from training",
        True,
        "All heads start from random numbers and are trained together, on one loss. "
        "Jobs are read off afterwards, by people.",
    ),
)

SPLIT = ask(
    "X has 4 columns and there are 2 heads. Head 1 is given only columns 1 and 2. What "
    "follows?",
    (
        "Head 1 can never depend on features 3 and 4 of any word",
        True,
        "Its queries, keys and values are made without them, whatever its weights are.",
    ),
    (
        "Nothing: that is how heads are defined",
        False,
        "In the paper each head projects all of X, with matrices that have a row for "
        "every column of X.",
    ),
    (
        "Head 1 gets cheaper and loses nothing",
        False,
        "It is cheaper because it has half the weights. The missing half are those "
        "that read features 3 and 4.",
    ),
)

COST = ask(
    "The width of the model stays the same, and instead of 1 head there are 8, each an "
    "eighth as wide. What becomes of the number of multiplications?",
    (
        "It grows",
        False,
        "There are eight heads, but each is only an eighth as wide.",
    ),
    (
        "It falls to an eighth, since the work is distributed over the heads",
        False,
        "Distributed means shared out, not saved. Every head’s share still has to be "
        "done.",
    ),
    (
        "It stays the same",
        True,
        "Eight heads of an eighth of the width do as much as one of full width.",
    ),
)


def scaled_score(example: WorkedExample) -> Exercise:
    """Return an exercise: the scaled score of the first and second word in head 2."""
    query = example.X[0] @ example.W_Q[1]
    key = example.X[1] @ example.W_K[1]
    other = (example.X[1] @ example.W_Q[1]) @ (example.X[0] @ example.W_K[1])
    raw, root = float(query @ key), float(np.sqrt(len(key)))
    asks, asked = example.tokens[:2]
    return Exercise(
        "scaled-score",
        f"Head 2, query of “{asks}” with key of “{asked}”: work out the scaled score.",
        truth=raw / root,
        expression=f"({_row(query)}) · ({_row(key)}) / √{len(key)} = ?",
        slips=[
            Slip(raw, "That is the dot product. It still has to be divided by √2."),
            Slip(raw / 2, "You divided by d_k. Divide by its square root."),
            Slip(other / root, f"That is “{asked}” asking “{asks}”."),
            Slip(
                float(example.printed["scaled"][1, 0, 1]),
                "That is what the notes print. Compute it once more.",
            ),
        ],
        hint="First the two products, then their sum, then the division.",
        steps=[*dot_steps(query, key), f"{raw:.2f} / √{len(key)} = {raw / root:.4f}"],
    )


def _row(vector: np.ndarray) -> str:
    """Write a vector with one decimal an entry."""
    return ", ".join(f"{x:.1f}" for x in vector)


HEAD_OFF = ask(
    "Two heads of width 2 feed an output of width 4. You switch head 1 off: its two "
    "columns of Z become 0. What happens to a word’s output?",
    (
        "Its first two entries become 0",
        False,
        "That would hold if the concatenation were the output. Each row of Wᴼ spreads "
        "one column of a head over all four entries.",
    ),
    (
        "All four entries change",
        True,
        "Head 1 meets the top two rows of Wᴼ, which reach every entry. The share of "
        "head 1 is gone, and the share of head 2 stays.",
    ),
    (
        "Little, because head 2 takes over its part",
        False,
        "Heads do not see each other. Head 2 computes from the words alone and adds "
        "exactly what it added before.",
    ),
)
