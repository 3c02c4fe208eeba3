"""Questions of chapter 8, each answer with the reason or the misconception."""

from course.widgets import ask

SWINGS = ask(
    "The last word of “the cat sat on the mat because it was …” changes from “tired” "
    "to “soft”. In a machine of one layer with one head: can the weight of “it” move "
    "from “cat” to “mat”?",
    (
        "Yes: “it” sees the last word",
        False,
        "It does, and takes its value. But its scores with “cat” and “mat” are made "
        "of its own query and of their keys, and in the first layer none of the three"
        " knows the last word.",
    ),
    (
        "No: the two may only shrink or grow together",
        True,
        "The score of “it” with “cat” is made of these two words and their places. "
        "The last word can draw weight away from both, and leaves their ratio as it "
        "is.",
    ),
    (
        "Only if it is trained for it",
        False,
        "No weights of one head can do it: the last word is in none of the two scores.",
    ),
)

WHERE = ask(
    "Twenty machines of two layers, from twenty seeds, are trained to answer what "
    "“it” stands for, and nothing else. All answer without a mistake. Where does “it”"
    " look in their last layer?",
    (
        "At the noun that it stands for, in all of them",
        False,
        "That would be one way to find the answer. A word can also reach the row of "
        "“it” through another word that has gathered it in the first layer.",
    ),
    (
        "At the noun that it stands for, in those that were trained well",
        False,
        "All were trained alike, and all answer alike.",
    ),
    (
        "It depends on the seed: the loss did not ask",
        True,
        "The loss asks for the answer. How the answer gets there is left open, and "
        "every seed finds a way of its own.",
    ),
)

TWO_HEADS = ask(
    "One query asks for two things at once: the value of the token with its colour, "
    "and the value of the token with its shape. One head has one row of weights. What"
    " does it do?",
    (
        "It finds both: half of its weight on each",
        False,
        "Then its output is the mean of two values, and from a mean nobody can tell "
        "which of the two belongs to the colour.",
    ),
    (
        "It finds one of the two, or none for sure",
        True,
        "One row of weights gives one mixture. It can be all the one value, and the "
        "other question is left to guessing.",
    ),
    (
        "It asks twice, one after the other",
        False,
        "Within a layer nothing comes after another. A second layer could ask again; "
        "a second head asks at the same time.",
    ),
)

LOOKS_MOST = ask(
    "A model names the right noun. One of its heads puts three quarters of the weight"
    " of “it” on this noun. What follows?",
    (
        "That the model needs this head to answer",
        False,
        "Others may bring the same word. Switching the head off would tell, and in "
        "the runs of this chapter it seldom costs much.",
    ),
    (
        "That the head takes three quarters of its mixture from this noun’s value",
        True,
        "That is what a weight says, and all that it says. What becomes of the value "
        "afterwards is another question.",
    ),
    (
        "That the model has understood the sentence",
        False,
        "It was trained on sentences of one form, with thirty nouns.",
    ),
)
