"""Read a note's numbers in order, and say of each what it is.

A declaration (`handwritten`, `apple`, ...) walks over the lines of a note and
claims the extracted numbers one after the other: so many are stated inputs, so
many copies, so many are a function of figures claimed before. The same function
is then applied twice, to the printed values of those figures (*chained*) and to
their true values (*from source*). A number claimed by nobody, or twice, is an
error, so the ledger cannot miss one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from course.kit.arrays import Array
from course.ledger.verdicts import Verdict, judge, judge_copy


@dataclass(frozen=True)
class LedgerRow:
    """One printed number.

    Attributes
    ----------
    note, line, position : str, int, int
        Where it stands: file, 1-based line, 0-based place among the line's numbers.
    quantity : str
        What it is, e.g. ``Q1[apple][1]``: entries are counted from 1.
    printed : str
        As printed.
    chained, source : float or None
        The recomputed values, where there are any.
    verdict : str
        One of `course.ledger.verdicts.VERDICTS`.
    kind : str
        input, copy, product, sum, computed, percentage, shape, count, property,
        label or unreadable.
    step : str
        The step of the calculation that it belongs to.
    """

    note: str
    line: int
    position: int
    quantity: str
    printed: str
    chained: float | None
    source: float | None
    verdict: Verdict
    kind: str
    step: str


@dataclass(frozen=True, eq=False)
class Figures:
    """An array of printed figures: names, printed values and true values."""

    names: NDArray[np.object_]
    printed: Array
    source: Array

    def __getitem__(self, index: object) -> "Figures":
        return Figures(
            np.asarray(self.names[index], dtype=object),
            np.asarray(self.printed[index]),
            np.asarray(self.source[index]),
        )

    @property
    def T(self) -> "Figures":  # noqa: N802 (as in NumPy)
        """The transpose."""
        return Figures(self.names.T, self.printed.T, self.source.T)

    def reshape(self, *shape: int) -> "Figures":
        """Give the same figures in another shape."""
        return Figures(
            self.names.reshape(shape),
            self.printed.reshape(shape),
            self.source.reshape(shape),
        )


def stack(parts: Sequence[Figures]) -> Figures:
    """Stack figures of one shape along a new first axis."""
    return Figures(
        np.stack([p.names for p in parts]),
        np.stack([p.printed for p in parts]),
        np.stack([p.source for p in parts]),
    )


def chain(*parts: Figures) -> Figures:
    """Put figures one after the other into one flat array."""
    return Figures(
        np.concatenate([p.names.ravel() for p in parts]),
        np.concatenate([p.printed.ravel() for p in parts]),
        np.concatenate([p.source.ravel() for p in parts]),
    )


def pairs(first: Figures, second: Figures) -> Figures:
    """Put figures in turn, as in ``a1 x b1 + a2 x b2``."""
    return stack([first.reshape(-1), second.reshape(-1)]).T.reshape(-1)


def entries(name: str, *axes: Sequence[str] | int) -> NDArray[np.object_]:
    """Name the entries of an array: ``name[label][1]`` and so on.

    Parameters
    ----------
    name : str
        Name of the array.
    *axes : sequence of str, or int
        For each axis its labels, or its length (then numbered from 1).
    """
    names = np.array(name, dtype=object)
    for axis in axes:
        labels = range(1, axis + 1) if isinstance(axis, int) else axis
        names = np.add.outer(names, np.array([f"[{x}]" for x in labels], dtype=object))
    return np.asarray(names, dtype=object)


@dataclass
class Note:
    """The numbers of one note, claimed line by line from left to right.

    Parameters
    ----------
    note : str
        File name.
    numbers : dict of int to list of str
        The extraction: the numbers of each line.
    step : str
        Step that the rows claimed next belong to.
    """

    note: str
    numbers: dict[int, list[str]]
    step: str = "text"
    rows: list[LedgerRow] = field(default_factory=list)
    _next: dict[int, int] = field(default_factory=dict)

    def _claim(self, line: int) -> tuple[int, str]:
        position = self._next.get(line, 0)
        if position >= len(self.numbers.get(line, [])):
            raise ValueError(f"{self.note}:{line} has no number {position}")
        self._next[line] = position + 1
        return position, self.numbers[line][position]

    def _row(
        self,
        line: int,
        quantity: str,
        kind: str,
        verdict: Verdict | Callable[[str], Verdict],
        values: tuple[float | None, float | None] = (None, None),
    ) -> str:
        position, printed = self._claim(line)
        found = verdict(printed) if callable(verdict) else verdict
        chained, source = values
        row = (line, position, quantity, printed, chained, source, found, kind)
        self.rows.append(LedgerRow(self.note, *row, self.step))
        return printed

    def label(self, line: int, count: int = 1, what: str = "label") -> None:
        """Claim numbers that name something: Head 1, Step 3, an index."""
        for _ in range(count):
            self._row(line, what, "label", "label")

    def unreadable(self, line: int, count: int = 1, what: str = "misread") -> None:
        """Claim digits of which nothing can be made."""
        for _ in range(count):
            self._row(line, what, "unreadable", "unreadable")

    def lost(self, line: int, names: ArrayLike, kind: str = "percentage") -> Figures:
        """Claim figures whose inputs are lost."""
        return self._plain(line, names, kind, "not checkable")

    def inputs(self, line: int, names: ArrayLike, kind: str = "input") -> Figures:
        """Claim stated numbers."""
        return self._plain(line, names, kind, "input")

    def _plain(
        self, line: int, names: ArrayLike, kind: str, verdict: Verdict
    ) -> Figures:
        names = np.asarray(names, dtype=object)
        printed = [self._row(line, name, kind, verdict) for name in names.ravel()]
        values = np.array(printed, dtype=np.float64).reshape(names.shape)
        return Figures(names, values, values)

    def fact(self, line: int, names: ArrayLike, values: ArrayLike, kind: str) -> None:
        """Claim numbers that must equal `values`: shapes, counts, properties."""
        names = np.asarray(names, dtype=object)
        self.computed(
            line, names, lambda: np.broadcast_to(values, names.shape), kind=kind
        )

    def surplus(self, line: int, what: str) -> None:
        """Claim a number that a copy has and its original has not."""
        self._row(line, f"surplus entry of {what}", "copy", "copy-miscopied")

    def copy(self, line: int, original: Figures) -> Figures:
        """Claim copies of figures that stand earlier."""
        printed = [
            self._row(
                line,
                f"copy of {name}",
                "copy",
                lambda text, value=value: judge_copy(text, value),
                (value, source),
            )
            for name, value, source in zip(
                original.names.ravel(),
                original.printed.ravel().tolist(),
                original.source.ravel().tolist(),
                strict=True,
            )
        ]
        values = np.array(printed, dtype=np.float64).reshape(original.names.shape)
        return Figures(original.names, values, original.source)

    def computed(
        self,
        line: int,
        names: ArrayLike,
        function: Callable[..., ArrayLike],
        *parents: Figures,
        kind: str = "computed",
    ) -> Figures:
        """Claim figures that are `function` of the figures `parents`.

        Parameters
        ----------
        line : int
            Line that they stand in.
        names : array_like of str
            Their names; its shape is that of the result.
        function : callable
            Arrays in, array out: the step, done right.
        *parents : Figures
            What the step starts from, as printed last before it.
        kind : str
            Kind of the rows.
        """
        names = np.asarray(names, dtype=object)
        chained = _applied(function, [p.printed for p in parents], names.shape)
        source = _applied(function, [p.source for p in parents], names.shape)
        printed = [
            self._row(
                line,
                name,
                kind,
                lambda text, pair=pair: judge(text, *pair),
                pair,
            )
            for name, *pair in zip(
                names.ravel(),
                chained.ravel().tolist(),
                source.ravel().tolist(),
                strict=True,
            )
        ]
        values = np.array(printed, dtype=np.float64).reshape(names.shape)
        return Figures(names, values, source)

    def peek(self, line: int) -> str:
        """Give the next number of a line without claiming it."""
        return self.numbers[line][self._next.get(line, 0)]

    def same_as(self, line: int, twin: LedgerRow) -> LedgerRow:
        """Claim a number that reads as `twin`, a row of another note, does."""
        values = twin.chained, twin.source
        self._row(line, twin.quantity, twin.kind, twin.verdict, values)
        return self.rows[-1]

    def misread(
        self, line: int, twin: LedgerRow, meant: float, verdict: Verdict
    ) -> LedgerRow:
        """Claim a number that reads differently from `twin`."""
        quantity = f"{twin.quantity} (cleaned notes: {twin.printed})"
        source = meant if twin.source is None else twin.source
        self._row(line, quantity, "copy", verdict, (meant, source))
        return self.rows[-1]

    def finish(self) -> list[LedgerRow]:
        """Give the rows in reading order; every number must have been claimed.

        Raises
        ------
        ValueError
            If a number of the note was not claimed.
        """
        for line, numbers in self.numbers.items():
            if self._next.get(line, 0) != len(numbers):
                raise ValueError(
                    f"{self.note}:{line}: {self._next.get(line, 0)} of "
                    f"{len(numbers)} numbers claimed"
                )
        return sorted(self.rows, key=lambda row: (row.line, row.position))


def _applied(
    function: Callable[..., ArrayLike], arrays: list[Array], shape: tuple[int, ...]
) -> Array:
    result = np.asarray(function(*arrays), dtype=np.float64)
    if result.shape != shape:
        raise ValueError(f"the step gives shape {result.shape}, printed is {shape}")
    return result
