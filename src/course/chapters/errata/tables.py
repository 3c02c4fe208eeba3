"""The opening table of the errata: eight errors that change a conclusion."""

import numpy as np

from attention import MultiHeadAttention
from course.kit.prose import number, table
from course.ledger import link, rows
from course.notes import APPLE, CAT

NO_BREAK = "\N{NO-BREAK SPACE}"
_NAMES = {
    "apple-walkthrough": "apple",
    "handwritten-notes": "handwritten",
    "transformer-self-attention": "lecture",
    "multi-head-operation": "shapes",
}


def eight_errors() -> str:
    """Return a table of false and true statements, with links to the ledger's rows."""
    pairs = (*_weights(), *_sums(), *_products())
    return table(["the notes print", "what holds", "where"], pairs, "lll")


def _where(note: str, line: int) -> str:
    return link(note, line, f"{_NAMES[note]}, line{NO_BREAK}{line}")


def _source(line: int, quantity: str) -> float:
    """Return a number of the apple walkthrough, recomputed from the stated inputs."""
    (row,) = (r for r in rows("apple-walkthrough", line) if r.quantity == quantity)
    return row.source


def _weights() -> list[tuple[str, str, str]]:
    """Return errors about the largest weight or score of a row."""
    winners = APPLE.printed["weights"][0].argmax(axis=1)
    eat = APPLE.tokens.index("eat")
    listed = number(APPLE.printed["apple_weights"][0, eat], 3)
    holds = number(_source(224, "weights1[apple][eat] in the list"), 3)
    starred = number(APPLE.printed["apple_scores"][2, eat], 3)
    return [
        (
            "In head 1 the five rows have their largest weights at "
            + ", ".join(APPLE.tokens[j] for j in winners),
            "*bought*, in all five rows, and in all fifteen of the three heads",
            _where("apple-walkthrough", 203),
        ),
        (
            f"*Eat* has the highest weight of apple’s row in head 1: {listed}",
            f"*eat* is second with {holds}, behind *bought*",
            _where("apple-walkthrough", 224),
        ),
        (
            f"In head 3 the score of *eat*, {starred}, is the highest of apple’s row",
            "*bought* has the highest score; even in the printed row two scores are "
            "higher",
            _where("apple-walkthrough", 592),
        ),
    ]


def _sums() -> list[tuple[str, str, str]]:
    """Return errors about sums of weights, averages and the order of outputs."""
    off = np.abs(APPLE.printed["weights"].sum(axis=-1) - 1) > 1e-9
    least, output = APPLE.printed["V"][0].min(axis=0), APPLE.printed["output"][0]
    below = int(np.argmax(output < least))
    right = MultiHeadAttention(CAT.W_Q, CAT.W_K, CAT.W_V, CAT.W_O)(CAT.X)
    orders = [
        " > ".join(CAT.tokens[i] for i in np.argsort(-outputs[:, 0]))
        for outputs in (CAT.printed["output"], right)
    ]
    return [
        (
            "Each row of weights sums to one",
            f"{off.sum()} of the {off.size} printed rows do not",
            _where("apple-walkthrough", 195),
        ),
        (
            f"A number of apple’s output is {number(output[below])}; the five printed "
            f"values in its column are at least {number(least[below], bound='least')}",
            "a weighted mean lies between the smallest and the largest value",
            _where("apple-walkthrough", 241 if below else 240),
        ),
        (
            f"The first numbers of the outputs have the order {orders[0]}",
            orders[1],
            _where("handwritten-notes", 549),
        ),
    ]


def _products() -> list[tuple[str, str, str]]:
    """Return errors in a formula and in a product."""
    return [
        (
            r"$\text{softmax}(QK^{\mathsf T}) / \sqrt{d_k}$",
            r"$\text{softmax}(QK^{\mathsf T} / \sqrt{d_k})$",
            _where("transformer-self-attention", 233),
        ),
        (
            "Weights of shape (4, 2) multiply half of the input, (8, 2)",
            "this product does not exist; each head projects the whole input",
            _where("multi-head-operation", 72),
        ),
    ]
