"""Run the cells of a page in one namespace, and describe the results in words."""

import ast
import builtins
import io
import linecache
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, TypedDict

from . import page
from .cells import Links, links_of, needed

LONGEST = 20_000  # characters of a cell's output; the rest is dropped
CUT = f"\n[cut here: {LONGEST:,} characters]"
PAUSE = 0.1  # seconds between two messages, because the page redraws for each
FILE = "cell-{}"  # name of a cell's file, in errors and warnings
NO_INPUT = "a cell in the page cannot wait for an answer: write the value into the cell"
WHAT_IS_HERE = (
    "This page has Python's standard library, NumPy and the course's own modules. "
    "The rest needs the notebook."
)
ENDS_PYTHON = "Python still runs: on this page only the button Stop ends it."


class CellResult(TypedDict):
    """The result of one cell, for the page."""

    ok: bool  # whether the cell ran to its end
    # Values that the cell assigned or defined, in words; "" if it printed or failed.
    defined: str
    # True or False if the cell's last value is the result of `check`; else None.
    passed: bool | None
    exercise: str  # the exercise that the result of `check` names; "" if it names none


class RunResult(CellResult):
    """The result of a run, for the page: its last cell's result, and the figures."""

    # The indexes of the cells that ran, in order, including a cell that failed.
    ran: list[int]
    # Values that code has set in the page's figures: texts by figure and trait.
    sets: dict[str, dict[str, str]]
    made: list[str]  # the figures made by the cell that the reader ran


class Output(io.TextIOBase):
    """A stream that sends its text in few messages, and cuts a long text."""

    def __init__(self, tell: Callable[[str], Any]) -> None:
        self._tell, self._waiting, self._size = tell, [], 0
        self._last_sent = time.monotonic()

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been written."""
        return not self._size

    def writable(self) -> bool:
        """Return True: this stream takes text."""
        return True

    def write(self, text: str) -> int:
        """Store a text until the next message."""
        room = LONGEST - self._size
        self._size += len(text)
        if room >= 0:
            cut = CUT if len(text) > room else ""
            self._waiting.append(text[:room] + cut)
        if time.monotonic() - self._last_sent > PAUSE:
            self.flush()
        return len(text)

    def flush(self) -> None:
        """Send the stored text."""
        if self._waiting:
            self._tell("".join(self._waiting))
            self._waiting = []
        self._last_sent = time.monotonic()


class Session:
    """The namespace of a page, and the source and dependencies of each cell that ran.

    `tell` receives the index of a cell and a text that the cell printed; `say_progress`
    receives a message that says how far a long cell is.
    """

    def __init__(
        self,
        tell: Callable[[int, str], Any],
        say_progress: Callable[[str], Any] = lambda words: None,
    ) -> None:
        self._tell = tell
        page.hear_progress(say_progress)
        self.namespace: dict[str, Any] = {"__name__": "__main__"}
        # By cell: its source when it ran, and {name that it read: cell that bound it}.
        self._ran: dict[int, tuple[str, dict[str, int]]] = {}
        self._owners: dict[str, int] = {}  # by name: the cell that bound it last
        builtins.input = _refuse_input
        self._builtins = dict(vars(builtins))  # a cell may overwrite them

    def run(
        self,
        cells: Sequence[str],
        index: int,
        figures: Mapping[str, page.FigureState] | None = None,
    ) -> RunResult:
        """Run a cell, after the cells above that it needs and that are out of date.

        `cells` are the current sources of all cells, and `figures` the values of the
        page's figures. Only the cell that the reader runs may change values that the
        reader has set. Cells that run first, because this cell needs them, may not.
        """
        cells = list(cells)
        links = links_of(cells)
        self._forget(links)
        page.begin(figures or {})
        ran: list[int] = []
        for cell in self._due(cells, links, index):
            ran.append(cell)
            result = self._run_one(cells[cell], cell, asked=cell == index)
            if cell != index:
                page.restore_reader_values()
            self._owners.update(dict.fromkeys(links[cell].binds, cell))
            if not result["ok"]:
                break
            self._ran[cell] = cells[cell], links[cell].given
        try:
            return {**result, "ran": ran, "sets": page.changed(), "made": page.made()}
        except Exception as error:  # a figure of the reader's code fails
            self._tell(index, describe_error(error))
            failed: CellResult = {**result, "ok": False, "defined": ""}
            return {**failed, "ran": ran, "sets": {}, "made": []}

    def _forget(self, links: list[Links]) -> None:
        """Delete each name that its cell, after an edit, no longer binds."""
        for name, cell in list(self._owners.items()):
            if name not in links[cell].binds:
                del self._owners[name]
                self.namespace.pop(name, None)

    def _due(self, cells: list[str], links: list[Links], index: int) -> list[int]:
        """List the cells that must run, so that each cell finds the names it reads."""
        needs = needed(links, index)
        # A cell that runs can need a cell above, and put a cell below out of date.
        due = {index}
        while (more := due | self._missing(needs, cells, links, due)) != due:
            due = more
        return sorted(due)

    def _missing(
        self, needs: list[int], cells: list[str], links: list[Links], due: set[int]
    ) -> set[int]:
        """Return the cells of `needs` that must run if the cells `due` run."""
        # `owners`: by name, the cell that will have bound it when `cell` runs.
        owners, found = dict(self._owners), set()
        for cell in needs:
            given = links[cell].given
            is_changed = self._ran.get(cell) != (cells[cell], given)
            if is_changed or due.intersection(given.values()):
                found.add(cell)
            if cell in due:
                found |= {
                    owner
                    for name, owner in given.items()
                    # a figure is never out of date: the page keeps its state
                    if owners.get(name) != owner
                    and not page.has(self.namespace.get(name))
                }
                owners.update(dict.fromkeys(links[cell].binds, cell))
        return found

    def _run_one(self, source: str, index: int, asked: bool) -> CellResult:
        """Run one cell; `asked` says whether it is the cell that the reader runs."""
        output = Output(lambda text: self._tell(index, text))
        self._ran.pop(index, None)
        # Python records here which lines have warned, and would not warn a second time.
        self.namespace.pop("__warningregistry__", None)
        value, error = None, None
        with redirect_stdout(output), redirect_stderr(output):
            try:
                value = _executed(source, index, self.namespace)
                if asked and value is not None:
                    self.namespace["_"] = value
                    output.write(f"{value!r}\n")
            except BaseException as raised:
                error = raised
            finally:
                vars(builtins).update(self._builtins)
        output.flush()
        if error is not None:  # in its own Output: a long text before it may be cut
            report = Output(lambda text: self._tell(index, text))
            report.write(describe_error(error))
            report.flush()
        shown = asked and error is None and output.is_empty
        passed = getattr(value, "passed", None)
        return {
            "ok": error is None,
            "defined": describe_new_values(source, self.namespace) if shown else "",
            "passed": passed if isinstance(passed, bool) else None,
            "exercise": str(getattr(value, "exercise", "")),
        }


def _refuse_input(_prompt: object = "") -> str:
    raise RuntimeError(NO_INPUT)


def _executed(source: str, index: int, namespace: dict[str, Any]) -> Any:
    """Run a cell; return the value of its last statement if that is an expression."""
    name = FILE.format(index + 1)  # warnings count the cells from 1, as the buttons do
    lines = source.splitlines(keepends=True)
    linecache.cache[name] = (len(source), None, lines, name)
    body = ast.parse(source, name).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), name, "exec"), namespace)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), name, "eval"), namespace)


# --- In words -------------------------------------------------------------------------


def describe_error(error: BaseException) -> str:
    """Return an error's lines in cells, then its message, then hints for the reader."""
    return "\n".join((*_lines(error), _message(error), *_hints(error)))


def _lines(error: BaseException) -> list[str]:
    if isinstance(error, SyntaxError) and error.lineno and _is_cell(error.filename):
        # an error that is found after parsing, such as a lone `return`, has no text
        text = error.text or linecache.getline(error.filename, error.lineno)
        text = text.rstrip("\n")
        begin = f"Line {error.lineno}: "
        mark = " " * (len(begin) + max(0, (error.offset or 1) - 1)) + "^"
        return [begin + text, mark]
    frames = traceback.extract_tb(error.__traceback__)
    calls = [frame for frame in frames if _is_cell(frame.filename)]
    # Of a deep recursion only the ends are shown.
    shown = calls if len(calls) <= 6 else [*calls[:3], *calls[-3:]]
    return [f"{_line_of(each, calls)} {each.lineno}: {each.line}" for each in shown]


def _is_cell(file: str | None) -> bool:
    return bool(file) and file.startswith(FILE.format(""))


def _line_of(call: traceback.FrameSummary, calls: list[traceback.FrameSummary]) -> str:
    return "Line" if call.filename == calls[0].filename else "In a cell above, line"


def _message(error: BaseException) -> str:
    try:
        said = error.msg if isinstance(error, SyntaxError) else str(error)
    except Exception:  # the reader's own exception fails
        said = ""
    return f"{type(error).__name__}: {said}".strip(": ")


def _hints(error: BaseException) -> list[str]:
    if isinstance(error, ModuleNotFoundError):
        return [WHAT_IS_HERE]
    return [ENDS_PYTHON] if isinstance(error, SystemExit) else []


def describe_new_values(source: str, namespace: dict[str, Any]) -> str:
    """Describe the first 12 values of a cell: ``Z: an array of shape (3, 2)``."""
    names = [name for name in _bound_in_order(source) if name in namespace]
    return "\n".join(f"{name}: {_described(namespace[name])}" for name in names[:12])


def _described(value: Any) -> str:
    try:
        return _kind(value)
    except Exception:  # the reader's own class fails
        return f"an object of {type(value).__name__}"


def _bound_in_order(source: str) -> list[str]:
    """List the names that a cell's assignments, functions and classes bind."""
    found: dict[str, None] = {}
    bound = links_of([source])[0].binds  # without the names of comprehensions
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            found[statement.name] = None
        elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
            names = (n for n in ast.walk(statement) if isinstance(n, ast.Name))
            stored = (n.id for n in names if isinstance(n.ctx, ast.Store))
            found.update(dict.fromkeys(n for n in stored if n in bound and n != "_"))
    return list(found)


def _kind(value: Any) -> str:
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"an array of shape {shape}"
    if callable(value) and hasattr(value, "__name__"):
        return "a function" if not isinstance(value, type) else "a class"
    if isinstance(value, bool | int | float | complex | str):
        text = repr(value)
        return text if len(text) <= 40 else f"a {type(value).__name__}"
    if isinstance(value, Sequence | dict | set):
        return f"a {type(value).__name__} of {len(value)}"
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"
