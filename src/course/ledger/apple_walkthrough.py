"""The numbers of ``apple-walkthrough.md``: what each one is."""

import numpy as np

from attention import softmax
from course.ledger.note import Figures, Note, chain, entries, pairs, stack
from course.notes.apple import CONCATENATION, EMBEDDINGS, HEADS, WORDS, HeadLines

APPLE = WORDS.index("apple")


_HEAD_NUMBERS = (
    *(47, 106, 117, 128, 130, 136, 147, 149, 160, 164, 173, 200, 209, 217),
    *(228, 230, 253, 312, 323, 334, 336, 342, 353, 355, 366, 368, 377, 401),
    *(410, 418, 429, 431, 450, 509, 520, 531, 533, 539, 550, 552, 565, 574),
    *(598, 607, 615, 626, 628),
)
"""Lines whose only number is the number of a head."""

_STEP_AND_HEAD = {
    **dict.fromkeys((45, 126, 145, 158, 193, 226), 2),
    **dict.fromkeys((251, 332, 351, 364, 397, 427), 2),
    **dict.fromkeys((448, 529, 548, 561, 594, 624), 2),
    **{8: 1, 22: 1, 247: 3, 249: 3, 646: 1, 658: 1},
}
"""Lines with numbers of steps and heads, and how many each has."""


def declare(note: Note) -> None:
    """Claim every number of the walkthrough."""
    _labels(note)
    X = _embeddings(note)
    first = [_weights(note, h, lines) for h, lines in enumerate(HEADS, start=1)]
    _first_exercise(note, X, first[0][0])
    outputs = [
        _head(note, h, lines, X, weights)
        for h, (lines, weights) in enumerate(zip(HEADS, first, strict=True), start=1)
    ]
    _concatenation(note, outputs)


def _labels(note: Note) -> None:
    note.step = "text"
    note.label(5, what="step shown")
    # 18 may be 6 steps for each of 3 heads, but 23 headings have numbers
    note.lost(5, ["steps in all"], kind="count")
    for line in _HEAD_NUMBERS:
        note.label(line, what="head number")
    for line, count in _STEP_AND_HEAD.items():
        note.label(line, count, what="step or head number")
    for line in (27, 28, 29, 30):
        note.label(line, 13, what="index")
    note.label(162, 18, what="head number or index")
    note.label(666, 2, what="question or head number")
    note.label(672, what="question number")


def _embeddings(note: Note) -> Figures:
    note.step = "shapes"
    for line in (12, 14, 24):
        note.fact(line, ["width of an embedding"], [4], kind="shape")
    note.fact(24, entries("shape of a weight matrix", 2), (4, 4), kind="shape")
    note.label(25, 4, what="index")
    note.fact(25, entries("shape of a weight matrix", 2), (4, 4), kind="shape")
    note.step = "inputs"
    note.label(15, 4, what="index")
    rows = []
    for line, word in enumerate(WORDS, start=EMBEDDINGS):
        note.label(line, what="position")
        rows.append(note.inputs(line, entries(f"X[{word}]", 4)))
    return stack(rows)


def _weights(note: Note, h: int, lines: HeadLines) -> tuple[Figures, ...]:
    heading = {1: 49, 2: 255, 3: 452}[h]
    note.step = "shapes"
    note.label(heading, what="head number")
    note.fact(heading, entries("shape of a weight matrix", 2), (4, 4), kind="shape")
    note.step = "inputs"
    found = []
    for name, start in zip("QKV", lines.weights, strict=True):
        note.label(start - 2, what="head number")
        names = entries(f"W_{name}{h}", 4, 4).ravel()
        cells = [note.inputs(start + i, names[i]) for i in range(16)]
        found.append(stack(cells).reshape(4, 4))
    return tuple(found)


def _first_exercise(note: Note, X: Figures, W_Q: Figures) -> None:
    """Claim the first exercise, lines 34-43."""
    note.step = "queries, keys, values"
    note.label(34, 2, what="head number")
    x, column = X[APPLE], W_Q[:, 0]
    x = note.copy(36, x)
    note.label(38, 2, what="head number or index")
    column = note.copy(38, column)
    note.label(40, 2, what="head number or index")
    note.copy(40, pairs(x, column))
    products = []
    for i in range(4):
        note.copy(42, pairs(x[i], column[i]))
        name = f"Q1[apple][1] term[{i + 1}]"
        products.append(
            note.computed(42, name, np.multiply, x[i], column[i], kind="product")
        )
    terms = note.copy(43, stack(products))
    note.computed(43, "Q1[apple][1]", np.sum, terms, kind="sum")


def _head(
    note: Note, h: int, lines: HeadLines, X: Figures, weights: tuple[Figures, ...]
) -> Figures:
    note.step = "queries, keys, values"
    query = _worked_query(note, h, lines, X[APPLE], weights[0])
    note.copy(lines.try_key, X[APPLE])
    note.label(lines.try_key, what="head number")
    note.label(lines.try_key + 2, 2, what="head number or index")
    note.copy(lines.try_key + 2, pairs(X[APPLE], weights[1][:, 0]))
    Q, K, V = _tables(note, h, lines, X, weights, query)
    matrix = _score_matrix(note, h, lines, Q, K)
    scores = _worked_scores(note, h, lines, Q[APPLE], K)
    listed = _softmax(note, h, lines, matrix, scores)
    return _weighted_sum(note, h, lines, listed, V)


def _worked_query(
    note: Note, h: int, lines: HeadLines, x: Figures, W: Figures
) -> Figures:
    note.copy(lines.worked - 2, x)
    note.label(lines.worked - 2, what="head number")
    sums = []
    for j in range(4):
        line, name = lines.worked + j, f"Q{h}[apple][{j + 1}]"
        note.label(line, 2, what="head number or index")
        note.copy(line, pairs(x, W[:, j]))
        sums.append(_dot(note, line, name, x, W[:, j]))
    note.label(lines.query, what="head number")
    return note.copy(lines.query, stack(sums))


def _dot(note: Note, line: int, name: str, x: Figures, y: Figures) -> Figures:
    """Claim four products and their sum."""
    names = entries(f"{name} term", 4)
    products = note.computed(line, names, np.multiply, x, y, kind="product")
    return note.computed(line, name, np.sum, products, kind="sum")


def _tables(
    note: Note,
    h: int,
    lines: HeadLines,
    X: Figures,
    weights: tuple[Figures, ...],
    query: Figures,
) -> tuple[Figures, ...]:
    found = []
    for name, start, W in zip("QKV", lines.tables, weights, strict=True):
        note.label(start - 1, what="head number")
        note.fact(start - 1, [f"width of {name}{h}"], [4], kind="shape")
        rows = []
        for i, word in enumerate(WORDS):
            if name == "Q" and i == APPLE:
                rows.append(note.copy(start + i, query))
                continue
            names = entries(f"{name}{h}[{word}]", 4)
            rows.append(note.computed(start + i, names, np.matmul, X[i], W))
        found.append(stack(rows))
    return tuple(found)


def _score_matrix(
    note: Note, h: int, lines: HeadLines, Q: Figures, K: Figures
) -> Figures:
    note.step = "scores"
    if h == 1:
        note.fact(161, ["width of Q1, K1"], [4], kind="shape")
    note.copy(lines.matrix, K)
    rows = []
    for i, word in enumerate(WORDS):
        line = lines.matrix + 1 + i
        q = note.copy(line, Q[i])
        names = entries(f"scores{h}[{word}]", WORDS)
        rows.append(note.computed(line, names, lambda q, k: k @ q, q, K))
    return stack(rows)


def _worked_scores(
    note: Note, h: int, lines: HeadLines, query: Figures, K: Figures
) -> Figures:
    """Claim apple's five scores, each a sum of four products."""
    query = note.copy(lines.scores, query)
    found = []
    for i, word in enumerate(WORDS):
        result = lines.scores + 4 + 3 * i
        factors = result if i else result - 1
        if i == 0:
            note.copy(factors, query)
            note.copy(factors, K[i])
        note.copy(factors, pairs(query, K[i]))
        name = f"scores{h}[apple][{word}] worked out"
        found.append(_dot(note, result, name, query, K[i]))
    return stack(found)


def _softmax(
    note: Note, h: int, lines: HeadLines, matrix: Figures, scores: Figures
) -> Figures:
    note.step = "scaled scores"
    _root(note, lines.scaling)
    if h == 1:
        _root(note, 197)

    note.step = "softmax"
    note.fact(lines.scaling, ["sum of a row of weights"], [1], kind="property")
    if h == 1:
        note.label(lines.scaling, what="head number")
    for i, word in enumerate(WORDS):
        names = entries(f"weights{h}[{word}]", WORDS)
        note.computed(lines.soft + i, names, lambda s: softmax(s / 2), matrix[i])
    exponentials = _practice(note, h, lines, scores)
    listed = []
    for i, word in enumerate(WORDS):
        line, name = lines.listed + i, f"weights{h}[apple][{word}] in the list"
        row = note.computed(line, name, lambda e, i=i: e[i] / e.sum(), exponentials)
        listed.append(row)
    return stack(listed)


def _root(note: Note, line: int) -> None:
    note.fact(line, ["d_k under the root"], [4], kind="count")
    note.fact(line, ["sqrt(d_k)"], [2], kind="computed")


def _practice(note: Note, h: int, lines: HeadLines, scores: Figures) -> Figures:
    note.step = "scaled scores"
    chosen = WORDS.index(lines.word)
    raw = note.copy(lines.practice, scores[chosen])
    raw = note.copy(lines.practice, raw)
    note.fact(lines.practice, ["sqrt(d_k)"], [2], kind="computed")
    name = f"scaled{h}[apple]"
    note.computed(lines.practice, f"{name}[{lines.word}]", lambda s: s / 2, raw)
    names = entries(name, WORDS)
    scaled = note.computed(lines.practice + 2, names, lambda s: s / 2, scores)

    note.step = "softmax"
    names = entries(f"exponential{h}[apple]", WORDS)
    exponentials = note.computed(lines.practice + 2, names, np.exp, scaled)
    last, name = lines.practice + 4, f"sum of exponentials{h}[apple]"
    total = note.computed(last, name, np.sum, exponentials, kind="sum")
    note.copy(last, exponentials[chosen])
    note.copy(last, total)
    return exponentials


def _weighted_sum(
    note: Note, h: int, lines: HeadLines, listed: Figures, V: Figures
) -> Figures:
    note.step = "weighted sum"
    weighted = []
    for i, line in enumerate(lines.weighted):
        weight = note.copy(line, listed[i])
        value = note.copy(line, V[i])
        names = entries(f"weighted{h}[{WORDS[i]}]", 4)
        product = note.computed(line, names, np.multiply, weight, value, kind="product")
        weighted.append(product)
    table = stack(weighted)
    sums = []
    for j in range(4):
        note.label(lines.sums + j, what="component number")
        terms = note.copy(lines.sums + j, table[:, j])
        name = f"head{h}[apple][{j + 1}]"
        sums.append(note.computed(lines.sums + j, name, np.sum, terms, kind="sum"))
    return note.copy(lines.output, stack(sums))


def _concatenation(note: Note, outputs: list[Figures]) -> None:
    note.step = "concatenation"
    width = sum(output.printed.size for output in outputs)
    for line in (648, 660):
        note.fact(line, ["width of the concatenation"], [width], kind="shape")
    for h, (lines, output) in enumerate(zip(HEADS, outputs, strict=True), start=1):
        note.label(lines.joined, what=f"head number {h}")
        note.copy(lines.joined, output)
    note.copy(CONCATENATION, chain(*outputs))
    note.step = "text"
    note.fact(675, ["sum of a row of weights"], [1], kind="property")
    note.fact(676, ["width of the vectors"], [4], kind="shape")
