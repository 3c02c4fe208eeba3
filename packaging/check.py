"""Build the distribution and test it in an environment without the course.

``python packaging/check.py REQUIREMENT...`` installs the wheel and the requirements,
for example ``numpy==1.26.*``, into a clean environment. There it runs the tests of the
source distribution, with `threadpoolctl` and without. Then it installs the source
distribution into another clean environment and imports `attention`. It warns if another
distribution also contains a package `attention`, as PyPI's `attention` does.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).parent
OUTSIDE = tempfile.gettempdir()  # so that Python does not import from the repository
OURS = ("numpy-attention", "attention-by-hand")
TESTED_WITH = ("pytest", "autograd", "hypothesis", "ml_dtypes")
IMPORT = (
    "import attention, numpy; "
    "print(attention.__file__, attention.__version__, 'with NumPy', numpy.__version__)"
)


def environment(folder: Path, *requirements: str) -> Path:
    """Make an environment with the requirements installed; return its Python."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, "-m", "pip", "install", "--quiet", *requirements)
    return python


def run(*command: str | Path, folder: str | Path = OUTSIDE) -> None:
    """Run a command, by default in a folder outside the repository."""
    print("$", *command, flush=True)
    subprocess.run(command, check=True, cwd=folder)


def others() -> list[str]:
    """Return the other distributions in this environment that contain `attention`."""
    found = metadata.packages_distributions().get("attention", [])
    return sorted({name for name in found if name not in OURS})


def warn_of_others() -> None:
    """Print a warning for each other distribution that contains `attention`."""
    for name in others():
        print(
            f"warning: the distribution {name!r}, installed here, brings a package "
            "`attention` too. Whichever is installed last takes the other's place: "
            f"uninstall {name!r} before you install {OURS[0]!r}.",
            file=sys.stderr,
        )


def main(requirements: list[str]) -> None:
    """Build the distribution, install it in clean environments, and test it there."""
    warn_of_others()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(environment(folder / "build", "build"), HERE / "build.py", folder)
        (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
        shutil.unpack_archive(source, folder / "unpacked", filter="data")
        (unpacked,) = (folder / "unpacked").iterdir()
        if not (unpacked / "CHANGELOG.md").exists():
            sys.exit("the source distribution lacks its changes")
        python = environment(folder / "wheel", str(wheel), *TESTED_WITH, *requirements)
        run(python, "-c", IMPORT)
        run(python, HERE / "check.py", "--others")
        tests = (python, "-m", "pytest", "-q", "-p", "no:cacheprovider")
        run(*tests, folder=unpacked)
        run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "threadpoolctl")
        run(*tests, folder=unpacked)
        python = environment(folder / "source", str(source))
        run(python, "-c", IMPORT)
    print("The package passes its tests, and nothing is kept.")
    print("`python packaging/build.py dist` writes it (needs `pip install build`).")


if __name__ == "__main__":
    if sys.argv[1:] == ["--others"]:
        warn_of_others()
    else:
        main(sys.argv[1:])
