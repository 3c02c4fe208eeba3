"""Questions of chapter 1. Each choice explains why it is right or wrong."""

from course.widgets import ask, right, wrong
from course.widgets.machine.goal import goal

CANNOT_BE_AN_OUTPUT = ask(
    "The values are (1, 0), (1.25, 0.65) and (0.7, 0). The queries and keys can be "
    "anything. Which of these points cannot be an output?",
    wrong(
        "(0.9, 0.13)",
        "It lies inside the triangle of the values: weights of 0.3, 0.2 and 0.5 give "
        "exactly this point.",
    ),
    right(
        "(1.3, 0.2)",
        "No value has a first number above 1.25. A mixture with positive weights "
        "that add up to 1 is never above the largest of the numbers that it mixes.",
    ),
    wrong(
        "(1, 0.25)",
        "It lies inside the triangle of the values, so some weights give this point.",
    ),
)

ONE_EMBEDDING = ask(
    "You change one number in the embedding of “football”, its row of X. Which rows of "
    "the output change?",
    wrong(
        "Only the row of “football”",
        "“football” also has a key and a value, and every word takes a part of its "
        "value.",
    ),
    wrong(
        "The rows of the words that attend most to “football”",
        "Every weight is positive, so the value of “football” reaches every row.",
    ),
    right(
        "All three",
        "The key of “football” can change every row of weights, and its value changes "
        "all mixtures. Its query changes one row: its own.",
    ),
)

PLAY_TO_FOOTBALL = goal(
    "play",
    "football",
    "W_K",
    "Change only W_K until “play” attends most to “football”.",
)
