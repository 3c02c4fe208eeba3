"""Questions of chapter 6, each answer with the reason or the misconception."""

from course.widgets import ask

SHUFFLED = ask(
    "“dog bites man” and “man bites dog” go through self-attention without positional "
    "encodings. What differs between the two?",
    (
        "The order of the output rows, and nothing else",
        True,
        "Each word gets the same output in both. A layer that reads words one by one, "
        "like the feed-forward network, cannot tell them apart afterwards either.",
    ),
    (
        "The output of “bites”, which has other neighbours",
        False,
        "It has the same company in both, and attention knows no neighbours: only "
        "which words are there.",
    ),
    (
        "Everything: the rows of X are in another order",
        False,
        "The rows of X move, and so do the rows of Q, K and V. Each sum still has the "
        "same terms.",
    ),
)

NORM = ask(
    "The layer norm is taken over the whole sentence instead of over each word’s own "
    "entries, in a decoder whose mask is right. What goes wrong?",
    (
        "Nothing: the mask hides the later words",
        False,
        "The mask guards the attention. A mean over the sentence is a second road by "
        "which later words reach earlier ones.",
    ),
    (
        "Each word’s output depends on words that it must not see",
        True,
        "Mean and spread now contain them. In training the model can read off what it "
        "should guess; in use, those words are not there.",
    ),
    (
        "The outputs no longer have variance 1",
        False,
        "They do, column by column. The trouble is what the mean was taken of.",
    ),
)

WHOSE_QUERY = ask(
    "In cross-attention, the English sentence has 3 words and 4 French ones are "
    "written so far. Which shape has one head’s matrix of weights?",
    (
        "3 × 4: each English word looks at the French ones",
        False,
        "The queries come from the decoder. It is the French side that asks.",
    ),
    (
        "4 × 3: each French word looks at the English ones",
        True,
        "A row for every query, and the queries are the decoder’s; a column for every "
        "key, and the keys are the encoder’s.",
    ),
    (
        "7 × 7: all words look at all words",
        False,
        "That would be self-attention over both sentences at once. Here each side has "
        "its own self-attention, and one asks the other.",
    ),
)

AT_ONCE = ask(
    "Training shows the decoder a whole French sentence at once. Why does it not just "
    "copy the next word?",
    (
        "It has not seen the sentence before",
        False,
        "It sees it right now. What stops it is the mask.",
    ),
    (
        "The causal mask hides it, and the input is shifted by one",
        True,
        "The row that has to guess word 3 holds word 2 and can see words 1 and 2 only. "
        "So all guesses of a sentence can be made, and corrected, in one pass.",
    ),
    (
        "Cross-attention overrides what it sees",
        False,
        "Cross-attention adds the English. It does not take away what self-attention "
        "shows.",
    ),
)
