"""A page's cells share one namespace, in any order of runs and edits."""

import warnings
from functools import partial

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


def test_needed_cells_do_not_run_first_or_run_twice():
    page = PageOfCells("a = 1", "b = a + 1", "print(a + b)", "c = 5")
    assert page.run(2)["ran"] == [0, 1, 2]
    assert page.printed(2) == "3\n"
    assert page.run(2)["ran"] == [2]


def test_a_changed_cell_or_its_dependents_do_not_run_again():
    page = PageOfCells("a = 1", "b = a + 1", "c = 0", "print(b)")
    page.run(3)
    page.cells[0] = "a = 10"
    assert page.run(3)["ran"] == [0, 1, 3]
    assert page.printed(3) == "11\n"


def test_a_cell_keeps_a_value_from_an_emptied_cell():
    page = PageOfCells("a = 1", "a = 2", "b = a", "print(b)")
    page.run(0)
    assert page.run(3)["ran"] == [1, 2, 3]
    page.cells[1] = ""
    assert page.run(3)["ran"] == [0, 2, 3]
    assert page.printed(3) == "1\n"


def test_a_name_bound_again_below_is_not_restored_for_a_cell_above():
    page = PageOfCells("x = 1", "print(x)", "x = 2", "print(x)")
    ran = [page.run(index)["ran"] for index in (3, 1, 3, 1)]
    assert ran == [[2, 3], [0, 1]] * 2
    assert page.printed(1) == "1\n"


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


def test_the_values_of_a_failed_edit_are_used_after_a_reset():
    page = PageOfCells("a = 1\nb = a", "print(a)")
    page.run(1)
    page.run(0, "a = 2\nb = a / 0")
    page.cells[0] = "a = 1\nb = a"
    assert page.run(1)["ran"] == [0, 1]
    assert page.printed(1) == "1\n"


def test_a_cell_hides_its_last_value_or_the_names_it_binds():
    page = PageOfCells("")
    assert page.says("1 + 1") == "2\n"
    assert page.says("x = 1\nNone") == ""
    result = page.run(0, "import numpy as np\nZ = np.ones((3, 2))\ndef f(): pass")
    assert result["defined"] == "Z: an array of shape (3, 2)\nf: a function"
    assert page.run(0, "print()\nx = 1")["defined"] == ""
    page.run(0, "for i in range(3): pass\nNone")
    result = page.run(0, "i = 1\nfor i in range(3): pass")
    assert result["defined"] == "i: 2"
    result = page.run(0, "squares = [i * i for i in range(4)]")
    assert result["defined"] == "squares: a list of 4"


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
    ],
)
def test_an_error_does_not_begin_with_the_readers_line(code, said):
    page = PageOfCells("")
    assert page.says(code).startswith(said)
    assert page.says("print(1)") == "1\n"


def test_the_hint_about_modules_is_missing_or_follows_another_error():
    page = PageOfCells("")
    assert page.says("import torch").endswith(WHAT_IS_HERE)
    assert WHAT_IS_HERE not in page.says("from math import nothing")


def test_an_error_does_not_name_the_lines_in_cells_above():
    page = PageOfCells("def f(x):\n    return 1 / x", "f(1)\nf(0)")
    page.run(1)
    assert page.printed(1).splitlines() == [
        "Line 2: f(0)",
        "In a cell above, line 2: return 1 / x",
        "ZeroDivisionError: division by zero",
    ]


def test_the_traceback_of_a_recursion_is_not_shortened():
    page = PageOfCells("")
    said = page.says("def f(n):\n    return f(n + 1)\nf(0)")
    assert said.splitlines()[0] == "Line 3: f(0)"
    assert len(said.splitlines()) == 7


def test_much_output_is_not_cut_or_comes_in_many_messages():
    page = PageOfCells("")
    page.run(0, "for i in range(60_000):\n    print(i)")
    text = page.printed(0)
    assert text.endswith(CUT)
    assert len(text) == LONGEST + len(CUT)
    assert len(page.messages) < 20


def test_a_class_of_the_reader_that_fails_ends_python():
    page = PageOfCells("")
    lines = ["class Odd(Exception):", "    def __str__(self):", "        return 1 / 0"]
    assert page.run(0, "\n".join([*lines, "raise Odd"]))["ok"] is False
    assert page.printed(0).endswith("Odd")
    lines = [
        "class Odd:",
        "    @property",
        "    def shape(self):",
        "        return 1 / 0",
    ]
    result = page.run(0, "\n".join([*lines, "x = Odd()"]))
    assert result["defined"].endswith("x: an object of Odd")


def test_an_error_after_cut_output_has_no_message():
    page = PageOfCells("")
    page.run(0, "for i in range(60_000):\n    print(i)\n1 / 0")
    text = page.printed(0)
    assert CUT in text
    assert text.endswith("ZeroDivisionError: division by zero")


def test_a_run_reports_a_wrong_verdict_or_one_without_a_check():
    check = "from course.practice import check\n"
    page = PageOfCells("")
    assert page.run(0, f"{check}check('softmax', lambda s: s)")["passed"] is False
    right = "from attention import softmax\ncheck('softmax', softmax)"
    assert page.run(0, check + right)["passed"] is True
    assert page.run(0, "1")["passed"] is None


# --- Edited names, figures, progress --------------------------------------------------


def test_a_name_that_an_edit_removes_is_still_defined():
    page = PageOfCells("x = 1", "print(x)")
    page.run(1)
    page.cells[0] = "y = 1"
    assert not page.run(1)["ok"]
    assert page.printed(1).endswith("NameError: name 'x' is not defined")
    page.cells[0] = "x = 2"
    assert page.run(1)["ok"]
    assert page.printed(1) == "2\n"


def test_a_name_that_an_edit_removes_from_one_cell_is_lost_in_another():
    page = PageOfCells("x = 1", "x = 2", "print(x)")
    page.run(2)
    page.cells[1] = "pass"
    assert page.run(2)["ok"]
    assert page.printed(2) == "1\n"


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


def test_code_sets_a_figure_twice_or_ignores_what_the_page_shows(page_with_figure):
    cells = "page.add(dial := Figure(90))", "print(dial.angle)", "dial.angle += 1"
    page = page_with_figure(*cells)
    run = partial(run_with_dial, page)
    assert run(0, "0")["sets"] == {"dial": {"angle": "90"}}
    assert run(1, "90")["sets"] == {}
    assert run(1, "45")["sets"] == {}  # the reader has turned it
    assert page.printed(1) == "45\n"
    assert run(2, "45")["sets"] == {"dial": {"angle": "46"}}
    assert run(1, "47")["ran"] == [1]  # the cells that made or turned it do not run
    assert page.printed(1) == "47\n"


def run_with_dial(page, index, shown, changed=()):
    """Run a cell; `changed` names the traits that the reader has set."""
    page.messages.clear()
    figures = {"dial": {"shown": {"angle": shown}, "changed": list(changed)}}
    return page.session.run(page.cells, index, figures)


def test_a_cell_that_runs_for_another_changes_the_readers_setting(page_with_figure):
    page = page_with_figure("page.add(dial := Figure(90))", "print(dial.angle)")
    # "made" lists the figures that the pressed cell itself has made.
    run = partial(run_with_dial, page)
    assert run(1, "45", ["angle"])["ran"] == [0, 1]
    assert page.printed(1) == "45\n"
    assert run(1, "45", ["angle"])["made"] == []
    assert run(0, "45", ["angle"])["sets"] == {"dial": {"angle": "90"}}  # run by hand
    assert run(0, "45", ["angle"])["made"] == ["dial"]
    page.cells[0] += "  # once more"  # a changed cell makes and sets its figure again
    assert run(1, "90")["sets"] == {"dial": {"angle": "90"}}
    page.cells[0] = "page.add(dial := Figure(30))"
    result = run(1, "90")
    assert result["sets"] == {"dial": {"angle": "30"}}  # the value of the changed cell
    assert result["made"] == []


def test_a_failed_cell_changes_the_readers_figure(page_with_figure):
    page = page_with_figure("page.add(dial := Figure(90))", "dial.angle = 1 / 0")
    result = run_with_dial(page, 1, "45", ["angle"])
    assert (result["ok"], result["sets"]) == (False, {"dial": {"angle": "45"}})


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
