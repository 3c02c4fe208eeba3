"""Questions of the walkthrough: the page's two questions, corrected, and more.

The page assumes that "eat" gets a high weight in head 1, which is false. It also prints
15 rows of weights, of which 12 do not add up to 1.
"""

import numpy as np
from numpy.typing import NDArray

from course.chapters.walkthrough_apple.experiments import FOCUS
from course.chapters.walkthrough_apple.tables import trace
from course.kit.prose import number
from course.notes import APPLE
from course.widgets.card import Question, ask


def questions() -> list[Question]:
    """Return the questions of the quiz, in the order of their chapters."""
    return [
        _highest_weight(),
        _softmax(),
        *_self_attention(),
        *_scaling(),
        *_heads(),
        *_output_projection(),
    ]


def prediction() -> Question:
    """Ask, before the calculation, for apple's highest weight in head 1."""
    return ask(
        "To which word will “apple” give the highest weight in head 1?",
        (
            "eat, because apples are eaten",
            False,
            "That is the story the page tells. The calculation knows no meanings, only "
            "four numbers a word, and they tell another.",
        ),
        (
            "apple, because nothing resembles a word like itself",
            False,
            "Query and key of a word come from different matrices, so nothing makes "
            "their dot product large.",
        ),
        (
            "bought, because an apple is what was bought",
            True,
            "Its four features have the largest sum, and all weights of the page are "
            "positive. Why that helps is asked again under “What decides who wins”.",
        ),
        (
            "to, its neighbour",
            False,
            "The calculation never sees a position. Shuffle the words, and each pair "
            "keeps its score.",
        ),
    )


def winners_of_all_rows() -> Question:
    """Ask, before the machine, how many words have the highest weight of a row."""
    return ask(
        "Three heads and five words make fifteen rows of weights. How many different "
        "words come out on top of a row?",
        (
            "Three: each head prefers a word of its own",
            False,
            "The heads have different weights, and their names promise as much. But "
            "different weights need not give different winners, and here they do not.",
        ),
        (
            "One: the same word in all fifteen",
            True,
            "Walk to the weights of each head and look down the columns.",
        ),
        (
            "Five: each word attends most to itself",
            False,
            "A word’s query and its key come from different matrices; nothing makes "
            "them fit each other best.",
        ),
    )


def order_of_softmax() -> Question:
    """Ask what softmax can change in a row of scores."""
    return ask(
        "A row of scores is scaled and goes through softmax. What can differ between "
        "the scores and the weights?",
        (
            "Which word comes first, if two scores are close",
            False,
            "Close scores give close weights, in the same order: the exponential grows "
            "with its argument, and the whole row is divided by one sum.",
        ),
        (
            "Which word comes first, if the largest score is scaled down",
            False,
            "All scores of a row are divided by the same √d_k.",
        ),
        (
            "By how much one word leads another, but not who leads",
            True,
            "A difference of scores becomes a ratio of weights. The order stays.",
        ),
    )


def ranking(head: int) -> Question:
    """Ask for the order of apple's weights, given its scores in a head.

    Parameters
    ----------
    head : int
        1 or 2: the second or the third head.
    """
    scores = trace().heads[head].scores[FOCUS]
    order = np.argsort(-scores)
    listed = ", ".join(
        f"{word} {number(score)}"
        for word, score in zip(APPLE.tokens, scores, strict=True)
    )

    def named(places: NDArray[np.intp]) -> str:
        return ", ".join(APPLE.tokens[j] for j in places)

    moved = np.concatenate([[FOCUS], order[order != FOCUS]])
    return ask(
        f"The scores of apple in head {head + 1} are: {listed}. In which order do its "
        "weights stand, the largest first?",
        (
            named(order),
            True,
            "Dividing by 2 and softmax keep the order of the scores, whatever the head "
            "is called.",
        ),
        (
            named(order[::-1]),
            False,
            "That is the order from the smallest score to the largest. The larger the "
            "score, the larger its power.",
        ),
        (
            named(moved),
            False,
            "A word need not come first in its own row: only its scores count.",
        ),
    )


def who_can_win() -> Question:
    """Ask which word cannot get the highest weight if all weights are positive."""
    return ask(
        "Suppose every weight of a head is drawn at random between 0 and 1. Which of "
        "these words can never get apple’s highest weight?",
        (
            "I, which has the least even embedding",
            False,
            "An uneven embedding helps: a direction that favours its first feature "
            "lifts it above the rest. It is rare, yet it happens.",
        ),
        (
            "to",
            True,
            "Each of its four features is smaller than that of “bought”. A sum of such "
            "features with positive weights is smaller too, whatever the weights.",
        ),
        (
            "apple, because a word’s largest weight cannot be its own",
            False,
            "It can: its third feature is the largest of the five.",
        ),
        (
            "None: with random weights anything can happen",
            False,
            "Not anything. Positive weights leave some words out for good.",
        ),
    )


def _highest_weight() -> Question:
    """Return the page's first question with a true premise."""
    return ask(
        "The page asks why head 1 gives “eat” a high weight for “apple”. From its own "
        "inputs “bought” gets more. What would put “eat” first?",
        (
            "To make it the subject of the sentence",
            False,
            "A calculation on four numbers a word knows no grammar.",
        ),
        (
            "A meaning that is nearer to food",
            False,
            "The answer that the page’s story suggests; it prints none. Meaning can "
            "enter only through the numbers of the embedding, so name the change of "
            "numbers.",
        ),
        (
            "A place next to apple",
            False,
            "Positions are listed on the page and used nowhere.",
        ),
        (
            "A key whose dot product with apple’s query is above that of “bought”",
            True,
            "The highest score gets the highest weight, and no other reason exists.",
        ),
    )


def _softmax() -> Question:
    """Return the page's second question; its own tables contradict the answer."""
    sums = APPLE.printed["weights"].sum(axis=2)
    broken = int((np.abs(sums - 1) > 0.0025).sum())
    return ask(
        "What does the softmax step ensure for each row of weights?",
        (
            "The scores are scaled, so that no word gets more than half of the weight",
            False,
            "Scaling by 1/√d_k comes before the softmax, is a step of its own and "
            "bounds no weight.",
        ),
        (
            "The weights are positive, sum to 1 and keep the order of the scores",
            True,
            f"All three. Of the {sums.size} rows of weights that the page prints, "
            f"{broken} do not sum to 1, so they cannot have come out of a softmax.",
        ),
        (
            "The vectors stay four numbers long",
            False,
            "Widths are settled by the weight matrices. Softmax acts on a row of five "
            "scores, one a word.",
        ),
        (
            "One word gets more than half",
            False,
            "Only if its score stands out. Equal scores give equal weights.",
        ),
    )


def _self_attention() -> list[Question]:
    """Ask about chapter 1."""
    return [
        ask(
            "Every word of a sentence is given one and the same key. What is the "
            "output of a word then?",
            (
                "Its own value",
                False,
                "Its own key fits its query no better than the others do.",
            ),
            (
                "The plain mean of all values",
                True,
                "All scores of a row are equal, and equal scores get equal weights.",
            ),
            (
                "Zero, since no key stands out",
                False,
                "Weights are shares of 1 and have to go somewhere: each word gets the "
                "same share.",
            ),
        ),
        ask(
            "Two words of the sentence change places. What happens to the output of "
            "self-attention as the notes define it?",
            (
                "The two output rows change places, and nothing else",
                True,
                "Scores are made for each pair of words, wherever they stand. That is "
                "why real models add positional encodings.",
            ),
            (
                "Both rows change, since each word now attends to new neighbours",
                False,
                "Who is a neighbour enters nowhere: no position is in the formula.",
            ),
            (
                "Nothing at all",
                False,
                "Rows belong to words, so they move with them.",
            ),
        ),
    ]


def _scaling() -> list[Question]:
    """Ask about chapter 2."""
    return [
        ask(
            "Why is the divisor √d_k and not d_k?",
            (
                "So that the weights sum to 1",
                False,
                "Softmax sees to that with any divisor, or none.",
            ),
            (
                "Because the spread of a sum of d_k products grows like √d_k",
                True,
                "For independent entries the variance of the dot product is d_k times "
                "that of one product, so its spread grows like the square root.",
            ),
            (
                "Because dividing by d_k could turn positive scores into negative ones",
                False,
                "Dividing by a positive number changes no sign.",
            ),
        ),
        ask(
            "Scores with a very large spread go into a softmax. What is the trouble "
            "in training?",
            (
                "The gradients explode on their way back through the softmax",
                False,
                "The softmax’s derivative is bounded; it never exceeds one half in "
                "norm.",
            ),
            (
                "The weights no longer sum to 1",
                False,
                "They always do. They sum to 1 with almost all of it in one place.",
            ),
            (
                "Almost no gradient passes back through the softmax",
                True,
                "Near one-hot weights its derivative is nearly zero: the scores hardly "
                "learn.",
            ),
        ),
    ]


def _heads() -> list[Question]:
    """Ask about chapter 3."""
    return [
        ask(
            "d_model is 512 and there are 8 heads. What does one head read?",
            (
                "Its own 64 of the 512 features, taken from each word",
                False,
                "That is splitting the input. A head projects all 512 features to 64.",
            ),
            (
                "All 512 features of its own share of the words",
                False,
                "Every head sees every word.",
            ),
            (
                "All 512 features of every word, projected to 64",
                True,
                "Its matrices have 512 rows and 64 columns.",
            ),
        ),
        ask(
            "What can two heads do that one head cannot?",
            (
                "Look at several words at once",
                False,
                "One row of weights already covers all words.",
            ),
            (
                "Give one word two different distributions over the others",
                True,
                "One head has one row of weights a word: two interests are averaged "
                "into it. Two heads keep them apart.",
            ),
            (
                "Look at words that are further away",
                False,
                "Distance does not exist for attention without positions.",
            ),
        ),
        ask(
            "Two heads have the same W_Q and the same W_K, but different W_V. What do "
            "you have?",
            (
                "Two kinds of attention: different values give different weights",
                False,
                "Weights come from queries and keys, and those are the same in both.",
            ),
            (
                "One head and a copy of it, which adds nothing",
                False,
                "The weights are a copy. What they are applied to is not, so the two "
                "outputs differ.",
            ),
            (
                "One row of weights a word, on values twice as wide",
                True,
                "Both heads mix in the same shares. Side by side they return what one "
                "head returns whose W_V is both put side by side.",
            ),
        ),
    ]


def _output_projection() -> list[Question]:
    """Ask about chapter 4."""
    return [
        ask(
            "What equals the concatenated heads times W_O?",
            (
                "A sum: each head’s output times its own rows of W_O",
                True,
                "Rows 0 to 3 meet head 1, rows 4 to 7 head 2 and so on; the block "
                "products add up.",
            ),
            (
                "A weighted choice of the best head for each word",
                False,
                "W_O is the same matrix for every word. It chooses nothing.",
            ),
            (
                "The product of the heads’ outputs",
                False,
                "Matrix multiplication adds the heads’ contributions; nothing "
                "multiplies one head by another.",
            ),
        ),
        ask(
            "Leave W_O out of a model in which h·d_v = d_model. What is lost?",
            (
                "The output no longer has the right width",
                False,
                "It has: h·d_v is d_model here. Restoring the width is not its only "
                "task.",
            ),
            (
                "The weights no longer sum to 1",
                False,
                "W_O comes after the weights have been used.",
            ),
            (
                "Within the sublayer each output feature comes from one head only",
                True,
                "Without it head 1 can write to its own features alone.",
            ),
        ),
    ]
