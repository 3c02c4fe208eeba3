"""Read the numbers of a note in order, and record what each number is.

A declaration (`apple_walkthrough`, `handwritten_notes`, ...) goes through the lines of
a note. It claims each number as a label, an input, a copy, or a function of figures
that it claimed before. `Note` applies that function twice: to the printed figures
(*chained*) and to the figures that follow from the stated inputs (*from source*). A
number that no declaration claims is an error, and so is a claim without a number. So
the ledger misses no number.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.kit.arrays import Array
from course.ledger.verdicts import Verdict, judge, judge_copy

Value = float | None
Judge = Callable[[str, Value, Value], Verdict]


class LedgerRow(NamedTuple):
    """One printed number of a note."""

    note: str  # file name
    line: int  # from 1
    position: int  # among the numbers of its line, from 0
    quantity: str  # such as ``Q1[apple][1]``; entries are counted from 1
    printed: str
    chained: Value  # recomputed from the printed figures of the step before
    source: Value  # recomputed from the stated inputs
    verdict: Verdict
    kind: str  # label, input, copy, product, sum, computed, percentage, shape, ...
    step: str  # the number's step in the calculation


@dataclass(frozen=True, eq=False)
class Figures:
    """Figures as arrays of one shape; `source` follows from the stated inputs."""

    names: NDArray[np.object_]
    printed: Array
    source: Array

    def __getitem__(self, index: object) -> "Figures":
        return _each(lambda a: np.asarray(a[index], dtype=a.dtype), self)

    @property
    def T(self) -> "Figures":  # noqa: N802 (as in NumPy)
        """The transpose."""
        return _each(np.transpose, self)

    def reshape(self, *shape: int) -> "Figures":
        """Return the same figures in another shape."""
        return _each(lambda a: a.reshape(shape), self)


def _each(function: Callable[..., NDArray[Any]], *parts: Figures) -> Figures:
    """Apply a function to the names, to the printed and to the source values."""
    return Figures(
        function(*(part.names for part in parts)),
        function(*(part.printed for part in parts)),
        function(*(part.source for part in parts)),
    )


def stack(parts: Sequence[Figures]) -> Figures:
    """Stack figures of one shape along a new first axis."""
    return _each(lambda *arrays: np.stack(arrays), *parts)


def chain(*parts: Figures) -> Figures:
    """Join figures into one flat array."""
    return _each(lambda *arrays: np.concatenate([a.ravel() for a in arrays]), *parts)


def pairs(first: Figures, second: Figures) -> Figures:
    """Alternate the figures of two arrays, as in ``a1 x b1 + a2 x b2``."""
    return stack([first.reshape(-1), second.reshape(-1)]).T.reshape(-1)


def entries(name: str, *axes: Sequence[str] | int) -> NDArray[np.object_]:
    """Name the entries of an array by the labels of each axis.

    An integer is the length of an axis whose labels count from 1.

    >>> entries("K", ["the", "cat"], 3)[1]
    array(['K[cat][1]', 'K[cat][2]', 'K[cat][3]'], dtype=object)
    """
    names = np.array(name, dtype=object)
    for axis in axes:
        labels = range(1, axis + 1) if isinstance(axis, int) else axis
        names = np.add.outer(names, np.array([f"[{x}]" for x in labels], dtype=object))
    return np.asarray(names, dtype=object)


def _always(verdict: Verdict) -> Judge:
    return lambda printed, chained, source: verdict


def _copied(printed: str, original: float, _: Value) -> Verdict:
    return judge_copy(printed, original)


@dataclass
class Note:
    """The numbers of one note, claimed line by line from left to right."""

    name: str  # file name
    numbers: dict[int, list[str]]  # the extracted numbers of each line
    step: str = "text"  # step of the calculation to which the next rows belong
    rows: list[LedgerRow] = field(default_factory=list)
    _claimed: dict[int, int] = field(default_factory=dict)

    def next_number(self, line: int) -> str:
        """Return the next number of a line without claiming it."""
        position = self._claimed.get(line, 0)
        if position >= len(self.numbers.get(line, [])):
            raise ValueError(f"{self.name}:{line} has no number {position}")
        return self.numbers[line][position]

    def _row(
        self,
        line: int,
        quantity: str,
        kind: str,
        judge_row: Judge,
        chained: Value = None,
        source: Value = None,
    ) -> LedgerRow:
        """Claim the next number of a line."""
        printed, position = self.next_number(line), self._claimed.get(line, 0)
        self._claimed[line] = position + 1
        verdict = judge_row(printed, chained, source)
        place = (self.name, line, position, quantity, printed)
        row = LedgerRow(*place, chained, source, verdict, kind, self.step)
        self.rows.append(row)
        return row

    def _values(
        self,
        line: int,
        names: NDArray[np.object_],
        kind: str,
        judge_row: Judge,
        chained: Array,
        source: Array,
    ) -> Array:
        """Claim recomputed numbers; return the printed values."""
        each = zip(names.flat, chained.flat, source.flat, strict=True)
        rows = [
            self._row(line, n, kind, judge_row, float(c), float(s)) for n, c, s in each
        ]
        return np.reshape([float(row.printed) for row in rows], names.shape)

    def label(self, line: int, count: int = 1, what: str = "label") -> None:
        """Claim numbers that name something: Head 1, Step 3, an index."""
        for _ in range(count):
            self._row(line, what, "label", _always("label"))

    def unreadable(self, line: int, count: int = 1, what: str = "misread") -> None:
        """Claim damaged numbers, and letters or marks that were read as digits."""
        for _ in range(count):
            self._row(line, what, "unreadable", _always("unreadable"))

    def surplus(self, line: int, what: str) -> None:
        """Claim a number of a copy that its original does not have."""
        quantity = f"surplus entry of {what}"
        self._row(line, quantity, "copy", _always("copy-miscopied"))

    def lost(self, line: int, names: ArrayLike, kind: str = "percentage") -> Figures:
        """Claim figures that cannot be recomputed, because their inputs are lost."""
        return self._stated(line, names, kind, "not checkable")

    def inputs(self, line: int, names: ArrayLike, kind: str = "input") -> Figures:
        """Claim stated numbers."""
        return self._stated(line, names, kind, "input")

    def _stated(
        self, line: int, names: ArrayLike, kind: str, verdict: Verdict
    ) -> Figures:
        names = np.asarray(names, dtype=object)
        rows = [self._row(line, name, kind, _always(verdict)) for name in names.flat]
        values = np.reshape([float(row.printed) for row in rows], names.shape)
        return Figures(names, values, values)

    def fact(self, line: int, names: ArrayLike, values: ArrayLike, kind: str) -> None:
        """Claim numbers that must equal `values`: shapes, counts, properties."""
        shape = np.shape(names)
        self.computed(line, names, lambda: np.broadcast_to(values, shape), kind=kind)

    def copy(self, line: int, original: Figures) -> Figures:
        """Claim copies of figures that were claimed before."""
        names = np.asarray("copy of " + original.names, dtype=object)
        values = original.printed, original.source
        printed = self._values(line, names, "copy", _copied, *values)
        return Figures(original.names, printed, original.source)

    def computed(
        self,
        line: int,
        names: ArrayLike,
        function: Callable[..., ArrayLike],
        *parents: Figures,
        kind: str = "computed",
    ) -> Figures:
        """Claim figures that are a function of figures that were claimed before.

        The function is the correct step: arrays in, array out. It gets the printed
        values of the `parents`, and in a second call their source values. The parents
        are the figures as the note last printed them before this line. `names` have the
        shape of the result.
        """
        names = np.asarray(names, dtype=object)
        chained, source = (
            np.asarray(function(*arrays), dtype=np.float64)
            for arrays in ([p.printed for p in parents], [p.source for p in parents])
        )
        if chained.shape != names.shape:
            raise ValueError(
                f"{self.name}:{line}: the step gives shape {chained.shape}, "
                f"printed is {names.shape}"
            )
        printed = self._values(line, names, kind, judge, chained, source)
        return Figures(names, printed, source)

    def same_as(self, line: int, twin: LedgerRow) -> LedgerRow:
        """Claim a number that equals `twin`, a row of another note."""
        values = twin.chained, twin.source
        verdict = _always(twin.verdict)
        return self._row(line, twin.quantity, twin.kind, verdict, *values)

    def misread(
        self, line: int, twin: LedgerRow, meant: float, verdict: Verdict
    ) -> LedgerRow:
        """Claim a number that differs from `twin`, a row of another note."""
        quantity = f"{twin.quantity} (cleaned notes: {twin.printed})"
        source = meant if twin.source is None else twin.source
        return self._row(line, quantity, "copy", _always(verdict), meant, source)

    def finish(self) -> list[LedgerRow]:
        """Return the rows in reading order; raise if a number was not claimed."""
        for line, numbers in self.numbers.items():
            claimed = self._claimed.get(line, 0)
            if claimed != len(numbers):
                raise ValueError(
                    f"{self.name}:{line}: {claimed} of {len(numbers)} numbers claimed"
                )
        return sorted(self.rows, key=lambda row: (row.line, row.position))
