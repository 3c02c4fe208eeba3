"""GitHub's workflows: actions are pinned, and only tested code is published."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".github" / "workflows"
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
TEXTS = {path.stem: path.read_text("utf-8") for path in FOLDER.glob("*.yml")}
WORKFLOWS = {name: yaml.safe_load(text) for name, text in TEXTS.items()}
JOBS = {name: workflow["jobs"] for name, workflow in WORKFLOWS.items()}


@pytest.mark.parametrize("name", sorted(WORKFLOWS))
def test_a_workflow_uses_an_unpinned_action_or_may_write_without_need(name):
    used = re.findall(r"uses: (.+)", TEXTS[name])
    assert used
    assert [u for u in used if not (u.startswith("./") or PINNED.fullmatch(u))] == []
    assert WORKFLOWS[name]["permissions"] == {"contents": "read"}
    jobs = JOBS[name].items()
    granted = {job: how["permissions"] for job, how in jobs if "permissions" in how}
    publishes = {"publish": {"contents": "write"}} if name == "pages" else {}
    assert granted == publishes
    steps = [s for job in JOBS[name].values() for s in job.get("steps", ())]
    checkouts = [s for s in steps if "actions/checkout" in s.get("uses", "")]
    assert all(s["with"] == {"persist-credentials": False} for s in checkouts)


def test_the_site_is_published_before_the_tests_or_by_a_script():
    pages = JOBS["pages"]
    assert pages["test"] == {"uses": "./.github/workflows/test.yml"}
    assert (pages["build"]["needs"], pages["publish"]["needs"]) == ("test", "build")
    assert all("uses" in step for step in pages["publish"]["steps"])


def test_the_weekly_run_lacks_a_test_that_make_test_leaves_out():
    runs = re.findall(r'-m "(.*)"', TEXTS["weekly"])
    for marks in ({"slow"}, {"weekly"}, {"slow", "weekly"}):
        names = {name: name in marks for name in ("slow", "weekly")}
        assert any(eval(run, names) for run in runs), marks


def test_a_file_names_other_python_versions_than_the_tested_ones():
    tested = JOBS["test"]["test"]["strategy"]["matrix"]["python"]
    oldest, newest = tested[0], tested[-1]
    for folder in (ROOT, ROOT / "packaging"):
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))
        assert project["project"]["requires-python"] == f">={oldest}"
    assert f" --python-version {oldest} " in (ROOT / "book/lock.py").read_text("utf-8")
    for name in ("README.md", "intro.md"):
        said = f"Python {oldest} or newer (tested up to {newest})"
        assert said in (ROOT / name).read_text("utf-8"), name
    run = runpy.run_path(str(ROOT / "run.py"))
    named = [".".join(map(str, run[end])) for end in ("OLDEST", "NEWEST")]
    assert named == [oldest, newest]
    used = [(ROOT / ".binder/runtime.txt").read_text("utf-8").strip()[len("python-") :]]
    for text in TEXTS.values():
        used += re.findall(r'python(?:-version)?: "([\d.]+)"', text)
    assert set(used) <= set(tested)
