"""Build the distribution and test it where nothing else of the repository is installed.

``python packaging/check.py REQUIREMENT...`` installs the wheel into a clean environment
beside the requirements, for example ``numpy==1.26.*``, and runs the tests of the source
distribution there, with `threadpoolctl` and without; then it installs the source
distribution into another and imports that. It warns where another distribution brings
the package `attention` too, as PyPI's `attention` does.
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
OUTSIDE = tempfile.gettempdir()  # the repository must not be found by chance
OURS = ("numpy-attention", "attention-by-hand")
TESTED_WITH = ("pytest", "autograd", "hypothesis", "ml_dtypes")
IMPORT = (
    "import attention, numpy; "
    "print(attention.__file__, attention.__version__, 'with NumPy', numpy.__version__)"
)


def environment(folder: Path, *requirements: str) -> Path:
    """Make an environment with these installed and return its Python."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    run(python, "-m", "pip", "install", "--quiet", *requirements)
    return python


def run(*command: str | Path, folder: str | Path = OUTSIDE) -> None:
    """Run a command in a folder that is not the repository's."""
    print("$", *command, flush=True)
    subprocess.run(command, check=True, cwd=folder)


def others() -> list[str]:
    """Return the other distributions in this environment that bring `attention`."""
    found = metadata.packages_distributions().get("attention", [])
    return sorted({name for name in found if name not in OURS})


def warn_of_others() -> None:
    """Say which other distributions here bring the package `attention`."""
    for name in others():
        print(
            f"warning: the distribution {name!r}, installed here, brings a package "
            "`attention` too. Whichever is installed last takes the other's place: "
            f"uninstall {name!r} before you install {OURS[0]!r}.",
            file=sys.stderr,
        )


def main(requirements: list[str]) -> None:
    """Build, install and test."""
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


if __name__ == "__main__":
    if sys.argv[1:] == ["--others"]:
        warn_of_others()
    else:
        main(sys.argv[1:])
