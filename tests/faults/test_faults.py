"""Plant a fault in a copy of the course and demand that some test fails.

Not part of `make test`: `make faults` runs it, and the weekly workflow. Each fault is
one replacement in one file, as a slip of an author might make it. What is run is not
the whole suite but the tests named beside the fault, so that a fault also says who is
to catch it.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from planted import FAULTS, Fault

ROOT = Path(__file__).resolve().parents[2]
NOT_COPIED = (".git", ".venv", "__pycache__", ".pytest_cache", ".ruff_cache")
A_TEST_FAILED = 1  # pytest's exit status; others mean that it could not run them


@pytest.fixture(scope="session")
def built() -> None:
    """The site as it is: a copy takes its cached results along."""
    if not (ROOT / "_build/html/index.html").exists():
        pytest.fail("there is no built site to copy: run `make book` first")


@pytest.fixture
def course(built, tmp_path) -> Path:
    copy = tmp_path / "course"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*NOT_COPIED))
    return copy


def run(course: Path, *command: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=course,
        env={**os.environ, "PYTHONPATH": f"{course}/src{os.pathsep}{course}"},
        capture_output=True,
        text=True,
        timeout=900,
    )


def plant(course: Path, fault: Fault) -> None:
    path = course / fault.file
    text = path.read_text(encoding="utf-8")
    times = text.count(fault.right)
    assert times == 1, f"{fault.file} holds {fault.right!r} {times} times, not once"
    path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_planted_fault_is_caught(course, fault):
    plant(course, fault)
    if fault.built:
        build = run(course, "book.build")
        assert build.returncode == 0, build.stderr
    result = run(
        course, "pytest", "-q", "-x", "-p", "no:cacheprovider", *fault.caught_by
    )
    assert result.returncode == A_TEST_FAILED, result.stdout[-2000:]
