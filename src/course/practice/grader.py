"""Judge a function that a reader wrote, and name its mistake if it is a known one.

The grader calls the function on examples and on random inputs of other sizes. The
function passes if all of its results are right. If not, the grader compares it with the
wrong functions of the exercise, and names each that returns the same wrong results.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from html import escape
from textwrap import wrap
from typing import Any

import numpy as np

from course.practice.gallery.wrong_function import WrongFunction
from course.practice.outcomes import NOTHING, Array, Outcome, outcome, quiet, same

Function = Callable[..., Any]
Inputs = tuple[Any, ...]

FRESH = 12  # least number of random sizes in a check
SHOWN = 40  # largest number of entries of an array that is written out
PRINTED = 12  # largest number of lines shown of what a function printed
WIDTH = 76  # characters of a line


@dataclass(frozen=True)
class Verdict:
    """The verdict on a function, which displays as its text.

    A verdict is true if the function passed, so that ``assert check(...)`` works. If
    several functions are judged, a notebook shows the first failure and folds `rest`.
    """

    exercise: str
    passed: bool
    text: str  # plain text; the first failure comes first
    mistakes: tuple[str, ...] = ()  # known mistakes with the function's results
    # Arguments of the first failed call, by name; empty if no call failed.
    inputs: dict[str, Any] = field(default_factory=dict)
    rest: str = ""  # verdicts on the other functions

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return "\n\n".join(filter(None, (self.text, self.rest)))

    def _repr_html_(self) -> str | None:
        if not self.rest:
            return None  # the notebook shows the text
        text, rest = (f"<pre>{escape(each)}</pre>" for each in (self.text, self.rest))
        return f"{text}<details><summary>The rest</summary>{rest}</details>"


def sizes_to(most: int, count: int) -> Callable[[np.random.Generator], Any]:
    """Return a function that draws `count` sizes from 1 to `most`."""
    return lambda rng: tuple(rng.integers(1, most + 1, size=count).tolist())


@dataclass(frozen=True)
class FunctionTask:
    """One function to write, its known mistakes, and the inputs that it is judged on.

    Each mistake takes the function's arguments and is wrong on at least one of the
    `examples`. A function is also judged on every one of `edge_sizes`: the smallest
    sizes, and sizes too large to be drawn.

    `draw_sizes` draws sizes from a `numpy.random.Generator`, and `draw_inputs` draws a
    list of inputs of given sizes. `exposes_mistakes` returns whether each mistake is
    wrong and no two agree at given sizes. `call` runs the function on the arguments;
    `returns` is the text between "returns" and the numbers.
    """

    arguments: tuple[str, ...]  # names
    right: Function
    wrong: tuple[WrongFunction, ...]
    examples: tuple[Inputs, ...]
    draw_sizes: Callable[[np.random.Generator], Any]
    draw_inputs: Callable[[np.random.Generator, Any], list[Inputs]]
    exposes_mistakes: Callable[[Any], bool]
    edge_sizes: tuple[Any, ...]
    call: Callable[..., Any] = lambda function, *arguments: function(*arguments)
    returns: str = ""

    def fresh(self, rng: np.random.Generator) -> list[Inputs]:
        """Draw inputs of `edge_sizes` and of `FRESH` or more random sizes.

        The method draws sizes until one of them exposes the mistakes.
        """
        drawn = [self.draw_sizes(rng) for _ in range(FRESH)]
        while not any(map(self.exposes_mistakes, drawn)):
            drawn.append(self.draw_sizes(rng))
        every = (*self.edge_sizes, *drawn)
        return [inputs for sizes in every for inputs in self.draw_inputs(rng, sizes)]

    def outcomes(self, function: Function, tried: Sequence[Inputs]) -> list[Outcome]:
        """Return the outcome of a function on each of the inputs."""

        def called(*arguments: Any) -> Any:
            return self.call(function, *arguments)

        with quiet():
            return [outcome(called, inputs) for inputs in tried]


@dataclass(frozen=True)
class Finding:
    """Result of a function on some inputs: its first failure and its known mistakes."""

    failed: int | None = None  # index of the first input where the function fails
    got: Outcome | None = None  # outcome of the function on that input
    due: Outcome | None = None  # the right outcome
    mistakes: tuple[WrongFunction, ...] = ()  # return what it returns on every input


def examine(task: FunctionTask, function: Function, tried: Sequence[Inputs]) -> Finding:
    """Compare a function with the right one, and with known mistakes if it fails."""
    got, due = task.outcomes(function, tried), task.outcomes(task.right, tried)
    pairs = zip(got, due, strict=True)
    wrong = [i for i, (g, d) in enumerate(pairs) if g.changed or not same(g, d)]
    if not wrong:
        return Finding()
    explain = tuple(w for w in task.wrong if _explains(task, w, got, tried))
    return Finding(wrong[0], got[wrong[0]], due[wrong[0]], explain)


def _explains(
    task: FunctionTask,
    wrong: WrongFunction,
    got: list[Outcome],
    tried: Sequence[Inputs],
) -> bool:
    """Return whether a version of a mistake has these outcomes on the inputs."""
    arrays = (each.array for each in got if each.array is not None)
    if not any(np.isfinite(array).any() for array in arrays):
        return False  # there are many reasons for an error or NaN
    pairs = list(zip(got, tried, strict=True))
    return any(  # one input after another, up to the first difference
        all(same(g, task.outcomes(version, [inputs])[0]) for g, inputs in pairs)
        for version in wrong.versions
    )


def judge(
    name: str, task: FunctionTask, function: Any, tried: Sequence[Inputs]
) -> Verdict:
    """Return the verdict on a reader's function for the exercise of this name.

    Among the inputs `tried` the examples come first.
    """
    if not callable(function):
        given = type(function).__name__
        return Verdict(
            name,
            False,
            f"Not yet: check takes the function itself, and got {given}.\n"
            "Write its name without brackets.",
        )
    function_name = getattr(function, "__name__", "the function")
    finding = examine(task, function, tried)
    if finding.failed is None:
        return Verdict(name, True, wrapped(_praise(function_name, task, tried)))
    # A reader may change the verdict's inputs; the examples must stay.
    given = [copy(each) for each in tried[finding.failed]]
    inputs = dict(zip(task.arguments, given, strict=True))
    names = tuple(wrong.name for wrong in finding.mistakes)
    text = wrapped(_explained(function_name, task, finding, inputs))
    return Verdict(name, False, text, names, inputs)


def wrapped(lines: Iterable[str]) -> str:
    """Join lines, and wrap long lines unless they are indented."""
    text = "\n".join(lines).splitlines()
    parts = (wrap(line, WIDTH) if line[:1].strip() else [line] for line in text)
    return "\n".join(line for part in parts for line in part)


def _praise(
    function_name: str, task: FunctionTask, tried: Sequence[Inputs]
) -> Iterator[str]:
    yield (
        f"Right: {function_name} returns the right result on all {len(tried)} inputs."
    )
    known = "; ".join(wrong.name for wrong in task.wrong)
    yield f"It makes none of the {len(task.wrong)} known mistakes: {known}."


def _explained(
    function_name: str, task: FunctionTask, finding: Finding, inputs: dict[str, Any]
) -> Iterator[str]:
    got, due = finding.got, finding.due
    if got.trouble == NOTHING and finding.failed == 0:
        yield (
            f"Not yet: {function_name} returns None. "
            "Its last line should return the result."
        )
    elif got.changed:
        names = " and ".join(list(inputs)[place] for place in got.changed)
        yield (
            f"Not yet: {function_name} changes {names}, "
            "which the caller may still need."
        )
        yield "Compute into a new array; `x -= y` and `x[...] = y` write into x itself."
    else:
        yield from _headline(function_name, finding)
        yield ""
        yield from written(inputs)
        if got.array is None:
            yield f"{function_name}: {got.trouble}"
        else:
            yield from lines_of(f"{function_name} returns{task.returns}", got.array)
        yield from lines_of("the right result", due.array)
        yield from _printed(function_name, got.printed)


def _printed(function_name: str, text: str) -> Iterator[str]:
    """Yield the lines that the function printed, the first `PRINTED` of them."""
    if lines := text.splitlines():
        yield f"{function_name} printed"
        yield from (f"    {line}" for line in lines[:PRINTED])
        if len(lines) > PRINTED:
            yield f"    ... and {len(lines) - PRINTED} lines more"


def _headline(function_name: str, finding: Finding) -> Iterator[str]:
    mistakes = finding.mistakes
    if len(mistakes) == 1:
        [wrong] = mistakes
        yield f"Not yet. This is a known mistake: {wrong.name}."
        yield f"    {wrong.formula}"
        yield wrong.why
    elif mistakes:
        yield (
            f"Not yet. {len(mistakes)} known mistakes return "
            f"what {function_name} returns:"
        )
        yield from (f"  - {wrong.name}: {wrong.formula}" for wrong in mistakes)
    elif finding.got.array is None:
        yield "Not yet. On this input there is nothing to compare:"
    else:
        yield f"Not yet. {_difference(finding.got.array, finding.due.array)}"


def _difference(got: Array, due: Array) -> str:
    """Describe a wrong array that no known mistake returns."""
    if got.shape != due.shape:
        return f"The shape is {got.shape} and should be {due.shape}."
    if not np.isfinite(got).all():
        return (
            "The result has NaN or infinity in place of a number. "
            "(inf - inf, 0 * inf and 0 / 0 are NaN.)"
        )
    gap = np.abs(got - due)
    place = [int(i) for i in np.unravel_index(gap.argmax(), gap.shape)]
    return f"Wrong numbers. The largest error is {gap.max():.3g}, at {place}."


def written(inputs: dict[str, Any]) -> Iterator[str]:
    """Yield lines that show each argument below its name."""
    for name, value in inputs.items():
        if np.ndim(value):
            yield from lines_of(f"{name} =", value, ", kept in the verdict's inputs")
        else:
            yield f"{name} = {value}"


def lines_of(name: str, array: Array, place: str = "") -> Iterator[str]:
    """Yield an array as lines of code; of a large array only the shape and `place`."""
    if array.size <= SHOWN:
        numbers = np.array2string(
            array,
            max_line_width=68,
            precision=4,
            suppress_small=True,
            separator=", ",
            threshold=SHOWN,
            formatter={},  # not the reader's own print options
        )
        yield name
        yield from (f"    {line}".rstrip() for line in numbers.splitlines())
    elif (array == array.flat[0]).all():
        yield f"{name} np.full({array.shape}, {array.flat[0]})"
    else:
        yield f"{name} an array of shape {array.shape}{place}"
