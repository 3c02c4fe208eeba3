"""The register of what the course claims to have measured, and its recomputation.

A row of ``claims.csv`` stands for a sentence of a page that says *measured*,
*usually* or *most* (see `FLAGGED`). A measured claim names a function of a
chapter's room (``claims.py`` there, numbers only), the sizes at which it was
measured, how many seeds, and the bound that the result keeps; a cited one names
its source. ``python -m course.claims 40`` repeats every measurement with 40 seeds, but
for those of training runs that are stored: of these there are as many as it says. With
``--cluster ADDRESS`` it does so on the machines of a cluster (`transformer.executors`).

The fields of a row:

- ``page``, ``anchor``: file name without its ending; id of the heading it stands under.
- ``words``: words of the sentence, as the built page shows them.
- ``quantity``: what the function returns, in words.
- ``function``: ``room.name``, for ``name(seed, **sizes) -> float`` in the room's
  ``claims.py``. The tests measure every row, so it takes a few milliseconds a seed.
- ``sizes``: ``m = 8, 64, 512; d_k = 64, 256, 1024``, at least three values of each.
- ``seeds``: how many (0, 1, ...), at least three; ``5 stored`` where each is a training
  run whose result is kept, so that there are no others.
- ``holds``: the bound that the mean keeps by two standard errors: ``< 0.1``, ``> 1``,
  ``0.2 to 0.4``.
- ``denies``: values with which the sentence would be false, the nearest first: the
  bound must refuse each.
- ``fails_at``: sizes at which the mean leaves the bound, where there are any.
- ``figure``: the function that draws it, where there is one.
- ``fails``: where it fails, in words.
- ``source``: for a claim of the literature, keys of ``references.bib``, and nothing
  from ``quantity`` to ``fails``.
"""

import csv
import re
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import NamedTuple

from course.kit.prose import MINUS, scientific
from course.kit.threads import one_thread
from transformer import executors

CSV = Path(__file__).with_name("claims.csv")
SURE = 2  # standard errors of the mean by which a bound must be kept

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
    """A row of the register.

    A cited claim fills in only the first three fields and ``source``.
    """

    page: str  # the file's name, without its ending
    anchor: str  # id of the heading it stands under
    words: str  # of its sentence, enough to tell it
    quantity: str  # what the function returns, in words
    function: str  # room.name: ``name(seed, **sizes)`` in that room's ``claims.py``
    sizes: str  # "m = 8, 64, 512; d_k = 64, 256, 1024"
    seeds: str  # how many: 0, 1, ...; "5 stored" of training runs that are kept
    holds: str  # "< 0.1", "> 1" or "0.2 to 0.4"
    denies: str  # values with which the sentence would be false: "0, 0.1"
    fails_at: str  # sizes at which the mean leaves the bound; may be empty
    figure: str  # the function that draws it, if one does
    fails: str  # where it fails, in words
    source: str  # keys of references.bib

    @property
    def measured(self) -> bool:
        """Whether the course measured it itself."""
        return bool(self.function)

    @property
    def stored(self) -> bool:
        """Whether its seeds are those of stored training runs."""
        return self.seeds.endswith("stored")

    @property
    def count(self) -> int:
        """How many seeds it was measured with."""
        return int(self.seeds.removesuffix("stored"))


class Measurement(NamedTuple):
    """What the seeds gave at one setting of the sizes."""

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


def register(path: Path = CSV) -> list[Claim]:
    """Read every row."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Claim(**row) for row in csv.DictReader(file)]


def sentences_of(text: str) -> list[str]:
    """Split a paragraph into its sentences."""
    return _SENTENCE_ENDS.split(" ".join(text.split()))


def flagged(text: str) -> list[str]:
    """Find the sentences of a paragraph that owe the register a row."""
    return [sentence for sentence in sentences_of(text) if FLAGGED.search(sentence)]


def settings(sizes: str) -> list[Setting]:
    """Read sizes as they stand in the register: every combination of their values.

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
    """Find the function that measures a claim."""
    room, name = claim.function.split(".")
    return getattr(import_module(f"course.chapters.{room}.claims"), name)


def recompute(claim: Claim, sizes: str = "", seeds: int = 0) -> Iterator[Measurement]:
    """Measure a claim anew.

    Parameters
    ----------
    claim : Claim
        A measured one.
    sizes : str
        Where to measure; by default at the sizes of the claim.
    seeds : int
        How many; by default, and for stored runs, as many as the claim says.

    Yields
    ------
    Measurement
        For every combination of sizes.
    """
    measure = function_of(claim)
    for setting in settings(sizes or claim.sizes):
        count = range(claim.count if claim.stored else seeds or claim.count)
        with one_thread():
            values = [float(measure(seed, **setting)) for seed in count]
        yield Measurement(setting, values)


def keeps(found: Measurement, bound: str) -> bool:
    """Tell whether the mean over the seeds keeps a bound, beyond doubt.

    >>> keeps(Measurement({}, [0.2, 0.3, 0.25]), "< 0.5")
    True
    """
    low, high = limits(bound)
    return low <= found.mean - found.doubt and found.mean + found.doubt <= high


def limits(bound: str) -> tuple[float, float]:
    """Read a bound: ``< 2``, ``> 1`` or ``0.2 to 0.4``."""
    match = _BOUND.fullmatch(bound)
    if not match:
        raise ValueError(f"bound must read '< 2', '> 1' or '1 to 2', got {bound!r}")
    sign, limit, low, high = match.groups()
    if sign == "<":
        return -float("inf"), float(limit)
    return (float(limit), float("inf")) if sign else (float(low), float(high))


def swept(page: str, *words: str) -> str:
    """Fold away at which sizes claims were measured, to be said beside their sentences.

    Parameters
    ----------
    page : str
        As in their rows.
    *words : str
        For each claim enough of its row's words to tell it.

    Raises
    ------
    ValueError
        If not one row of that page has these words.
    """
    found = "\n\n".join(_swept(_only(page, each)) for each in words)
    return (
        '<details class="hide">\n<summary>At which sizes</summary>\n\n'
        f"{found}\n\n</details>"
    )


def _only(page: str, words: str) -> Claim:
    rows = [c for c in register() if c.page == page and words in c.words]
    if len(rows) != 1:
        raise ValueError(f"{len(rows)} rows of {page} have the words {words!r}, not 1")
    return rows[0]


def _swept(claim: Claim) -> str:
    sizes = _set(claim.sizes.replace("-", MINUS))
    return (
        f"{_set(claim.quantity[0].upper() + claim.quantity[1:])}, at {sizes}; "
        f"{_seeds(claim)}. Where it fails: {_set(claim.fails.rstrip('.'))}."
    )


def measured() -> Iterator[str]:
    """Say of each measured claim what was found, computed now.

    Yields
    ------
    str
        For each page a line, then a list, in Markdown.
    """
    yield from _by_page([c for c in register() if c.measured], _finding)


def cited() -> Iterator[str]:
    """Name the source of each claim that was not measured here.

    Yields
    ------
    str
        For each page a line, then a list, in Markdown.
    """
    yield from _by_page([c for c in register() if not c.measured], _reference)


def _by_page(claims: list[Claim], say: Callable[[Claim], str]) -> Iterator[str]:
    for page in sorted({claim.page for claim in claims}):
        number, plain = page[:2], page.replace("-", " ").capitalize()
        yield f"**{f'Chapter {int(number)}' if number.isdigit() else plain}**"
        yield "\n".join(f"- {say(c)}" for c in claims if c.page == page)


def _seeds(claim: Claim) -> str:
    return f"{claim.count} seeds each{', runs that are stored' * claim.stored}"


def _finding(claim: Claim) -> str:
    means = [found.mean for found in recompute(claim)]
    return (
        f"{_set(claim.quantity[0].upper() + claim.quantity[1:])} ({_place(claim)}): "
        f"**{_span(min(means), max(means))}** at "
        f"{_set(claim.sizes.replace('-', MINUS))}, {_seeds(claim)}. "
        f"Claimed: {claim.holds.replace('-', MINUS)}. "
        f"Where it fails: {_set(claim.fails.rstrip('.'))}."
    )


def _reference(claim: Claim) -> str:
    return f"{_place(claim)}: {_sources(claim.source)}"


def _set(text: str) -> str:
    """Set d_k, d_model and W_K as they are set in formulas."""
    return _SYMBOL.sub(_symbol, text)


def _symbol(match: re.Match[str]) -> str:
    letter, index = match.groups()
    return (
        f"${letter}_{index}$"
        if len(index) == 1
        else rf"${letter}_{{\text{{{index}}}}}$"
    )


def _span(low: float, high: float) -> str:
    """Write two numbers, or one where they look the same.

    >>> _span(0.99996, 0.99999999)
    '0.99996 to 1.00000'
    """
    digits = 5 if 0.999 < low < 1 else 3  # near 1 the first that are no nines count
    shown = [_figure(x, digits) for x in (low, high)]
    return shown[0] if shown[0] == shown[1] else " to ".join(shown)


def _figure(x: float, digits: int) -> str:
    if 0 < abs(x) < 1e-3:
        return scientific(x)
    text = f"{x:.{digits}f}" if digits > 3 else f"{x:.{digits}g}"
    return text.replace("-", MINUS)


def _place(claim: Claim) -> str:
    """Quote a claim, with a link to its section."""
    folder = "" if claim.page in {"intro", "glossary", "sources"} else "chapters/"
    address = f"{folder}{claim.page}.{'ipynb' if folder else 'md'}#{claim.anchor}"
    return f"[“… {claim.words} …”]({address})"


def _sources(keys: str) -> str:
    """Write keys of references.bib by their first authors: clark2019 as Clark 2019."""
    pairs = (re.fullmatch(r"([a-z]+)(\d{4})", key).groups() for key in keys.split())
    names = [f"{name.title()} {year}" for name, year in pairs]
    return f"Source: {'; '.join(names)} ([Sources](sources.md))."


def measured_anew(claim: Claim, seeds: int) -> list[Measurement]:
    """Measure a claim at all its sizes."""
    return list(recompute(claim, seeds=seeds))


def main(arguments: Sequence[str]) -> int:
    """Repeat every measurement; return 1 if a claim does not hold."""
    parser = executors.parser("Repeat every measurement of the register.")
    parser.add_argument("seeds", type=int, help="how many, of what is not stored")
    asked = parser.parse_args(arguments)
    rows, status = [claim for claim in register() if claim.measured], 0
    with executors.executor(asked.cluster) as pool:
        every = executors.gather(partial(measured_anew, seeds=asked.seeds), rows, pool)
    for claim, each in zip(rows, every, strict=True):
        for found in each:
            held = keeps(found, claim.holds)
            status |= not held
            print(
                f"{'held ' if held else 'BROKEN'} {claim.function} {found.setting} "
                f"{found.mean:.4g} ± {found.doubt:.2g}, claimed {claim.holds}"
            )
    return status


if __name__ == "__main__":
    # By its own name, under which other processes find it too.
    sys.exit(import_module("course.claims").main(sys.argv[1:]))
