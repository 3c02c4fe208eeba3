"""Questions of *Your own attention*. Each choice explains why it is right or wrong."""

from course.widgets import ask

EQUAL_ROWS = ask(
    "You give two tokens the same row of X, with no mask. What can you say about "
    "their outputs?",
    (
        "They are equal",
        True,
        "Equal rows have equal queries, so they have equal weights on the same values. "
        "The formula does not contain the place of a token.",
    ),
    (
        "They differ, because the tokens have different places",
        False,
        "The formula does not contain places. Positions in X, positions in the scores, "
        "or a mask can bring in the order.",
    ),
    (
        "They differ, because each token prefers itself",
        False,
        "A token cannot distinguish itself from its twin. Both have the same key, so "
        "both get the same weight.",
    ),
)

NEW_EMBEDDING = ask(
    "“football” gets a new embedding, the row (1, 1, 1). Before, it attended to “play” "
    "most. Which word has the largest weight now?",
    (
        "“Play”, because its key has not changed",
        False,
        "The key of “football” has changed: a row of X gives a key as well as a query.",
    ),
    (
        "“Football” itself",
        True,
        "The new row changes its query and its key. Of the three keys, the new one is "
        "the largest in the direction of the query.",
    ),
    (
        "All three have equal weights, because its numbers are equal",
        False,
        "Equal weights need equal scores. Here one row of equal numbers has three "
        "different scores.",
    ),
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
            "Scores and weights depend on Q and K only.",
        ),
        (
            "V, the weights and the output of head 1",
            False,
            "The weights depend on Q and K only.",
        ),
    ),
    ask(
        "You add a column of zeros to W_Q and to W_K, so that d_k grows by one. What "
        "happens to the weights?",
        (
            "Nothing: zeros add nothing to a dot product",
            False,
            "The scores stay the same. But the divisor, the square root of d_k, grows.",
        ),
        (
            "They become sharper",
            False,
            "Sharper weights need larger scores or a smaller divisor. The divisor "
            "grows.",
        ),
        (
            "They become a little more even",
            True,
            "The scores stay the same, and the square root of a larger d_k divides "
            "them.",
        ),
    ),
    ask(
        "You add a token whose row of X is zero. What changes for the other tokens?",
        (
            "It takes some of their attention",
            True,
            "Its key is zero, so its score with every query is 0. Then exp(0) = 1 is "
            "added to every sum.",
        ),
        (
            "Nothing: a zero row is as good as no row",
            False,
            "A score of 0 is not a weight of 0. Only a mask removes a token.",
        ),
        (
            "All weights become equal",
            False,
            "The other scores stay the same. Each row gets one more term.",
        ),
    ),
)
