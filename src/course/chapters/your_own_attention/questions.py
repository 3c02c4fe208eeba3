"""Questions of *Your own attention*; each choice has its reason."""

from course.widgets import ask

EQUAL_ROWS = ask(
    "You give two tokens the same row of X, with no mask. What can you say about "
    "their outputs?",
    (
        "They are equal",
        True,
        "Equal rows have equal queries, so equal weights, and both mix the same "
        "values. Nothing in the formula knows where a token stands.",
    ),
    (
        "They differ, because the tokens stand at different places",
        False,
        "The formula has no place in it. Order has to be brought in, by positions in "
        "X or in the scores, or by a mask.",
    ),
    (
        "They differ, because each looks mostly at itself",
        False,
        "A token has no means to single itself out: its twin has the same key and so "
        "gets the same weight.",
    ),
)

NEW_EMBEDDING = ask(
    "“football” gets a new embedding, the row (1, 1, 1). So far it looked at “play” "
    "most. Whom does it look at now?",
    (
        "At “play”, whose key has not changed",
        False,
        "It has not, but the key of “football” has: a row of X makes a key as well "
        "as a query.",
    ),
    (
        "At itself",
        True,
        "The new row changes its query and its key, and the new key is the largest "
        "of the three in the direction of the query.",
    ),
    (
        "At all three alike, for its numbers are alike",
        False,
        "Weights are even where scores are. Equal numbers in one row do not make its "
        "scores with three different keys equal.",
    ),
    veil=True,
)

CHECK = (
    ask(
        "You change one number of W_V in head 1. Which matrices of the machine change?",
        (
            "All matrices of head 1",
            False,
            "Q, K, the scores and the weights do not contain W_V.",
        ),
        (
            "V of head 1, its output, and what follows",
            True,
            "Scores and weights are made of Q and K alone.",
        ),
        (
            "V, the weights and the output of head 1",
            False,
            "The weights are settled before V enters: they are made of Q and K.",
        ),
    ),
    ask(
        "You add a column of zeros to W_Q and to W_K, so that d_k grows by one. What "
        "happens to the weights?",
        (
            "Nothing: zeros add nothing to a dot product",
            False,
            "The scores stay indeed. The divisor does not: it is the square root "
            "of d_k.",
        ),
        (
            "They become sharper",
            False,
            "Sharper would need larger scores or a smaller divisor; the divisor grows.",
        ),
        (
            "They become a little more even",
            True,
            "The scores stay as they are, but are now divided by the square root of "
            "a larger d_k.",
        ),
    ),
    ask(
        "You add a token whose row of X is zero. What does it change for the others?",
        (
            "It takes some of their attention",
            True,
            "Its key is zero, so it scores 0 with everyone, and exp(0) = 1 joins "
            "every sum.",
        ),
        (
            "Nothing: a zero row is as good as no row",
            False,
            "A score of 0 is not a weight of 0. Only a mask takes a token out.",
        ),
        (
            "All weights become equal",
            False,
            "The other scores are what they were. Each row gets one more term.",
        ),
    ),
)
