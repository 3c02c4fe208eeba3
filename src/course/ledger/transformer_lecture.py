"""The numbers of ``transformer-self-attention.md``: what each one is.

The figures with the matrices are lost. The text still has three rows of weights in
percent, the ends of three embeddings, and sizes.
"""

import numpy as np

from course.ledger.note import Note, entries

_INDICES = {
    **{72: 3, 105: 3, 106: 3, 107: 3, 144: 4, 146: 14, 154: 10, 156: 6, 163: 10},
    **{164: 6, 202: 1, 213: 1, 220: 1},
}
"""Lines whose only numbers are indices of vectors (x_1, q_2), and how many each has."""

_FILES = (24, 35, 64, 82, 101, 128, 136, 140, 148, 159, 176, 193, 197, 204, 210)
_FILES += (215, 221, 237)
_STEPS = (132, 169, 178, 184, 231, 232, 233, 234)


def declare(note: Note) -> None:
    """Claim every number of the lecture."""
    note.step = "text"
    note.label(5, what="model name")
    for line in _FILES:
        note.label(line, what="file name of a lost figure")
    for line in _STEPS:
        note.label(line, what="step number")
    for line, count in _INDICES.items():
        note.label(line, count, what="index")
    _sizes(note)
    _percentages(note)


def _sizes(note: Note) -> None:
    note.step = "shapes"
    note.inputs(27, "number of encoders (paper)", kind="count")
    note.inputs(29, "number of encoders", kind="count")
    note.fact(89, ["words of the sentence"], [3], kind="count")
    width = note.inputs(89, "d_model")
    note.fact(91, ["rows of X"], [3], kind="shape")
    note.copy(91, width)
    d_k = note.inputs(111, "d_k")
    note.copy(114, d_k)
    note.fact(118, ["rows of Q, K, V"], [3], kind="shape")
    note.copy(118, d_k)

    note.step = "scaled scores"
    d_k = note.copy(174, d_k)
    root = note.computed(174, "sqrt(d_k)", np.sqrt, d_k)
    note.copy(174, root)

    note.step = "inputs"
    for line, word in ((74, "I"), (75, "am"), (76, "good")):
        note.label(line, what="index")
        note.inputs(line, [f"X[{word}][{i}]" for i in (1, 2, 512)])


def _percentages(note: Note) -> None:
    words = ("I", "am", "good")
    note.step = "softmax"
    note.fact(180, entries("bound of a softmax weight", 2), [0, 1], kind="property")
    note.fact(180, ["sum of a row of weights"], [1], kind="property")
    first = note.lost(182, entries("percent[I]", words))

    note.step = "weighted sum"
    note.label(207, 2, what="index")
    for j in range(3):
        note.copy(207, first[j])
        note.label(207, what="index")
    for line, word in ((217, "am"), (222, "good")):
        note.label(line, what="index")
        for name in entries(f"percent[{word}]", words):
            note.lost(line, name)
            note.label(line, what="index")
