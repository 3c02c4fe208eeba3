"""Questions of chapter 4."""

from course.widgets import ask

DOUBLE = ask(
    "You double the top two rows of the output projection. What happens to the output "
    "of a word?",
    (
        "The contribution of head 1 doubles",
        True,
        "The output is a sum over heads, and the top two rows are the block of head 1.",
    ),
    (
        "All four numbers of the output double",
        False,
        "Only the block of head 1 doubles. The contribution of head 2 stays the same.",
    ),
    (
        "The first two numbers of the output double",
        False,
        "A row of the matrix multiplies one number of a head. Every row reaches all "
        "four numbers of the output.",
    ),
)

WITHOUT = ask(
    "Leave the output projection out, and add the concatenated heads to the input. "
    "Which columns of the board can head 1 change?",
    (
        "Columns 1 and 2 only",
        True,
        "The two numbers of head 1 come first in the concatenation. Columns 3 and 4 "
        "get the numbers of head 2.",
    ),
    (
        "All four columns, through its values",
        False,
        "The result of head 1 has two numbers. They reach only the columns where the "
        "concatenation puts them.",
    ),
    (
        "None, because each head is isolated",
        False,
        "Head 1 still adds its two numbers to the input. It changes two columns.",
    ),
)

DECIDE = ask(
    "Head 2 returns the same two numbers for “cat” and for “the”. These numbers help "
    "“cat” and mislead “the”. Can the output projection use the numbers for “cat” and "
    "ignore them for “the”?",
    (
        "Yes, if training finds the right matrix",
        False,
        "The matrix is the same for every word, so equal reports give equal "
        "contributions.",
    ),
    (
        "No: equal reports give equal contributions",
        True,
        "The matrix can ignore a part of a report, but then for every word. In this "
        "layer only the heads can treat two words differently.",
    ),
    (
        "Only if the two words are far apart in the sentence",
        False,
        "The matrix multiplies one row at a time. The position of the row does not "
        "matter.",
    ),
)

RANK = ask(
    "In “the cat sat” every value matrix has two equal columns. The result of a head "
    "for a word is a vector. In how many independent directions can these vectors "
    "point?",
    (
        "Two, because a head has two columns",
        False,
        "The head has two columns, but both columns always hold the same number.",
    ),
    (
        "Three, one for each word",
        False,
        "Three words give three rows, but the rows are multiples of one another.",
    ),
    (
        "One",
        True,
        "Both columns of the head are equal for every word, so all rows lie on one "
        "line.",
    ),
)
