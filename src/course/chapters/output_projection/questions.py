"""Questions of chapter 4."""

from course.widgets import ask, right, wrong

DOUBLE = ask(
    "You double the top two rows of the output projection. What happens to the output "
    "of a word?",
    right(
        "The contribution of head 1 doubles",
        "Wᴼ multiplies the two numbers of head 1 by its top two rows, and adds the "
        "part of head 2.",
    ),
    wrong(
        "All four numbers of the output double",
        "Only the part of head 1 doubles. The part of head 2 stays the same.",
    ),
    wrong(
        "The first two numbers of the output double",
        "A row of the matrix multiplies one number of a head. Every row reaches all "
        "four numbers of the output.",
    ),
)

WITHOUT = ask(
    "Leave the output projection out, and add the concatenated heads to the input. "
    "Which columns of the board can head 1 change?",
    right(
        "Columns 1 and 2 only",
        "The two numbers of head 1 come first in the concatenation. Columns 3 and 4 "
        "get the numbers of head 2.",
    ),
    wrong(
        "All four columns, through its values",
        "The result of head 1 has two numbers. They reach only the columns where the "
        "concatenation puts them.",
    ),
    wrong(
        "None, because each head is isolated",
        "Head 1 still adds its two numbers to the input. It changes two columns.",
    ),
)

DECIDE = ask(
    "Head 2 returns the same two numbers for “cat” and for “the”. These numbers help "
    "“cat” and mislead “the”. Can the output projection use the numbers for “cat” and "
    "ignore them for “the”?",
    wrong(
        "Yes, if training finds the right matrix",
        "The matrix is the same for every word, so equal reports give equal "
        "contributions.",
    ),
    right(
        "No: equal reports give equal contributions",
        "The matrix can ignore a part of a report, but then for every word. In this "
        "layer only the heads can treat two words differently.",
    ),
    wrong(
        "Only if the two words are far apart in the sentence",
        "The matrix multiplies one row at a time. The position of the row does not "
        "matter.",
    ),
)

RANK = ask(
    "In “the cat sat” every value matrix has two equal columns. The result of a head "
    "for a word is a vector. In how many independent directions can these vectors "
    "point?",
    wrong(
        "Two, because a head has two columns",
        "The head has two columns, but both columns always hold the same number.",
    ),
    wrong(
        "Three, one for each word",
        "Three words give three rows, but the rows are multiples of one another.",
    ),
    right(
        "One",
        "Both columns of the head are equal for every word, so all rows lie on one "
        "line.",
    ),
)
