"""The register of claims: what the course says it has measured, and its measurement.

A row of ``claims.csv`` belongs to a sentence of a page that says *measured*, *usually*
or *most* (see `FLAGGED`). A measured claim names a function in the ``claims.py`` of a
chapter package, the sizes, the number of seeds, and a bound that the result keeps. A
cited claim names its source.

``python -m course.claims`` measures every claim with its own seeds and stores the
results, which the page *What is measured* shows: run it after a change of a claim. It
takes 40 seconds. The tests compare the stored results with new measurements.
``python -m course.claims 40`` measures with 40 seeds and stores nothing. Claims about
stored training runs keep their number of seeds.

The fields of a row:

- ``page``, ``anchor``: file name without its ending; id of the sentence's heading.
- ``words``: words of the sentence, as on the built page.
- ``quantity``: what the function returns, in words.
- ``function``: ``chapter.name``, for ``name(seed, **sizes) -> float`` in the chapter's
  ``claims.py``. It should take a few milliseconds a seed: the tests measure every row.
- ``sizes``: ``m = 8, 64, 512; d_k = 64, 256, 1024``, at least three values of each.
- ``seeds``: the number of seeds (0, 1, ...), at least three; ``5 stored`` if each seed
  is a training run whose result is stored; ``6 texts stored`` for a single model, which
  was measured on six texts.
- ``holds``: the bound that the mean keeps by two standard errors: ``< 0.1``, ``> 1``
  or ``0.2 to 0.4``.
- ``denies``: values that would make the sentence false, the nearest first. The bound
  must exclude each of them.
- ``fails_at``: sizes at which the mean leaves the bound; may be empty.
- ``fails``: where the claim fails, in words.
- ``source``: keys of ``references.bib`` for a cited claim, whose other fields from
  ``quantity`` to ``fails`` are empty.
"""

import re
import statistics
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import NamedTuple

from course.kit.prose import MINUS, folded, lookup, scientific
from course.kit.threads import one_thread
from transformer import executors, stored_files

CSV = Path(__file__).with_name("claims.csv")
RESULTS = Path(__file__).with_name("claims_results.csv")
SURE = 2  # standard errors that must lie between a mean and its bound

FLAGGED = re.compile(
    r"(?<!\bat )\b(?:measured|typically|usually|often(?! (?:said|given|called))"
    r"|generally|in practice|tends?"
    r"|nearly all|normally(?! distributed)"
    r"|(?<!\bthe )most(?! (?:at|to|of all)\b|[.,;:?)]))\b",  # no superlative
    re.IGNORECASE,
)
_SENTENCE_ENDS = re.compile(r"(?<=[.!?:])[)”\"]?\s+(?=[A-Z(“\"])")
_BOUND = re.compile(r"([<>]) (\S+)|(\S+) to (\S+)")
_SYMBOL = re.compile(r"\b(d|W)_(\w+)\b")

Size = float | str
Setting = dict[str, Size]


class Claim(NamedTuple):
    """A row of the register; the module's docstring explains its fields."""

    page: str
    anchor: str
    words: str
    quantity: str
    function: str
    sizes: str
    seeds: str
    holds: str
    denies: str
    fails_at: str
    fails: str
    source: str

    @property
    def measured(self) -> bool:
        """Whether the course measured the claim itself."""
        return bool(self.function)

    @property
    def stored(self) -> bool:
        """Whether the results of the claim's function are stored, not computed."""
        return self.seeds.endswith("stored")

    @property
    def count(self) -> int:
        """Number of seeds."""
        return int(self.seeds.split()[0])

    @property
    def unit(self) -> str:
        """What `count` counts: seeds, or texts, pairs, ... of a single model."""
        return " ".join(self.seeds.removesuffix("stored").split()[1:]) or "seeds"

    @property
    def trained(self) -> bool:
        """Whether each seed is a training run whose result is stored."""
        return self.stored and self.unit == "seeds"


class Measurement(NamedTuple):
    """Values of a claim's function at one setting of the sizes, one value a seed."""

    setting: Setting
    values: list[float]

    @property
    def mean(self) -> float:
        """Mean over the seeds."""
        return statistics.fmean(self.values)

    @property
    def doubt(self) -> float:
        """`SURE` standard errors of the mean, from the spread over the seeds."""
        return SURE * statistics.stdev(self.values) / len(self.values) ** 0.5


def register() -> list[Claim]:
    """Return every row of the register."""
    return [Claim(**row) for row in stored_files.read_table(CSV)]


def sentences_of(text: str) -> list[str]:
    """Split a paragraph into its sentences."""
    return _SENTENCE_ENDS.split(" ".join(text.split()))


def flagged(text: str) -> list[str]:
    """Return the sentences of a paragraph that need a row in the register."""
    return [sentence for sentence in sentences_of(text) if FLAGGED.search(sentence)]


def settings(sizes: str) -> list[Setting]:
    """Return every combination of the values of a claim's sizes.

    >>> settings("m = 8, 64; d_k = 2")
    [{'m': 8, 'd_k': 2}, {'m': 64, 'd_k': 2}]
    """
    pairs = [size.split("=") for size in sizes.split(";") if size.strip()]
    names = [name.strip() for name, _ in pairs]
    values = [[_value(v.strip()) for v in listed.split(",")] for _, listed in pairs]
    return [dict(zip(names, combined, strict=True)) for combined in product(*values)]


def _value(text: str) -> Size:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def function_of(claim: Claim) -> Callable[..., float]:
    """Return the function that measures a claim."""
    chapter, name = claim.function.split(".")
    return getattr(import_module(f"course.chapters.{chapter}.claims"), name)


def recompute(claim: Claim, sizes: str = "", seeds: int = 0) -> list[Measurement]:
    """Measure a claim anew, at every combination of its sizes.

    `sizes` have the form of the register; by default they are the claim's own. `seeds`
    is by default ``claim.count``. Stored runs always have ``claim.count`` seeds.
    """
    measure = function_of(claim)
    every_seed = range(claim.count if claim.stored else seeds or claim.count)
    with one_thread():
        return [
            Measurement(setting, [float(measure(s, **setting)) for s in every_seed])
            for setting in settings(sizes or claim.sizes)
        ]


def keeps(found: Measurement, bound: str) -> bool:
    """Return whether the mean keeps a bound by `SURE` standard errors.

    >>> keeps(Measurement({}, [0.2, 0.3, 0.25]), "< 0.5")
    True
    """
    low, high = limits(bound)
    return low <= found.mean - found.doubt and found.mean + found.doubt <= high


def limits(bound: str) -> tuple[float, float]:
    """Return the lower and the upper limit of a bound such as ``< 2``."""
    match = _BOUND.fullmatch(bound)
    if not match:
        raise ValueError(f"bound must read '< 2', '> 1' or '1 to 2', got {bound!r}")
    sign, limit, low, high = match.groups()
    if sign == "<":
        return -float("inf"), float(limit)
    return (float(limit), float("inf")) if sign else (float(low), float(high))


def swept(page: str, *words: str) -> str:
    """Return a fold with the sizes of claims, for use beside their sentences.

    For each claim, `words` are words of its row that no other row of the page has.
    """
    found = (_swept(_row_with(page, each)) for each in words)
    return folded("How far this was tested", *found)


def _row_with(page: str, words: str) -> Claim:
    rows = [c for c in register() if c.page == page and words in c.words]
    if len(rows) != 1:
        raise ValueError(f"{len(rows)} rows of {page} have the words {words!r}, not 1")
    return rows[0]


def _swept(claim: Claim) -> str:
    seeds = (
        f"{claim.count} {claim.unit} each{' (stored training runs)' * claim.trained}"
    )
    return "\n".join(
        (
            f"- **Quantity:** {_typeset(claim.quantity)}",
            f"- **Settings:** {_typeset(_signed(claim.sizes))}; {seeds}",
            f"- **Mean:** {_signed(claim.holds)}",
            f"- **Limits:** {_typeset(claim.fails.rstrip('.'))}",
        )
    )


def results() -> dict[tuple[str, ...], tuple[float, float]]:
    """Return the least and the largest stored mean of each measured claim."""
    return {
        (row["function"], row["sizes"], row["seeds"]): (
            float(row["least"]),
            float(row["largest"]),
        )
        for row in stored_files.read_table(RESULTS)
    }


def result_of(claim: Claim) -> tuple[float, float]:
    """Return the least and the largest stored mean over the sizes of a claim.

    Raise a LookupError if nothing is stored for the claim's function, sizes and seeds.
    """
    found = results().get((claim.function, claim.sizes, claim.seeds))
    if found is None:
        raise LookupError(
            f"no result of {claim.function} is stored for these sizes and seeds: "
            "type `python -m course.claims`"
        )
    return found


def measured() -> str:
    """Return a table of the measured claims and their results."""
    header = ("claim", "result", "settings", "runs", "limits")
    return lookup(header, [_result_row(c) for c in register() if c.measured], "lllll")


def cited() -> str:
    """Return a table of the cited claims and their sources."""
    rows = [[_quoted(c), _sources(c.source)] for c in register() if not c.measured]
    return lookup(("claim", "source"), rows, "ll")


def _signed(text: str) -> str:
    """Write the hyphen before a number as a minus sign."""
    return re.sub(r"-(?=\d)", MINUS, text)


def _result_row(claim: Claim) -> list[str]:
    return [
        f"{_quoted(claim)}: {_typeset(claim.quantity)}",
        f"**{_span(*result_of(claim))}** (claimed: {_signed(claim.holds)})",
        _typeset(_signed(claim.sizes)),
        f"{claim.count} {claim.unit}{' (stored runs)' * claim.trained}",
        _typeset(claim.fails.rstrip(".")),
    ]


def _typeset(text: str) -> str:
    """Write symbols as formulas: d_k and d_model with a subscript, W_K as W^K."""
    return _SYMBOL.sub(_symbol, text)


def _symbol(match: re.Match[str]) -> str:
    letter, index = match.groups()
    if letter == "W":
        return f"$W^{index}$"
    return (
        f"${letter}_{index}$"
        if len(index) == 1
        else rf"${letter}_{{\text{{{index}}}}}$"
    )


def _span(low: float, high: float) -> str:
    """Write a range of two numbers, or one number if both are equal when rounded.

    >>> _span(0.99996, 0.99999999)
    '0.99996 to 1.00000'
    """
    digits = 5 if 0.999 < low < 1 else 3  # 3 digits give 0.999 or 1
    shown = [_written(x, digits) for x in (low, high)]
    return shown[0] if shown[0] == shown[1] else " to ".join(shown)


def _written(x: float, digits: int) -> str:
    if 0 < abs(x) < 1e-3:
        return scientific(x)
    text = f"{x:.{digits}f}" if digits > 3 else f"{x:.{digits}g}"
    return text.replace("-", MINUS)


def _quoted(claim: Claim) -> str:
    """Quote the words of a claim, with a link to its section."""
    folder = "" if claim.page in {"intro", "glossary", "sources"} else "chapters/"
    address = f"{folder}{claim.page}.{'ipynb' if folder else 'md'}#{claim.anchor}"
    return f"[“… {claim.words} …”]({address})"


def _sources(keys: str) -> str:
    """Write keys of references.bib as sources: clark2019 becomes Clark 2019."""
    pairs = (re.fullmatch(r"([a-z]+)(\d{4})", key).groups() for key in keys.split())
    names = [f"{name.title()} {year}" for name, year in pairs]
    return f"{'; '.join(names)} ([Sources](sources.md))"


def store(claims: list[Claim], found: list[list[Measurement]]) -> None:
    """Store the least and the largest mean of each claim."""
    rows: dict[tuple[str, ...], stored_files.Row] = {}
    for claim, each in zip(claims, found, strict=True):
        means = [measurement.mean for measurement in each]
        key = {"function": claim.function, "sizes": claim.sizes, "seeds": claim.seeds}
        ends = {"least": f"{min(means):.6g}", "largest": f"{max(means):.6g}"}
        rows[tuple(key.values())] = key | ends
    stored_files.write_table(RESULTS, [rows[key] for key in sorted(rows)])


def main(arguments: Sequence[str]) -> int:
    """Measure every claim; return 1 if a claim fails."""
    parser = ArgumentParser(description="Measure every claim of the register.")
    parser.add_argument(
        "seeds",
        type=int,
        nargs="?",
        default=0,
        help="number of seeds of claims that are not stored; without it each claim has "
        "its own number, and the results are stored",
    )
    asked = parser.parse_args(arguments)
    if arguments and asked.seeds < 2:
        parser.error("a standard error needs at least two seeds")
    rows = [claim for claim in register() if claim.measured]
    measurements = executors.gather(partial(recompute, seeds=asked.seeds), rows)
    if not asked.seeds:
        store(rows, measurements)
    status = 0
    for claim, each in zip(rows, measurements, strict=True):
        for found in each:
            held = keeps(found, claim.holds)
            status |= not held
            print(
                f"{'held ' if held else 'BROKEN'} {claim.function} {found.setting} "
                f"{found.mean:.4g} ± {found.doubt:.2g}, claimed {claim.holds}"
            )
    return status


if __name__ == "__main__":
    # Other processes must find the functions under the name of the module.
    sys.exit(import_module("course.claims").main(sys.argv[1:]))
