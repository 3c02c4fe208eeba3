"""GitHub's workflows: actions are pinned, and only tested code is published."""

import re
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
