"""Questions of chapter 1; each choice has its reason."""

import numpy as np

from course.kit.toy import LOAN, toy_sentence
from course.widgets import Exercise, Slip, ask
from course.widgets.machine.goal import goal

CANNOT_BE_AN_OUTPUT = ask(
    (
        "The values are (1, 0), (1.25, 0.65) and (0.7, 0). Which of these cannot "
        "be one of the outputs, whatever the queries and keys?"
    ),
    (
        "(0.9, 0.13)",
        False,
        (
            "It lies inside the triangle that the three values span: weights of "
            "0.3, 0.2 and 0.5 give it exactly."
        ),
    ),
    (
        "(1.3, 0.2)",
        True,
        (
            "No value has a first number above 1.25, and a mixture with positive "
            "shares cannot leave the range of what is mixed."
        ),
    ),
    (
        "(1, 0.25)",
        False,
        (
            "It lies well inside the triangle that the three values span, so some "
            "weights give it."
        ),
    ),
)

CHECK_1 = ask(
    (
        "A page prints the weights 0.31, 0.42, 0.29 for one word. What can be said "
        "without Q and K?"
    ),
    (
        "They may be right; weights are only approximate",
        False,
        (
            "Rounding explains half a unit of the last decimal for each weight, "
            "0.015 in all, and these sum to 1.02."
        ),
    ),
    (
        "At least one is wrong, for they do not sum to 1",
        True,
        (
            "Three figures rounded to two decimals can miss the sum by 0.015 at "
            "most. These miss it by 0.02."
        ),
    ),
    (
        "Nothing",
        False,
        "The sum of a row is known without them: it is 1.",
    ),
)

ONE_EMBEDDING = ask(
    "You change one number in the embedding of “football”. Which rows of the output "
    "change?",
    (
        "Only that of “football”",
        False,
        "“football” has a key and a value as well, and every word mixes its value in.",
    ),
    (
        "Those of the words that attend to “football” more than to others",
        False,
        "A small weight is still a weight. Its value reaches every row.",
    ),
    (
        "All three",
        True,
        "Its key enters every row of weights and its value every mixture. Only its "
        "query affects no other row.",
    ),
)

PLAY_TO_FOOTBALL = goal(
    "play",
    "football",
    "W_K",
    "Change W_K, and nothing else, until “play” attends most to “football”.",
)


def bank_asks_approved() -> Exercise:
    """Return an exercise: one scaled score of the sentence about the loan."""
    X = toy_sentence(LOAN).X
    query, key = 2 * X[1], 2 * X[2]
    score = query @ key
    slips = [
        Slip(score, "That is the score. It still has to be divided by √2."),
        Slip(score / 2, "You divided by 2. Step two divides by its square root."),
        Slip(
            query @ X[2] / np.sqrt(2),
            "That takes the value of “approved”. Its key is twice as long.",
        ),
        Slip(
            query[0] * key[0] / np.sqrt(2),
            "A dot product has two terms here: the second numbers meet as well.",
        ),
    ]
    return Exercise(
        "bank-asks-approved",
        "How much does “bank” attend to “approved”? The query is (1.4, 1.4), the key "
        "(1.2, 0.2). Give the score divided by √2, to three decimals.",
        truth=score / np.sqrt(2),
        expression="(1.4×1.2 + 1.4×0.2) / √2 = ?",
        digits=3,
        slips=slips,
        hint="First the dot product: multiply the first numbers, then the second, add.",
        steps=[
            "1.4×1.2 = 1.68",
            "1.4×0.2 = 0.28",
            "1.68 + 0.28 = 1.96",
            "1.96 / 1.4142 = ?",
        ],
    )
