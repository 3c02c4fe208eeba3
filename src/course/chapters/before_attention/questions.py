"""Questions of *Before attention*; each choice has its reason."""

from course.widgets import ask

HOW_FAR = ask(
    "A recurrent network with random weights reads 100 words. How much does its last "
    "state owe to the first word, compared with the 99th?",
    (
        "As much: it read both",
        False,
        "It read both, but what it keeps of the first word has been sent through the "
        "same step 99 times. Every step takes a share.",
    ),
    (
        "About a hundredth",
        False,
        "That would be a share that falls with the distance. Here each step "
        "multiplies, and a product of many factors below 1 falls much faster.",
    ),
    (
        "It depends on the network; in the plainest one, to next to nothing",
        True,
        "Factors multiply. Whether they are below 1 lies in the weights, and there are "
        "ways to start them near 1, as the figure shows.",
    ),
)

TWICE_AS_WIDE = ask(
    "A sentence is kept in one vector, and almost all of its words can be read back. "
    "How long may it be if the vector is twice as wide?",
    (
        "No longer: the words still lie on top of each other",
        False,
        "They do, and the sum of all other words disturbs the reading of each word. In "
        "a wider vector random directions are nearer to right angles, so each word "
        "disturbs less.",
    ),
    (
        "About twice as long",
        True,
        "The figure shows it: each curve is the one before, moved by about twice the "
        "length.",
    ),
    (
        "Any length: a vector of real numbers holds as much as one likes",
        False,
        "Only with infinitely many digits. Each word is read back by a product with a "
        "vector, and all other words disturb that product.",
    ),
)
