"""What an edit can have broken is among the tests that `make check` runs."""

from pathlib import Path

import pytest

from book.affected import affected_tests

ROOT = Path(__file__).resolve().parents[3]
ALL = {
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "tests/unit").rglob("test_*.py")
}


def affected(*files: str) -> set[str]:
    return set(affected_tests(ROOT, files))


def below(folder: str) -> set[str]:
    return {test for test in ALL if test.startswith(f"tests/unit/{folder}/")}


@pytest.mark.more
def test_a_change_at_the_bottom_reaches_the_top():
    found = affected("src/attention/_blocked.py")
    assert found >= below("attention")
    assert "tests/unit/transformer/test_gradients.py" in found
    assert "tests/unit/course/chapters/multi_head/test_experiments.py" in found


@pytest.mark.more
def test_a_room_s_change_stays_in_its_room():
    room = "course/chapters/multi_head"
    found = affected(f"src/{room}/experiments.py")
    tests = ("test_experiments.py", "test_figures.py")
    assert found >= {f"tests/unit/{room}/{test}" for test in tests}
    for other in ("attention", "transformer", "course/chapters/why_sqrt_dk"):
        assert not found & below(other)


@pytest.mark.parametrize(
    ("file", "folder"),
    [
        ("src/course/chapters/why_sqrt_dk/worth.json", "course/chapters/why_sqrt_dk"),
        ("src/transformer/runs/log.csv", "transformer"),
        ("tests/unit/attention/reference.py", "attention"),
        ("tests/unit/course/chapters/conftest.py", "course/chapters"),
    ],
)
def test_a_file_that_is_no_module_counts_for_those_beside_it(file, folder):
    assert affected(file) >= below(folder)


def test_a_script_of_the_book_counts_for_the_modules_above_its_folder():
    found = affected("book/runtime/clear.js")
    assert found >= {test for test in below("book") if test.count("/") == 3}


def test_a_view_counts_for_its_widget():
    found = affected("src/course/widgets/worksheet/grid.js")
    assert "tests/unit/course/widgets/test_worksheet.py" in found
    assert not found & below("course/chapters/why_sqrt_dk")


def test_a_test_runs_when_it_changes():
    test = "tests/unit/transformer/test_grammar.py"
    others = affected()
    assert affected(test) == {test} | others


def test_claims_are_measured_again_where_what_measures_them_changed():
    test = "tests/unit/course/test_claims.py"
    assert test in affected("src/attention/_softmax.py")
    assert test in affected("src/course/chapters/self_attention/claims.py")
    assert test in affected("src/course/claims.csv")
    assert test not in affected("src/course/kit/look.py")


def test_a_test_needs_the_module_that_it_imports_and_none_beside_it():
    prose, matrices = (
        f"tests/unit/course/kit/test_{n}.py" for n in ("prose", "matrices")
    )
    found = affected("src/course/kit/look.py")
    assert matrices in found
    assert prose not in found
    assert prose in affected("src/course/kit/prose.py")
    assert prose in affected("src/course/kit/__init__.py")


def test_tests_that_read_files_always_run():
    always = affected()
    assert "tests/unit/course/test_ledger.py" in always
    assert "tests/unit/test_layers.py" in always
    assert len(always) < len(ALL) / 5
