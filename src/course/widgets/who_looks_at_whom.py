"""Who looks at whom: lines between words, as thick as the weights."""

from typing import Any

import numpy as np
import traitlets as t
from numpy.typing import ArrayLike, NDArray

from attention import AttentionTrace
from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Sentence, ask
from course.widgets.card.still import bars, lines
from course.widgets.contract import IndexOf, sent, setting

_DOG = ("A", "dog", "ate", "the", "food", "because", "it", "was", "hungry")
_BY_HAND = "Weights set by hand to show the idea; no model computed them."
# What a reader might connect: word -> {word it looks at: weight}; the other words
# share the rest evenly. Index 1 is "dog", 4 "food", 6 "it".
_LINKS = {
    0: {1: 0.52, 0: 0.2},
    1: {1: 0.34, 2: 0.2, 8: 0.18},
    2: {1: 0.36, 4: 0.3, 2: 0.13},
    3: {4: 0.54, 3: 0.18},
    4: {4: 0.32, 2: 0.3, 3: 0.1},
    5: {2: 0.3, 8: 0.3, 5: 0.14},
    6: {1: 0.58, 4: 0.12, 8: 0.11},
    7: {6: 0.34, 8: 0.3, 7: 0.12},
    8: {1: 0.4, 6: 0.22, 8: 0.16},
}


def _by_hand() -> list[list[float]]:
    """Weights of the dog sentence, every row adding up to 1."""
    weights = np.zeros((len(_DOG), len(_DOG)))
    for word, links in _LINKS.items():
        weights[word] = (1 - sum(links.values())) / (len(_DOG) - len(links))
        weights[word, list(links)] = list(links.values())
    return weights.tolist()


_ABOUT_THE_DOG = ask(
    "“A dog ate the food because it was hungry.” A model that understands the sentence "
    "computes a new vector for “it”. Which word should the thickest line lead to?",
    (
        "food, the nearest noun before it",
        False,
        "Nearness is not what the weights measure: attention by itself knows no "
        "distance. Queries and keys compare what words say, and food is not hungry.",
    ),
    (
        "dog",
        True,
        "What is hungry is the dog, so the new vector of “it” should take its largest "
        "share from the value of “dog”.",
    ),
    (
        "it, the word itself",
        False,
        "A word may look at itself. But “it” says almost nothing on "
        "its own: to stand for something it must take from another word.",
    ),
    veil=True,
)

_ABOUT_ANY = ask(
    "One word is chosen, and lines lead from it to all words, each as thick as its "
    "weight. What do the weights on these lines add up to?",
    (
        "1",
        True,
        "Softmax runs over the keys of one query, so every query shares out exactly 1.",
    ),
    (
        "It depends on how relevant the words are",
        False,
        "The scores may all be low or all be high. Softmax keeps only their "
        "differences: a word with nothing relevant around it still gives away 1.",
    ),
    (
        "1 for the lines that arrive at a word, not for those that leave it",
        False,
        "That mixes rows with columns. What arrives at a key has no fixed sum: many "
        "words may look at it, or none.",
    ),
)


class WhoLooksAtWhom(Card):
    """Choose a word and see how much it looks at each other word.

    With no arguments it shows the notes' sentence about the dog, with weights set
    by hand and labelled so.

    Parameters
    ----------
    tokens : sequence of str, optional
        The words, m of them.
    weights : array_like, shape (n, m), optional
        Attention weights, a row a query; each row adds up to 1.
    provenance : str, optional
        Where the weights come from, as a sentence; required with `weights`.
    queries : sequence of str, optional
        Names of the n rows; by default the tokens.
    **traits
        Further traits, such as ``question`` or ``focus``.

    Attributes
    ----------
    focus : int
        Index of the chosen query.

    Raises
    ------
    ValueError
        If the shapes do not match, a row does not add up to 1, or weights come
        without a provenance.
    """

    _esm = bundle("who_looks_at_whom.js")
    _css = stylesheet("who_looks_at_whom.css")

    tokens = sent(t.List(t.Unicode(), list(_DOG)))
    queries = sent(t.List(t.Unicode(), list(_DOG)))
    weights = sent(t.List(t.List(t.Float())))
    provenance = sent(t.Unicode(_BY_HAND))
    title = sent(t.Unicode("Who looks at whom"))
    focus = setting(IndexOf(0, lambda card: card.queries))

    def __init__(
        self,
        tokens: Any = None,
        weights: ArrayLike | None = None,
        provenance: str = "",
        queries: Any = None,
        **traits: Any,
    ) -> None:
        if weights is None:
            traits = {
                "weights": _by_hand(),
                "focus": _DOG.index("it"),
                "question": _ABOUT_THE_DOG,
                **traits,
            }
        else:
            queries = list(tokens if queries is None else queries)
            rows = _checked(np.asarray(weights, dtype=float), queries, list(tokens))
            if not provenance:
                raise ValueError("weights need a provenance: say where they come from")
            traits = {
                "tokens": list(tokens),
                "queries": queries,
                "weights": rows.tolist(),
                "provenance": provenance,
                "question": _ABOUT_ANY,
                **traits,
            }
        super().__init__(**traits)

    @classmethod
    def from_trace(
        cls, trace: AttentionTrace, tokens: Any, provenance: str, **traits: Any
    ) -> "WhoLooksAtWhom":
        """Show the weights of a trace.

        Parameters
        ----------
        trace : AttentionTrace
            With weights of shape (n, m): no batch axes.
        tokens : sequence of str
            Names of the m keys (and of the queries, unless ``queries`` is given).
        provenance : str
            Where the weights come from.
        **traits
            As for the class.

        Returns
        -------
        WhoLooksAtWhom
        """
        return cls(tokens, trace.weights, provenance, **traits)

    sentences = (
        Sentence(
            "many",
            "“{query}” looks most at {first} ({largest:.2f}) and then at {second} "
            "({next:.2f}). The other words together get {rest:.2f}.",
            lambda fact: fact["words"] > 2 and fact["largest"] >= fact["next"],
        ),
        Sentence(
            "two",
            "“{query}” looks most at {first} ({largest:.2f}) and then at {second} "
            "({next:.2f}).",
            lambda fact: fact["words"] == 2 and fact["largest"] >= fact["next"],
        ),
        Sentence(
            "one",
            "“{query}” looks most at {first} ({largest:.2f}).",
            lambda fact: fact["words"] == 1,
        ),
    )

    def numbers(self) -> dict[str, list[float]]:
        """Give the row of weights that the view shows."""
        return {"weights": self.weights[self.focus]}

    def facts(self) -> dict[str, Any]:
        """Give what the sentences say of the present state, beside its traits."""
        row = self.weights[self.focus]
        first, *others = sorted(range(len(row)), key=lambda j: -row[j])
        second = others[0] if others else first
        return {
            "query": self.queries[self.focus],
            "words": len(row),
            "first": self.tokens[first],
            "largest": row[first],
            "second": self.tokens[second],
            "next": row[second],
            "rest": sum(row[j] for j in others[1:]),
        }

    def pictures(self) -> list[str]:
        """Draw all lines, and the chosen row as bars."""
        return [
            lines(self.queries, self.tokens, self.weights),
            bars(self.tokens, self.weights[self.focus]),
        ]


def _checked(
    weights: NDArray[np.float64], queries: list[str], tokens: list[str]
) -> NDArray[np.float64]:
    """Reject weights that are no rows of shares between these words."""
    expected = (len(queries), len(tokens))
    if weights.shape != expected:
        raise ValueError(
            f"weights has shape {weights.shape}, expected {expected}: "
            "a row a query, a column a token"
        )
    if (weights < 0).any() or not np.allclose(weights.sum(axis=-1), 1, atol=1e-6):
        raise ValueError(
            "each row of weights is zero or more and adds up to 1, "
            f"not {weights.sum(axis=-1)}"
        )
    return weights
