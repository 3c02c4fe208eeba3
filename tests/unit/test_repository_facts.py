"""Files of the repository that state the same fact agree.

If a test fails, correct the file that is wrong. `make lock` writes both
files of pins from `requirements.txt`.
"""

import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path
from urllib.parse import quote

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ("README.md", "CONTRIBUTING.md", "DEVELOPING.md")
each_guide = pytest.mark.parametrize("guide", GUIDES)


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def pins(name: str) -> dict[str, set[str]]:
    """Return each package's pinned versions; a lock may have one for each Python."""
    found: dict[str, set[str]] = {}
    pinned = r"^([\w.-]+)(?:\[[^\]]*\])?==(\S+)"
    for package, version in re.findall(pinned, text(name), re.MULTILINE):
        found.setdefault(canonicalize_name(package), set()).add(version)
    return found


STATED = re.findall(r"^[^#\s][^#\n]*", text("requirements.txt"), re.MULTILINE)
BOUNDS = {canonicalize_name(each.name): each for each in map(Requirement, STATED)}
PROJECT = tomllib.loads(text("pyproject.toml"))["project"]
DECLARED = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["course"]]


@pytest.mark.parametrize("name", sorted(BOUNDS))
def test_a_pin_lies_outside_the_bounds_of_requirements_txt(name):
    allowed = BOUNDS[name].specifier
    pinned = pins("requirements.lock")[name]
    assert [v for v in pinned if not allowed.contains(v, prereleases=True)] == []


def test_binder_installs_other_versions_than_the_lock():
    lock, binder = pins("requirements.lock"), pins(".binder/requirements.txt")
    assert len(binder) > 50
    assert {n: v for n, v in binder.items() if lock.get(n, v) != v} == {}


@pytest.mark.parametrize("declared", DECLARED)
def test_pyproject_and_requirements_txt_state_different_bounds(declared):
    asked = Requirement(declared)
    assert BOUNDS[canonicalize_name(asked.name)].specifier == asked.specifier


def test_the_readme_names_another_port_than_make_serve_uses():
    [served] = re.findall(r'"--port", type=int, default=(\d+)', text("book/serve.py"))
    assert re.findall(r"http://127\.0\.0\.1:(\d+)", text("README.md")) == [served]


def test_the_readme_encodes_an_address_wrongly():
    pattern = "Write `(.+?)` and `(.+?)` for `(.+?)` and `(.+?)`"
    *encoded, colon, slash = re.search(pattern, text("README.md")).groups()
    assert encoded == [quote(colon, safe=""), quote(slash, safe="")]


def test_the_citation_names_another_licence_or_version():
    [version] = re.findall(r"^version: (.*)", text("CITATION.cff"), re.MULTILINE)
    assert version == PROJECT["version"]
    [cited] = re.findall(r"^license: \[(.*)\]", text("CITATION.cff"), re.MULTILINE)
    assert cited.split(", ") == [PROJECT["license"], "CC-BY-4.0"]
    assert text("LICENSE").startswith(PROJECT["license"])
    assert "Attribution 4.0 International" in text("LICENSE-CC-BY").partition("\n\n")[0]


@each_guide
def test_a_guide_names_a_make_command_that_does_not_exist(guide):
    makefile = text("Makefile").replace("\\\n", " ")
    verbs = set(re.search(r"VERBS\s*:=(.*)", makefile)[1].split())
    said = set(re.findall(r"`(?:make|python run\.py) ([a-z-]+)", text(guide)))
    assert said <= verbs, f"{guide} names a command that `python run.py` does not know"


VARIABLES = dict.fromkeys(["check", "notebooks", "tidy"], "CHAPTER")
VARIABLES |= {"package": "WITH", "results": "FILES"}


@pytest.mark.parametrize(("verb", "variable"), VARIABLES.items())
def test_make_does_not_pass_a_variable_to_its_verb(verb, variable):
    quiet = ["--dry-run", "--no-print-directory", "PYTHON=python"]
    command = ["make", *quiet, verb, f"{variable}=one"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == f"python run.py {verb} one"


@each_guide
def test_a_guide_names_a_file_that_does_not_exist(guide):
    folders = "src|book|tests|chapters|packaging|benchmarks"
    named = re.findall(rf"`((?:{folders})/[\w./-]*\w/?)`", text(guide))
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("guide", [*GUIDES, "library.md"])
def test_a_guide_names_a_variable_that_no_code_reads(guide):
    code = "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    code += "".join(path.read_text("utf-8") for path in (ROOT / "book").glob("*.py"))
    named = set(re.findall(r"`([A-Z][A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`", text(guide)))
    assert sorted(name for name in named if name not in code + text("run.py")) == []


# Not data of a package: its code, files for TypeScript, and the digests for a test.
NO_DATA = {".py", ".pyc", ".ts"}
DIGESTS = "SHA256SUMS"
PACKAGES = ["attention", "transformer", "language_model", "course"]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_data_file_of_a_package_is_not_installed(package):
    tool = tomllib.loads(text("pyproject.toml"))["tool"]["setuptools"]
    folder = ROOT / "src" / package
    patterns = tool["package-data"].get(package, [])
    installed = {path for pattern in patterns for path in folder.glob(pattern)}
    present = {path for path in folder.rglob("*") if path.suffix not in NO_DATA}
    lost = {path.name for path in present - installed if path.is_file()} - {DIGESTS}
    assert lost == set(), "name them under [tool.setuptools.package-data]"


def test_the_teachers_page_states_another_limit_of_sheets():
    script = text("src/course/widgets/sheet/sheet.js")
    [most] = re.findall(r"const MAX_PRINTED = (\d+);", script)
    assert f"up to {most} sheets" in text("for-teachers.md")
