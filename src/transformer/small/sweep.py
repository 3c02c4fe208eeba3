"""Sweeps: many small models are trained, and a table keeps a row for each.

`induction`, `pronouns` and two rooms of the course use this. In each of them

- a *task* says what is trained: a frozen dataclass with plain fields, one of them
  ``seed``;
- a *result* says what was measured: a frozen dataclass with a field ``task``;
- one function trains and measures one task. It draws all random numbers from the
  task's seed, so the tasks may run in any order and on any machine.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar, get_origin

from transformer.stored_files import read_table, write_table

R = TypeVar("R")


class Sweep(Generic[R]):
    """The stored results of a sweep.

    Parameters
    ----------
    path : pathlib.Path
        A CSV file. Its columns are the fields of the task, then those of the result.
    result : type
        The class of the results.
    """

    def __init__(self, path: Path, result: type[R]) -> None:
        self.path, self.result = path, result

    @cached_property
    def results(self) -> list[R]:
        """All stored results, in the order of the tasks."""
        return [from_row(self.result, row) for row in read_table(self.path)]

    def select(self, task: object, **sizes: object) -> list[R]:
        """Return the results whose tasks differ from `task` in `sizes` and seed only.

        Parameters
        ----------
        task : dataclass
        **sizes : object
            Values of fields of the task.

        Returns
        -------
        list
            One result for each seed.
        """
        wanted = vars(task) | sizes
        names = [name for name in wanted if name != "seed"]
        return [
            result
            for result in self.results
            if all(getattr(result.task, name) == wanted[name] for name in names)
        ]

    def store(self, results: Sequence[R]) -> None:
        """Write the results and forget those that were read before."""
        write_table(self.path, [as_row(result) for result in results])
        self.__dict__.pop("results", None)


def as_row(result: object) -> dict[str, str]:
    """Return a result as the cells of a table row, the fields of its task first."""
    row = asdict(result)
    return {name: _as_text(value) for name, value in (row.pop("task") | row).items()}


def _as_text(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)


def from_row(kind: type[R], row: dict[str, str]) -> R:
    """Return the result of a class whose cells `as_row` has written."""
    return kind(
        **{
            field.name: from_row(field.type, row)
            if field.name == "task"
            else _from_text(row[field.name], field.type)
            for field in fields(kind)
        }
    )


def _from_text(text: str, kind: type) -> object:
    if get_origin(kind) is tuple:
        return tuple(map(int, text.split()))
    return json.loads(text.lower()) if kind in (bool, int, float) else text
