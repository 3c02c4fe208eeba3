"""Questions of the walkthrough: two corrected questions of the page, and two more.

The page assumes that "eat" gets a high weight in head 1, which is false. It also prints
15 rows of weights, of which 12 do not add up to 1.
"""

import numpy as np

from course.notes import APPLE
from course.widgets.card import Question, ask, right, wrong


def prediction() -> Question:
    """Ask, before the calculation, for apple's highest weight in head 1."""
    return ask(
        "To which word will “apple” give the highest weight in head 1?",
        wrong(
            "eat, because apples are eaten",
            "The web page says so. But the calculation knows no meanings: it has four "
            "numbers for each word, and they give another result.",
        ),
        wrong(
            "apple, because a word resembles itself",
            "The query and the key of a word come from different matrices. So their "
            "dot product need not be large.",
        ),
        right(
            "bought, because its four numbers are large",
            "The four numbers of “bought” have the largest sum, and all numbers of "
            "W_Q and W_K are positive. The second page of this chapter explains when "
            "the sum decides.",
        ),
        wrong(
            "to, because it is a neighbour",
            "The calculation never uses a position. If you shuffle the words, each "
            "pair keeps its score.",
        ),
    )


def who_can_win() -> Question:
    """Ask which word cannot get the highest weight if all weights are positive."""
    return ask(
        "Suppose all entries of the query and key matrices are drawn at random between "
        "0 and 1. Which of these words can never get apple’s highest weight?",
        wrong(
            "I, because its second feature is small",
            "The first feature of “I” is large. If the first entry of the vector a is "
            "large too, “I” can come first. Such heads are rare, but they exist.",
        ),
        right(
            "to",
            "Each of its four features is smaller than that of “bought”. So any sum of "
            "these features with positive weights is smaller too.",
        ),
        wrong(
            "apple, because no word gives its largest weight to itself",
            "The third feature of “apple” is the largest of the five. If the third "
            "entry of the vector a is large enough, “apple” gives its largest weight "
            "to itself.",
        ),
        wrong(
            "None: with random weights anything can happen",
            "With positive matrices, a word whose four numbers are all smaller than "
            "those of another word cannot get the highest weight.",
        ),
    )


def highest_weight() -> Question:
    """Return the page's first question with a true premise."""
    return ask(
        "The web page asks why head 1 gives “eat” a high weight for “apple”. But with "
        "its numbers, “bought” gets more. What would put “eat” first?",
        wrong(
            "“Eat” as the subject of the sentence",
            "The calculation uses four numbers for each word. It knows no grammar.",
        ),
        wrong(
            "A meaning that is nearer to food",
            "Meaning can enter only through the numbers. A nearer meaning with the "
            "same numbers changes nothing.",
        ),
        wrong(
            "A position next to “apple”",
            "The web page lists positions, but no step uses them.",
        ),
        right(
            "A key of “eat” with a higher score than the key of “bought”, for "
            "apple’s query",
            "The highest score gets the highest weight.",
        ),
    )


def softmax_ensures() -> Question:
    """Return the page's second question; the page's tables contradict the answer."""
    sums = APPLE.printed["weights"].sum(axis=2)
    broken = int((np.abs(sums - 1) > 0.0025).sum())
    return ask(
        "What does the softmax step ensure for each row of weights?",
        wrong(
            "The scores are scaled: no word gets more than half of the weight",
            "Scaling by 1/√d_k is another step, before the softmax. It sets no upper "
            "limit for a weight.",
        ),
        right(
            "The weights are positive, sum to 1 and keep the order of the scores",
            f"Softmax ensures all of this. The web page prints {sums.size} rows of "
            f"weights. Of these rows {broken} do not sum to 1, so no softmax can "
            "return them.",
        ),
        wrong(
            "The vectors stay four numbers long",
            "The matrices W_Q, W_K and W_V determine the widths. Softmax acts on a row "
            "of five scores, one for each word.",
        ),
        wrong(
            "One word gets more than half",
            "Only if its score is much larger. Equal scores give equal weights.",
        ),
    )
