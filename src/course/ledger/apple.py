"""The numbers of ``apple-walkthrough.md``: what each one is."""

import numpy as np

from attention import softmax
from course.ledger.page import Figures, Page, chain, entries, pairs, stack
from course.notes.apple import CONCATENATION, EMBEDDINGS, HEADS, WORDS, Lines

APPLE = WORDS.index("apple")


_HEAD_NUMBERS = (
    *(47, 106, 117, 128, 130, 136, 147, 149, 160, 164, 173, 200, 209, 217),
    *(228, 230, 253, 312, 323, 334, 336, 342, 353, 355, 366, 368, 377, 401),
    *(410, 418, 429, 431, 450, 509, 520, 531, 533, 539, 550, 552, 565, 574),
    *(598, 607, 615, 626, 628),
)
"""Lines whose only number is that of a head."""

_STEP_AND_HEAD = {
    **dict.fromkeys((45, 126, 145, 158, 193, 226), 2),
    **dict.fromkeys((251, 332, 351, 364, 397, 427), 2),
    **dict.fromkeys((448, 529, 548, 561, 594, 624), 2),
    **{8: 1, 22: 1, 247: 3, 249: 3, 646: 1, 658: 1},
}
"""Headings and sentences: how many numbers of steps and heads each has."""


def declare(page: Page) -> None:
    """Claim every number of the walkthrough."""
    _labels(page)
    X = _embeddings(page)
    first = [_weights(page, h, lines) for h, lines in enumerate(HEADS, start=1)]
    _rules(page, X, first[0][0])
    outputs = [
        _head(page, h, lines, X, weights)
        for h, (lines, weights) in enumerate(zip(HEADS, first, strict=True), start=1)
    ]
    _concatenation(page, outputs)


def _labels(page: Page) -> None:
    page.step = "text"
    page.label(5, what="step shown")
    # 23 headings are numbered, and 3 heads of 6 steps are 18: what it counts is lost
    page.lost(5, ["steps in all"], kind="count")
    for line in _HEAD_NUMBERS:
        page.label(line, what="head number")
    for line, count in _STEP_AND_HEAD.items():
        page.label(line, count, what="step or head number")
    for line in (27, 28, 29, 30):
        page.label(line, 13, what="index")
    page.label(162, 18, what="head number or index")
    page.label(666, 2, what="question or head number")
    page.label(672, what="question number")


def _embeddings(page: Page) -> Figures:
    page.step = "shapes"
    for line in (12, 14):
        page.fact(line, ["width of an embedding"], [4], kind="shape")
    page.fact(24, ["width of an embedding"], [4], kind="shape")
    page.fact(24, entries("shape of a weight matrix", 2), (4, 4), kind="shape")
    page.label(25, 4, what="index")
    page.fact(25, entries("shape of a weight matrix", 2), (4, 4), kind="shape")
    page.step = "inputs"
    page.label(15, 4, what="index")
    rows = []
    for line, word in enumerate(WORDS, start=EMBEDDINGS):
        page.label(line, what="position")
        rows.append(page.inputs(line, entries(f"X[{word}]", 4)))
    return stack(rows)


def _weights(page: Page, h: int, lines: Lines) -> tuple[Figures, ...]:
    heading = {1: 49, 2: 255, 3: 452}[h]
    page.step = "shapes"
    page.label(heading, what="head number")
    page.fact(heading, entries("shape of a weight matrix", 2), (4, 4), kind="shape")
    page.step = "inputs"
    found = []
    for name, start in zip("QKV", lines.weights, strict=True):
        page.label(start - 2, what="head number")
        names = entries(f"W_{name}{h}", 4, 4).ravel()
        cells = [page.inputs(start + i, names[i]) for i in range(16)]
        found.append(stack(cells).reshape(4, 4))
    return tuple(found)


def _rules(page: Page, X: Figures, W_Q: Figures) -> None:
    """Claim the first exercise, lines 34-43."""
    page.step = "queries, keys, values"
    page.label(34, 2, what="head number")
    x, column = X[APPLE], W_Q[:, 0]
    x = page.copy(36, x)
    page.label(38, 2, what="head number or index")
    column = page.copy(38, column)
    page.label(40, 2, what="head number or index")
    page.copy(40, pairs(x, column))
    products = []
    for i in range(4):
        page.copy(42, pairs(x[i], column[i]))
        name = f"Q1[apple][1] term[{i + 1}]"
        products.append(
            page.computed(42, name, np.multiply, x[i], column[i], kind="product")
        )
    terms = page.copy(43, stack(products))
    page.computed(43, "Q1[apple][1]", np.sum, terms, kind="sum")


def _head(
    page: Page, h: int, lines: Lines, X: Figures, weights: tuple[Figures, ...]
) -> Figures:
    page.step = "queries, keys, values"
    query = _worked_query(page, h, lines, X[APPLE], weights[0])
    page.copy(lines.try_key, X[APPLE])
    page.label(lines.try_key, what="head number")
    page.label(lines.try_key + 2, 2, what="head number or index")
    page.copy(lines.try_key + 2, pairs(X[APPLE], weights[1][:, 0]))
    Q, K, V = _tables(page, h, lines, X, weights, query)
    matrix = _score_matrix(page, h, lines, Q, K)
    scores = _worked_scores(page, h, lines, Q[APPLE], K)
    listed = _softmax(page, h, lines, matrix, scores)
    return _weighted_sum(page, h, lines, listed, V)


def _worked_query(page: Page, h: int, lines: Lines, x: Figures, W: Figures) -> Figures:
    page.copy(lines.worked - 2, x)
    page.label(lines.worked - 2, what="head number")
    sums = []
    for j in range(4):
        line, name = lines.worked + j, f"Q{h}[apple][{j + 1}]"
        page.label(line, 2, what="head number or index")
        page.copy(line, pairs(x, W[:, j]))
        products = page.computed(
            line, entries(f"{name} term", 4), np.multiply, x, W[:, j], kind="product"
        )
        sums.append(page.computed(line, name, np.sum, products, kind="sum"))
    page.label(lines.query, what="head number")
    return page.copy(lines.query, stack(sums))


def _tables(
    page: Page,
    h: int,
    lines: Lines,
    X: Figures,
    weights: tuple[Figures, ...],
    query: Figures,
) -> tuple[Figures, ...]:
    found = []
    for name, start, W in zip("QKV", lines.tables, weights, strict=True):
        page.label(start - 1, what="head number")
        page.fact(start - 1, [f"width of {name}{h}"], [4], kind="shape")
        rows = []
        for i, word in enumerate(WORDS):
            if name == "Q" and i == APPLE:
                rows.append(page.copy(start + i, query))
                continue
            names = entries(f"{name}{h}[{word}]", 4)
            rows.append(page.computed(start + i, names, np.matmul, X[i], W))
        found.append(stack(rows))
    return tuple(found)


def _score_matrix(page: Page, h: int, lines: Lines, Q: Figures, K: Figures) -> Figures:
    page.step = "scores"
    if h == 1:
        page.fact(161, ["width of Q1, K1"], [4], kind="shape")
    page.copy(lines.matrix, K)
    rows = []
    for i, word in enumerate(WORDS):
        line = lines.matrix + 1 + i
        q = page.copy(line, Q[i])
        names = entries(f"scores{h}[{word}]", WORDS)
        rows.append(page.computed(line, names, lambda q, k: k @ q, q, K))
    return stack(rows)


def _worked_scores(
    page: Page, h: int, lines: Lines, query: Figures, K: Figures
) -> Figures:
    """Claim apple's five scores, each a sum of four products."""
    query = page.copy(lines.scores, query)
    found = []
    for i, word in enumerate(WORDS):
        factors = lines.scores + 3 + (0 if i == 0 else 1 + 3 * i)
        result = factors + 1 if i == 0 else factors
        if i == 0:
            page.copy(factors, query)
            page.copy(factors, K[i])
        page.copy(factors, pairs(query, K[i]))
        name = f"scores{h}[apple][{word}] worked out"
        products = page.computed(
            result, entries(f"{name} term", 4), np.multiply, query, K[i], kind="product"
        )
        found.append(page.computed(result, name, np.sum, products, kind="sum"))
    return stack(found)


def _softmax(
    page: Page, h: int, lines: Lines, matrix: Figures, scores: Figures
) -> Figures:
    page.step = "scaled scores"
    _root(page, lines.scaling)
    if h == 1:
        _root(page, 197)

    page.step = "softmax"
    page.fact(lines.scaling, ["sum of a row of weights"], [1], kind="property")
    if h == 1:
        page.label(lines.scaling, what="head number")
    for i, word in enumerate(WORDS):
        names = entries(f"weights{h}[{word}]", WORDS)
        page.computed(lines.soft + i, names, lambda s: softmax(s / 2), matrix[i])
    exponentials = _practice(page, h, lines, scores)
    listed = []
    for i, word in enumerate(WORDS):
        name = f"weights{h}[apple][{word}] in the list"
        listed.append(
            page.computed(
                lines.listed + i, name, lambda e, i=i: e[i] / e.sum(), exponentials
            )
        )
    return stack(listed)


def _root(page: Page, line: int) -> None:
    page.fact(line, ["d_k under the root"], [4], kind="count")
    page.fact(line, ["sqrt(d_k)"], [2], kind="computed")


def _practice(page: Page, h: int, lines: Lines, scores: Figures) -> Figures:
    page.step = "scaled scores"
    chosen = WORDS.index(lines.word)
    raw = page.copy(lines.practice, scores[chosen])
    raw = page.copy(lines.practice, raw)
    page.fact(lines.practice, ["sqrt(d_k)"], [2], kind="computed")
    name = f"scaled{h}[apple]"
    page.computed(lines.practice, f"{name}[{lines.word}]", lambda s: s / 2, raw)
    names = entries(name, WORDS)
    scaled = page.computed(lines.practice + 2, names, lambda s: s / 2, scores)

    page.step = "softmax"
    names = entries(f"exponential{h}[apple]", WORDS)
    exponentials = page.computed(lines.practice + 2, names, np.exp, scaled)
    total = page.computed(
        lines.practice + 4,
        f"sum of exponentials{h}[apple]",
        np.sum,
        exponentials,
        kind="sum",
    )
    page.copy(lines.practice + 4, exponentials[chosen])
    page.copy(lines.practice + 4, total)
    return exponentials


def _weighted_sum(
    page: Page, h: int, lines: Lines, listed: Figures, V: Figures
) -> Figures:
    page.step = "weighted sum"
    weighted = []
    for i, line in enumerate(lines.weighted):
        weight = page.copy(line, listed[i])
        value = page.copy(line, V[i])
        names = entries(f"weighted{h}[{WORDS[i]}]", 4)
        weighted.append(
            page.computed(line, names, np.multiply, weight, value, kind="product")
        )
    table = stack(weighted)
    sums = []
    for j in range(4):
        page.label(lines.sums + j, what="component number")
        terms = page.copy(lines.sums + j, table[:, j])
        name = f"head{h}[apple][{j + 1}]"
        sums.append(page.computed(lines.sums + j, name, np.sum, terms, kind="sum"))
    return page.copy(lines.output, stack(sums))


def _concatenation(page: Page, outputs: list[Figures]) -> None:
    page.step = "concatenation"
    width = sum(output.printed.size for output in outputs)
    for line in (648, 660):
        page.fact(line, ["width of the concatenation"], [width], kind="shape")
    for h, (lines, output) in enumerate(zip(HEADS, outputs, strict=True), start=1):
        page.label(lines.joined, what=f"head number {h}")
        page.copy(lines.joined, output)
    page.copy(CONCATENATION, chain(*outputs))
    page.step = "text"
    page.fact(675, ["sum of a row of weights"], [1], kind="property")
    page.fact(676, ["width of the vectors"], [4], kind="shape")
