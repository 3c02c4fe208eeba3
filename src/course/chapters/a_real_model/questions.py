"""Questions of chapter 9, each answer with the reason or the misconception."""

from course.widgets import ask

SHARPNESS = ask(
    "A model was trained with scores divided by the root of 64, which is 8. You take "
    "the division out of all 270 heads, and train nothing. What happens to the loss?",
    (
        "Little: softmax keeps the order of the scores",
        False,
        "It does keep the order. But each head now gives almost all its weight to one "
        "token, where it had mixed several.",
    ),
    (
        "It falls: sharper heads choose better",
        False,
        "The model was trained with mixtures. Everything after a head expects them.",
    ),
    (
        "The loss more than doubles",
        True,
        "The loss comes close to that of a model whose heads all look everywhere "
        "alike: a model is tuned to its own divisor.",
    ),
)

IT = ask(
    "The model reads from left to right. One sentence ends “because it was tired”, one "
    "“because it was soft”. How do the weights of “it” differ between the two?",
    (
        "“it” attends to “cat” in the first and to “mat” in the second",
        False,
        "That is the picture of many introductions. In this model “it” cannot see "
        "the word that decides, since it comes later.",
    ),
    (
        "They differ a little, in some heads",
        False,
        "The causal mask is exact: no number in the row of “it” depends on what "
        "comes later.",
    ),
    (
        "They do not differ: every number of the row is the same",
        True,
        "Every word up to “it” is the same in both sentences, and “it” sees no other.",
    ),
)

INDUCTION = ask(
    "One head of 270 finds where a word occurred before and attends to the word after "
    "it. You switch this head off. Where does the loss rise?",
    (
        "In every text: it is an important head",
        False,
        "In ordinary text hardly anything changes. The value of a head depends on the "
        "text.",
    ),
    (
        "Nowhere: 269 other heads are left",
        False,
        "Two other heads do the same job in part. In a row of random words that comes "
        "twice, that is not enough.",
    ),
    (
        "Where words are repeated, and hardly anywhere else",
        True,
        "The head is of use where the text repeats itself.",
    ),
)

ALIKE = ask(
    "You put the heads of every layer into another order, and the rows of the output "
    "matrix into the same order. What does the model write?",
    (
        "Something else: each head has its place",
        False,
        "A head has no place. Its output meets its own rows of the matrix, wherever "
        "both stand.",
    ),
    (
        "The same text as before, whatever the order is",
        True,
        "The output is a sum over heads, and a sum does not depend on the order.",
    ),
    (
        "The same for short texts only",
        False,
        "The sum is the same for every token.",
    ),
)
