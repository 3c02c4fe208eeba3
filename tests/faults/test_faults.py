"""Plant a fault in a copy of the course and demand that some test fails.

Not part of `make test`: `make faults` runs it, and the weekly workflow. Each fault is
one replacement in one file, as a slip of an author might make it. What is run is not
the whole suite but the tests named beside the fault, so that a fault also says who is
to catch it.
"""

import shutil
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from copies import ROOT, copy_course, run_in
from planted import FAULTS, Fault

ALL_PASSED, A_TEST_FAILED = 0, 1  # pytest's exit status; others: it could not run them


@pytest.fixture(scope="session")
def built() -> None:
    """The site as it is, which a copy takes along with its cached results."""
    if not (ROOT / "_build/html/index.html").exists():
        pytest.fail("there is no built site to copy: run `make book` first")


@pytest.fixture
def course(built, tmp_path) -> Path:
    copy = copy_course(tmp_path / "course")
    shutil.copytree(ROOT / "_build", copy / "_build")
    return copy


def plant(course: Path, fault: Fault) -> None:
    path = course / fault.file
    text = path.read_text(encoding="utf-8")
    times = text.count(fault.right)
    assert times == 1, f"{fault.file} holds {fault.right!r} {times} times, not once"
    path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")


def run_tests(course: Path, tests: tuple[str, ...]) -> CompletedProcess[str]:
    options = ("pytest", "-q", "-x", "-p", "no:cacheprovider")
    return run_in(course, *options, *tests, seconds=900)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_is_caught(course, fault):
    plant(course, fault)
    if fault.built:
        build = run_in(course, "book.build", seconds=900)
        assert build.returncode == 0, build.stderr
    result = run_tests(course, fault.caught_by)
    assert result.returncode == A_TEST_FAILED, result.stdout[-2000:]


@pytest.mark.parametrize("tests", sorted({f.caught_by for f in FAULTS}), ids=" ".join)
def test_without_a_fault_nothing_fails(course, tests):
    result = run_tests(course, tests)
    assert result.returncode == ALL_PASSED, result.stdout[-2000:]
