"""Questions of chapter 2. Each choice explains why it is right or wrong."""

from course.widgets import ask, right, wrong

ADDED_TO_EVERY_KEY = ask(
    "The same vector c is added to every key. What happens to the weights?",
    right(
        "Nothing",
        "Every score of a row changes by the same number q · c. Softmax ignores "
        "this number.",
    ),
    wrong(
        "One weight becomes almost 1",
        "Each score changes, but all scores of a row change by the same number.",
    ),
    wrong(
        "They become more even",
        "The differences within a row stay the same, so the weights stay the same.",
    ),
)

UNDO_THE_DIVISION = ask(
    "Which sharpness β undoes the division by √dₖ, for dₖ = 64?",
    wrong(
        "1/8",
        "The logits are β · q · k / √dₖ, and √64 is 8. So β = 1/8 divides the scores "
        "by 8 a second time.",
    ),
    right(
        "8", "β = √dₖ cancels the divisor. The scores go into the softmax undivided."
    ),
    wrong("64", "Then the logits are eight times as large as the scores."),
)
