"""Functions that return the stored tables of chapter 9 as arrays or run the model.

`course.chapters.a_real_model.campaigns` computed the tables.
"""

from functools import cache
from pathlib import Path

import numpy as np

import language_model
from course.kit import real_maps
from course.kit.arrays import Array
from course.kit.real_maps import HEADS, LAYERS, SENTENCES, Stored
from language_model import probabilities
from transformer.stored_files import NumberRow, read_numbers

FOLDER = Path(__file__).parent
NEXT = 8
"""Number of likeliest next words that are kept for each sentence."""


def rows_of(name: str, **where: str | float) -> list[NumberRow]:
    """Return the rows of a stored table whose columns have the values in `where`."""
    return [
        row
        for row in read_numbers(FOLDER / f"{name}.csv")
        if all(row[column] == value for column, value in where.items())
    ]


def texts() -> list[str]:
    """Return the names of the six texts."""
    return list(dict.fromkeys(str(row["text"]) for row in rows_of("sharpness")))


# --- the model ------------------------------------------------------------------------

model = cache(language_model.load)


def read(sentence: str) -> Stored:
    """Run the model on a sentence, or on the stored sentence with this name.

    The result is rounded like that of `real_maps.stored`, so that both print alike.
    """
    machine, pieces = model()
    tokens = pieces.tokens(SENTENCES.get(sentence, sentence))
    reading = machine.read(tokens, keep=["weights"])
    chances = probabilities(machine.scores_of_words(reading.last[-1]))
    best = np.argsort(-chances)[:NEXT]
    return Stored(
        pieces.words(tokens),
        pieces.words(best),
        chances[best].round(4).tolist(),
        real_maps.pack(np.stack(reading.weights)),
    )


# --- sharpness ------------------------------------------------------------------------


def loss_by_sharpness() -> tuple[Array, Array]:
    """Return the sharpness of all heads, and the losses, shape (texts, sharpness)."""
    rows = rows_of("sharpness", layer="all")
    beta = np.unique([row["beta"] for row in rows])
    return beta, np.reshape([row["loss"] for row in rows], (-1, len(beta)))


def cost_of_one_layer(beta: float) -> Array:
    """Return the loss increase, (texts, layers), if one layer has this sharpness."""
    rows = [r for r in rows_of("sharpness", beta=beta) if r["layer"] != "all"]
    base = [row["loss"] for row in rows_of("sharpness", layer="all", beta=1)]
    loss = np.reshape([row["loss"] for row in rows], (-1, LAYERS))
    return loss - np.reshape(base, (-1, 1))


def largest_weights(beta: float) -> Array:
    """Return the mean largest weight of a row in each of the stored sentences.

    One layer at a time has the sharpness `beta`, so its inputs do not change: each
    weight is raised to this power, and each row is divided by its sum. The first two
    rows, of one and two tokens, do not count.
    """
    found = []
    for name in SENTENCES:
        powers = real_maps.stored(name).weights[..., 2:, :] ** beta
        found.append((powers.max(axis=-1) / powers.sum(axis=-1)).mean())
    return np.array(found)


def spread_of_scores() -> Array:
    """Return the median standard deviation of a row of raw scores, (texts, layers)."""
    rows = rows_of("spread", first_token="with")
    return np.reshape([row["median"] for row in rows], (-1, LAYERS))


# --- heads ----------------------------------------------------------------------------


def measure(name: str) -> Array:
    """Return a measure of every head, shape (layers, heads)."""
    return np.reshape([row[name] for row in rows_of("measures")], (LAYERS, HEADS))


def by_text(column: str) -> Array:
    """Return a measure of each layer, shape (12 texts, layers).

    The heads of chapter 9 were chosen on the first six texts, not on the others.
    """
    return np.reshape([row[column] for row in rows_of("by_text")], (-1, LAYERS))


def top(values: Array, count: int) -> list[tuple[int, int]]:
    """Return the heads with the largest values, the largest first."""
    order = np.argsort(-values.ravel(), kind="stable")[:count]
    return [divmod(int(place), HEADS) for place in order]


def cost_in_ordinary_text(kind: str) -> Array:
    """Return loss increases without the "named" head or each of ten "random" heads."""
    return np.array([row["cost"] for row in rows_of("ordinary", kind=kind)])


def cost_of_each_head(text: str, output: str) -> Array:
    """Return a text's loss increase without each head, shape (layers, heads).

    `output` replaces the output of the head: "zero", or the "average" in other texts.
    """
    costs = [row[output] for row in rows_of("switches", text=text)]
    return np.reshape(costs, (LAYERS, HEADS))


def cost_of_quotation(form: str, column: str = "cost") -> Array:
    """Return the loss increase of each sentence without the quotation head."""
    return np.array([row[column] for row in rows_of("quotation", form=form)])


def second_half(off: str) -> Array:
    """Return the loss in the second half of repeated words with heads off, by seed."""
    return np.array([row["second_half"] for row in rows_of("induction", off=off)])


def first_half() -> Array:
    """Return the loss in the first half of repeated words, by seed."""
    return np.array([row["first_half"] for row in rows_of("induction", off="none")])


# --- "it" -----------------------------------------------------------------------------


def quantity(question: str, name: str) -> float:
    """Return a quantity of a question from the table `who_is_it`."""
    (row,) = rows_of("who_is_it", question=question, quantity=name)
    return float(row["value"])


def model_follows(question: str, column: str = "follows") -> dict[str, float]:
    """Return the share of pairs in which the next word is right, by the heads off.

    `column`: "follows" for the question's pairs, "follows_others" for other pairs.
    """
    rows = rows_of("model_follows", question=question)
    return {str(row["off"]): float(row[column]) for row in rows}


def right_in_other_pairs(question: str) -> Array:
    """Return whether the best head of a question is right, for each of 36 other pairs.

    The head was chosen on the pairs of `quantity`.
    """
    return np.array([row["right"] for row in rows_of("other_pairs", question=question)])


# --- a word of two senses -------------------------------------------------------------


def senses_by_layer(word: str) -> dict[str, Array]:
    """Return the columns of the table `two_senses` for a word, one entry per layer."""
    rows = rows_of("two_senses", word=word)
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def plane_at(layer: int) -> dict[str, Array]:
    """Return the vectors of *bank* at a layer in a plane, by sense, (sentences, 2)."""
    rows = rows_of("plane", layer=layer)
    return {
        sense: np.array([[r["x"], r["y"]] for r in rows if r["sense"] == sense])
        for sense in ("river", "money")
    }


def right_without_layers(word: str) -> Array:
    """Return the share of a word's final vectors in the right sense, by block.

    One number for each three layers without attention: 0 to 2, 3 to 5, ..., 27 to 29.
    """
    return np.array([row["right_at_the_end"] for row in rows_of("blocks", word=word)])


# --- the output matrix ----------------------------------------------------------------


def loss_with_output(change: str) -> Array:
    """Return the loss of each text with W^O changed in every layer, shape (texts,)."""
    return np.array([row["loss"] for row in rows_of("output_matrix", change=change)])


def same_words(change: str) -> Array:
    """Return for each text how many of the 24 next words stay the same."""
    rows = rows_of("output_matrix", change=change)
    return np.array([row["same_words"] for row in rows])
