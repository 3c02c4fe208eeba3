"""Questions of chapter 2; each choice has its reason."""

from course.widgets import Exercise, Slip, ask

WHY_NOT_DK = ask(
    (
        "Suppose we divided the scores by d_k instead of its square root. What do "
        "the rows of weights look like at d_k = 1024?"
    ),
    (
        "Much the same; softmax adapts to the scale",
        False,
        (
            "Softmax is sensitive to scale. It ignores only what is added to a "
            "whole row."
        ),
    ),
    (
        "All weights are nearly equal",
        True,
        (
            "The spread of the logits becomes 1/√d_k, about a thirtieth. Softmax "
            "of nearly equal numbers is nearly uniform."
        ),
    ),
    (
        "One key takes nearly everything",
        False,
        (
            "That is what happens with no division at all. Dividing too much errs "
            "on the other side."
        ),
    ),
)

MOST_ONE_SIDED = ask(
    "Three rows of logits go through the softmax. Which comes out least even?",
    (
        "(100, 104, 108)",
        True,
        (
            "Softmax depends on the differences within a row, and here they are "
            "the largest: each weight is about 55 times the one before."
        ),
    ),
    (
        "(−9, −8, −7)",
        False,
        (
            "Its numbers lie 1 apart, and that is all that softmax sees. Negative "
            "logits are as good as positive ones."
        ),
    ),
    (
        "(1000, 1001, 1002)",
        False,
        (
            "Large numbers as such do nothing. Every power has the factor "
            "e to the 1000, which cancels; what is left is the row (0, 1, 2)."
        ),
    ),
)

NORM_AND_SPREAD = ask(
    ("What does the norm of the Jacobian do while the eight logits are pulled apart?"),
    (
        "It falls all the way",
        False,
        (
            "That holds for two keys. An even row of eight has small weights, and "
            "so small slopes: a norm of 1/8. There is something to gain first."
        ),
    ),
    (
        "It rises, then falls",
        True,
        (
            "It is largest where the row begins to settle on a few keys, and "
            "falls once one of them has won. So it is from three keys on."
        ),
    ),
    (
        "It rises all the way",
        False,
        "A saturated row has hardly any slope left.",
    ),
)

WHO_LEARNS_FASTER = ask(
    (
        "Both heads take plain gradient steps with the same learning rate. Which "
        "of them learns faster?"
    ),
    (
        "The one that divides",
        False,
        (
            "At some learning rates it does, at others not: see the sweep below. "
            "The division also makes each gradient smaller."
        ),
    ),
    (
        "It depends on the learning rate",
        True,
        (
            "Without the division the same step moves the weights further. That "
            "helps while steps are small and hurts when they are large."
        ),
    ),
    (
        "Neither, since both can express the same function",
        False,
        "Both can express the same functions, but they do not learn them equally fast.",
    ),
)

ADDED_TO_EVERY_KEY = ask(
    "A constant vector is added to every key. What happens to the weights?",
    (
        "Nothing",
        True,
        "Every score of a row grows by the same q · c, and softmax ignores that.",
    ),
    (
        "They saturate",
        False,
        "Each score grows, but all of one row by the same amount.",
    ),
    ("They become more even", False, "The differences within a row are as before."),
)

THREE_TIMES_AS_LARGE = ask(
    (
        "Queries and keys keep their width, but all their components become three "
        "times as large. By what must the scores be divided to have a spread of 1?"
    ),
    ("√d_k", False, "The products are nine times as large, and so is their sum."),
    ("3 √d_k", False, "Both vectors have grown, so the factor enters twice."),
    (
        "9 √d_k",
        True,
        (
            "The spread of q · k is the spread of q’s components times that of "
            "k’s, times √d_k."
        ),
    ),
)

UNDO_THE_DIVISION = ask(
    "Which sharpness β undoes the division by √dₖ, for dₖ = 64?",
    (
        "1/8",
        False,
        "That divides a second time. Logits are β · q · k / √dₖ, so β multiplies.",
    ),
    (
        "8",
        True,
        "β = √dₖ cancels the divisor, and the raw scores go into the softmax.",
    ),
    (
        "64",
        False,
        "That leaves the scores eight times as large as they were before any division.",
    ),
)


def spread_of_144() -> Exercise:
    """Return an exercise: the spread of a dot product of 144 components."""
    return Exercise(
        "spread-of-144",
        "Queries and keys have 144 independent components with mean 0 and variance 1. "
        "What is the standard deviation of q · k?",
        truth=12,
        digits=0,
        slips=[
            Slip(144, "That is the variance. The standard deviation is its root."),
            Slip(1, "That is the spread after dividing by √d_k."),
            Slip(72, "Half of the width has nothing to do with it: add up variances."),
        ],
        hint="Each product of two components has variance 1. Variances add up.",
        steps=["144 terms of variance 1: the variance of the sum is 144", "√144 = ?"],
    )
