"""Questions of chapter 10, and the inputs of its machine."""

import numpy as np

from course.chapters.attention_since_2017 import experiments
from course.widgets import Exercise, Slip, ask, right, wrong
from course.widgets.machine.inputs import MachineInputs


def four_words() -> MachineInputs:
    """Return the inputs of the machine with the four words.

    Column 1 of X is 1 and makes the query ln 2. Column 2 is the key 0, 0, 1, 2. Column
    3 is the value.
    """
    X = np.stack([np.ones(4), np.log2(experiments.POWERS), experiments.VALUES], axis=1)
    W_Q, W_K, W_V = np.diag([np.log(2), 1, 1])[:, :, None]
    return MachineInputs(experiments.WORDS, X, W_Q, W_K, W_V, causal=True)


ALL_AT_ONCE = ask(
    "One run with the causal mask gives four outputs. You also run each beginning "
    "alone: “we”, “we saw”, and so on. Which outputs of the one run equal the last "
    "output of a beginning?",
    wrong(
        "Only the last one, since only “sea” has read all of the words",
        "“the” has read three words in the one run. The beginning “we saw the” has no "
        "other words either.",
    ),
    right(
        "All four of them",
        "A masked row uses only the words up to its own place. Later words change "
        "nothing in it.",
    ),
    wrong(
        "None",
        "The softmax of a masked row has the same exponentials as the softmax of the "
        "beginning. So both runs divide by the same sum.",
    ),
)

NOT_SAVED = ask(
    "1,000 words are in the cache. The model computes the next word. What must each "
    "head read from the cache?",
    wrong(
        "The newest key and value only",
        "The new query attends to all words. It needs the key and the value of each.",
    ),
    right(
        "All 1,000 keys and values",
        "The cache saves the work of computing them again. It does not save the work "
        "of reading them.",
    ),
    wrong(
        "Nothing, because the weights of the earlier words are stored",
        "The cache holds keys and values, no weights. Each new query has weights of "
        "its own.",
    ),
)

WHICH_HEAD = ask(
    "32 query heads share 8 heads of keys. All are counted from 0. Which head of keys "
    "does query head 5 use?",
    wrong(
        "Head 0",
        "Query heads 0 to 3 use head 0 of the keys. Four query heads share one.",
    ),
    right(
        "Head 1",
        "Four consecutive query heads share one: 0 to 3 use head 0, and 4 to 7 use "
        "head 1.",
    ),
    wrong(
        "Head 5",
        "This would be right if the query heads took the heads of keys in turn: 0, 1, "
        "2 and so on. The usual layout gives each head of keys four consecutive query "
        "heads.",
    ),
)

MOVED = ask(
    "All words move 1,000 places to the right, and no distance changes. What changes "
    "under rotary positions?",
    wrong(
        "The turned queries and keys, and all of their products too",
        "Query and key turn further by the same angle. The angle between them stays.",
    ),
    right(
        "The turned queries and keys, but not their products",
        "Both vectors turn further by the same angle, so their product stays.",
    ),
    wrong(
        "Neither vectors nor products",
        "Each vector is turned by its own position, and that position has changed.",
    ),
)

HOW_FAR = ask(
    "Each word sees 4 keys: itself and the 3 words before it. How many places back can "
    "a word reach through 3 layers?",
    wrong(
        "3 places",
        "That is the reach of one layer. In the layer before, each of the words that "
        "it sees has already read earlier words.",
    ),
    right("9 places", "Each layer adds 3 places."),
    wrong(
        "12 places",
        "The window of 4 contains the word’s own place. A layer adds only 3 places.",
    ),
)


THREE_KEYS = ask(
    "The keys have two numbers. Three different keys are stored, each with its own "
    "value, and no two keys are parallel. Can a state with two rows return all three "
    "values exactly?",
    wrong(
        "Yes, always",
        "In the plane the third key is a sum of multiples of the first two. So the "
        "state returns the same sum of multiples of their values.",
    ),
    wrong(
        "Yes, if the state replaces the old values",
        "To read a value, the query is multiplied by a matrix. So the first two "
        "results determine the third, for any rule that wrote the matrix.",
    ),
    right(
        "Only by chance",
        "The third key is a sum of multiples of the first two. The state returns the "
        "same mixture of their values. The third value would have to be that mixture.",
    ),
)


def bytes_of_a_cache() -> Exercise:
    """Return an exercise: the bytes of a small cache."""
    layers, heads, d_k, n, size = 3, 2, 8, 100, 4
    due = experiments.cache_bytes(layers, heads, d_k, n, size)
    return Exercise(
        "bytes-of-a-cache",
        f"A model has {layers} layers and {heads} heads of keys of width {d_k}. Each "
        f"number takes {size} bytes. How many bytes do {n} words take?",
        truth=due,
        digits=0,
        expression=f"2 × {layers} × {heads} × {d_k} × {n} × {size} = ?",
        slips=[
            Slip(
                due / 2,
                "These are the bytes of the keys. The values need the same number "
                "again.",
            ),
            Slip(due / size, "That is the count of numbers. Each takes four bytes."),
            Slip(due / layers, "That is one layer. The model has three."),
        ],
        hint="First count the numbers of one word in one layer, keys and values.",
        steps=[
            f"2 × {heads} × {d_k} = {2 * heads * d_k} numbers for each word "
            "in each layer",
            f"{2 * heads * d_k} × {layers} × {n} = {due // size:,} numbers",
            f"{due // size:,} × {size} = {due:,} bytes",
        ],
    )


def merge_two_halves() -> Exercise:
    """Return an exercise: merge the two halves of the four words."""
    powers, values = experiments.POWERS, experiments.VALUES
    first, second = powers[:2].sum(), powers[2:].sum()
    one = float(powers[:2] @ values[:2] / first)
    other = float(powers[2:] @ values[2:] / second)
    total = first + second
    return Exercise(
        "merge-two-halves",
        f"The first half has the output {one:.0f} and the sum {first:.0f}. The second "
        f"half has the output {other:.0f} and the sum {second:.0f}. What is the output "
        "for all four words?",
        truth=(first * one + second * other) / total,
        digits=0,
        expression=f"({first:.0f} · {one:.0f} + {second:.0f} · {other:.0f}) / "
        f"({first:.0f} + {second:.0f}) = ?",
        slips=[
            Slip((one + other) / 2, "That is the plain mean of the two outputs."),
            Slip(one + other, "That adds the outputs. But the result must be a mean."),
            Slip(
                (second * one + first * other) / total,
                "Multiply each output by the sum of its own half.",
            ),
        ],
        hint="The half with the larger sum has the larger share.",
        steps=[
            f"{first:.0f} · {one:.0f} + {second:.0f} · {other:.0f} = "
            f"{first * one + second * other:.0f}",
            f"{first * one + second * other:.0f} / {total:.0f} = "
            f"{(first * one + second * other) / total:.0f}",
        ],
    )
