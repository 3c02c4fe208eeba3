"""The numbers of ``transformer-self-attention.md``: what each one is.

Its matrices stand in figures that are lost; what is left are three rows of
weights in percent, the ends of three embeddings, and sizes.
"""

import numpy as np

from course.ledger.page import Page, entries

_INDICES = {
    **{72: 3, 105: 3, 106: 3, 107: 3, 144: 4, 146: 14, 154: 10, 156: 6, 163: 10},
    **{164: 6, 202: 1, 213: 1, 220: 1},
}
"""Lines that number vectors only (x_1, q_2, k_3): how many numbers each has."""

_FILES = (24, 35, 64, 82, 101, 128, 136, 140, 148, 159, 176, 193, 197, 204, 210)
_FILES += (215, 221, 237)
_STEPS = (132, 169, 178, 184, 231, 232, 233, 234)


def declare(page: Page) -> None:
    """Claim every number of the lecture."""
    page.step = "text"
    page.label(5, what="model name")
    for line in _FILES:
        page.label(line, what="file name of a lost figure")
    for line in _STEPS:
        page.label(line, what="step number")
    for line, count in _INDICES.items():
        page.label(line, count, what="index")
    _sizes(page)
    _percentages(page)


def _sizes(page: Page) -> None:
    page.step = "shapes"
    page.inputs(27, "number of encoders (paper)", kind="count")
    page.inputs(29, "number of encoders", kind="count")
    page.fact(89, ["words of the sentence"], [3], kind="count")
    width = page.inputs(89, "d_model")
    page.fact(91, ["rows of X"], [3], kind="shape")
    page.copy(91, width)
    d_k = page.inputs(111, "d_k")
    page.copy(114, d_k)
    page.fact(118, ["rows of Q, K, V"], [3], kind="shape")
    page.copy(118, d_k)

    page.step = "scaled scores"
    d_k = page.copy(174, d_k)
    root = page.computed(174, "sqrt(d_k)", np.sqrt, d_k)
    page.copy(174, root)

    page.step = "inputs"
    for line, word in ((74, "I"), (75, "am"), (76, "good")):
        page.label(line, what="index")
        page.inputs(line, [f"X[{word}][{i}]" for i in (1, 2, 512)])


def _percentages(page: Page) -> None:
    words = ("I", "am", "good")
    page.step = "softmax"
    page.fact(180, entries("bound of a softmax weight", 2), [0, 1], kind="property")
    page.fact(180, ["sum of a row of weights"], [1], kind="property")
    first = page.lost(182, entries("percent[I]", words))

    page.step = "weighted sum"
    page.label(207, 2, what="index")
    for j in range(3):
        page.copy(207, first[j])
        page.label(207, what="index")
    for line, word in ((217, "am"), (222, "good")):
        page.label(line, what="index")
        for name in entries(f"percent[{word}]", words):
            page.lost(line, name)
            page.label(line, what="index")
