"""Questions of chapter 7, each answer with the reason or the misconception."""

from course.widgets import ask
from transformer.lexicon import ADJECTIVES
from transformer.sentences import HELD_OUT_PAIRS

UNSEEN = next(
    adjective
    for adjective in ADJECTIVES
    if (adjective.english, "cat") in HELD_OUT_PAIRS and not adjective.before
)
"""An adjective that training never says of a cat."""

HELD_OUT = ask(
    f"In training, “{UNSEEN.english}” is never said of “cat”, nor "
    f"“{UNSEEN.french[0]}” with “chat”. Can the model translate “the {UNSEEN.english} "
    "cat slept” afterwards?",
    (
        "No: it has learnt sentences, and this one it never saw",
        False,
        "That would be a table of sentences. The held-out pairs test whether it is "
        "one.",
    ),
    (
        "Only if the rule is built in",
        False,
        "Nothing about adjectives is built in. What there is to learn, it learnt from "
        "other pairs.",
    ),
    (
        "It may: each word was seen in other company, and so was the pattern",
        True,
        "Whether it does can be counted, and the table below counts it on pairs that "
        "no training sentence has.",
    ),
)

SWITCHED_OFF = ask(
    "One head puts almost all its weight on the noun that “it” stands for, just where "
    "the model chooses between “il” and “elle”. The head is switched off. How many of "
    "the pronouns come out wrong?",
    (
        "All of them: it is the head that knows",
        False,
        "The noun may reach the next word by other heads, and by the layers below.",
    ),
    (
        "About half: without it the model has to guess",
        False,
        "If nothing else told it the noun, it would. Whether something else does, the "
        "weight of this head does not say.",
    ),
    (
        "That cannot be told from its weight",
        True,
        "A weight says where a head takes its values from, not what becomes of them. "
        "Switching it off says more, and is done below.",
    ),
)
