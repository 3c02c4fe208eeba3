"""Questions of chapter 2. Each choice explains why it is right or wrong."""

from course.widgets import ask

ADDED_TO_EVERY_KEY = ask(
    "The same vector c is added to every key. What happens to the weights?",
    (
        "Nothing",
        True,
        "Every score of a row grows by the same number q · c. Softmax ignores it.",
    ),
    (
        "One weight becomes almost 1",
        False,
        "Each score grows, but all scores of a row grow by the same number.",
    ),
    (
        "They become more even",
        False,
        "The differences within a row stay the same, so the weights stay the same.",
    ),
)

UNDO_THE_DIVISION = ask(
    "Which sharpness β undoes the division by √dₖ, for dₖ = 64?",
    (
        "1/8",
        False,
        "Then the scores are divided by 8 twice: the logits are β · q · k / √dₖ.",
    ),
    (
        "8",
        True,
        "β = √dₖ cancels the divisor. The scores go into the softmax undivided.",
    ),
    (
        "64",
        False,
        "Then the logits are eight times as large as the scores.",
    ),
)
