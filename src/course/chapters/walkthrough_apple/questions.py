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
            "The page says so. But the calculation knows no meanings: it has four "
            "numbers for each word, and they give another result.",
        ),
        (
            "apple, because a word resembles itself more than others",
            False,
            "The query and the key of a word come from different matrices. So their "
            "dot product need not be large.",
        ),
        (
            "bought, because an apple is what was bought",
            True,
            "Its four features have the largest sum, and all weights of the page are "
            "positive. The next page explains why the sum decides.",
        ),
        (
            "to, because it is a neighbour",
            False,
            "The calculation never uses a position. If you shuffle the words, each "
            "pair keeps its score.",
        ),
    )


def winners_of_all_rows() -> Question:
    """Ask, before the machine, how many words have the highest weight of a row."""
    return ask(
        "Three heads and five words make fifteen rows of weights. How many different "
        "words have the highest weight of a row?",
        (
            "Three: each head prefers another word",
            False,
            "The heads have different weights. But different weights can prefer the "
            "same word, and here they do.",
        ),
        (
            "One: the same word in all fifteen",
            True,
            "Open the weights of each head and compare the columns.",
        ),
        (
            "Five: each word gives itself the highest weight",
            False,
            "The query and the key of a word come from different matrices. So they "
            "need not match best.",
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
            "Close scores give close weights in the same order. The exponential grows "
            "with its argument, and one sum divides the whole row.",
        ),
        (
            "Which word comes first, if the largest score is scaled down",
            False,
            "All scores of a row are divided by the same √d_k.",
        ),
        (
            "The distance between two words, but not their order",
            True,
            "A difference of scores becomes a ratio of weights. The order stays the "
            "same.",
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
        "weights come, the largest first?",
        (
            named(order),
            True,
            "Dividing by 2 keeps the order of the scores, and softmax keeps it too. "
            "The name of the head does not matter.",
        ),
        (
            named(order[::-1]),
            False,
            "This is the order from the smallest score to the largest. A larger score "
            "has a larger exponential.",
        ),
        (
            named(moved),
            False,
            "A word need not come first in its own row. Only the scores count.",
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
            "Some directions favour its first feature, which is large. Such heads are "
            "rare, but they exist.",
        ),
        (
            "to",
            True,
            "Each of its four features is smaller than that of “bought”. So any sum of "
            "these features with positive weights is smaller too.",
        ),
        (
            "apple, because a word’s largest weight cannot be its own",
            False,
            "It can be its own: the third feature of “apple” is the largest of the "
            "five.",
        ),
        (
            "None: with random weights anything can happen",
            False,
            "Positive weights exclude some words.",
        ),
    )


def _highest_weight() -> Question:
    """Return the page's first question with a true premise."""
    return ask(
        "The page asks why head 1 gives “eat” a high weight for “apple”. But from the "
        "numbers of the page, “bought” gets more. What would put “eat” first?",
        (
            "“Eat” as the subject of the sentence",
            False,
            "The calculation uses four numbers for each word. It knows no grammar.",
        ),
        (
            "A meaning that is nearer to food",
            False,
            "Meaning can enter only through the numbers of the embedding. So the "
            "answer must name a change of numbers.",
        ),
        (
            "A position next to “apple”",
            False,
            "The page lists positions, but no step uses them.",
        ),
        (
            "A key whose dot product with apple’s query is above that of “bought”",
            True,
            "The highest score gets the highest weight. There is no other reason.",
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
            "Scaling by 1/√d_k is another step, before the softmax. It bounds no "
            "weight.",
        ),
        (
            "The weights are positive, sum to 1 and keep the order of the scores",
            True,
            f"All three. The page prints {sums.size} rows of weights. Of these rows "
            f"{broken} do not sum to 1, so no softmax can return them.",
        ),
        (
            "The vectors stay four numbers long",
            False,
            "The weight matrices determine the widths. Softmax acts on a row of five "
            "scores, one for each word.",
        ),
        (
            "One word gets more than half",
            False,
            "Only if its score is much larger. Equal scores give equal weights.",
        ),
    )


def _self_attention() -> list[Question]:
    """Ask about chapter 1."""
    return [
        ask(
            "All words of a sentence have one key. What is the output of each word?",
            (
                "Its own value",
                False,
                "Its own key is the same as the other keys.",
            ),
            (
                "The mean of all values, with equal weights",
                True,
                "All scores of a row are equal, and equal scores get equal weights.",
            ),
            (
                "Zero, because no key is larger",
                False,
                "The weights of a row add up to 1. Here each word gets the same "
                "weight.",
            ),
        ),
        ask(
            "Two words of the sentence change places. How does the output of "
            "self-attention change?",
            (
                "The two output rows change places, and nothing else",
                True,
                "Each pair of words keeps its score at any position. So real models "
                "add positional encodings.",
            ),
            (
                "Both rows change, because each word has new neighbours",
                False,
                "The formula contains no position, so neighbours do not matter.",
            ),
            (
                "Nothing at all",
                False,
                "Each row belongs to a word and moves with it.",
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
                "Softmax ensures this with any divisor, and without one.",
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
            "Scores with a very large spread go into a softmax. Which problem does "
            "training have?",
            (
                "The gradients explode on their way back through the softmax",
                False,
                "The derivative of softmax is bounded: its norm is at most one half.",
            ),
            (
                "The weights no longer sum to 1",
                False,
                "They always sum to 1. Here one weight is almost 1.",
            ),
            (
                "Almost no gradient passes back through the softmax",
                True,
                "If one weight is almost 1, the derivative is almost zero. So the "
                "scores learn very slowly.",
            ),
        ),
    ]


def _heads() -> list[Question]:
    """Ask about chapter 3."""
    return [
        ask(
            "d_model is 512 and there are 8 heads. What does one head read?",
            (
                "64 of the 512 features of each word",
                False,
                "A head does not split the input. It projects all 512 features to 64.",
            ),
            (
                "All 512 features of some of the words",
                False,
                "Every head reads every word.",
            ),
            (
                "All 512 features of every word, projected to 64",
                True,
                "Its matrices have 512 rows and 64 columns.",
            ),
        ),
        ask(
            "What can two heads do that one head cannot do?",
            (
                "Attend to several words at once",
                False,
                "One head already has a weight for each word.",
            ),
            (
                "Give one word two different distributions over the others",
                True,
                "One head has one row of weights for each word. Two heads have two "
                "rows, so a word can attend in two different ways.",
            ),
            (
                "Attend to more distant words",
                False,
                "Attention without positions knows no distance.",
            ),
        ),
        ask(
            "Two heads have the same W_Q and the same W_K, but different W_V. What is "
            "the result?",
            (
                "Two kinds of attention: different values give different weights",
                False,
                "Weights come from queries and keys, and these are the same in both "
                "heads.",
            ),
            (
                "One head and a copy of it, which adds nothing",
                False,
                "The weights are a copy, but the values differ. So the two outputs "
                "differ.",
            ),
            (
                "One row of weights for each word, with values twice as wide",
                True,
                "Both heads mix the words with the same weights. One head with both "
                "W_V side by side returns the same numbers.",
            ),
        ),
    ]


def _output_projection() -> list[Question]:
    """Ask about chapter 4."""
    return [
        ask(
            "What equals the concatenated heads times W_O?",
            (
                "A sum: the output of each head times its rows of W_O",
                True,
                "The first d_v rows of W_O multiply head 1, the next d_v rows head 2, "
                "and so on. The products are added.",
            ),
            (
                "The best head for each word",
                False,
                "W_O is the same matrix for every word. It cannot choose.",
            ),
            (
                "The product of the heads’ outputs",
                False,
                "Matrix multiplication adds the contributions of the heads. No step "
                "multiplies two heads.",
            ),
        ),
        ask(
            "In a model h·d_v = d_model. The model leaves out W_O. What is lost?",
            (
                "The output no longer has the right width",
                False,
                "The width is right: h·d_v equals d_model here. W_O has another task "
                "too.",
            ),
            (
                "The weights no longer sum to 1",
                False,
                "W_O comes after the weights.",
            ),
            (
                "The mixing: each output feature of the sublayer comes from one head "
                "only",
                True,
                "Without W_O, head 1 can write only to its own features.",
            ),
        ),
    ]
