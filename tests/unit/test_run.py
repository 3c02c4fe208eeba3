"""`run.py`: its set-up, the reasons of failures, its verbs, and the page of the lab."""

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run():
    """Return the names of `run.py`; its functions read the globals `run.names`."""
    names = runpy.run_path(str(ROOT / "run.py"))
    return SimpleNamespace(**names, names=names["main"].__globals__)


@pytest.fixture
def no_environment(run, tmp_path, monkeypatch):
    """Let the set-up find no environment, no uv and no index."""
    for name, value in {
        "VENV": tmp_path / ".venv",
        "PYTHON": tmp_path / ".venv/bin/python",
        "index_answers": lambda *asked: False,
        "make_environment": lambda tool: None,
        "_runs": lambda *command: False,
    }.items():
        monkeypatch.setitem(run.names, name, value)


def one_sentence(text: str) -> bool:
    return text.count("\n") == 1 and text.count(". ") == 0 and text.endswith(".\n")


def test_a_set_up_that_cannot_work_is_not_refused_in_one_sentence(
    run, no_environment, monkeypatch, capsys
):
    def refusal(verb):
        assert run.main([verb]) == 1
        said = capsys.readouterr().err
        assert one_sentence(said)
        return said

    assert "index" in refusal("book")
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert str(run.ROOT) in refusal("book")
    monkeypatch.setattr(sys, "version_info", (3, 10, 13, "final", 0))
    said = refusal("lab")
    assert {"3.10.13", "3.11"} <= set(re.findall(r"3\.1\d(?:\.\d+)?", said))
    assert "lab" in said


def test_an_environment_of_another_python_or_folder_is_used(run, tmp_path, monkeypatch):
    python = tmp_path / "python"
    python.touch()
    monkeypatch.setitem(run.names, "VENV", tmp_path)
    monkeypatch.setitem(run.names, "PYTHON", python)
    for line in ("version = 3.12.1", "version_info = 3.12.1"):
        (tmp_path / "pyvenv.cfg").write_text(f"home = /usr/bin\n{line}\n")
        assert run.environment_is_of((3, 12, 4))
        assert not run.environment_is_of((3, 13, 0))
    (tmp_path / run.MADE_IN).write_text(str(tmp_path))
    assert run.environment_is_of((3, 12, 4))
    (tmp_path / run.MADE_IN).write_text("/a/renamed/folder")
    assert not run.environment_is_of((3, 12, 4))
    (tmp_path / run.MADE_IN).unlink()
    python.unlink()
    assert not run.environment_is_of((3, 12, 1))


def test_a_changed_lock_causes_no_new_installation(run, tmp_path, monkeypatch):
    monkeypatch.setitem(run.names, "ROOT", tmp_path)
    monkeypatch.setitem(run.names, "STAMPS", {"lock": tmp_path / "ready"})
    for name in ("lock", "pyproject.toml"):
        (tmp_path / name).write_text("one")
    assert not run.is_ready("lock")
    for name in ("lock", "pyproject.toml"):
        (tmp_path / "ready").write_text(run.digest_of("lock"))
        assert run.is_ready("lock")
        (tmp_path / name).write_text("two")
        assert not run.is_ready("lock"), name


def test_a_variable_of_another_environment_reaches_the_course(run, monkeypatch):
    monkeypatch.setenv("VIRTUAL_ENV", "/elsewhere")
    monkeypatch.setenv("KEPT", "yes")
    passed = run.environment(MORE="too")
    assert (passed["KEPT"], passed["MORE"]) == ("yes", "too")
    assert "VIRTUAL_ENV" not in passed


def test_ctrl_c_kills_a_command_that_is_about_to_end():
    child = "import os, signal, sys, time; time.sleep(0.3); "
    child += "os.kill(os.getppid(), signal.SIGINT); time.sleep(0.5); sys.exit(7)"
    call = f"import run, sys; sys.exit(run.call(sys.executable, '-c', {child!r}))"
    command = [sys.executable, "-c", call]
    assert subprocess.run(command, cwd=ROOT, capture_output=True).returncode == 7


def test_a_wrong_verb_or_argument_gets_no_explanation(run, no_environment, capsys):
    assert run.main(["bok"]) == 2
    assert "book" in capsys.readouterr().out
    assert run.main(["ledger", "more"]) == 1
    assert one_sentence(capsys.readouterr().err)


@pytest.mark.parametrize("verb", ["handout", "key"])
def test_the_handout_and_the_key_are_exchanged(run, monkeypatch, verb):
    called = []
    monkeypatch.setitem(run.names, "module", lambda *command: called.append(command))
    run.VERBS[verb]()
    assert called == [("book.handout", verb)]


def test_binder_or_a_hub_starts_another_page_than_make_lab(run):
    _, plugins, page = run.LAB
    option, _, folder = plugins.partition("=")
    assert option == "--LabApp.extra_labextensions_path"
    on_binder = json.loads((ROOT / ".binder/jupyter_lab_config.json").read_text())
    assert on_binder["LabApp"]["default_url"] == f"/lab/tree/{page}"
    assert f"cp -R {folder}/. " in (ROOT / ".binder/postBuild").read_text()
    assert (ROOT / folder / "attention-by-hand/package.json").is_file()


@pytest.mark.parametrize("where", ["image", "hub"])
def test_a_hub_gets_the_first_page_of_an_image_or_an_image_gets_none(tmp_path, where):
    """An image starts in a copy of the repository, and only there chapter 1 exists."""
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nif [ "$1" = -c ]; then echo {tmp_path}; fi\n')
    python.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    if where == "image":
        environment["REPO_DIR"] = str(ROOT)
    command = ["bash", ".binder/postBuild"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    assert (tmp_path / "share/jupyter/labextensions/attention-by-hand").is_dir()
    settings = tmp_path / "etc/jupyter/jupyter_lab_config.json"
    assert settings.exists() == (where == "image")


def test_make_records_runs_a_test_that_does_not_exist(run):
    file, name = run.RECORD_TEST.split("::")
    assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


def test_the_makefile_names_other_verbs_than_run_py(run):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    verbs = re.search(r"^VERBS\s*:=(.*)$", makefile, re.MULTILINE)[1].split()
    assert sorted(verbs) == sorted(run.VERBS)
