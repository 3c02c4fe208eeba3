"""Questions of chapter 8. Each choice explains why it is right or wrong."""

from course.widgets import ask, right, wrong

SWINGS = ask(
    "The last word of “the cat sat on the mat because it was …” changes from “tired” "
    "to “soft”. The machine has one layer with one head. Can “it” give more weight to "
    "“cat” than to “mat” if the last word is “tired”, and less if it is “soft”?",
    wrong(
        "Yes: “it” attends to the last word",
        "“It” takes the value of the last word. But its scores with “cat” and “mat” "
        "depend on the query of “it” and on the two keys. In the first layer none of "
        "these three depends on the last word.",
    ),
    right(
        "No: the two weights can only shrink or grow together",
        "The score of “it” with “cat” depends on these two words and their places. "
        "The last word can take weight from both nouns, but it does not change the "
        "ratio of their weights.",
    ),
    wrong(
        "Only if the loss rewards it",
        "No loss can change this. Neither score depends on the last word.",
    ),
)

WHERE = ask(
    "Twenty machines of two layers are trained from twenty seeds. The loss depends on "
    "the answer only: the noun that “it” means. All twenty answer without a mistake. "
    "Where does “it” attend in the last layer?",
    wrong(
        "To the noun that it means, in all of them",
        "This is one solution. But the noun can also reach the row of “it” through "
        "another word that collected it in the first layer.",
    ),
    wrong(
        "To the noun that it means, in the machines that were trained well",
        "All were trained in the same way, and all answer equally well.",
    ),
    right(
        "It depends on the seed, because the loss does not prescribe it",
        "The loss depends on the answer only. Each seed finds its own route to "
        "the answer.",
    ),
)

TWO_HEADS = ask(
    "One query holds a colour and a shape. It asks for two labels: the label of the "
    "token with this colour, and the label of the token with this shape. One head has "
    "one row of weights. What does this head do?",
    wrong(
        "It finds both: half of its weight on each token",
        "Then its output is the mean of two values. With two equal weights, the mean "
        "does not show which label belongs to the colour.",
    ),
    right(
        "It finds at most one of the two reliably",
        "One row of weights gives one weighted mean. In our runs it holds one of the "
        "labels, and the linear readout guesses the other one.",
    ),
    wrong(
        "It asks for one after the other",
        "A layer computes everything at the same time. A second layer could ask again. "
        "A second head asks at the same time.",
    ),
)
