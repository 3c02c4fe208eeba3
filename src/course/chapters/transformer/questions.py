"""Questions of chapter 6, each answer with the reason or the misconception."""

from course.widgets import ask

SHUFFLED = ask(
    "“dog bites man” and “man bites dog” go through self-attention without positional "
    "encodings. What differs between the two?",
    (
        "The order of the output rows, and nothing else",
        True,
        "Each word has the same output in both. The feed-forward network acts on each "
        "word alone, so it cannot distinguish the sentences either.",
    ),
    (
        "The output of “bites”, which has other neighbours",
        False,
        "Attention knows which words are in the sentence, but not which words are "
        "neighbours.",
    ),
    (
        "Everything: the rows of X are in another order",
        False,
        "The rows of X change places, and the rows of Q, K and V do so too. Each sum "
        "still has the same terms.",
    ),
)


AT_ONCE = ask(
    "In training the decoder reads a whole French sentence. Why can it not copy the "
    "next word?",
    (
        "It does not know the sentence",
        False,
        "The whole sentence is in its input. The mask prevents the copy.",
    ),
    (
        "The causal mask hides it, and the input is shifted by one",
        True,
        "The row that predicts word 3 contains word 2. It can use words 1 and 2 only. "
        "So one pass makes all predictions of a sentence.",
    ),
    (
        "Cross-attention replaces the French words",
        False,
        "Cross-attention adds information from the English words. It removes nothing.",
    ),
)
