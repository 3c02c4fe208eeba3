"""Questions of *Wrong attentions*; each choice has its reason."""

from course.widgets import ask

WHO_IS_RIGHT = ask(
    "Divide the second row of powers as softmax does, as far as word 2 may see. What "
    "does the row of weights begin with?",
    (
        "1/8, as in A and D",
        False,
        "Then the sum below the line has the 4 in it, which word 2 may not see. In A "
        "the row adds up to one half; in D word 2 takes from what comes later.",
    ),
    (
        "1/5, as in B",
        False,
        "That is a share of the first column, 1 of 1 + 1 + 3. Softmax divides by the "
        "sum of the row.",
    ),
    (
        "1/4, as in C",
        True,
        "Word 2 sees the powers 1 and 3: one quarter, three quarters. C is right in "
        "the other rows, too.",
    ),
    (
        "1/10, as in E",
        False,
        "Those are shares of the squares 1 and 9: the logits are twice as large, as "
        "they are where nobody divides by 2, the root of d_k.",
    ),
    (
        "1/11, as in F",
        False,
        "There the sum is that of all powers that anybody may see. Each row has a sum "
        "of its own.",
    ),
)

COLUMNS = ask(
    "In one of the six every column adds up to 1. What has gone wrong there?",
    (
        "The sum runs over the queries and not over the keys",
        True,
        "That is B: axis=0 in place of axis=1. Each key shares itself out among the "
        "queries, and a query gets what is left.",
    ),
    (
        "The mask is applied to columns and not to rows",
        False,
        "The zeros stand where they should, above the diagonal. It is the division "
        "that runs the wrong way.",
    ),
    (
        "Nothing: columns have to add up to 1 as well",
        False,
        "In the right one they do not. How much attention a key gets in all is not "
        "fixed.",
    ),
)

TOO_LATE = ask(
    "In A all that should be hidden is hidden. Why do its first two rows add up to "
    "less than 1?",
    (
        "The mask came after the softmax",
        True,
        "The hidden keys took part in the sum below the line. Setting their weights "
        "to 0 afterwards takes away what they got, and nobody else gets it.",
    ),
    (
        "The mask put 0 in place of minus infinity",
        False,
        "Then the hidden keys would have weights above 0: the power of 0 is 1.",
    ),
    (
        "The logits were divided twice",
        False,
        "A division inside the softmax moves weight from key to key; the rows would "
        "still add up to 1.",
    ),
)

CAT = ask(
    "“The cat sat” has d_model = 4 and d_k = 2. Somebody tests an attention with its "
    "numbers. Which two wrong divisors can this test not tell from each other?",
    (
        "d_k and √d_model",
        True,
        "Both are 2. The test would see that something is wrong, but not which of "
        "the two.",
    ),
    (
        "√d_k and √d_model",
        False,
        "They are 1.41 and 2. (The first is the right one.)",
    ),
    (
        "√m and √d_k",
        False,
        "There are 3 words: they are 1.73 and 1.41.",
    ),
)

ONE_WORD = ask(
    "A test has a single word, n = m = 1. Which wrong divisors does it catch?",
    (
        "None",
        True,
        "A single key has the weight 1 whatever its score. Only what changes the "
        "output after the softmax can be seen.",
    ),
    (
        "All but √m",
        False,
        "They change the score, and with one key the score does not matter.",
    ),
    (
        "That depends on d_k",
        False,
        "The logit depends on it. Its softmax does not: one number is all of its row.",
    ),
)

FIRST_HEAD = ask(
    "x has three words and four columns, and x.reshape(2, 3, 2) makes two heads of "
    "three rows each. What stands in row 2 of head 1?",
    (
        "Columns 1 and 2 of word 2",
        False,
        "So it should be. But reshape moves nothing: it reads the numbers in their "
        "order, word by word, and breaks the line every two.",
    ),
    (
        "Columns 3 and 4 of word 1",
        True,
        "The first word has two lines in head 1, and head 2 gets the second half of "
        "word 2 and word 3. Heads see words, not columns.",
    ),
    (
        "Columns 1 and 2 of word 3",
        False,
        "Word 3 is in head 2 altogether: the first six numbers are word 1 and half "
        "of word 2.",
    ),
)

ALWAYS_PASSES = ask(
    "Which of these tests does every one of the scale mutants pass: not divided, "
    "divided by d_k, by √d_model, by √m?",
    (
        "Rows of weights add up to 1",
        True,
        "A softmax adds up to 1 whatever goes in. What is inside its bracket is seen "
        "by comparing numbers only.",
    ),
    (
        "Two keys, worked out by hand",
        False,
        "That one compares numbers. All four fail it, unless the divisor happens to "
        "be 2.",
    ),
    (
        "Against loops, all sizes different",
        False,
        "That is a comparison of numbers at sizes where the four differ.",
    ),
)

TOLERANCE = ask(
    "Your test compares with assert_array_equal, and an attention in float32 fails it. "
    "Whose fault is it?",
    (
        "The test's",
        True,
        "float32 is right to seven digits, and sums in another order differ in the "
        "last one. A test that asks for more forbids ways of writing, not mistakes.",
    ),
    (
        "The attention's: wrong is wrong",
        False,
        "Then the loops and the library would be wrong too: their last digits differ "
        "from each other.",
    ),
    (
        "Nobody's; tests are never the same on two machines",
        False,
        "They are, where they allow for rounding and fix what they draw.",
    ),
)
