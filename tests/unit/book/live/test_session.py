"""A page's cells share one namespace, in any order of runs and edits."""

import warnings

import pytest

from book.live.in_page import page as page_side
from book.live.in_page.session import CUT, LONGEST, WHAT_IS_HERE, Session


class PageOfCells:
    """A page with the sources of its cells, and the messages that they print."""

    def __init__(self, *cells):
        self.cells = list(cells)
        self.messages = []
        self.session = Session(lambda index, text: self.messages.append((index, text)))

    def run(self, index, text=None):
        if text is not None:
            self.cells[index] = text
        self.messages.clear()
        return self.session.run(self.cells, index)

    def printed(self, index):
        return "".join(text for where, text in self.messages if where == index)

    def says(self, text):
        self.run(0, text)
        return self.printed(0)


NO_X = "Line 1: print(x)\nNameError: name 'x' is not defined"
# The cells of a page, then its runs: edited cells, the cell to run, the cells that must
# run, and the text that the cell must print.
STORIES = {
    "a needed cell does not run first, or runs twice": (
        ["a = 1", "b = a + 1", "print(a + b)", "c = 5"],
        [({}, 2, [0, 1, 2], "3\n"), ({}, 2, [2], "3\n")],
    ),
    "a changed cell or its dependents do not run again": (
        ["a = 1", "b = a + 1", "c = 0", "print(b)"],
        [({}, 3, [0, 1, 3], "2\n"), ({0: "a = 10"}, 3, [0, 1, 3], "11\n")],
    ),
    "a cell keeps a value from an emptied cell": (
        ["a = 1", "a = 2", "b = a", "print(b)"],
        [({}, 0, [0], ""), ({}, 3, [1, 2, 3], "2\n"), ({1: ""}, 3, [0, 2, 3], "1\n")],
    ),
    "a name bound again below is not restored for a cell above": (
        ["x = 1", "print(x)", "x = 2", "print(x)"],
        [({}, 3, [2, 3], "2\n"), ({}, 1, [0, 1], "1\n")] * 2,
    ),
    "the values of a failed edit are used after a reset": (
        ["a = 1\nb = a", "print(a)"],
        [
            ({}, 1, [0, 1], "1\n"),
            ({0: "a = 2\nb = a / 0"}, 1, [0], ""),
            ({0: "a = 1\nb = a"}, 1, [0, 1], "1\n"),
        ],
    ),
    "a name that an edit removes is still defined": (
        ["x = 1", "print(x)"],
        [
            ({}, 1, [0, 1], "1\n"),
            ({0: "y = 1"}, 1, [1], NO_X),
            ({0: "x = 2"}, 1, [0, 1], "2\n"),
        ],
    ),
}


@pytest.mark.parametrize(("cells", "runs"), STORIES.values(), ids=STORIES)
def test_the_wrong_cells_run_or_print_old_values(cells, runs):
    page = PageOfCells(*cells)
    for edits, index, ran, printed in runs:
        for place, text in edits.items():
            page.cells[place] = text
        assert page.run(index)["ran"] == ran
        assert page.printed(index) == printed


def test_a_cell_that_changes_its_input_prints_other_text_when_run_again():
    draw = "print(rng.integers(1000, size=4))"
    imports = "from numpy.random import default_rng"
    page = PageOfCells(imports, "rng = default_rng(0)", draw, draw)
    page.run(3)
    first = page.printed(3)
    assert page.run(3)["ran"] == [1, 2, 3]
    assert page.printed(3) == first
    page.run(2)
    assert page.printed(2) != first


def test_a_warning_is_missing_in_a_second_run_or_names_another_cell():
    page = PageOfCells(*2 * ["import warnings\nwarnings.warn('so')"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for index in (0, 0, 1):
            page.run(index)
    assert [each.filename for each in caught] == ["cell-1", "cell-1", "cell-2"]


def test_a_run_goes_on_after_a_failed_cell_above():
    page = PageOfCells("a = 1 / 0", "print(a)")
    result = page.run(1)
    assert (result["ok"], result["ran"]) == (False, [0])
    assert page.printed(0).splitlines() == [
        "Line 1: a = 1 / 0",
        "ZeroDivisionError: division by zero",
    ]
    assert page.printed(1) == ""
    assert page.run(1, "print(2)")["ok"]


def test_a_cell_hides_its_last_value_or_the_names_it_binds():
    page = PageOfCells("")
    assert page.says("1 + 1") == "2\n"
    assert page.says("x = 1\nNone") == ""
    for code, defined in (
        ("import numpy as np\nZ = np.ones((3, 2))", "Z: an array of shape (3, 2)"),
        ("def f(): pass", "f: a function"),
        ("print()\nx = 1", ""),
        ("i = 1\nfor i in range(3): pass", "i: 2"),
        ("squares = [i * i for i in range(4)]", "squares: a list of 4"),
    ):
        assert page.run(0, code)["defined"] == defined


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("x = [1]\ny = x[5]", "Line 2: y = x[5]\nIndexError: list index out of range"),
        ("x = (1", "Line 1: x = (1\n            ^\nSyntaxError: '(' was never closed"),
        ("x = 1\nreturn", "Line 2: return\n        ^\nSyntaxError: 'return' outside"),
        ("assert 1 == 2", "Line 1: assert 1 == 2\nAssertionError"),
        ("input('name')", "Line 1: input('name')\nRuntimeError: a cell in the page"),
        ("import torch", "Line 1: import torch\nModuleNotFoundError: No module named"),
        ("raise SystemExit", "Line 1: raise SystemExit\nSystemExit\nPython still runs"),
        ("raise KeyboardInterrupt", "Line 1: raise KeyboardInterrupt\nKeyboard"),
        ("from math import nothing", "Line 1: from math import nothing\nImportError"),
        (
            "def f(n):\n    return f(n + 1)\nf(0)",
            "Line 3: f(0)\nLine 2: return f(n + 1)",
        ),
    ],
)
def test_an_error_does_not_begin_with_the_readers_line(code, said):
    page = PageOfCells("")
    message = page.says(code)
    assert message.startswith(said)
    assert message.endswith(WHAT_IS_HERE) == (code == "import torch")
    assert len(message.splitlines()) <= 7, "a deep recursion is not shortened"
    assert page.says("print(1)") == "1\n"


def test_an_error_does_not_name_the_lines_in_cells_above():
    page = PageOfCells("def f(x):\n    return 1 / x", "f(1)\nf(0)")
    page.run(1)
    assert page.printed(1).splitlines() == [
        "Line 2: f(0)",
        "In a cell above, line 2: return 1 / x",
        "ZeroDivisionError: division by zero",
    ]


def test_long_output_is_not_cut_comes_in_many_messages_or_hides_an_error():
    page = PageOfCells("")
    page.run(0, "for i in range(60_000):\n    print(i)\n1 / 0")
    printed, cut, error = page.printed(0).partition(CUT)
    assert (len(printed), cut) == (LONGEST, CUT)
    assert error.endswith("ZeroDivisionError: division by zero")
    assert len(page.messages) < 20


def test_a_class_of_the_reader_that_fails_ends_python():
    page = PageOfCells("")
    fails = "class Odd(Exception):\n    def __str__(self): return 1 / 0\n"
    assert page.says(fails + "raise Odd").endswith("Odd")
    fails = "class Odd:\n    shape = property(lambda self: 1 / 0)\n"
    result = page.run(0, fails + "x = Odd()")
    assert result["defined"].endswith("x: an object of Odd")


def test_a_run_reports_a_wrong_verdict_or_one_without_a_check():
    check = "from course.practice import check\n"
    page = PageOfCells("")
    assert page.run(0, f"{check}check('softmax', lambda s: s)")["passed"] is False
    right = "from attention import softmax\ncheck('softmax', softmax)"
    assert page.run(0, check + right)["passed"] is True
    assert page.run(0, "1")["passed"] is None


# --- Figures, progress ----------------------------------------------------------------


class FakeFigure:
    """Stands for a figure of the page in the code of a cell."""

    name = "dial"

    def __init__(self, angle):
        self.angle = angle

    def texts(self):
        return {"angle": f"{self.angle}"}

    def take(self, texts):
        self.angle = int(texts.get("angle", self.angle))


@pytest.fixture
def page_with_figure():
    """Return a function that makes a page whose cells know `Figure` and `page`."""

    def page(*cells):
        made = PageOfCells(*cells)
        made.session.namespace |= {"Figure": FakeFigure, "page": page_side}
        return made

    yield page
    page_side._made.clear()


# `test_live_python.py` tests which values of the reader a run may change.
def test_code_sets_a_figure_twice_or_ignores_what_the_page_shows(page_with_figure):
    cells = "page.add(dial := Figure(90))", "print(dial.angle)", "dial.angle += 1"
    page = page_with_figure(*cells)

    def run(index, shown):
        page.messages.clear()
        figures = {"dial": {"shown": {"angle": shown}, "changed": []}}
        return page.session.run(page.cells, index, figures)

    assert run(0, "0")["sets"] == {"dial": {"angle": "90"}}
    assert run(1, "90")["sets"] == {}
    assert run(1, "45")["sets"] == {}  # the reader has turned it
    assert page.printed(1) == "45\n"
    assert run(2, "45")["sets"] == {"dial": {"angle": "46"}}
    assert run(1, "47")["ran"] == [1]  # the cells that made or turned it do not run
    assert page.printed(1) == "47\n"


def test_a_figure_that_cannot_be_written_does_not_fail_the_cell(page_with_figure):
    code = "dial = Figure(0)\ndial.texts = lambda: 1 / 0\npage.add(dial)"
    page = page_with_figure(code)
    result = page.run(0)
    assert (result["ok"], result["defined"]) == (False, "")
    assert "ZeroDivisionError" in page.printed(0)


def test_progress_is_not_reported():
    said = []
    session = Session(lambda index, text: None, said.append)
    session.namespace["page"] = page_side
    session.run(["page.say_progress('1 of 2 runs')"], 0)
    assert said == ["1 of 2 runs"]
