"""The eight tokens of ``multi-head-operation.md``.

For the weights the notes state only shapes (lines 50-58 and 72-94). So only shapes can
be computed, and the notes print no results.
"""

from course.notes.worked_example import WorkedExample, last_figures, printed_figures

SOURCE = "multi-head-operation.md"

EIGHT_TOKENS = WorkedExample(
    source=SOURCE,
    tokens=tuple(f"token {i}" for i in range(1, 9)),
    X=last_figures(SOURCE, (8, 4), *range(36, 44)),
    W_Q=None,
    W_K=None,
    W_V=None,
    W_O=None,
    printed=printed_figures(),
)
