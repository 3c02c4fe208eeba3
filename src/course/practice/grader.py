"""Judging a function that a reader wrote: right, or wrong in a way that has a name.

A function is tried on inputs that the reader can read and on fresh ones of other
sizes. It passes if everything it returns is right. If not, it is compared with the
wrong functions that the exercise knows: where exactly one of them gives what it gives
on every input, that one is named, and where several do, all of them are.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

import numpy as np

from course.practice.gallery.wrong import WrongFunction
from course.practice.outcomes import NOTHING, Array, Outcome, outcome, quiet, same

Function = Callable[..., Any]
Inputs = tuple[Any, ...]

FRESH = 12  # inputs drawn anew for each check, beside those that are printed
SHOWN = 40  # numbers that an array may have to be printed
PRINTED = 12  # lines of what a function printed that are shown
WIDTH = 76  # characters of a line


@dataclass(frozen=True)
class Verdict:
    """What is said of a function; it shows as its text, in a notebook and on a page.

    Attributes
    ----------
    exercise : str
        Name of the exercise.
    passed : bool
    text : str
        Lines of plain text.
    mistakes : tuple of str
        Names of the wrong functions that give what this one gives, on every input.
    inputs : dict
        Arguments on which the function failed, by their names; empty if it passed.
    """

    exercise: str
    passed: bool
    text: str
    mistakes: tuple[str, ...] = ()
    inputs: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True)
class FunctionTask:
    """One function to write, and what it is tried on.

    Attributes
    ----------
    arguments : tuple of str
        Names of the function's arguments.
    right : callable
        What it should be.
    wrong : tuple of WrongFunction
        The mistakes that the exercise holds to; each takes the same arguments.
    printed : tuple of tuple
        Inputs small enough to be read; each mistake shows on one of them.
    sizes : callable
        Draws sizes, from 1 up, from a `numpy.random.Generator`.
    draw : callable
        Draws inputs of some sizes, with a generator: a list of tuples.
    tells : callable
        Whether at some sizes each mistake shows, and no two are alike.
    always : tuple
        Sizes that each check tries: where something is 1, and beyond those drawn.
    call : callable, optional
        Calls the function with the arguments, where that takes more than one call.
    returns : str, optional
        What is said between "returns" and the numbers.
    """

    arguments: tuple[str, ...]
    right: Function
    wrong: tuple[WrongFunction, ...]
    printed: tuple[Inputs, ...]
    sizes: Callable[[np.random.Generator], Any]
    draw: Callable[[np.random.Generator, Any], list[Inputs]]
    tells: Callable[[Any], bool]
    always: tuple[Any, ...]
    call: Callable[..., Any] = lambda function, *arguments: function(*arguments)
    returns: str = ""

    def fresh(self, rng: np.random.Generator, count: int = FRESH) -> list[Inputs]:
        """Draw inputs of `count` sizes, or of more until some tell, and of `always`."""
        drawn = [self.sizes(rng) for _ in range(count)]
        while not any(map(self.tells, drawn)):
            drawn.append(self.sizes(rng))
        every = (*self.always, *drawn)
        return [inputs for sizes in every for inputs in self.draw(rng, sizes)]

    def outcomes(self, function: Function, tried: Sequence[Inputs]) -> list[Outcome]:
        """Call a function on each of these inputs."""

        def called(*arguments: Any) -> Any:
            return self.call(function, *arguments)

        with quiet():
            return [outcome(called, inputs) for inputs in tried]


@dataclass(frozen=True)
class Finding:
    """What trying a function on some inputs has shown.

    Attributes
    ----------
    failed : int or None
        Place of the first of the inputs on which it is not right.
    got, due : Outcome or None
        What it gave there, and what the right function gives.
    mistakes : tuple of WrongFunction
        Those that give what it gives, on every input.
    """

    failed: int | None = None
    got: Outcome | None = None
    due: Outcome | None = None
    mistakes: tuple[WrongFunction, ...] = ()


def examine(task: FunctionTask, function: Function, tried: Sequence[Inputs]) -> Finding:
    """Try a function on some inputs, and look for its mistake if it is not right."""
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
    """Whether a mistake, in one of its ways, gives what was got on every input."""
    arrays = (each.array for each in got if each.array is not None)
    if not any(np.isfinite(array).any() for array in arrays):
        return False  # that both raise, or give NaN, says little
    return any(_gives(task, way, got, tried) for way in wrong.ways)


def _gives(
    task: FunctionTask, way: Function, got: list[Outcome], tried: Sequence[Inputs]
) -> bool:
    """Whether a way gives what was got on every input; the first other one decides."""
    pairs = zip(got, tried, strict=True)
    return all(same(g, task.outcomes(way, [inputs])[0]) for g, inputs in pairs)


def judge(
    name: str, task: FunctionTask, function: Any, tried: Sequence[Inputs]
) -> Verdict:
    """Say how a function did on some inputs.

    Parameters
    ----------
    name : str
        Of the exercise.
    task : FunctionTask
    function : callable
        The reader's.
    tried : sequence of tuple
        Inputs, those that may be printed first.
    """
    if not callable(function):
        given = type(function).__name__
        return Verdict(
            name,
            False,
            f"Not yet: check takes the function itself, and got {given}.\n"
            "Write its name without brackets.",
        )
    called = getattr(function, "__name__", "the function")
    finding = examine(task, function, tried)
    if finding.failed is None:
        return Verdict(name, True, wrapped(_praise(called, task, tried)))
    inputs = dict(zip(task.arguments, tried[finding.failed], strict=True))
    names = tuple(wrong.name for wrong in finding.mistakes)
    text = wrapped(_explained(called, task, finding, inputs))
    return Verdict(name, False, text, names, inputs)


def wrapped(lines: Iterable[str]) -> str:
    """Join lines, the long ones of prose wrapped."""
    text = "\n".join(lines).splitlines()
    short = (wrap(line, WIDTH) if line[:1].strip() else [line] for line in text)
    return "\n".join(line for each in short for line in each)


def _praise(called: str, task: FunctionTask, tried: Sequence[Inputs]) -> Iterator[str]:
    yield f"Right: {called} gives what it should on all {len(tried)} inputs tried."
    known = "; ".join(wrong.name for wrong in task.wrong)
    yield f"It is none of the {len(task.wrong)} mistakes that are known here: {known}."


def _explained(
    called: str, task: FunctionTask, finding: Finding, inputs: dict[str, Any]
) -> Iterator[str]:
    got, due = finding.got, finding.due
    if got.trouble == NOTHING:
        yield f"Not yet: {called} returns None. Its last line should return the result."
    elif got.changed:
        names = " and ".join(list(inputs)[place] for place in got.changed)
        yield f"Not yet: {called} changes {names}, and whoever calls it loses that."
        yield "Compute into a new array; `x -= y` and `x[...] = y` write into x itself."
    else:
        yield from _headline(called, finding)
        yield ""
        yield from written(inputs)
        if got.array is None:
            yield f"{called}: {got.trouble}"
        else:
            yield from lines_of(f"{called} returns{task.returns}", got.array)
        yield from lines_of("right is", due.array)
        yield from _printed(called, got.printed)


def _printed(called: str, text: str) -> Iterator[str]:
    """Show what was printed on that input: a reader who looks for a slip prints."""
    if lines := text.splitlines():
        yield f"{called} printed"
        yield from (f"    {line}" for line in lines[:PRINTED])
        if len(lines) > PRINTED:
            yield f"    ... and {len(lines) - PRINTED} lines more"


def _headline(called: str, finding: Finding) -> Iterator[str]:
    mistakes = finding.mistakes
    if len(mistakes) == 1:
        [wrong] = mistakes
        yield f"Not yet. This is a known mistake: {wrong.name}."
        yield f"    {wrong.formula}"
        yield wrong.why
    elif mistakes:
        yield f"Not yet. {len(mistakes)} known mistakes give what {called} gives:"
        yield from (f"  - {wrong.name}: {wrong.formula}" for wrong in mistakes)
    elif finding.got.array is None:
        yield "Not yet. On this input there is nothing to compare:"
    else:
        yield f"Not yet. {_difference(finding.got.array, finding.due.array)}"


def _difference(got: Array, due: Array) -> str:
    """Say what is wrong with an array, where no mistake is known that gives it."""
    if got.shape != due.shape:
        return f"The shape is {got.shape} and should be {due.shape}."
    if not np.isfinite(got).all():
        return (
            "NaN or infinity stands where a number should. "
            "(inf - inf, 0 * inf and 0 / 0 are NaN.)"
        )
    gap = np.abs(got - due)
    place = [int(i) for i in np.unravel_index(gap.argmax(), gap.shape)]
    return f"The numbers are off, most at {place}: by {gap.max():.3g}."


def written(inputs: dict[str, Any]) -> Iterator[str]:
    """Write arguments out, each with its name."""
    for name, value in inputs.items():
        if np.ndim(value):
            yield from lines_of(f"{name} =", value)
        else:
            yield f"{name} = {value}"


def lines_of(name: str, array: Array) -> Iterator[str]:
    """Write an array out, so that it can be copied; of a large one only its shape."""
    if array.size <= SHOWN:
        numbers = np.array2string(
            array, precision=4, suppress_small=True, separator=", ", max_line_width=68
        )
        yield name
        yield from (f"    {line}".rstrip() for line in numbers.splitlines())
    elif (array == array.flat[0]).all():
        yield f"{name} np.full({array.shape}, {array.flat[0]})"
    else:
        yield f"{name} an array of shape {array.shape}, kept in the verdict's inputs"
