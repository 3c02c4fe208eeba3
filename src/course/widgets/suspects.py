"""Choose tests of attention and see which wrong attentions pass them all."""

from functools import cache
from itertools import chain, combinations
from typing import Any

import numpy as np
import traitlets as t
from numpy.typing import NDArray

from course.practice.bench import TESTS, table
from course.practice.gallery import ATTENTIONS
from course.widgets.card import Card, Question, Sentence, ask
from course.widgets.card.still import bars
from course.widgets.contract import sent, setting


@cache
def _caught() -> NDArray[np.bool_]:
    """Return which test catches which wrong attention, shape (attentions, tests)."""
    return np.array([list(row.values()) for row in table().values()])


@cache
def _fewest() -> int:
    """Return the smallest number of tests that catch all wrong attentions."""
    tests = range(len(TESTS))
    sets = chain.from_iterable(combinations(tests, n + 1) for n in tests)
    return next(len(s) for s in sets if _caught()[:, s].any(axis=1).all())


class Suspects(Card, view="suspects"):
    """Switch tests on and off and see which wrong attentions pass all of them.

    Attributes
    ----------
    on : list of bool
        Whether each test is run.
    """

    sentences = (
        Sentence(
            "none",
            "No test has run. All {all} wrong attentions pass.",
            lambda fact: fact["tests"] == 0 and fact["left"] == fact["all"],
        ),
        Sentence(
            "one",
            "One test has run. It finds {caught} of the {all} wrong attentions. Not "
            "found: {left}, the first is “{first}”.",
            lambda fact: fact["tests"] == 1 and fact["left"] > 0,
        ),
        Sentence(
            "several",
            "{tests} tests have run. They find {caught} of the {all} wrong "
            "attentions. Not found: {left}, the first is “{first}”.",
            lambda fact: fact["tests"] > 1 and fact["left"] > 0,
        ),
        Sentence(
            "more",
            "{tests} tests have run and find all {all}. {fewest} tests are enough.",
            lambda fact: fact["tests"] > fact["fewest"] and fact["left"] == 0,
        ),
        Sentence(
            "fewest",
            "{tests} tests have run and find all {all}. No smaller set finds all.",
            lambda fact: fact["tests"] == fact["fewest"] and fact["left"] == 0,
        ),
    )

    title = sent(t.Unicode("Which test finds which mistake"))
    on = setting(
        t.List(t.Bool(), [False] * len(TESTS), minlen=len(TESTS), maxlen=len(TESTS))
    )
    tests = sent(t.List(list(TESTS), read_only=True))
    wrong = sent(
        t.List(
            [[wrong.group, wrong.name] for wrong in ATTENTIONS.values()],
            read_only=True,
        )
    )
    caught = sent(t.List(read_only=True), lambda card: _caught().tolist())
    fewest = sent(t.Int(min=1, read_only=True), lambda card: _fewest())

    @t.default("question")
    def _default_question(self) -> Question:
        return ask(
            "These tests compare an attention with a slow and correct one. Which test "
            "finds the most mistakes?",
            (
                "Four words, all widths 4, causal",
                False,
                "If m, d_k and d_model are the same number, two wrong divisors give "
                "the right result.",
            ),
            (
                "Five words, keys 3 wide in a model 8 wide, causal",
                True,
                "There is a mask, and keys, width of a key and width of the model "
                "differ. Only mistakes with extreme numbers remain.",
            ),
            (
                "Two queries, five keys, all widths different, no mask",
                False,
                "The sizes are good, but without a mask the test does not see how a "
                "mask is used.",
            ),
        )

    def numbers(self) -> dict[str, Any]:
        """Count the tests that catch each attention, and the caught attentions."""
        times = _caught()[:, self.on].sum(axis=1)
        return {"caught_by": times, "caught": np.count_nonzero(times)}

    def facts(self) -> dict[str, Any]:
        """Return the facts that the sentences need besides the traits."""
        times = self.numbers()["caught_by"]
        left = [name for name, n in zip(ATTENTIONS, times, strict=True) if n == 0]
        return {
            "tests": sum(self.on),
            "all": len(times),
            "caught": len(times) - len(left),
            "left": len(left),
            "first": left[0] if left else "none",
            "fewest": self.fewest,
        }

    def pictures(self) -> list[str]:
        """Draw the share of the wrong attentions that each test catches."""
        return [bars(self.tests, _caught().mean(axis=0), digits=2)]
