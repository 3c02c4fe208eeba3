"""Questions of chapter 4."""

from course.widgets import ask

WITHOUT = ask(
    "Leave the output projection out and add the concatenation to the input as it is. "
    "Which coordinates of the sum can head 1 change?",
    (
        "Only the ones where concatenation puts it",
        True,
        "Head 1 fills the first columns, and the other columns hold other heads.",
    ),
    (
        "All of them, through its values",
        False,
        "Its values are as wide as the head. They land where concatenation puts them.",
    ),
    (
        "None, since without it every head is isolated from the sum",
        False,
        "They are not cut off from the sum. They are confined to a part of it.",
    ),
)

DECIDE = ask(
    "Head 2 returns the same two numbers for “cat” and for “the”. They are useful for "
    "“cat” and misleading for “the”. Can the output projection use them for “cat” and "
    "ignore them for “the”?",
    (
        "Yes, if training finds the right matrix",
        False,
        "The matrix is the same for every word: equal reports, equal contributions.",
    ),
    (
        "No: equal reports give equal contributions",
        True,
        "The matrix can ignore a part of a report, but then for every word. The "
        "heads must make the difference between two words.",
    ),
    (
        "Only if the two words stand far apart",
        False,
        "The matrix works on one row at a time. It does not know the position.",
    ),
)

RANK = ask(
    "In the example every value matrix has two equal columns. How many directions can "
    "the output of one head take?",
    (
        "Two, since a head is two wide",
        False,
        "It has two columns, but they always hold the same number.",
    ),
    (
        "Three, one for each word",
        False,
        "Three words give three rows, but the rows are multiples of one another.",
    ),
    (
        "One",
        True,
        "Both columns of the head are equal for every word, so all its rows lie on one "
        "line.",
    ),
)

DOUBLE = ask(
    "You double the top two rows of the output projection. What happens to the output "
    "of a word?",
    (
        "What head 1 adds to it is doubled",
        True,
        "The output is a sum over heads, and the top two rows are the block of head 1.",
    ),
    (
        "It doubles",
        False,
        "Only the two rows that head 1 meets were doubled. What head 2 adds is as "
        "before.",
    ),
    (
        "Its first two entries double",
        False,
        "Rows belong to what goes in, columns to what comes out. Every row reaches all "
        "four entries.",
    ),
)
