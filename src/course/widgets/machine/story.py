"""The sentences of the machine; ``story.js`` picks some and fills in the facts."""

from collections.abc import Sequence
from itertools import combinations

from course.kit.prose import number

SENTENCES = {
    # The whole machine.
    "one head": "“{word}” takes {shares}.",
    "several heads": "In head {head}, “{word}” takes {shares}.",
    "head off": "Head {head_off} is off: its result is 0. In the output of “{word}”, "
    "number {column} changes most, from {before} to {after}.",
    "idle head off": "Head {head_off} is off: its result is 0. The output of “{word}” "
    "does not change.",
    "try": "Drag a cell of X or of a matrix W sideways. Press another cell to see how "
    "it is computed.",
    "try on a phone": "Drag a cell of X sideways. Tap another cell to see how it is "
    "computed.",
    "switch": "Tap Head {head} again to switch it off.",
    "box": "One box of the transformer. It adds the output of attention to the vectors "
    "of the words. Enter the box to see its parts.",
    # The steps of the story.
    "X": "Each word enters as a row of numbers. The farther a number is from 0, the "
    "more its cell stands out.",
    "query": "W_Q turns each row of X into a query: what the word looks for.",
    "key": "W_K turns each row of X into a key: how the word can be found.",
    "value": "W_V turns each row of X into a value: what the word gives.",
    "scores": "Each query meets each key. Their dot product is the score: how well "
    "they fit.",
    "logits": "All scores are divided by √d_k = √{d_k}, so that wide vectors do not "
    "make the weights extreme.",
    "turned logits": "All scores are divided by {divisor}. This is √d_k = √{d_k}, "
    "divided by the setting {beta} of the dial.",
    "masked logits": "All scores are divided by √d_k = √{d_k}.",
    "mask": "The mask hides {hidden} of {tokens} words from “{word}”.",
    "weights": "Softmax makes each row positive, with the sum 1: “{word}” takes "
    "{shares}.",
    "masked weights": "Softmax gives a hidden word the weight 0. The other weights of "
    "a row are positive, with the sum 1: “{word}” takes {shares}.",
    "no weights": "All words are hidden from “{word}”, so it takes nothing.",
    "turning": "The dial turns. A smaller divisor makes unequal weights more unequal.",
    "head": "The values flow into the result, each as thick as its weight. The result "
    "of every word is a mixture of all values.",
    "masked head": "The values flow into the result, each as thick as its weight. A "
    "word gets no value from the words that are hidden from it.",
    "off head": "Head {head} is off, so its result is 0.",
    "concat": "The heads compute at the same time, each with its own matrices. "
    "Their results stand side by side.",
    "one concat": "There is one head, so Z is its result.",
    "output": "W_O mixes the results of the heads into one row per word, as wide as "
    "the row of X.",
    "one output": "W_O turns the result of the head into one row per word, as wide as "
    "the row of X.",
    # A stage.
    "drag": "Drag a number or type another one.",
    "choose": "Choose a number of the result to see how it is computed.",
    # A cell.
    "cell X": "Number {column} of “{word}” is {value}.",
    "cell query": "Number {column} of the query of “{word}”: its row of X times column "
    "{column} of W_Q.",
    "cell key": "Number {column} of the key of “{word}”: its row of X times column "
    "{column} of W_K.",
    "cell value": "Number {column} of the value of “{word}”: its row of X times column "
    "{column} of W_V.",
    "cell scores": "Score of “{word}” and “{other}”: the query of “{word}” times the "
    "key of “{other}”.",
    "cell logits": "Logit of “{word}” and “{other}”: their score, divided by "
    "{divisor}.",
    "cell padding": "“{other}” is padding: no word may attend to it.",
    "cell causal": "“{other}” stands after “{word}”: the causal mask hides it.",
    "cell weights": "Weight: “{word}” takes {share}% from “{other}”. This is exp of "
    "the logit, divided by the sum of exp over the row.",
    "cell shifted weights": "Weight: “{word}” takes {share}% from “{other}”. First the "
    "largest logit of the row is subtracted from all of them. This changes no weight.",
    "cell head": "Number {column} of the result of “{word}”: the sum of number "
    "{column} of every value, each times its weight.",
    "cell off": "Head {head} is off, so every number of its result is 0.",
    "cell concat": "Number {column} of the row of “{word}” comes from head {of_head}.",
    "cell output": "Number {column} of the output of “{word}”: its row of Z times "
    "column {column} of W_O.",
    # A chapter.
    "chapter 2": "The scores are divided by √d_k before the softmax. Turn the dial to "
    "see the weights without this division.",
    "chapter 3": "Several heads compute at the same time, each with its own matrices.",
    "chapter 4": "The results of the heads stand side by side, and W_O mixes them.",
    # Beside the sentence of the whole machine.
    "kept": "In the kept state, “{word}” takes {shares}.",
    "rest": ", and {share}% from the other {count} words together",
}


def share_texts(weights: Sequence[float]) -> list[str]:
    """Return a row of weights in percent, with a decimal if whole numbers mislead.

    Whole numbers mislead if they do not add up to 100, or if two different weights
    look the same.
    """
    whole = [number(100 * weight, 0) for weight in weights]
    adds_up = sum(map(int, whole)) == 100
    alike = any(
        one == other and abs(a - b) > 5e-4
        for (a, one), (b, other) in combinations(zip(weights, whole, strict=True), 2)
    )
    tenths = not adds_up or alike
    return [number(100 * weight, 1) for weight in weights] if tenths else whole
