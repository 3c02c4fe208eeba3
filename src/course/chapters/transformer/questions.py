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
