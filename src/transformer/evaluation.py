"""How well it translates, on sentences and pairs of words that it never saw."""

from collections.abc import Sequence

from transformer.decoding import translate
from transformer.grammar import Sentence
from transformer.parameters import Config, Tree


def exact_match(sentences: Sequence[Sentence], weights: Tree, config: Config) -> float:
    """Return the share of sentences translated without a single wrong word.

    Parameters
    ----------
    sentences : sequence of Sentence
    weights : dict
    config : Config

    Returns
    -------
    float
        From 0 to 1.
    """
    found = translate([s.english for s in sentences], weights, config)
    right = [s.french == tuple(f) for s, f in zip(sentences, found, strict=True)]
    return sum(right) / len(right)
