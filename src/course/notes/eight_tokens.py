"""The eight tokens of ``multi-head-operation.md``, lines 36-43.

For the weights the notes state only shapes (lines 50-58 and 72-94). So only shapes can
be computed, and the notes print no results.
"""

from course.notes.worked_example import WorkedExample, printed_figures, read_only

EIGHT_TOKENS = WorkedExample(
    source="multi-head-operation.md",
    tokens=tuple(f"token {i}" for i in range(1, 9)),
    X=read_only(
        [
            [0.2, 0.5, 0.1, 0.8],
            [0.3, 0.7, 0.4, 0.2],
            [0.6, 0.1, 0.9, 0.5],
            [0.4, 0.8, 0.3, 0.7],
            [0.7, 0.2, 0.6, 0.4],
            [0.5, 0.6, 0.2, 0.9],
            [0.8, 0.3, 0.5, 0.1],
            [0.1, 0.9, 0.7, 0.6],
        ]
    ),
    W_Q=None,
    W_K=None,
    W_V=None,
    W_O=None,
    printed=printed_figures(),
)
