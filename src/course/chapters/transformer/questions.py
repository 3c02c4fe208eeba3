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

NORM = ask(
    "The mask of a decoder is correct. But its layer norm takes the mean over the "
    "whole sentence instead of over each word. Which error follows?",
    (
        "None: the mask hides the later words",
        False,
        "The mask acts on the attention only. A mean over the sentence is a second "
        "path from later words to earlier ones.",
    ),
    (
        "The output of each word depends on words that it must not use",
        True,
        "The mean and the spread contain the later words. So in training the model can "
        "read what it should predict. In use these words do not exist.",
    ),
    (
        "The outputs no longer have variance 1",
        False,
        "Each column has variance 1. The error is in the words that the mean contains.",
    ),
)

WHOSE_QUERY = ask(
    "In cross-attention, the English sentence has 3 words, and the decoder has read 4 "
    "French words. What is the shape of one head’s weights?",
    (
        "3 × 4: each English word attends to the French words",
        False,
        "The queries come from the decoder, so the rows belong to French words.",
    ),
    (
        "4 × 3: each French word attends to the English words",
        True,
        "Each row belongs to a query of the decoder. Each column belongs to a key of "
        "the encoder.",
    ),
    (
        "7 × 7: all words attend to all words",
        False,
        "This would be self-attention over both sentences together. In cross-attention "
        "only French words have queries, and only English words have keys.",
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
