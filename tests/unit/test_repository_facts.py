"""Files of the repository that state the same fact agree.

If a test fails, correct the file that is wrong. `make lock` writes both
files of pins from `requirements.txt`.
"""

import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ("README.md", "CONTRIBUTING.md", "DEVELOPING.md")


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


def test_the_citation_names_another_licence_or_version():
    [version] = re.findall(r"^version: (.*)", text("CITATION.cff"), re.MULTILINE)
    assert version == PROJECT["version"]
    [cited] = re.findall(r"^license: \[(.*)\]", text("CITATION.cff"), re.MULTILINE)
    assert cited.split(", ") == [PROJECT["license"], "CC-BY-4.0"]


VARIABLES = dict.fromkeys(["check", "notebooks", "tidy"], "CHAPTER")
VARIABLES |= {"package": "WITH", "results": "FILES"}


@pytest.mark.parametrize(("verb", "variable"), VARIABLES.items())
def test_make_does_not_pass_a_variable_to_its_verb(verb, variable):
    quiet = ["--dry-run", "--no-print-directory", "PYTHON=python"]
    command = ["make", *quiet, verb, f"{variable}=one"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == f"python run.py {verb} one"


def places_on_github(guide: str) -> set[str]:
    found = (
        li.lstrip("# ").lower() for li in text(guide).splitlines() if li[:1] == "#"
    )
    return {re.sub(r"[^\w -]", "", line).replace(" ", "-") for line in found}


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_names_a_command_a_file_or_a_place_that_does_not_exist(guide):
    makefile = text("Makefile").replace("\\\n", " ")
    verbs = set(re.search(r"VERBS\s*:=(.*)", makefile)[1].split())
    said = set(re.findall(r"`(?:make|python run\.py) ([a-z-]+)", text(guide)))
    assert said <= verbs, f"{guide} names a command that `python run.py` does not know"
    folders = "src|book|tests|chapters|packaging|benchmarks"
    named = re.findall(rf"`((?:{folders})/[\w./-]*\w/?)`", text(guide))
    assert [name for name in named if not (ROOT / name).exists()] == []
    prose = re.sub(r"(?s)```.*?```|`[^`]*`", "", text(guide))
    for target in re.findall(r"\[[^\]]+\]\(([^)]+)\)", prose):
        path, _, place = target.partition("#")
        if "://" not in target:
            assert (ROOT / path).exists(), f"{guide} links {target}"
            assert not place or place in places_on_github(path or guide), target


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
