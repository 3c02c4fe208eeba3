"""Set up the course and run one of its commands: ``python run.py VERB``.

This file needs Python 3.11 or newer and nothing else. Its first run makes the
environment ``.venv`` beside it and installs what the command needs: with ``uv`` where
``uv`` is on the path, else with pip. Both install the same pinned files and check the
same hashes. ``make VERB`` calls this file.

``python run.py`` alone lists the verbs. ``--verbose`` shows what the installer prints,
and the tracebacks of a failed build. The variable ``REQUIREMENTS`` names a file to
install instead of the lock file.
"""

from __future__ import annotations  # so that an older Python reaches `check_python`

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import venv
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from inspect import signature
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
OLDEST, NEWEST = (3, 11), (3, 15)  # the tests run on these Pythons and those between
AUTHORS = os.environ.get("REQUIREMENTS") or "requirements.lock"  # packages of all verbs
READERS = ".binder/requirements.txt"  # packages that a chapter needs
STAMPS = {AUTHORS: VENV / "ready", READERS: VENV / "ready-for-readers"}
MADE_IN = "made-in"  # file in `.venv` that holds its path: a moved `.venv` is broken
PROBE = "threadpoolctl"  # a small package: shows whether an index answers
LAB = (
    "--ServerApp.root_dir=.",
    "--LabApp.extra_labextensions_path=src/course/widgets/lab",
    "chapters/01-self-attention.ipynb",
)
SIDE_BY_SIDE = ("-n", "logical", "--dist", "loadfile", "--no-loadscope-reorder")
VERBOSE = "--verbose"


class SetUpError(Exception):
    """A failed set-up; the message says what is missing, and what to type next."""


# --- Set-up ---------------------------------------------------------------------------


def again(verb: str, python: str = "python3") -> str:
    """Return the command that the reader has to repeat after a repair."""
    if "MAKELEVEL" not in os.environ:
        return f"{python} run.py {verb}"
    return f"make {verb}" + (f" PYTHON={python}" if python != "python3" else "")


def check_python(version: tuple, verb: str) -> None:
    """Raise an error if Python is too old; the error names a newer installed Python."""
    if version[:2] >= OLDEST:
        return
    names = [f"python3.{minor}" for minor in range(NEWEST[1], OLDEST[1] - 1, -1)]
    installed = [name for name in names if _runs(name, "--version")]
    if installed:
        advice = f"type `{again(verb, installed[0])}`"
    else:
        advice = (
            "install one from https://www.python.org/downloads and type "
            f"`{again(verb, names[0])}`"
        )
    raise SetUpError(
        f"This is Python {'.'.join(map(str, version[:3]))}, and the course needs "
        f"Python {OLDEST[0]}.{OLDEST[1]} or newer: {advice}."
    )


def _runs(*command: str) -> bool:
    """Return whether a command runs. A program on the path may be a stub that fails."""
    if not shutil.which(command[0]):
        return False
    return subprocess.run(command, capture_output=True).returncode == 0


def watched(saying: str, *command: str | Path) -> int:
    """Run a command of the set-up, show its progress, and return its status."""
    if VERBOSE in sys.argv:
        return subprocess.call(list(map(str, command)), cwd=ROOT)
    lines = [""]  # what the command has printed so far
    process = subprocess.Popen(
        list(map(str, command)),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    reader = threading.Thread(target=lambda: lines.extend(process.stdout), daemon=True)
    reader.start()
    start, terminal = time.monotonic(), sys.stderr.isatty()
    reader.join(1)
    while reader.is_alive():
        news = [line for line in lines if not line.startswith("WARNING")][-1].strip()
        text = f"{saying}: {time.monotonic() - start:.0f} s  {news}"[:79]
        ends = "\r" if terminal else "\n"
        print(text.ljust(79), end=ends, file=sys.stderr, flush=True)
        reader.join(1 if terminal else 15)
    if terminal:
        print(" " * 79, end="\r", file=sys.stderr, flush=True)
    return process.wait()


def index_answers(tool: str, requirements: str) -> bool:
    """Return whether an installer finds a package in an index, a mirror or a folder.

    No cache is used, because a cache would hide that no index answers.
    """
    asking = "Asking the package index"
    text = Path(ROOT, requirements).read_text(encoding="utf-8")
    listed = re.search(rf"^{PROBE}[^\s;\\]*", text, re.M)
    package = listed[0] if listed else PROBE
    with tempfile.TemporaryDirectory() as folder:
        if tool == "uv":
            wanted = Path(folder, "wanted.txt")
            wanted.write_text(package, encoding="utf-8")
            question = ("uv", "pip", "compile", "--no-deps", "--no-cache", wanted)
            return watched(asking, *question) == 0
        question = ("pip", "download", "--no-deps", "--no-cache-dir", "--retries", "1")
        question += ("--dest", folder, package)
        return watched(asking, PYTHON, "-m", *question) == 0


def make_environment(tool: str) -> None:
    """Delete ``.venv`` and make a new one that has pip."""
    shutil.rmtree(VENV, ignore_errors=True)
    if tool == "uv":
        new = ("uv", "venv", "--seed", "--python", sys.executable, VENV)
        if watched("Making .venv", *new) == 0:
            return
        needed, advice = "uv that can make an environment", "`uv venv --seed .venv`"
    else:
        try:
            venv.create(VENV, with_pip=True)
            return
        except subprocess.CalledProcessError:
            needed = "Python's module ensurepip to make an environment"
            advice = "`sudo apt install python3-venv` (on Debian or Ubuntu)"
    shutil.rmtree(VENV, ignore_errors=True)
    raise SetUpError(
        f"The environment .venv could not be made, and the course needs {needed}: "
        f"type {advice}, then the same command again."
    )


def environment_is_of(version: tuple) -> bool:
    """Return whether ``.venv`` is complete, and was made here and for this Python."""
    settings, made_in = VENV / "pyvenv.cfg", VENV / MADE_IN
    if not (PYTHON.exists() and settings.exists()):
        return False
    if made_in.exists() and made_in.read_text("utf-8") != str(VENV):
        return False  # the folder was renamed or copied
    text = settings.read_text("utf-8")
    found = re.search(r"^version(?:_info)? *= *(\d+)\.(\d+)", text, re.M)
    return bool(found) and tuple(map(int, found.groups())) == version[:2]


def digest_of(requirements: str) -> str:
    """Return a hash of the files that determine what is installed."""
    digest = hashlib.sha256()
    for file in (requirements, "pyproject.toml"):
        digest.update((ROOT / file).read_bytes())
    return digest.hexdigest()


def is_ready(requirements: str) -> bool:
    """Return whether the environment holds these requirements as pinned now."""
    stamp = STAMPS[requirements]
    return stamp.exists() and stamp.read_text().strip() == digest_of(requirements)


def install(tool: str, *arguments: str) -> int:
    """Install packages into the environment; return the installer's exit status."""
    if tool == "uv":
        command: tuple = ("uv", "pip", "install", "--python", PYTHON)
    else:
        command = (PYTHON, "-m", "pip", "install")
    return watched(f"Installing with {tool}", *command, *arguments)


def set_up(requirements: str, verb: str) -> None:
    """Install the requirements of a verb, unless they are installed already."""
    version = tuple(sys.version_info[:3])
    check_python(version, verb)
    is_complete = environment_is_of(version)
    if is_complete and (is_ready(AUTHORS) or is_ready(requirements)):
        return
    if not os.access(ROOT, os.W_OK):
        raise SetUpError(
            f"You may not write into {ROOT}, and the set-up makes .venv there: copy "
            f"the course into a folder of your own and type `{again(verb)}` in it."
        )
    if version[:2] > NEWEST:
        print(
            f"Note: the course is tested up to Python 3.{NEWEST[1]}.", file=sys.stderr
        )
    start = time.monotonic()
    has_uv = _runs("uv", "--version") and index_answers("uv", requirements)
    tool = "uv" if has_uv else "pip"
    # A set-up that was interrupted may have left an environment without pip.
    if not is_complete or not _runs(str(PYTHON), "-m", "pip", "--version"):
        make_environment(tool)
    if tool == "pip" and not index_answers("pip", requirements):
        raise SetUpError(
            "No package index answers, and the set-up needs one: connect to the "
            "network, or name a mirror or a folder of packages to pip "
            f"(`pip config set global.index-url ...`), then type `{again(verb)}`."
        )
    # READERS lacks setuptools, which builds the course: the index must provide it.
    course = ("--no-deps", "--editable", ".")
    build = () if requirements == READERS else ("--no-build-isolation",)
    if install(tool, "--requirement", requirements) or install(tool, *build, *course):
        raise SetUpError(
            f"{tool} could not install what {requirements} lists, and `{verb}` needs "
            f"it: type `python3 run.py {verb} {VERBOSE}` to see what {tool} says."
        )
    STAMPS[requirements].write_text(digest_of(requirements))
    (VENV / MADE_IN).write_text(str(VENV), "utf-8")
    took = time.monotonic() - start
    print(f"The environment .venv is ready, after {took:.0f} s.", file=sys.stderr)


# --- Verbs ----------------------------------------------------------------------------


def environment(**more: str) -> dict[str, str]:
    """Return the variables with which the course's own Python runs."""
    # PYTHONDONTWRITEBYTECODE would make every start of Python compile matplotlib again.
    # IPython warns if VIRTUAL_ENV names another environment, and warnings are errors.
    unset = ("PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV")
    inherited = {name: os.environ[name] for name in os.environ if name not in unset}
    return {**inherited, **more}


def call(*command: str | Path, **more: str) -> int:
    """Run a command in the repository; return its exit status.

    Ctrl+C reaches the command too. Wait until it has ended: pytest reports failures.
    """
    with subprocess.Popen(list(command), cwd=ROOT, env=environment(**more)) as process:
        while True:
            with suppress(KeyboardInterrupt):
                return process.wait()


def program(name: str, *arguments: str) -> int:
    """Run a program that is installed in ``.venv``."""
    return call(BIN / name, *arguments)


def python(*arguments: str, **more: str) -> int:
    """Run the Python of ``.venv``."""
    return call(PYTHON, *arguments, **more)


def module(*arguments: str) -> int:
    """Run a module with one BLAS thread, since processes already use every core."""
    return python("-m", *arguments, OPENBLAS_NUM_THREADS="1")


def first_failure(*steps: list[str]) -> int:
    """Run modules one after another; return the status of the first that fails."""
    return next((status for status in (module(*step) for step in steps) if status), 0)


def pip_install(*arguments: str) -> int:
    """Install packages that one verb needs and that the lock does not list."""
    return python("-m", "pip", "install", "--quiet", *arguments)


def book(*arguments: str) -> int:
    """Run the chapters, build the site, and print where it is."""
    return module("book.build", *arguments)


def serve(*arguments: str) -> int:
    """Build and serve the site; build and reload it when a file changes."""
    return module("book.serve", *arguments)


def lab(*arguments: str) -> int:
    """Open the chapters in JupyterLab."""
    return python("-m", "jupyterlab", *LAB, *arguments)


def readable(*arguments: str) -> int:
    """Write copies of the chapters for GitHub, nbviewer and Colab."""
    return first_failure(["book.build"], ["book.readable", *arguments])


def handout() -> int:
    """Write the chapters without their answers, for a class."""
    return module("book.handout", "handout")


def key() -> int:
    """Write only the answers of the chapters."""
    return module("book.handout", "key")


def assignments() -> int:
    """Write the exercises in code as assignments of nbgrader."""
    return module("book.assignments")


def quiz() -> int:
    """Write the questions in GIFT, which learning platforms read."""
    return first_failure(["book.build"], ["book.quiz"])


def results(*files: str) -> int:
    """Join the results that students saved into one table."""
    return module("book.results", *files)


def pdf() -> int:
    """Print the whole course into one PDF (needs Chromium)."""
    return pip_install("pypdf>=6,<7") or first_failure(["book.build"], ["book.pdf"])


def archive() -> int:
    """Pack the built site into one file, to be read offline."""
    failed = book()
    if not failed:
        base, site = ROOT / "_build" / "attention-by-hand", ROOT / "_build" / "html"
        print(Path(shutil.make_archive(str(base), "zip", site)).relative_to(ROOT))
    return failed


def readme() -> int:
    """Take the README's pictures of the site, and write its badges."""
    return first_failure(["book.build"], ["book.readme"])


def ledger() -> int:
    """Check every number that the lecture notes print, and write a table."""
    Path(ROOT, "_build").mkdir(exist_ok=True)
    return python("-m", "course", "ledger", "_build/ledger.csv")


def formulas() -> int:
    """Set the formulas of all pages for the table of formulas (needs Chromium)."""
    return module("book.formulas")


def notebooks(*beginnings: str) -> int:
    """Run the chapters, or the named ones (03), and write their committed form."""
    return module("book.notebooks", *beginnings)


def tidy(*beginnings: str) -> int:
    """Write the notebooks in their committed form without running them."""
    return module("book.notebooks", "--tidy", *beginnings)


def check(*beginnings: str) -> int:
    """Test the last edit in seconds, or only the named chapters (03)."""
    return lint() or module("book.check", *beginnings)


def lint() -> int:
    """Check the code with ruff, mypy and oxlint."""
    return (
        program("ruff", "check", "--quiet", ".")
        or program("ruff", "format", "--quiet", "--check", ".")
        or python("-m", "mypy", "--no-error-summary")
        or program("oxlint", "--quiet", "--deny-warnings", "src", "book", "tests")
    )


def format_code() -> int:
    """Format the code."""
    program("ruff", "check", "--fix", "--quiet", ".")
    return program("ruff", "format", "--quiet", ".")


def test(*arguments: str) -> int:
    """Test the library, the notebooks, the book, and the site in a browser."""
    return build_and_test("not slow and not weekly", *arguments)


def test_slow(*arguments: str) -> int:
    """Run the slow tests: every page on paper and with axe, two tabs, and more."""
    return build_and_test("slow and not weekly", *arguments)


def build_and_test(marked: str, *arguments: str) -> int:
    """Build the book, check the code, and run the tests that `marked` selects."""
    with ThreadPoolExecutor() as pool:
        checked = pool.submit(lint)
        failed = book() or checked.result()
    return failed or module("pytest", "-m", marked, *SIDE_BY_SIDE, *arguments)


DESK = "tests/browser/test_every_page_at_a_desk.py"
RECORD_TEST = f"{DESK}::test_the_page_agrees_with_its_record"


def records() -> int:
    """Write the records of the tests anew; read the difference before you commit it."""
    failed = book()
    if not failed:
        # The test fails whenever it writes a record, so pytest prints no messages.
        quiet = ("-qq", "--no-header", "--no-summary", "--tb=no")
        status = module("pytest", *quiet, RECORD_TEST, "--force-regen")
        failed = status if status > 1 else 0  # more than 1: the test did not run
        print("\nRecords that differ from the last commit (F: written just now):")
        call("git", "diff", "--stat", "--", "tests/*.txt")
    return failed


def firefox() -> int:
    """Open every page in the Firefox that is installed (needs Node)."""
    npm = shutil.which("npm") or "npm"  # Windows needs the path with its ending
    return (
        book()
        or call(npm, "ci", "--prefix", "tests/other_browsers", "--silent")
        or call("node", "tests/other_browsers/open_site.mjs", "installed")
    )


def conformance() -> int:
    """Run ONNX's and PyTorch's own tests of attention (installs PyTorch)."""
    suites = sorted(Path(ROOT, "tests", "conformance").glob("test_*.py"))
    suites += sorted(Path(ROOT, "tests", "conformance").glob("suite_torch*.py"))
    return pip_install("--requirement", "tests/conformance/requirements.txt") or python(
        "-m", "pytest", *map(str, suites)
    )


def model_conformance() -> int:
    """Compare chapter 9's model, here and in the page, with `transformers`."""
    suites = [f"tests/conformance/suite_{n}_model.py" for n in ("language", "page")]
    return (
        pip_install("--requirement", "tests/conformance/requirements-model.txt")
        or python("-m", "course", "model")
        or python("-m", "pytest", "-p", "no:cacheprovider", *suites)
    )


def kernels(*arguments: str) -> int:
    """Run the numerical tests under every BLAS kernel of this processor (long)."""
    return python("tests/kernels.py", *arguments)


def bench() -> int:
    """Time attention and measure its memory, beside PyTorch's where it is installed."""
    return python("benchmarks/attention_speed.py")


def package(*requirements: str) -> int:
    """Build the library alone and test it in a clean environment."""
    return call(sys.executable, "packaging/check.py", *requirements)


def lock() -> int:
    """Pin the dependencies anew, to the newest versions that are allowed."""
    return pip_install("uv") or module("book.lock")


def clean() -> int:
    """Remove the site and the environment."""
    for folder in (ROOT / "_build", VENV):
        shutil.rmtree(folder, ignore_errors=True)
    return 0


READING = (book, serve, lab, tidy, readable, ledger)
TEACHING = (handout, key, assignments, quiz, results, pdf, archive)
AUTHORING = (check, notebooks, formulas, records, readme, lint, format_code, lock)
TESTING = (test, test_slow, firefox, conformance, model_conformance, kernels)
MEASURING = (bench, package, clean)
VERBS = {
    verb.__name__.replace("_code", "").replace("_", "-"): verb
    for verb in (*READING, *TEACHING, *AUTHORING, *TESTING, *MEASURING)
}
ALONE = (package, clean)  # these verbs need no environment
WITH_VERBOSE = (book,)


def main(arguments: list[str]) -> int:
    """Run a verb; return its exit status."""
    name, *further = arguments or ["help"]
    verb, is_help = VERBS.get(name), name in ("help", "-h", "--help")
    if verb is None:
        unknown = "" if is_help else f"There is no verb `{name}`. Type "
        lines = (f"  {each:18} {VERBS[each].__doc__}" for each in VERBS)
        print(f"{unknown}python run.py VERB, where VERB is one of", *lines, sep="\n")
        return 0 if is_help else 2
    given = [each for each in further if each != VERBOSE or verb in WITH_VERBOSE]
    try:
        if given and not signature(verb).parameters:
            raise SetUpError(
                f"`{name}` takes no argument and got {given}: leave it out."
            )
        if verb not in ALONE:
            set_up(READERS if verb is lab else AUTHORS, name)
        return verb(*given)
    except SetUpError as problem:
        print(problem, file=sys.stderr)
        return 1
    except KeyboardInterrupt:  # the reader ends `lab` and `serve` by Ctrl+C
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
