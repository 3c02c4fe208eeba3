"""Measured claims of chapter 9.

`seed` is the index of a text; in a few functions, of a pair, a word or a layer.
"""

from course.chapters.a_real_model import experiments
from course.chapters.a_real_model.texts import TEXTS
from course.kit.arrays import Array


def rise(seed: int, *, beta: float) -> float:
    """Return a text's loss increase if all heads have the sharpness `beta`."""
    sharpness, losses = experiments.loss_by_sharpness()
    loss = dict(zip(sharpness, losses[seed], strict=True))
    return float(loss[beta] - loss[1])


def rise_of_one_layer(seed: int, *, layer: int) -> float:
    """Return the larger loss increase of a layer with half or twice the sharpness."""
    return max(float(experiments.cost_of_one_layer(b)[seed, layer]) for b in (0.5, 2))


def spread(seed: int, *, layer: int) -> float:
    """Return the median standard deviation of a row of scaled scores in a text."""
    return float(experiments.spread_of_scores()[seed, layer]) / 8  # sqrt(d_k)


def rise_without(seed: int, *, off: str) -> float:
    """Return the loss increase in repeated words if some heads are off."""
    found = experiments.second_half(off) - experiments.second_half("none")
    return float(found[seed])


def rise_of_quotation(seed: int, *, than: str) -> float:
    """Return the loss increase without the quotation head, minus that of a control.

    The text begins with a quotation mark. `than` names the control: another form of
    the text, "random head" (the mean of other heads), or "itself".
    """
    found = experiments.cost_of_quotation("quotation mark first")
    if than == "random head":
        other = experiments.cost_of_quotation("quotation mark first", "cost_of_others")
    elif than == "itself":
        other = found  # the control of the claim: always 0
    else:
        other = experiments.cost_of_quotation(than)
    return float(found[seed] - other[seed])


def _in_another_text(column: str, seed: int) -> Array:
    """Return a measure of each layer, in a text that did not serve to choose heads."""
    return experiments.by_text(column)[len(TEXTS) + seed]


def weight_on_first(seed: int, *, layer: int) -> float:
    """Return the mean weight of a layer's heads on the first token, in another text."""
    return float(_in_another_text("first", seed)[layer])


def weight_on_previous(seed: int, *, layer: int) -> float:
    """Return a layer's smallest weight of a previous-token head on that token.

    The text did not serve to choose the heads.
    """
    return float(_in_another_text("previous", seed)[layer])


def farther_back(seed: int, *, layer: int) -> float:
    """Return the weight on far tokens in layers 0 to 8 minus that in `layer`."""
    far = _in_another_text("far", seed)
    return float(far[:9].mean() - far[layer])


def heads_that_matter(seed: int, *, above: float) -> float:
    """Return how many more heads matter in repeated words than in an ordinary text."""
    # 12 seeds: 2 texts of repeated words, 6 ordinary texts
    words, text = ("words 10", "words 11")[seed // 6], list(TEXTS)[seed % 6]
    costs = (experiments.cost_of_each_head(name, "zero") for name in (words, text))
    in_words, in_text = (int((cost > above).sum()) for cost in costs)
    return float(in_words - in_text)


def right_in_another_pair(seed: int, *, end: str) -> float:
    """Return 1 if a head chosen on other pairs is right in pair `seed`, else 0.

    `end`: "after" for pairs whose deciding word follows *it*; for the other pairs,
    their last word.
    """
    question = "after" if end == "after" else f"before, {end}"
    return float(experiments.right_in_other_pairs(question)[seed])


def nearer_to_own_sense(seed: int, *, word: str) -> float:
    """Return the share of a word's vectors nearer to the mean of their own sense.

    The other mean is that of the word's other sense. The vectors are those after
    10 + seed layers.
    """
    return float(experiments.senses_by_layer(word)["right"][10 + seed])


def nearer_one_token_before(seed: int, *, word: str) -> float:
    """Return the same share for the token before the word, after 5 + seed layers."""
    return float(experiments.senses_by_layer(word)["right_word_before"][5 + seed])


def right_without(seed: int, *, first: int) -> float:
    """Return the same share for a word's vectors after the last layer.

    The three layers from `first` on are without attention.
    """
    word = ("bank", "match", "bat")[seed]
    return float(experiments.right_without_layers(word)[first // 3])


def rise_with_output(seed: int, *, change: str) -> float:
    """Return a text's loss increase if every layer has a changed W^O."""
    changed = experiments.loss_with_output(change)
    return float(changed[seed] - experiments.loss_with_output("as it is")[seed])
