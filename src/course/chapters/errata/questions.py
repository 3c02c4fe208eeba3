"""Questions of the errata; each choice has its reason."""

from course.widgets import ask

PREDICT = [
    ask(
        (
            "The walkthrough about the apple sums four products to get the first "
            "entry of a query. The products are right and the sum is not. What "
            "happens to the figures after it, if each later step is done right?"
        ),
        (
            "All of them are wrong by the same share",
            False,
            (
                "Softmax looks at differences of scores only, so what all scores of a "
                "row lose in common does not reach the weights."
            ),
        ),
        (
            "They are off by less and less",
            True,
            (
                "A score adds the slip to three right products, the softmax keeps only "
                "how differently it hits the keys, and the weighted sum averages "
                "values that resemble each other."
            ),
        ),
        (
            "They are off by more and more",
            False,
            (
                "A sharp softmax can amplify a difference, but a slip in one entry of "
                "a query moves all scores of its row in much the same way."
            ),
        ),
    ),
    ask(
        "What can be wrong in a row of weights that sums to one?",
        (
            "Nothing: what sums to one has come out of a softmax",
            False,
            "Any five positive numbers can be made to sum to one.",
        ),
        (
            "The order: its largest weight may not stand at the largest score",
            True,
            "Softmax keeps the order of the scores. A sum of one does not show it.",
        ),
        (
            "Only the last digit",
            False,
            "Rounding moves the last digit; a slip can move any.",
        ),
    ),
]

CHECK = [
    ask(
        "A figure is marked inherited. What has to be done again?",
        (
            "The step that gives it",
            False,
            "That step is right: from the figures printed before it follows this one.",
        ),
        (
            "A step before it",
            True,
            "An inherited figure follows correctly from a wrong one.",
        ),
        ("Nothing", False, "It is not what the inputs give."),
    ),
    ask(
        "All scores of a row are too small by the same amount. How do the weights come "
        "out?",
        ("too small as well", False, "They still sum to one."),
        ("unchanged", True, "Softmax depends on differences only: the amount cancels."),
        ("sharper", False, "Sharper weights need larger differences between scores."),
    ),
    ask(
        "An entry of an output is larger than that entry of every value vector. What "
        "does that tell you?",
        (
            "the head has found something new",
            False,
            "A head averages values; it cannot leave their range.",
        ),
        (
            "the scores were not scaled",
            False,
            "Unscaled scores make other weights, and still an average.",
        ),
        (
            "the sum is wrong, or its weights do not sum to one",
            True,
            "A weighted average lies between the smallest and the largest entry.",
        ),
    ),
]
