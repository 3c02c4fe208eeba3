"""Questions of chapter 7. Each choice explains why it is right or wrong."""

from course.widgets import ask, right, wrong
from transformer.lexicon import ADJECTIVES
from transformer.sentences import HELD_OUT_PAIRS

UNSEEN = next(
    adjective
    for adjective in ADJECTIVES
    if (adjective.english, "cat") in HELD_OUT_PAIRS and not adjective.before
)
"""An adjective that no training sentence combines with *cat*."""

HELD_OUT = ask(
    f"No training sentence uses “{UNSEEN.english}” for “cat”, or "
    f"“{UNSEEN.french[0]}” for “chat”. Can the model translate “the {UNSEEN.english} "
    "cat slept” after training?",
    wrong(
        "No: it has memorised sentences, and it never saw this one",
        "If so, the model would be a table of sentences. The held-out pairs test this.",
    ),
    wrong(
        "Only if the rule is built in",
        "No rule about adjectives is built in. The model can learn the pattern from "
        "other pairs.",
    ),
    right(
        "Possibly: training showed each word, and the pattern, in other pairs",
        "The section “Did it memorise?” counts how many sentences with such pairs are "
        "translated right.",
    ),
)

SWITCHED_OFF = ask(
    "A model chooses between “il” and “elle”. In the row of this choice, one "
    "head puts almost all its weight on the noun that “it” means. We switch this head "
    "off. How many pronouns are wrong?",
    wrong(
        "All: only this head knows the noun",
        "Other heads and lower layers may also carry the noun to this place.",
    ),
    wrong(
        "About half: without it the model has to guess",
        "The model would guess if no other part carried the noun. The weight of this "
        "head does not show whether another part carries it.",
    ),
    right(
        "The weight does not determine this",
        "A weight shows where a head takes its values from. It does not show what the "
        "model does with them. The test below switches heads off.",
    ),
)
