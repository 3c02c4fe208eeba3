"""Questions of *Your own attention*. Each choice explains why it is right or wrong."""

from course.widgets import ask, right, wrong

EQUAL_ROWS = ask(
    "You give two tokens the same row of X, with no mask. What can you say about "
    "their outputs?",
    right(
        "They are equal",
        "Equal rows have equal queries, so they have equal weights on the same values. "
        "The formula does not contain the place of a token.",
    ),
    wrong(
        "They differ, because the tokens have different places",
        "The formula does not contain places. Positions in X, positions in the scores, "
        "or a mask can bring in the order.",
    ),
    wrong(
        "They differ, because each token prefers itself",
        "A token cannot distinguish itself from its twin. Both have the same key, so "
        "both get the same weight.",
    ),
)

NEW_EMBEDDING = ask(
    "“football” gets a new embedding, the row (1, 1, 1). Before, it attended to “play” "
    "most. Which word has the largest weight now?",
    wrong(
        "“Play”, because its key has not changed",
        "The key of “football” has changed: a row of X gives a key as well as a query.",
    ),
    right(
        "“Football” itself",
        "The new row changes its query and its key. Of the three keys, the new one is "
        "the largest in the direction of the query.",
    ),
    wrong(
        "All three have equal weights, because its numbers are equal",
        "Equal weights need equal scores. Here one row of equal numbers has three "
        "different scores.",
    ),
)

CHECK = (
    ask(
        "You change one number of W_V in head 1. Which matrices of the machine change?",
        wrong(
            "All matrices of head 1",
            "Q, K, the scores and the weights do not contain W_V.",
        ),
        right(
            "V of head 1, its output, and what follows",
            "Scores and weights depend on Q and K only.",
        ),
        wrong(
            "V, the weights and the output of head 1",
            "The weights depend on Q and K only.",
        ),
    ),
    ask(
        "You add a column of zeros to W_Q and to W_K, so that d_k grows by one. What "
        "happens to the weights?",
        wrong(
            "Nothing: zeros add nothing to a dot product",
            "The scores stay the same. But the divisor, the square root of d_k, grows.",
        ),
        wrong(
            "They become sharper",
            "Sharper weights need larger differences of scores, or a smaller "
            "divisor. The divisor grows.",
        ),
        right(
            "They become a little more even",
            "The scores stay the same, and the square root of a larger d_k divides "
            "them.",
        ),
    ),
    ask(
        "You add a token whose row of X is zero. What changes for the other tokens?",
        right(
            "It takes some of their attention",
            "Its key is zero, so its score with every query is 0. Then exp(0) = 1 is "
            "added to every sum.",
        ),
        wrong(
            "Nothing: a zero row is as good as no row",
            "A score of 0 is not a weight of 0. Only a mask removes a token.",
        ),
        wrong(
            "All weights become equal",
            "The other scores stay the same. Each row gets one more term.",
        ),
    ),
)
