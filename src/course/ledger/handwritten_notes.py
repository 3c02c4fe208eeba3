"""The numbers of ``handwritten-notes.md``, the cleaned notes: what each one is."""

from typing import NamedTuple

import numpy as np

from attention import softmax
from course.ledger.note import Figures, LedgerRow, Note, chain, entries, pairs, stack

FOOTBALL = ("I", "play", "football")
CAT = ("the", "cat", "sat")


def declare(note: Note) -> None:
    """Claim every number of the cleaned notes."""
    _text(note)
    _football(note)
    _roles_and_steps(note)
    _cat(note)


def _text(note: Note) -> None:
    note.step = "text"
    note.fact(74, entries("bound of a softmax weight", 2), [0, 1], kind="property")
    note.inputs(110, entries("a one-hot row", 3))


def _embeddings(note: Note, line: int, words: tuple[str, ...], width: int) -> Figures:
    """Claim the embeddings of words, one on every second line."""
    rows = [
        note.inputs(line + 2 * i, entries(f"X[{word}]", width))
        for i, word in enumerate(words)
    ]
    return stack(rows)


def _football(note: Note) -> None:
    note.step = "inputs"
    X = _embeddings(note, 133, FOOTBALL, 3)
    note.fact(139, entries("shape of X", 2), X.printed.shape, kind="shape")
    note.copy(141, X)
    note.inputs(145, ["width of X", "width of Q, K, V"], kind="shape")
    note.fact(145, entries("shape of Q, K, V", 2), (3, 2), kind="shape")
    W_Q = note.inputs(147, entries("W_Q", 3, 2))
    W_K = chain(
        note.inputs(149, entries("W_K", 3, 2)[:2]),
        note.inputs(151, entries("W_K", 3, 2)[2]),
    ).reshape(3, 2)
    W_V = note.inputs(153, entries("W_V", 3, 2))

    note.step = "queries, keys, values"
    note.computed(157, entries("Q", FOOTBALL, 2), np.matmul, X, W_Q)
    K = note.computed(159, entries("K", FOOTBALL, 2), np.matmul, X, W_K)
    V = note.computed(161, entries("V", FOOTBALL, 2), np.matmul, X, W_V)
    Q = note.computed(165, entries("Q (restated)", FOOTBALL, 2), np.matmul, X, W_Q)
    K = note.copy(165, K)
    _football_attention(note, Q, K, V)


def _football_attention(note: Note, Q: Figures, K: Figures, V: Figures) -> None:
    square = (FOOTBALL, FOOTBALL)
    note.step = "scores"
    scores = note.computed(167, entries("scores", *square), lambda q, k: q @ k.T, Q, K)

    note.step = "scaled scores"
    note.fact(171, ["d_k", "d_k under the root"], [2, 2], kind="count")
    root = note.computed(171, "sqrt(d_k)", lambda k: np.sqrt(k.shape[1]), K)
    note.fact(173, ["d_k under the root"], [2], kind="count")
    scaled = note.computed(173, entries("scaled", *square), np.divide, scores, root)

    note.step = "softmax"
    weights = note.computed(177, entries("weights", *square), softmax, scaled)
    note.fact(179, ["sum of a row of weights"], [1], kind="property")
    for i, token in enumerate(FOOTBALL):
        line, names = 181 + 2 * i, entries(f"percent[{token}]", FOOTBALL)
        note.computed(line, names, lambda w: 100 * w, weights[i], kind="percentage")

    note.step = "weighted sum"
    V = note.copy(189, V)
    note.computed(193, entries("output", FOOTBALL, 2), np.matmul, weights, V)


def _roles_and_steps(note: Note) -> None:
    note.step = "text"
    for line in (243, 245, 247):
        note.label(line, what="head number")
    for line in (253, 259, 261, 263, 267, 275, 281):
        note.label(line, what="list number")


class _Size(NamedTuple):
    """Sizes of a model: its width and its number of heads."""

    d_model: Figures
    h: Figures


def _cat(note: Note) -> None:
    note.step = "shapes"
    size = _Size(note.inputs(297, "d_model"), note.inputs(299, "h"))
    _head_width(note, 303, "d_k = d_v", size)
    X, weights, W_O = _cat_inputs(note, size)

    note.step = "queries, keys, values"
    note.label(365, what="step number")
    note.label(367, what="head number")
    first = _cat_first_head(note, X, weights[0])
    second = _cat_second_head(note, X, weights[1])

    note.step = "scores"
    note.label(419, what="step number")
    scores = _cat_scores(note, first)

    scaled = _cat_scaled(note, scores, second)
    A = _cat_softmax(note, scaled)
    heads = _cat_weighted_sums(note, A, (first[2], second[2]))
    _cat_projection(note, heads, W_O)
    _paper_sizes(note)
    _repeated_page(note)


def _head_width(note: Note, line: int, name: str, size: _Size) -> Figures:
    """Claim ``d_model / h = width`` as copies and their quotient."""
    note.copy(line, size.d_model)
    note.copy(line, size.h)
    return note.computed(line, name, np.divide, *size)


def _cat_inputs(
    note: Note, size: _Size
) -> tuple[Figures, list[tuple[Figures, ...]], Figures]:
    note.step = "inputs"
    note.label(305, what="step number")
    X = _embeddings(note, 307, CAT, 4)
    note.fact(313, entries("shape of W_Q, W_K, W_V", 2), (4, 2), kind="shape")
    weights = []
    for h, start in ((1, 317), (2, 325)):
        note.label(start - 2, what="head number")
        matrices = []
        for i, name in enumerate("QKV"):
            note.label(start + 2 * i, what="head number")
            names = entries(f"W_{name}{h}", 4, 2)
            matrices.append(note.inputs(start + 2 * i, names))
        weights.append(tuple(matrices))

    note.step = "shapes"
    base = _Size(note.inputs(339, "d_model (base)"), note.inputs(341, "h (base)"))
    note.computed(343, "d_k (base)", np.divide, *base)
    _head_width(note, 343, "d_k (base)", base)
    names = entries("shape of W_O (base)", 2)
    note.computed(347, names, lambda d: [d, d], base.d_model)
    note.copy(351, size.d_model)
    note.copy(353, size.h)
    note.computed(355, "d_k", np.divide, *size)
    _head_width(note, 355, "d_k", size)
    note.fact(359, entries("shape of W_O", 2), (4, 4), kind="shape")

    note.step = "inputs"
    note.unreadable(363, what="letter O of W^O")
    return X, weights, note.inputs(363, entries("W_O", 4, 4))


def _terms(x: Figures, W: Figures, column: int) -> Figures:
    """Return the entries of a column of W where the 0/1 vector x is 1."""
    return W[:, column][np.flatnonzero(x.source)]


def _picked_sum(
    note: Note, first_line: int, line: int, name: str, x: Figures, W: Figures
) -> Figures:
    """Claim ``[a + b, c + d] = [e, f]``, where a + b may stand on an earlier line."""
    first = note.copy(first_line, _terms(x, W, 0))
    second = note.copy(line, _terms(x, W, 1))
    return _sums_of_rows(note, line, name, stack([first, second]))


def _sums_of_rows(note: Note, line: int, name: str, terms: Figures) -> Figures:
    """Claim the two sums of two rows of terms."""
    return note.computed(
        line, entries(name, 2), lambda t: t.sum(axis=1), terms, kind="sum"
    )


def _cat_first_head(
    note: Note, X: Figures, weights: tuple[Figures, ...]
) -> tuple[Figures, ...]:
    found: dict[str, list[Figures]] = {"Q": [], "K": [], "V": []}
    for i, token in enumerate(CAT):
        for j, (name, W) in enumerate(zip("QKV", weights, strict=True)):
            start = 369 + 2 * j if i == 0 else 375 + 12 * (i - 1) + 4 * j
            end = start if i == 0 else start + 2
            note.label(start, 2, what="head number")
            note.copy(start, X[i])
            if start == 387:
                note.surplus(start, "X[sat]")
            if i == 0:
                note.copy(start, W)
            first = start if start == 395 else end
            row = _picked_sum(note, first, end, f"{name}1[{token}]", X[i], W)
            found[name].append(row)
    return tuple(stack(rows) for rows in found.values())


def _cat_second_head(
    note: Note, X: Figures, weights: tuple[Figures, ...]
) -> tuple[Figures, ...]:
    note.label(399, 2, what="head number")
    found: dict[str, list[Figures]] = {"Q": [], "K": [], "V": []}
    for i, token in enumerate(CAT):
        for j, (name, W) in enumerate(zip("QKV", weights, strict=True)):
            line = 401 + 6 * i + 2 * j
            note.label(line, what="head number")
            names = entries(f"{name}2[{token}]", 2)
            found[name].append(note.computed(line, names, np.matmul, X[i], W))
    return tuple(stack(rows) for rows in found.values())


def _cat_scores(note: Note, head: tuple[Figures, ...]) -> Figures:
    Q, K, _ = head
    note.fact(423, ["d_k", "d_k under the root"], [2, 2], kind="count")
    note.computed(423, "sqrt(d_k)", lambda k: np.sqrt(k.shape[1]), K)
    note.label(425, what="head number")
    rows = []
    lines = (427, 431), (433, 435), (437, 439)
    for token, q, (line, result) in zip(CAT, Q, lines, strict=True):
        note.label(line, 2, what="head number")
        q = note.copy(line, q)
        keys = note.copy(line, K.T)
        if token == "the":
            for j in range(len(CAT)):
                note.copy(429, pairs(q, K[j]))
        names = entries(f"scores1[{token}]", CAT)
        rows.append(note.computed(result, names, np.matmul, q, keys))
    return stack(rows)


def _cat_scaled(
    note: Note, scores: Figures, second: tuple[Figures, ...]
) -> tuple[list[Figures], list[Figures]]:
    note.step = "scaled scores"
    note.fact(441, ["d_k under the root"], [2], kind="count")
    root = np.sqrt(2)
    first, last = [], []
    for i, token in enumerate(CAT):
        line, names = 443 + 2 * i, entries(f"scaled1[{token}]", CAT)
        note.label(line, what="head number")
        first.append(note.computed(line, names, lambda s: s / root, scores[i]))
    note.label(449, what="head number")
    Q, K, _ = second
    for i, token in enumerate(CAT):
        line, names = 451 + 2 * i, entries(f"scaled2[{token}]", CAT)
        note.label(line, what="head number")
        last.append(note.computed(line, names, lambda q, k: k @ q / root, Q[i], K))
    return first, last


def _cat_softmax(
    note: Note, scaled: tuple[list[Figures], list[Figures]]
) -> list[list[Figures]]:
    note.step = "softmax"
    note.label(457, what="step number")
    heads = []
    for h, start in ((1, 463), (2, 477)):
        note.label(start - 2, what="head number")
        rows = []
        for i, token in enumerate(CAT):
            note.label(start + 4 * i, what="head number")
            logits = note.copy(start + 4 * i, scaled[h - 1][i])
            names = entries(f"weights{h}[{token}]", CAT)
            rows.append(note.computed(start + 4 * i + 2, names, softmax, logits))
        heads.append(rows)
    return heads


class _Sum(NamedTuple):
    """Lines of one weighted sum: with names, with values, with the result."""

    names: int
    values: int
    result: int


_SUMS = (
    (_Sum(495, 497, 501), _Sum(503, 505, 507), _Sum(509, 511, 513)),
    (_Sum(517, 519, 523), _Sum(525, 527, 527), _Sum(529, 531, 531)),
)


def _cat_weighted_sums(
    note: Note, A: list[list[Figures]], values: tuple[Figures, Figures]
) -> list[list[Figures]]:
    note.step = "weighted sum"
    note.label(489, what="step number")
    heads = []
    for h, (lines, V) in enumerate(zip(_SUMS, values, strict=True)):
        note.label((493, 515)[h], 2, what="head number")
        rows = []
        for token, line, a in zip(CAT, lines, A[h], strict=True):
            for j in range(len(CAT)):
                note.label(line.names, what="head number")
                note.copy(line.names, a[j])
            note.label(497 if line.names == 495 else line.names, what="head number")
            if line.values == line.result:
                note.label(line.values, what="head number")
            name = f"head{h + 1}[{token}]"
            if token == "the":
                products = _weighted_products(note, line, name, a, V)
                row = _sums_of_rows(note, line.result, name, products)
            else:
                note.copy(line.values, pairs(a, V[:, 0]))
                row = note.computed(line.result, entries(name, 2), np.matmul, a, V)
            rows.append(row)
        heads.append(rows)
    return heads


def _weighted_products(
    note: Note, line: _Sum, name: str, a: Figures, V: Figures
) -> Figures:
    """Claim ``w [v, v] + ...`` and its products; return a row for each column of V."""
    for j in range(len(CAT)):
        note.copy(line.values, a[j])
        note.copy(line.values, V[j])
    columns = []
    product_lines = (497, 499) if line.names == 495 else (521, 521)
    for c, at in enumerate(product_lines):
        names = entries(f"{name}[{c + 1}] term", CAT)
        column = note.computed(at, names, np.multiply, a, V[:, c], kind="product")
        columns.append(column)
    return stack(columns)


def _cat_projection(note: Note, heads: list[list[Figures]], W_O: Figures) -> None:
    note.step = "concatenation"
    note.label(533, what="step number")
    joined = []
    for i in range(len(CAT)):
        note.label(537 + 2 * i, 2, what="head number")
        joined.append(note.copy(537 + 2 * i, chain(heads[0][i], heads[1][i])))

    note.step = "output projection"
    for i, (line, result) in enumerate(((545, 549), (551, 555), (557, 561))):
        if i:
            note.unreadable(line, what="letter O of W^O")
        note.copy(line, joined[i])
        if i == 0:
            note.copy(547, W_O)
        names = entries(f"output[{CAT[i]}]", 4)
        # not from the copy of the concatenation on this line, which may be misread
        note.computed(result, names, np.matmul, joined[i], W_O)
    note.fact(563, ["width of the output"], [4], kind="shape")


def _paper_sizes(note: Note) -> None:
    note.step = "shapes"
    base = _Size(note.inputs(573, "d_model (base)"), note.inputs(571, "h (base)"))
    note.computed(575, "d_k (base)", np.divide, *base)
    _head_width(note, 575, "d_k (base)", base)
    big = _Size(note.inputs(581, "d_model (big)"), note.inputs(579, "h (big)"))
    note.computed(583, "d_k (big)", np.divide, *big)


def _repeated_page(note: Note) -> None:
    """Claim lines 585-618, which repeat 549-583 number by number."""
    repeats = {549: 585, 551: 587, 555: 591, 557: 593, 561: 597, 563: 599}
    repeats |= {571: 606, 573: 608, 575: 610, 579: 614, 581: 616, 583: 618}
    rows = {(row.line, row.position): row for row in note.rows}
    for line, repeat in repeats.items():
        for position in range(len(note.numbers[line])):
            row = rows[line, position]
            note.step = row.step
            if row.verdict == "unreadable":
                note.unreadable(repeat, what=row.quantity)
            else:
                note.copy(repeat, _original(row))


def _original(row: LedgerRow) -> Figures:
    """Return the original figure of a row: the row itself, or the figure it copies."""
    value = row.chained if row.kind == "copy" else float(row.printed)
    source = value if row.source is None else row.source
    name = row.quantity.removeprefix("copy of ")
    return Figures(np.array(name, dtype=object), np.array(value), np.array(source))
