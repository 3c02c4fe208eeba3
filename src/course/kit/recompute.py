"""A worked example of the notes, recomputed step by step."""

from typing import NamedTuple

import numpy as np

from attention import MultiHeadAttention, softmax
from course.kit.arrays import Array
from course.notes.worked_example import WorkedExample


class RecomputedStep(NamedTuple):
    """Figures of one step: as printed, from the inputs, and from the step before."""

    printed: Array
    from_inputs: Array
    from_printed: Array


def follow(example: WorkedExample) -> dict[str, RecomputedStep]:
    """Recompute a two-head example twice, to separate new slips from inherited ones.

    Parameters
    ----------
    example : WorkedExample
        With weights of several heads, W_O and printed figures.

    Returns
    -------
    dict of str to RecomputedStep
        For scaled scores, weights, heads, concat and output: the printed figures, the
        figures that follow from the inputs, and the figures that follow from the
        printed figures of the step before.
    """
    printed = example.printed
    trace = MultiHeadAttention(
        example.W_Q, example.W_K, example.W_V, example.W_O
    ).trace(example.X)
    heads = trace.heads
    root = np.sqrt(printed["Q"].shape[-1])
    chain = {
        "scaled": (
            np.stack([head.scaled for head in heads]),
            printed["Q"] @ printed["K"].swapaxes(-1, -2) / root,
        ),
        "weights": (
            np.stack([head.weights for head in heads]),
            softmax(printed["scaled"]),
        ),
        "heads": (
            np.stack([head.output for head in heads]),
            printed["weights"] @ printed["V"],
        ),
        "concat": (trace.concat, np.hstack(list(printed["heads"]))),
        "output": (trace.output, printed["concat"] @ example.W_O),
    }
    return {name: RecomputedStep(printed[name], *pair) for name, pair in chain.items()}
