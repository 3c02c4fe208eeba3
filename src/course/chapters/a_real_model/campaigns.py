"""Campaigns: measure the real model and store the tables that chapter 9 reports.

``python -m course.chapters.a_real_model.campaigns NAME`` runs one of `CAMPAIGNS` and
stores its table beside this file; ``all`` runs all campaigns. The program needs the
model (``course model``). Before each campaign it prints how long the campaign takes.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from typing import NamedTuple

import numpy as np

import language_model
from course.chapters.a_real_model import experiments
from course.chapters.a_real_model.experiments import FOLDER, model
from course.chapters.a_real_model.measures import measures as measures_of
from course.chapters.a_real_model.texts import (
    OTHER_TEXTS,
    QUOTED,
    REPEATED,
    SENSES,
    TEXTS,
    Pair,
    after,
    before,
)
from course.kit import real_maps
from course.kit.arrays import Array
from language_model.model import Head, Knobs, Layer, Model
from transformer import executors
from transformer.stored_files import NumberRow, read_numbers, write_table

BETAS = (0, 1 / 8, 1 / 4, 1 / 2, 0.8, 1, 1.25, 2, 4, 8)
LAYERS, HEADS = real_maps.LAYERS, real_maps.HEADS
ALL_HEADS: list[Head] = [(i, j) for i in range(LAYERS) for j in range(HEADS)]
ORDINARY = 100
"""Number of tokens that `ordinary` reads of each text."""
CHOSEN_ON, TRIED_ON = range(4), range(10, 25)
"""Seeds of random words: to choose heads, and to test the chosen heads."""


def tokens_of(text: str) -> list[int]:
    """Return the tokens of a text."""
    return model()[1].tokens(text)


def off(*heads: Head) -> Knobs:
    """Return the settings that switch heads off."""
    return Knobs(outputs=dict.fromkeys(heads, 0.0))


def named(head: Head) -> NumberRow:
    """Return a head as two columns of a table."""
    return {"layer": head[0], "head": head[1]}


def loss(tokens: Sequence[int], knobs: Knobs | None = None, **begin: object) -> float:
    """Return the mean loss of a text; `begin` as in `Model.losses`."""
    return float(model()[0].losses(tokens, knobs or Knobs(), **begin).mean())


# --- sharpness ------------------------------------------------------------------------


def sharpness(text: str) -> Iterator[NumberRow]:
    """Yield the loss with a changed sharpness in all layers, then in one layer."""
    tokens = tokens_of(TEXTS[text])
    vectors = model()[0].read(tokens, keep=["vectors"]).vectors
    for beta in BETAS:
        found = loss(tokens, Knobs(sharpness=beta))
        yield {"text": text, "layer": "all", "beta": beta, "loss": round(found, 4)}
    for layer in range(LAYERS):
        for beta in (1 / 2, 2):
            by_layer = np.ones((LAYERS, 1))
            by_layer[layer] = beta
            knobs = Knobs(sharpness=by_layer)
            found = loss(tokens, knobs, first=layer, vectors=vectors[layer])
            yield {"text": text, "layer": layer, "beta": beta, "loss": round(found, 4)}


def spread(text: str) -> Iterator[NumberRow]:
    """Yield quantiles of the standard deviation of a row of raw scores, by layer.

    Every row has at least 17 keys. The quantiles are with and without the first token,
    because some heads give this token scores far from all others.
    """
    reading = model()[0].read(tokens_of(TEXTS[text]), keep=["scores"])
    for layer, scores in enumerate(reading.scores):
        for first in (0, 1):
            rows = [
                scores[:, i, first : i + 1].std(axis=-1)
                for i in range(17, scores.shape[1])
            ]
            low, middle, high = np.quantile(rows, [0.05, 0.5, 0.95])
            yield {
                "text": text,
                "layer": layer,
                "first_token": "with" if first == 0 else "without",
                "q05": round(float(low), 2),
                "median": round(float(middle), 2),
                "q95": round(float(high), 2),
            }


# --- heads ----------------------------------------------------------------------------


def random_words(seed: int) -> list[int]:
    """Return the tokens of random words, followed by the same tokens again."""
    rng, (_, pieces) = np.random.default_rng(seed), model()
    words = [
        number
        for number, word in enumerate(pieces.words(range(4000, 12000)), start=4000)
        if word[:1] == " " and word[1:].isascii() and word[1:].islower()
    ]
    drawn = rng.choice(words, REPEATED, replace=False).tolist()
    return [*drawn, *drawn]


def measures(_: str) -> Iterator[NumberRow]:
    """Yield the `measures` of each head: the mean and the minimum over texts.

    Random words give the induction measure; the six texts give the other measures.
    """
    found: dict[str, list[Array]] = {}
    for text in (*TEXTS, *WORDS):
        kind, _, seed = text.partition(" ")
        tokens = random_words(int(seed)) if kind == "words" else tokens_of(TEXTS[text])
        weights = np.stack(model()[0].read(tokens, keep=["weights"]).weights)
        for name, values in measures_of(weights, tokens).items():
            if (name == "induction") == (text in WORDS):
                found.setdefault(name, []).append(values)
    for head in ALL_HEADS:
        row = named(head)
        for name, values in found.items():
            of_head = np.array(values)[:, *head]
            row[name] = round(float(of_head.mean()), 3)
            row[f"{name}_least"] = round(float(of_head.min()), 3)
        yield row


def by_text(text: str) -> Iterator[NumberRow]:
    """Yield how each layer's heads attend to the first, previous and far tokens.

    The heads for the previous token are the four with the largest mean over `TEXTS`.
    """
    tokens = tokens_of({**TEXTS, **OTHER_TEXTS}[text])
    weights = np.stack(model()[0].read(tokens, keep=["weights"]).weights)
    found = measures_of(weights, tokens)
    previous = top_heads("previous", 4)
    for layer in range(LAYERS):
        chosen = [found["previous"][head] for head in previous if head[0] == layer]
        yield {
            "text": text,
            "layer": layer,
            "first": round(float(found["first"][layer].mean()), 3),
            "sinks": int((found["first"][layer] > 0.5).sum()),
            "far": round(float(found["far"][layer].mean()), 3),
            "previous": round(float(min(chosen)), 3) if chosen else float("nan"),
        }


def top_heads(measure: str, count: int) -> list[Head]:
    """Return the `count` heads with the largest stored mean of a measure."""
    return experiments.top(experiments.measure(measure), count)


def induction(seed: int) -> Iterator[NumberRow]:
    """Yield losses of repeated words with induction heads off, or other heads off."""
    tokens, rng = random_words(seed), np.random.default_rng(seed)
    chosen = top_heads("induction", 10)
    previous = [h for h in top_heads("previous", 20) if h not in chosen]
    others = [h for h in ALL_HEADS if h not in chosen]
    drawn = [others[i] for i in rng.choice(len(others), 10, replace=False)]
    cuts = {
        "none": [],
        "one": chosen[:1],
        "three": chosen[:3],
        "ten": chosen,
        "ten at random": drawn,
        "ten previous": previous[:10],
    }
    for name, heads in cuts.items():
        losses = model()[0].losses(tokens, off(*heads))
        yield {
            "seed": seed,
            "off": name,
            "first_half": round(float(losses[: REPEATED - 1].mean()), 3),
            "second_half": round(float(losses[REPEATED:].mean()), 3),
            "heads": " ".join(f"{i}.{j}" for i, j in heads),
        }


def ordinary(text: str) -> Iterator[NumberRow]:
    """Yield a text's loss increase without the best induction head or a random head."""
    tokens, rng = tokens_of(TEXTS[text])[:ORDINARY], np.random.default_rng(0)
    best = top_heads("induction", 1)[0]
    others = [ALL_HEADS[i] for i in rng.choice(len(ALL_HEADS), 10, replace=False)]
    base = loss(tokens)
    for head in (best, *others):
        cost = round(loss(tokens, off(head)) - base, 4)
        kind = "named" if head == best else "random"
        yield {"text": text, "kind": kind, **named(head), "cost": cost}


SWITCHED = 64
"""Number of tokens that `switches` reads of each text, for every head."""
NO_QUOTES, IN_FRONT = "no quotation mark", "words in front"


def average_outputs(without: str) -> Array:
    """Return the average output, (layers, heads, d_k), in all texts except `without`.

    The mean leaves out the first token, where the output of a head differs most.
    """
    outputs = [
        np.stack(model()[0].read(tokens_of(text), keep=["outputs"]).outputs)[:, :, 1:]
        for name, text in TEXTS.items()
        if name != without
    ]
    return np.concatenate(outputs, axis=2).mean(axis=2)


def switches(text: str) -> Iterator[NumberRow]:
    """Yield the loss increase if one head returns 0, or its average output.

    For random words only the second half counts.
    """
    kind, _, seed = text.partition(" ")
    is_random = kind == "words"
    tokens = random_words(int(seed)) if is_random else tokens_of(TEXTS[text])[:SWITCHED]
    begin = REPEATED if is_random else 0
    vectors = model()[0].read(tokens, keep=["vectors"]).vectors
    averages = average_outputs(text)
    base = float(model()[0].losses(tokens)[begin:].mean())

    def cost(head: Head, output: float | Array) -> float:
        knobs, first = Knobs(outputs={head: output}), head[0]
        found = model()[0].losses(tokens, knobs, first=first, vectors=vectors[first])
        return round(float(found[begin:].mean()) - base, 4)

    for head in ALL_HEADS:
        zero, average = cost(head, 0.0), cost(head, averages[head])
        yield {"text": text, **named(head), "zero": zero, "average": average}


def quotation(_: str) -> Iterator[NumberRow]:
    """Yield the cost of switching off the quotation head, and the mean of ten others.

    The quotation head has the largest cost in the dialogue minus cost in the story, in
    the table of `switches`. The test uses other sentences, each in three forms.
    """
    in_dialogue, in_story = (
        experiments.cost_of_each_head(text, "zero") for text in ("dialogue", "story")
    )
    [chosen] = experiments.top(in_dialogue - in_story, 1)
    rng = np.random.default_rng(0)
    others = [ALL_HEADS[i] for i in rng.choice(len(ALL_HEADS), 10, replace=False)]
    for i, sentence in enumerate(QUOTED):
        forms = {
            "quotation mark first": (sentence, 0),
            NO_QUOTES: (sentence.translate(str.maketrans("", "", "“”")), 0),
            IN_FRONT: (f"So: {sentence}", len(tokens_of("So:"))),
        }
        for form, (text, begin) in forms.items():
            tokens = tokens_of(text)
            losses = [
                model()[0].losses(tokens, off(*heads))[begin:].mean()
                for heads in ((), (chosen,), *((head,) for head in others))
            ]
            base, cost, *other_costs = map(float, losses)
            yield {
                "sentence": i,
                "form": form,
                **named(chosen),
                "cost": round(cost - base, 4),
                "cost_of_others": round(float(np.mean(other_costs)) - base, 4),
            }


# --- the output matrix ----------------------------------------------------------------


def changed(model: Model, change: str) -> Model:
    """Return the model with the output matrix of every layer changed.

    The change "alike" puts the heads and the rows of the matrix into the same new
    order, and key/value heads move with their groups. Other changes affect W_O only.
    """
    layers = [
        _changed(layer, change, i, model.d_k) for i, layer in enumerate(model.layers)
    ]
    return replace(model, layers=layers)


def _changed(layer: Layer, change: str, seed: int, d_k: int) -> Layer:
    rng, W_O = np.random.default_rng(seed), layer.W_O
    heads, groups = len(W_O) // d_k, layer.W_K.shape[1] // d_k
    size = heads // groups
    if change == "as it is":
        return layer
    if change == "nothing":
        return layer._replace(W_O=np.zeros_like(W_O))
    if change == "identity":
        return layer._replace(W_O=np.eye(len(W_O), dtype=W_O.dtype))
    if change == "blocks by one":
        return layer._replace(W_O=np.roll(W_O, d_k, axis=0))
    if change == "rows within blocks":
        rows = [h * d_k + rng.permutation(d_k) for h in range(heads)]
        return layer._replace(W_O=W_O[np.concatenate(rows)])
    if change == "two heads of a group":
        order = [1, 0, *range(2, heads)]
        return layer._replace(W_O=W_O[columns(order, d_k)])
    order = rng.permutation(groups)  # "alike"
    of_heads = columns(
        [g * size + i for g in order for i in rng.permutation(size)], d_k
    )
    of_groups = columns(order, d_k)
    return layer._replace(
        W_Q=layer.W_Q[:, of_heads],
        W_K=layer.W_K[:, of_groups],
        W_V=layer.W_V[:, of_groups],
        W_O=W_O[of_heads],
    )


CHANGES = (
    "as it is",
    "alike",
    "two heads of a group",
    "blocks by one",
    "rows within blocks",
    "identity",
    "nothing",
)


def columns(heads: Sequence[int] | Array, d_k: int) -> Array:
    """Return the columns of `heads` in W_Q, in this order: also their rows in W_O."""
    return (np.asarray(heads)[:, None] * d_k + np.arange(d_k)).ravel()


def output_matrix(text: str) -> Iterator[NumberRow]:
    """Yield the loss and the number of equal next words for each change of W_O."""
    tokens = tokens_of(TEXTS[text])
    begun = tokens[:24]
    unchanged = model()[0].go_on(begun, 24)
    for change in CHANGES:
        other = changed(model()[0], change)
        found = float(other.losses(tokens).mean())
        words = other.go_on(begun, 24)
        same = sum(a == b for a, b in zip(words, unchanged, strict=True))
        yield {
            "text": text,
            "change": change,
            "loss": round(found, 4),
            "same_words": same,
        }


# --- "it" -----------------------------------------------------------------------------

QUESTIONS = "after", "before, it", "before, the", "before, them"
"""Kinds of pairs: the deciding word comes after *it*, or before the given last word."""
SPLITS, SHUFFLES = 200, 1000


def pairs_of(question: str, *, others: bool = False) -> list[Pair]:
    """Return the pairs of a question, or pairs by another author, for a test."""
    place, _, word = question.partition(", ")
    return after(others=others) if place == "after" else before(word, others=others)


class NounWeights(NamedTuple):
    """Weights of every head on two nouns, in both sentences of each pair."""

    last: Array  # (pairs, 2 sentences, 270 heads, 2 nouns): in the row of the last word
    it_differs: float  # largest difference between the two rows of "it" of a pair


def weights_on_nouns(pairs: Sequence[Pair]) -> NounWeights:
    """Return the weights of every head on the nouns of each pair."""
    last, apart = [], 0.0
    for pair in pairs:
        on_nouns, of_it = [], []
        for sentence in pair.sentences:
            tokens = tokens_of(sentence)
            words = model()[1].words(tokens)
            nouns = [words.index(f" {noun}") for noun in pair.nouns]
            it = words.index(" it") if " it" in words else -1  # else the last word
            weights = np.stack(model()[0].read(tokens, keep=["weights"]).weights)
            weights = weights.reshape(len(ALL_HEADS), len(tokens), len(tokens))
            on_nouns.append(weights[:, -1, nouns])
            of_it.append(weights[:, it])
        last.append(on_nouns)
        one, other = of_it
        if one.shape == other.shape:  # equally many tokens
            apart = max(apart, float(np.abs(one - other).max()))
    return NounWeights(np.array(last), apart)


def points(weights: Array) -> tuple[Array, Array]:
    """Return which heads prefer the right (the wrong) noun in both sentences of a pair.

    Both arrays have shape (pairs, heads).
    """
    first = weights[..., 0] > weights[..., 1]  # (pairs, 2, heads)
    return first[:, 0] & ~first[:, 1], ~first[:, 0] & first[:, 1]


def follows(pairs: Sequence[Pair], knobs: Knobs | None = None) -> float:
    """Return the share of pairs in which the model's next word follows the meaning.

    The next word follows the meaning of a pair if the odds of the first noun against
    the second are higher after the first sentence. Guessing gives one half.
    """
    right = 0
    for pair in pairs:
        a, b = (tokens_of(f" {noun}")[0] for noun in pair.nouns)
        odds = []
        for sentence, question in zip(pair.sentences, pair.question, strict=True):
            reading = model()[0].read(tokens_of(sentence + question), knobs or Knobs())
            scores = model()[0].scores_of_words(reading.last[-1])
            odds.append(scores[a] - scores[b])
        right += odds[0] > odds[1]
    return right / len(pairs)


def who_is_it(question: str) -> Iterator[NumberRow]:
    """Yield how often the best head is right: on all pairs, held-out pairs, by chance.

    For held-out pairs, half of the pairs choose the head, and the other half tests it.
    """
    pairs, rng = pairs_of(question), np.random.default_rng(0)
    found = weights_on_nouns(pairs)
    right, wrong = points(found.last)
    chosen, held_out = [], []
    for _ in range(SPLITS):
        order = rng.permutation(len(pairs))
        one, other = order[: len(pairs) // 2], order[len(pairs) // 2 :]
        best = right[one].mean(axis=0).argmax()
        chosen.append(right[one, best].mean())
        held_out.append(right[other, best].mean())
    luck = []
    for _ in range(SHUFFLES):  # exchange the two meanings of random pairs
        swapped = rng.random(len(pairs)) < 0.5
        shuffled = np.where(swapped[:, None], wrong, right)
        luck.append(shuffled.mean(axis=0).max())
    shares = right.mean(axis=0)
    best = int(shares.argmax())
    table = {
        "pairs": len(pairs),
        **named(ALL_HEADS[best]),
        "best": shares[best],
        "chosen": np.mean(chosen),
        "held_out": np.mean(held_out),
        "held_out_sd": np.std(held_out),
        "chance_of_best": np.mean(luck),
        "chance_of_best_q95": np.quantile(luck, 0.95),
        "row_of_it_differs": found.it_differs,
    }
    for name, value in table.items():
        yield {"question": question, "quantity": name, "value": float(f"{value:.4g}")}


def model_follows(question: str) -> Iterator[NumberRow]:
    """Yield `follows` with all heads, and without the ten best or ten random heads."""
    rng = np.random.default_rng(0)
    shares = points(weights_on_nouns(pairs_of(question)).last)[0].mean(axis=0)
    best = [ALL_HEADS[i] for i in np.argsort(-shares, kind="stable")[:10]]
    drawn = [ALL_HEADS[i] for i in rng.choice(len(ALL_HEADS), 10, replace=False)]
    cuts = {"none": [], "ten": best, "ten at random": drawn}
    for name, heads in cuts.items():
        row: NumberRow = {"question": question, "off": name}
        for column, others in (("follows", False), ("follows_others", True)):
            pairs = pairs_of(question, others=others)
            row[column] = round(follows(pairs, off(*heads)), 4)
        yield row


def other_pairs(question: str) -> Iterator[NumberRow]:
    """Yield whether a question's best head is right in each pair of another author."""
    right, _ = points(weights_on_nouns(pairs_of(question)).last)
    best = int(right.mean(axis=0).argmax())
    right_in_others, _ = points(weights_on_nouns(pairs_of(question, others=True)).last)
    head = named(ALL_HEADS[best])
    for i, each in enumerate(right_in_others[:, best]):
        yield {"question": question, **head, "pair": i, "right": int(each)}


# --- a word of two senses -------------------------------------------------------------


def nearest_mean(vectors: Array, labels: Array) -> float:
    """Return the share of vectors nearer to the mean of their own sense.

    The mean of a vector's own sense leaves this vector out. Two equally near means
    count as half right. Vectors are centred, so that rounding errors are small.
    """
    tolerance = 1e-4 * np.linalg.norm(vectors, axis=1).mean()
    vectors = vectors - (vectors[labels].mean(0) + vectors[~labels].mean(0)) / 2
    right = 0.0
    for i, (vector, label) in enumerate(zip(vectors, labels, strict=True)):
        rest = np.arange(len(labels)) != i
        own = vectors[rest & (labels == label)].mean(axis=0)
        other = vectors[labels != label].mean(axis=0)
        near, far = np.linalg.norm(vector - own), np.linalg.norm(vector - other)
        right += 0.5 if abs(near - far) < tolerance else float(near < far)
    return right / len(labels)


def vectors_at(
    sentences: Sequence[str], place: int, knobs: Knobs | None = None
) -> Array:
    """Return the vectors of the token at `place`, before and after each layer.

    The shape is (31, sentences, d_model).
    """
    every = []
    for sentence in sentences:
        reading = model()[0].read(
            tokens_of(sentence), knobs or Knobs(), keep=["vectors"]
        )
        every.append([x[place] for x in [*reading.vectors, reading.last]])
    return np.array(every).swapaxes(0, 1)


def of_two_senses(word: str) -> tuple[list[str], Array]:
    """Return the sentences of a word, and which of them have its first sense."""
    one, two = SENSES[word]
    return one + two, np.arange(len(one + two)) < len(one)


def two_senses(word: str) -> Iterator[NumberRow]:
    """Yield for each layer how well a word's vectors separate its two senses."""
    sentences, labels = of_two_senses(word)
    vectors, rng = vectors_at(sentences, -1), np.random.default_rng(0)
    before_it = vectors_at(sentences, -2)
    luck = np.array(
        [
            [nearest_mean(x, shuffled) for x in vectors[1:]]
            for shuffled in (rng.permutation(labels) for _ in range(100))
        ]
    )  # (100, LAYERS): not before layer 0, where all vectors of the word are equal
    for layer in range(LAYERS + 1):
        yield {
            "word": word,
            "layer": layer,
            "right": round(nearest_mean(vectors[layer], labels), 4),
            "right_word_before": round(nearest_mean(before_it[layer], labels), 4),
            "chance": round(float(luck[:, max(layer, 1) - 1].mean()), 4),
            "chance_best_layer": round(float(luck.max(axis=1).mean()), 4),
        }


def plane(word: str) -> Iterator[NumberRow]:
    """Yield a word's vectors at six layers, in the plane of their largest spread."""
    sentences, labels = of_two_senses(word)
    every = vectors_at(sentences, -1)
    for layer in (0, 2, 5, 10, 20, 30):
        yield from _in_plane(every[layer].astype(float), layer, labels)


def _in_plane(vectors: Array, layer: int, labels: Array) -> Iterator[NumberRow]:
    vectors -= vectors.mean(axis=0)
    _, sizes, axes = np.linalg.svd(vectors, full_matrices=False)
    flat = vectors @ axes[:2].T
    flat *= np.sign(flat[np.abs(flat).argmax(axis=0), [0, 1]])  # SVD does not fix signs
    share = (sizes[:2] ** 2).sum() / max((sizes**2).sum(), 1e-12)
    for (x, y), label in zip(flat, labels, strict=True):
        yield {
            "layer": layer,
            "sense": "river" if label else "money",
            "x": round(float(x), 2),
            "y": round(float(y), 2),
            "share": round(float(share), 3),
        }


def blocks(word: str) -> Iterator[NumberRow]:
    """Yield how well a word's senses separate if three layers have no attention."""
    sentences, labels = of_two_senses(word)
    nothing = np.zeros_like(model()[0].layers[0].W_O)
    for first in range(0, LAYERS, 3):
        knobs = Knobs(W_O=dict.fromkeys(range(first, first + 3), nothing))
        every = vectors_at(sentences, -1, knobs)
        best = max(nearest_mean(x, labels) for x in every[1:])
        yield {
            "word": word,
            "from": first,
            "to": first + 2,
            "right_at_the_end": round(nearest_mean(every[-1], labels), 4),
            "right_best_layer": round(best, 4),
        }


# --- sentences whose maps are stored --------------------------------------------------


def sentences(_: str) -> Iterator[NumberRow]:
    """Store the words, next words and all maps of each sentence; yield no rows.

    One task, so that two processes never write ``SHA256SUMS`` at the same time.
    """
    for name in real_maps.SENTENCES:
        real_maps.write(name, experiments.read(name))
    return iter(())


# --- all ------------------------------------------------------------------------------


class Campaign(NamedTuple):
    """`run` yields the table rows of one of `tasks`; `minutes` are for one core."""

    run: Callable[..., Iterator[NumberRow]]
    tasks: Sequence[object]
    minutes: float


WORDS = tuple(f"words {seed}" for seed in CHOSEN_ON)
SWITCHED_IN = (*TEXTS, "words 10", "words 11")
CAMPAIGNS = {
    "sharpness": Campaign(sharpness, list(TEXTS), 4),
    "spread": Campaign(spread, list(TEXTS), 1),
    "measures": Campaign(measures, ["all texts"], 1),
    "by_text": Campaign(by_text, [*TEXTS, *OTHER_TEXTS], 1),
    "induction": Campaign(induction, list(TRIED_ON), 1),
    "ordinary": Campaign(ordinary, list(TEXTS), 1),
    "switches": Campaign(switches, SWITCHED_IN, 16),
    "quotation": Campaign(quotation, ["all sentences"], 1),
    "output_matrix": Campaign(output_matrix, list(TEXTS), 4),
    "who_is_it": Campaign(who_is_it, list(QUESTIONS), 5),
    "other_pairs": Campaign(other_pairs, list(QUESTIONS), 4),
    "model_follows": Campaign(model_follows, ["before, it"], 2),
    "two_senses": Campaign(two_senses, list(SENSES), 2),
    "plane": Campaign(plane, ["bank"], 1),
    "blocks": Campaign(blocks, list(SENSES), 5),
    "sentences": Campaign(sentences, ["all sentences"], 1),
}
"""All campaigns. A campaign comes after the campaigns whose tables it reads."""


def rows_of(task: tuple[str, object]) -> list[NumberRow]:
    """Return the rows of one task of a campaign."""
    name, given = task
    return list(CAMPAIGNS[name].run(given))


def main(arguments: Sequence[str]) -> None:
    """Run campaigns and store their tables."""
    about = "Run campaigns on the real model and store their tables."
    parser = ArgumentParser(description=about)
    parser.add_argument("names", nargs="+", choices=[*CAMPAIGNS, "all"])
    asked = parser.parse_args(arguments)
    names = list(CAMPAIGNS) if "all" in asked.names else asked.names
    language_model.found()
    for name in names:
        _, tasks, minutes = CAMPAIGNS[name]
        print(f"{name}: about {minutes:g} minutes on one core", file=sys.stderr)
        found = executors.gather(rows_of, [(name, task) for task in tasks])
        if rows := [row for each in found for row in each]:
            write_table(FOLDER / f"{name}.csv", rows)
            read_numbers.cache_clear()


if __name__ == "__main__":
    # Workers cannot import from `__main__`, so run the module under its full name.
    import_module("course.chapters.a_real_model.campaigns").main(sys.argv[1:])
