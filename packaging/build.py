"""Build a distribution that holds the library and nothing of the course.

``python packaging/build.py FOLDER`` writes a wheel and a source distribution, with the
library's tests and change log, into the folder. It needs the package ``build``.
"""

import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ("tests/unit/attention", "tests/conformance")


def stage(folder: Path) -> None:
    """Copy the files of the distribution into a folder."""
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "MANIFEST.in"):
        shutil.copy(ROOT / "packaging" / name, folder)
    shutil.copy(ROOT / "LICENSE", folder)
    for tree in ("src/attention", *TESTS):
        shutil.copytree(
            ROOT / tree, folder / tree, ignore=shutil.ignore_patterns("__pycache__")
        )


def build(target: Path) -> None:
    """Build the source distribution, and from it the wheel."""
    with tempfile.TemporaryDirectory() as folder:
        stage(Path(folder))
        command = [sys.executable, "-m", "build", folder, "--outdir", str(target)]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    try:
        distribution("build")
    except PackageNotFoundError:
        sys.exit("The package `build` is missing: type `pip install build` first.")
    build(Path(sys.argv[1]).resolve())
