"""The course's first picture: the last step of self-attention."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from attention import AttentionTrace
from course.kit.matrices import Matrix, equation


def weights_times_values(
    trace: AttentionTrace, tokens: Sequence[str], marked: tuple[int, int]
) -> Figure:
    """Draw weights times values equals output.

    Parameters
    ----------
    trace : AttentionTrace
        Self-attention of a short sentence.
    tokens : sequence of str
        Its words.
    marked : (int, int)
        The weight to frame.
    """
    weights = Matrix(trace.weights, "weights", tokens, fill="weights", marked=[marked])
    values = Matrix(trace.value, "values", role="value")
    output = Matrix(trace.output, "output", role="output")
    return equation([[weights], ["×", values, "=", output]])
