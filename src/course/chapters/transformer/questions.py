"""Questions of chapter 6. Each choice explains why it is right or wrong."""

from course.widgets import ask, right, wrong

AT_ONCE = ask(
    "In training the decoder reads a whole French sentence. Why can it not copy the "
    "next word?",
    wrong(
        "It does not know the sentence",
        "The whole sentence is in its input. The mask prevents the copy.",
    ),
    right(
        "The causal mask hides it, and the input is shifted by one",
        "The row that predicts word 3 belongs to word 2. Of the French words, this "
        "row can use words 1 and 2 only. So one pass makes all predictions of a "
        "sentence.",
    ),
    wrong(
        "Cross-attention replaces the French words",
        "Cross-attention adds information from the English words. It removes nothing.",
    ),
)

ROWS = ask(
    "The encoder reads 7 English words, and the decoder has read 4 French words. A "
    "head of cross-attention has queries, keys and an output. How many rows does each "
    "of the three have?",
    wrong(
        "Queries 7, keys 4, output 7",
        "The queries come from the decoder, which has read 4 words.",
    ),
    wrong(
        "Queries 4, keys 7, output 7",
        "Each row of the output is a weighted mean of the values for one query, and "
        "there are 4 queries.",
    ),
    right(
        "Queries 4, keys 7, output 4",
        "The weights have 4 rows and 7 columns. Their product with the 7 values has 4 "
        "rows, so it can be added to the 4 rows of the decoder.",
    ),
)
