"""TypeScript checks the JavaScript by its JSDoc and contract.d.ts; this needs npm."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from book.build import ROOT

TYPES = ROOT / "tests" / "types"


@pytest.fixture
def compiler() -> Path:
    """Return the path of TypeScript's compiler; npm installs it if it is missing."""
    found = TYPES / "node_modules" / ".bin" / "tsc"
    if found.exists():
        return found
    npm = shutil.which("npm")
    install = [npm, "ci", "--silent"]
    if not npm or subprocess.run(install, cwd=TYPES, capture_output=True).returncode:
        skip_or_fail = pytest.fail if os.environ.get("CI") else pytest.skip
        skip_or_fail(
            "the JavaScript's types are not checked: npm is missing, or `npm ci` failed"
        )
    return found


def test_a_view_breaks_the_declared_types(compiler):
    done = subprocess.run([compiler, "-p", TYPES], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
