"""The library's distribution: its check, its version and its dependencies."""

import runpy
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import attention

PACKAGING = Path(__file__).parents[2] / "packaging"


@pytest.mark.parametrize(
    ("installed", "warnings"),
    [
        ([], 0),
        (["numpy-attention", "attention-by-hand"], 0),
        (["attention"], 1),
        (["numpy-attention", "attention", "attention"], 1),
    ],
)
def test_another_package_named_attention_gets_no_warning(
    installed, warnings, monkeypatch, capsys
):
    packages = {"attention": installed} if installed else {}
    monkeypatch.setattr(metadata, "packages_distributions", lambda: packages)
    runpy.run_path(str(PACKAGING / "check.py"))["warn_of_others"]()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == warnings
    for line in lines:
        assert line.startswith("warning: the distribution 'attention', installed here")


def test_the_version_is_not_the_newest_in_the_changelog():
    changes = (PACKAGING / "CHANGELOG.md").read_text("utf-8").splitlines()
    latest = next(line for line in changes if line.startswith("## "))
    assert latest == f"## {attention.__version__}"


def declared(folder):
    """Return a project's dependencies, and the names of its pytest markers."""
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
    markers = project["tool"]["pytest"]["ini_options"]["markers"]
    return project["project"]["dependencies"], [m.split(":")[0] for m in markers]


def test_course_and_library_declare_other_dependencies_or_markers():
    assert declared(PACKAGING.parent) == declared(PACKAGING)
