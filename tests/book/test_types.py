"""The types of the JavaScript: JSDoc and contract.d.ts, checked where Node is."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from course.widgets import contract

ROOT = Path(__file__).resolve().parents[2]
TYPES = ROOT / "tests" / "types"
DECLARED = (ROOT / "src/course/widgets/contract.d.ts").read_text(encoding="utf-8")


@pytest.fixture
def compiler() -> Path:
    """TypeScript's compiler, which npm installs when it is first asked for."""
    found = TYPES / "node_modules" / ".bin" / "tsc"
    if found.exists():
        return found
    missing = pytest.fail if os.environ.get("CI") else pytest.skip
    npm = shutil.which("npm")
    if not npm:
        missing("the JavaScript's types are not checked: no npm on this machine")
    install = [npm, "ci", "--silent"]
    if subprocess.run(install, cwd=TYPES, capture_output=True).returncode:
        missing("the JavaScript's types are not checked: npm finds no TypeScript")
    return found


def test_every_view_keeps_to_the_types_that_are_declared(compiler):
    told = subprocess.run([compiler, "-p", TYPES], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout


def fields(interface: str) -> dict[str, bool]:
    """The fields of an interface, and whether each may be left out."""
    [body] = re.findall(rf"interface {interface} {{(.*?)\n}}", DECLARED, re.DOTALL)
    return {
        name: bool(mark) for name, mark in re.findall(r"^  (\w+)(\??):", body, re.M)
    }


@pytest.mark.parametrize(
    ("interface", "python"),
    [("Page", contract.Page), ("Trait", contract.OfTrait)],
    ids=["Page", "Trait"],
)
def test_python_and_javascript_mean_the_same_by_a_page_and_a_trait(interface, python):
    optional = {
        name: name in python.__optional_keys__ for name in python.__annotations__
    }
    assert fields(interface) == optional
