"""Exercises of the apple walkthrough; every value is computed."""

import numpy as np

from attention import softmax
from course.chapters.walkthrough_apple.experiments import FOCUS, SCALE
from course.chapters.walkthrough_apple.tables import (
    NAMES,
    SUBSCRIPT,
    exponentials,
    matrix,
    trace,
)
from course.kit.stand_ins import MEAN_OF_HEADS
from course.notes import APPLE
from course.widgets.exercise import Exercise, Slip, decimal, dot_steps
from course.widgets.operands import Grid, entry_of_product, softmax_of_row

_NUMBERS = {0: "first", 1: "second", 2: "third", 3: "fourth"}


def projection(head: int, kind: str, column: int = 0) -> Exercise:
    """Return an exercise: one component of apple's query, key or value.

    `head` is 0, 1 or 2, `kind` is "Q", "K" or "V", and `column` is the component's
    index.
    """
    weights, x = getattr(APPLE, f"W_{kind}")[head], APPLE.X[FOCUS]
    operands = entry_of_product(
        Grid("X", APPLE.X, rows=APPLE.tokens),
        Grid(f"W_{kind} of head {head + 1}", weights),
        (FOCUS, column),
    )
    return Exercise(
        f"{kind}{head + 1}-{column}",
        f"Work out the {_NUMBERS[column]} component of apple’s {NAMES[kind]} in "
        f"head {head + 1}. Mark one row or column in each matrix.",
        operands=operands,
        truth=operands.truth,
        slips=_projection_slips(head, kind, column),
        hint="Take apple’s row of X and one column of the matrix. Add the four "
        "products.",
        steps=dot_steps(x, weights[:, column]),
    )


def _projection_slips(head: int, kind: str, column: int) -> list[Slip]:
    """Return the wrong results of typical slips in a product of vector and matrix."""
    weights, x = getattr(APPLE, f"W_{kind}")[head], APPLE.X[FOCUS]
    products = x * weights[:, column]
    printed = APPLE.printed[kind][head, FOCUS, column]
    return [
        Slip(
            x @ weights[column],
            f"This is the result with row {column + 1} of the matrix. Use column "
            f"{column + 1}: the {_NUMBERS[column]} number of each row.",
        ),
        Slip(
            products[:-1].sum(), "The sum is not finished: the last product is missing."
        ),
        Slip(products[:-2].sum(), "The sum is not finished: two products are missing."),
        Slip(
            weights[:, column].sum(),
            "This is the sum of the column. Multiply each number by a number of the "
            "embedding first.",
        ),
        Slip(
            printed,
            "This is a misprint of the web page. The sum of the four products is "
            "larger.",
        ),
        Slip(
            APPLE.X[FOCUS + 1] @ weights[:, column],
            f"This is the component of “{APPLE.tokens[FOCUS + 1]}”, the next word.",
        ),
    ]


def score(head: int, word: str) -> Exercise:
    """Return an exercise: the raw score of apple's query and the key of a word."""
    j = APPLE.tokens.index(word)
    query, keys = matrix(head, "Q")[FOCUS], matrix(head, "K")
    name = SUBSCRIPT[head]
    operands = entry_of_product(
        Grid(f"Q{name}", matrix(head, "Q"), rows=APPLE.tokens),
        Grid(f"K{name} transposed", keys.T, columns=APPLE.tokens),
        (FOCUS, j),
    )
    return Exercise(
        f"score{head + 1}-{word}",
        f"Work out the score of apple → {word} in head {head + 1}, before scaling. "
        "Mark the query and the key.",
        operands=operands,
        truth=operands.truth,
        slips=[
            Slip(
                operands.truth * SCALE,
                "This is the logit. Give the score before the division.",
            ),
            Slip(
                keys[FOCUS] @ matrix(head, "Q")[j],
                f"This is {word} → apple: the query of “{word}” times apple’s key. The "
                "table of scores is not symmetric.",
            ),
            Slip(query[:-1] @ keys[j, :-1], "The last product is missing."),
            Slip(
                query @ query,
                "This is apple’s query times itself. Multiply it by a key.",
            ),
        ],
        hint="Multiply number by number along the two vectors, then add.",
        steps=dot_steps(query, keys[j]),
    )


def practice_softmax(head: int, word: str) -> Exercise:
    """Return an exercise: apple's weight of a word, from the logits."""
    j = APPLE.tokens.index(word)
    powers = exponentials(head)[1]
    table = np.round(trace().heads[head].scaled, 4)
    operands = softmax_of_row(
        Grid("logits", table, rows=APPLE.tokens, columns=APPLE.tokens),
        (FOCUS, j),
    )
    return Exercise(
        f"softmax{head + 1}-{word}",
        f"Practise softmax: what is the weight apple → {word} in head {head + 1}? Mark "
        "the row or the column whose exponentials you add up.",
        operands=operands,
        digits=3,
        truth=powers[j] / powers.sum(),
        slips=_softmax_slips(head, j),
        hint="Compute the exponential of each of apple’s five logits. Divide the "
        f"exponential of “{word}” by the sum of the five.",
        steps=_softmax_steps(head, j),
    )


def _softmax_steps(head: int, j: int) -> list[str]:
    """Return the steps from the logit to the weight, with rounded terms."""
    scaled, exact = exponentials(head)
    powers = np.round(exact, 3)
    terms = " + ".join(f"{p:.3f}" for p in powers)
    return [
        f"Take the exponential of the logit: e^{scaled[j]:.4f} = {powers[j]:.3f}",
        f"Add all five exponentials: {terms} = {powers.sum():.3f}",
        f"Divide: {powers[j]:.3f} ÷ {powers.sum():.3f} = "
        f"{decimal(powers[j] / powers.sum(), 3)}",
    ]


def _softmax_slips(head: int, j: int) -> list[Slip]:
    """Return the wrong results of typical slips in a softmax."""
    steps = trace().heads[head]
    scaled, powers = exponentials(head)
    return [
        Slip(
            softmax(steps.scores[FOCUS])[j],
            "This is the softmax of the raw scores. Divide the scores by 2 first.",
        ),
        Slip(
            softmax(steps.scaled, axis=0)[FOCUS, j],
            "This is a softmax down the column, over the queries. Softmax runs over "
            "the keys, along a row.",
        ),
        Slip(
            powers[j] / (powers.sum() - powers[j]),
            "The sum must contain the exponential of the chosen word too.",
        ),
        Slip(
            scaled[j] / scaled.sum(),
            "This divides the logits. Divide their exponentials.",
        ),
        Slip(powers[j], "This is the exponential. Divide it by the sum."),
        Slip(
            scaled[j],
            "This is the logit. Take its exponential, then divide by the sum.",
        ),
        Slip(
            APPLE.printed["apple_weights"][head][j],
            "This is a misprint of the web page. It does not follow from the "
            "exponentials.",
        ),
        Slip(
            steps.weights[FOCUS, steps.weights[FOCUS].argmax()],
            "This is the largest weight of the row. It belongs to another word.",
        ),
    ]


def head_output(head: int, column: int = 0) -> Exercise:
    """Return an exercise: one component of apple's weighted sum of values."""
    table, V = np.round(trace().heads[head].weights, 4), matrix(head, "V")
    weights, values = table[FOCUS], V[:, column]
    operands = entry_of_product(
        Grid("weights", table, rows=APPLE.tokens, columns=APPLE.tokens),
        Grid(f"V{SUBSCRIPT[head]}", V, rows=APPLE.tokens),
        (FOCUS, column),
    )
    return Exercise(
        f"output{head + 1}-{column}",
        f"Work out the {_NUMBERS[column]} component of head {head + 1}’s output for "
        "apple. Mark the weights and the values that you multiply.",
        operands=operands,
        truth=trace().heads[head].output[FOCUS, column],
        slips=[
            Slip(
                values.mean(),
                "This is the mean with equal weights. The weights of apple differ.",
            ),
            Slip(
                values.sum(),
                "This is the sum of the values. Multiply each value by its weight "
                "first.",
            ),
            Slip(weights[:-1] @ values[:-1], "The last word is missing from the sum."),
            Slip(
                weights[FOCUS] * values[FOCUS],
                "This is the contribution of apple alone. All five words contribute.",
            ),
            Slip(
                APPLE.printed["output"][head][column],
                "This is a misprint of the web page. It is smaller than each of the "
                "five values above, so it cannot be their weighted mean.",
            ),
        ],
        hint="Multiply the weight of each word by its value. Add the five products.",
        steps=dot_steps(weights, values),
    )


def final_output() -> Exercise:
    """Return an exercise: the first component of apple's output, a mean of heads."""
    concat = trace().concat[FOCUS]
    parts = concat.reshape(3, 4)[:, 0]
    texts = [decimal(p, 3) for p in parts]
    third = decimal(MEAN_OF_HEADS[0, 0], 4)
    return Exercise(
        "final-0",
        "Work out the first component of apple’s output, if W_O takes the mean of the "
        "heads.",
        expression="concat × column 1 of W_O = ?",
        truth=trace().output[FOCUS, 0],
        slips=[
            Slip(parts.sum(), "This is the sum. Each head counts only a third."),
            Slip(
                concat[:3].mean(),
                "This is the mean of three numbers of head 1. The column takes one "
                "number of each head.",
            ),
            Slip(parts[0], "This is head 1 alone. Add heads 2 and 3."),
            Slip(concat.mean(), "This is the mean of all twelve numbers."),
        ],
        hint=f"The column has three entries of {third}, one for each head, and zeros.",
        steps=[
            f"The column takes these three numbers: {', '.join(texts)}",
            f"({' + '.join(texts)}) ÷ 3 = {decimal(parts.mean(), 3)}",
        ],
    )
