"""What checks the library's distribution: it warns of a package of the same name."""

import importlib.util
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import attention

PACKAGING = Path(__file__).parents[2] / "packaging"


@pytest.fixture
def check():
    spec = importlib.util.spec_from_file_location("check", PACKAGING / "check.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("installed", "warned"),
    [
        ([], []),
        (["numpy-attention", "attention-by-hand"], []),
        (["attention"], ["attention"]),
        (["numpy-attention", "attention", "attention"], ["attention"]),
    ],
)
def test_another_package_of_the_name_is_warned_of(
    installed, warned, check, monkeypatch, capsys
):
    packages = {"attention": installed} if installed else {}
    monkeypatch.setattr(metadata, "packages_distributions", lambda: packages)
    check.warn_of_others()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(warned)
    for line, name in zip(lines, warned, strict=True):
        assert line.startswith(f"warning: the distribution {name!r}, installed here")


def test_the_version_is_that_of_the_latest_change():
    changes = (PACKAGING / "CHANGELOG.md").read_text("utf-8").splitlines()
    latest = next(line for line in changes if line.startswith("## "))
    assert latest == f"## {attention.__version__}"


def test_both_distributions_need_the_same():
    root, alone = (
        tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
        for folder in (PACKAGING.parent, PACKAGING)
    )
    assert root["project"]["dependencies"] == alone["project"]["dependencies"]
