"""Sweeps: a program trains many small models and stores one table row for each.

`induction`, `pronouns` and `course.chapters.heads_that_learn.relations` are such
programs. Each of them defines

- a *task*, which says what is trained: a frozen dataclass with plain fields, one of
  them ``seed``;
- a *result*, which says what was measured: a frozen dataclass with a field ``task``;
- a function that trains the model of one task and measures it. The function draws all
  random numbers from the task's seed, so the tasks may run in any order and on any
  machine.
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
    """The stored results of a sweep: a CSV file, and the class of the results.

    The columns are the fields of the task, then the other fields of the result.
    """

    def __init__(self, path: Path, result: type[R]) -> None:
        self.path, self.result = path, result

    @cached_property
    def results(self) -> list[R]:
        """All stored results, in the order of the tasks."""
        return [from_row(self.result, row) for row in read_table(self.path)]

    def select(self, task: object, **sizes: object) -> list[R]:
        """Return the results of `task` with some `sizes` changed, for every seed."""
        wanted = vars(task) | sizes
        names = [name for name in wanted if name != "seed"]
        return [
            result
            for result in self.results
            if all(getattr(result.task, name) == wanted[name] for name in names)
        ]

    def store(self, results: Sequence[R]) -> None:
        """Write the results to the file; `results` reads the file again."""
        write_table(self.path, [as_row(result) for result in results])
        self.__dict__.pop("results", None)  # the value that `cached_property` stored


def as_row(result: object) -> dict[str, str]:
    """Return a result as a table row: the fields of its task, then the others."""
    own_fields = asdict(result)
    task_fields = own_fields.pop("task")
    fields_in_order = task_fields | own_fields
    return {name: _as_text(value) for name, value in fields_in_order.items()}


def _as_text(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)


def from_row(kind: type[R], row: dict[str, str]) -> R:
    """Return the result, an instance of `kind`, that `as_row` wrote as `row`."""
    values = {}
    for field in fields(kind):
        if field.name == "task":
            values["task"] = from_row(field.type, row)  # the row has the task's fields
        else:
            values[field.name] = _from_text(row[field.name], field.type)
    return kind(**values)


def _from_text(text: str, kind: type) -> object:
    if get_origin(kind) is tuple:
        return tuple(map(int, text.split()))
    return json.loads(text) if kind in (bool, int, float) else text
