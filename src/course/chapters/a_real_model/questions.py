"""Questions of chapter 9. Each choice explains why it is right or wrong."""

from course.widgets import ask, right, wrong

SHARPNESS = ask(
    "A model was trained with scores divided by 8, the root of 64. You remove the "
    "division in all 270 heads and do not train again. What happens to the loss?",
    wrong(
        "The loss hardly changes, because softmax keeps the order of the scores",
        "Within a row the order stays the same. But the heads mix less: in 16 "
        "sentences the mean largest weight of a row rises from 0.68 to 0.94.",
    ),
    wrong(
        "The loss falls, because sharper heads choose better",
        "The model was trained with mixtures. The later layers need these mixtures.",
    ),
    right(
        "The loss more than doubles",
        "The table on the page shows by how much. A trained model is tuned to its own "
        "divisor.",
    ),
)

IT = ask(
    "The model reads from left to right. One sentence ends with “because it was "
    "tired”. Another one ends with “because it was soft”. How do the weights in the "
    "row of “it” differ between the two sentences?",
    wrong(
        "“it” attends to “cat” in the first and to “mat” in the second",
        "Many introductions show this picture. In this model “it” cannot attend to the "
        "last word, and only the last word differs.",
    ),
    wrong(
        "They differ a little, in some heads",
        "The causal mask is exact. No number in the row of “it” depends on a later "
        "word.",
    ),
    right(
        "They do not differ: every number of the row is the same",
        "All words up to “it” are the same in both sentences. “it” attends to these "
        "words only.",
    ),
)

INDUCTION = ask(
    "A head finds an earlier copy of the present word and attends to the word "
    "after that copy. You switch this head off. Where does the loss rise?",
    wrong(
        "In every text, because the head is important",
        "In ordinary text the loss hardly changes. The value of a head depends on the "
        "text.",
    ),
    wrong(
        "Nowhere, because 269 other heads are left",
        "Other heads do a part of the same job. For random words that come twice, this "
        "is not enough.",
    ),
    right(
        "Where words are repeated, and hardly anywhere else",
        "The model needs this head where the text repeats itself.",
    ),
)

ALIKE = ask(
    "You put the heads of every layer into a new order. In the output matrix, the rows "
    "of each head form a block. You put these blocks into the same new order. What "
    "does the model write?",
    wrong(
        "Another text, because each head has its place",
        "The place does not matter. The output of a head is multiplied by its own "
        "block of the matrix, and both have moved together.",
    ),
    right(
        "The same text as before",
        "The output is a sum over heads. A sum does not depend on the order.",
    ),
    wrong(
        "The same text as before, for short texts only",
        "Every token keeps its sum over heads. So the length of the text does not "
        "matter.",
    ),
)
