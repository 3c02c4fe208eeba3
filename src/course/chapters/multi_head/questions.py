"""Questions of chapter 3."""

from course.widgets import ask, right, wrong

HEAD_OFF = ask(
    "The output of a word has four numbers. You switch head 1 off: its two numbers "
    "for each word become 0. What happens to the output?",
    wrong(
        "The first two numbers become 0",
        "This would be right without Wᴼ. But Wᴼ multiplies the results of the heads: "
        "each number of head 1 reaches all four numbers of the output.",
    ),
    right(
        "All four numbers change",
        "A last matrix, Wᴼ, multiplies the results of both heads. Its top two rows "
        "multiply head 1 and change all four numbers of the output. The part of head 1 "
        "disappears, and the part of head 2 stays.",
    ),
    wrong(
        "Little changes, because head 2 takes over",
        "Heads do not see each other. Head 2 adds exactly what it added before.",
    ),
)

HALF_AND_HALF = ask(
    "One head gives half of its weight to “cat” and half to “tired”. What does the "
    "head return for “who”?",
    wrong(
        "The “who” of “cat”",
        "For this result “cat” needs all of the weight. Here half of the result comes "
        "from “tired”.",
    ),
    wrong(
        "Half of the “who” of “cat”, and nothing of “tired”",
        "“tired” also has a number for “who”, and the head adds half of this number.",
    ),
    right(
        "The mean of the “who” of both words",
        "The head also returns a mean for “how”: one row of weights averages every "
        "column of V.",
    ),
)

WHO_DECIDES = ask(
    "Who decides that a certain head will follow syntax?",
    wrong(
        "The designer of the model",
        "The design determines the number of heads and their width. It gives no head a "
        "task.",
    ),
    wrong(
        "The number of the head: early heads take syntax, later heads take meaning",
        "The heads of a layer have no order. Exchange two heads and their rows of Wᴼ, "
        "and the output stays the same.",
    ),
    right(
        "Nobody: if it happens, it results from training",
        "All heads start from random numbers, and one loss trains them together. "
        "Researchers name the tasks afterwards.",
    ),
)

SPLIT = ask(
    "X has four columns, and there are two heads. Head 1 gets columns 1 and 2 only. "
    "What follows?",
    right(
        "Head 1 never depends on features 3 and 4",
        "The queries, keys and values of head 1 do not use features 3 and 4, whatever "
        "numbers its matrices hold.",
    ),
    wrong(
        "Nothing follows: this is the definition of a head",
        "In the paper each head projects all of X. Its matrices have a row for every "
        "column of X.",
    ),
    wrong(
        "Head 1 becomes cheaper and loses nothing",
        "Head 1 is cheaper because its matrices have half of the entries. The missing "
        "entries would read features 3 and 4.",
    ),
)

COST = ask(
    "Eight heads replace one head. Each new head is an eighth as wide. What happens to "
    "the number of multiplications?",
    wrong(
        "It grows", "There are eight heads, but each head is only an eighth as wide."
    ),
    wrong(
        "It falls to an eighth, because the heads share the work",
        "The heads share the work, but together they still do all of it.",
    ),
    right(
        "It stays the same",
        "Eight heads of an eighth of the width need the same number of "
        "multiplications as one head of full width.",
    ),
)
