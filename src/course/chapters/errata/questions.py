"""Questions of the errata; each choice has its reason."""

from course.widgets import ask

PREDICT = [
    ask(
        (
            "The walkthrough about the apple sums four products to get the first "
            "entry of a query. The products are right and the sum is wrong. Every "
            "later step is right. What happens to the later figures?"
        ),
        (
            "All have the same relative error",
            False,
            (
                "Softmax depends on differences of scores only. So a change that all "
                "scores of a row share does not reach the weights."
            ),
        ),
        (
            "Their errors become smaller and smaller",
            True,
            (
                "A score adds the wrong product to three right ones. The softmax "
                "keeps only the differences between the keys. The weighted sum "
                "averages values that are similar."
            ),
        ),
        (
            "Their errors become larger with every step",
            False,
            (
                "A sharp softmax can amplify a difference. But a wrong entry of a "
                "query changes all scores of its row in a similar way."
            ),
        ),
    ),
    ask(
        "A row of weights sums to one. Which mistake can it still contain?",
        (
            "None: a row that sums to one comes from a softmax",
            False,
            "Any five positive numbers can be scaled so that they sum to one.",
        ),
        (
            "The order: its largest weight may not belong to the largest score",
            True,
            "Softmax keeps the order of the scores. A sum of one does not show this.",
        ),
        (
            "Only a wrong last digit",
            False,
            "Rounding changes the last digit. A mistake can change any digit.",
        ),
    ),
]

CHECK = [
    ask(
        "A figure is marked inherited. Which step needs a new calculation?",
        (
            "The step that gives it",
            False,
            "This step is right: its result follows from the figures before it.",
        ),
        (
            "A step before it",
            True,
            "An inherited figure follows correctly from a wrong one.",
        ),
        (
            "No step of the calculation",
            False,
            "The figure differs from the one that the inputs give.",
        ),
    ),
    ask(
        "All scores of a row are too small by the same amount. How do the weights "
        "change?",
        ("They become too small as well", False, "They still sum to one."),
        (
            "They do not change",
            True,
            "Softmax depends on differences only, so the amount cancels.",
        ),
        (
            "They become sharper",
            False,
            "Sharper weights need larger differences between scores.",
        ),
    ),
    ask(
        "An entry of an output is larger than that entry of every value vector. What "
        "does this show?",
        (
            "The head has found something new",
            False,
            "A head averages values, so its output stays in their range.",
        ),
        (
            "The scores were not scaled",
            False,
            "Unscaled scores give other weights, and still an average.",
        ),
        (
            "The sum is wrong, or its weights do not sum to one",
            True,
            "A weighted average lies between the smallest and the largest entry.",
        ),
    ),
]
