"""Build the distribution and test it where nothing else of the repository is installed.

``python packaging/check.py REQUIREMENT...`` installs the wheel into a clean environment
beside the requirements, for example ``numpy==1.26.*``, and runs the library's tests
there; then it installs the source distribution into another and imports that.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
HERE = ROOT / "packaging"
TESTS = ROOT / "tests" / "unit" / "attention"
TESTED_WITH = ("pytest", "autograd", "hypothesis", "ml_dtypes", "threadpoolctl")
IMPORT = "import attention; print(attention.__file__, len(attention.__all__))"


def environment(folder: Path, *requirements: str) -> Path:
    """Make an environment with these installed and return its Python."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, "-m", "pip", "install", "--quiet", *requirements)
    return python


def run(*command: str | Path) -> None:
    """Run a command outside the repository, which must not be found by chance."""
    print("$", *command, flush=True)
    subprocess.run(command, check=True, cwd=tempfile.gettempdir())


def main(requirements: list[str]) -> None:
    """Build, install and test."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(environment(folder / "build", "build"), HERE / "build.py", folder)
        (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
        python = environment(folder / "wheel", str(wheel), *TESTED_WITH, *requirements)
        run(python, "-c", f"import numpy; print(numpy.__version__); {IMPORT}")
        config = ("-c", ROOT / "pyproject.toml", "--rootdir", ROOT)
        run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *config, TESTS)
        python = environment(folder / "source", str(source))
        run(python, "-c", IMPORT)


if __name__ == "__main__":
    main(sys.argv[1:])
