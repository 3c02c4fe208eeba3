"""Questions of *Wrong attentions*. Each choice explains why it is right or wrong."""

from course.widgets import ask, right, wrong

WHO_IS_RIGHT = ask(
    "Word 2 may attend to words 1 and 2. Use the second row of powers to compute the "
    "softmax weights of word 2. What is the first weight?",
    wrong(
        "1/8, as in A and D",
        "Then the sum contains the power 4, which word 2 may not use. In A the row "
        "adds up to one half. In D word 2 attends to a later word.",
    ),
    wrong(
        "1/5, as in B",
        "This is a share of the first column: 1 divided by 1 + 1 + 3. Softmax divides "
        "by the sum of the row.",
    ),
    right(
        "1/4, as in C",
        "Word 2 uses the powers 1 and 3: one quarter and three quarters. The other "
        "rows of C are right too.",
    ),
    wrong(
        "1/10, as in E",
        "These are shares of 1² and 3². The logits are twice as large, "
        "because E does not divide by 2, the root of d_k.",
    ),
    wrong(
        "1/11, as in F",
        "This divides by the sum of all visible powers of the matrix. Each row needs "
        "its own sum.",
    ),
)

COLUMNS = ask(
    "In one of the six matrices, every column adds up to 1. What is its mistake?",
    right(
        "It sums over the queries and not over the keys",
        "This is B: axis=0 instead of axis=1. The weights on each key add up to 1, but "
        "the weights of a query do not.",
    ),
    wrong(
        "It applies the mask to columns and not to rows",
        "The zeros are in the right place, above the diagonal. The division uses the "
        "wrong axis.",
    ),
    wrong(
        "None: columns must add up to 1 too",
        "In the right matrix they do not. The sum of the weights on a key is not "
        "fixed.",
    ),
)

ONE_WORD = ask(
    "A test has one word, n = m = 1. Which wrong divisors of the scores does it find?",
    right(
        "None",
        "A single key has the weight 1 for every score. The test finds no mistake in "
        "the divisor of the scores.",
    ),
    wrong(
        "All except √m",
        "Wrong divisors change the logit, but with one key the logit does not matter.",
    ),
    wrong(
        "This depends on d_k",
        "The logit depends on d_k. The softmax of a row with one number is always 1.",
    ),
)

FIRST_HEAD = ask(
    "x has three words and four columns. x.reshape(2, 3, 2) makes two heads of three "
    "rows each. What is in row 2 of head 1?",
    wrong(
        "Columns 1 and 2 of word 2",
        "This would be right. But reshape moves no number. It reads the numbers in "
        "order, word by word, and starts a new row after every two.",
    ),
    right(
        "Columns 3 and 4 of word 1",
        "The first word fills two rows of head 1. Head 2 gets the second half of word "
        "2, and word 3. The heads divide the words instead of the columns.",
    ),
    wrong(
        "Columns 1 and 2 of word 3",
        "Word 3 is entirely in head 2. The first six numbers are word 1 and half of "
        "word 2.",
    ),
)

TOLERANCE = ask(
    "Your test compares with assert_array_equal. An attention in float32 fails it. "
    "Which is wrong: the test or the attention?",
    right(
        "The test",
        "float32 is right to seven digits. Sums in another order differ in the last "
        "digit. A test without tolerance rejects right functions.",
    ),
    wrong(
        "The attention: its numbers differ",
        "Then the loops and the library would be wrong too, because their last digits "
        "differ.",
    ),
    wrong(
        "Neither: tests never give the same result on two machines",
        "Tests give the same result if they allow for rounding and fix the seed of "
        "their random numbers.",
    ),
)
