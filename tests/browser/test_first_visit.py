"""A student's first visit in JupyterLab, step by step, in a clone of the course."""

import subprocess

import nbformat
import pytest
from acts import drag, middle
from copies import copy_course, run_in
from labs import NOTEBOOK, run_all, running_lab, wait_until_idle
from playwright.sync_api import expect

# Slow (starts JupyterLab, clones the course): only the weekly run includes this test.
pytestmark = [pytest.mark.more, pytest.mark.weekly]

LONG = 60_000  # milliseconds, on a busy machine
OWN = "# My own line."
NEWS = "A sentence that the authors have added."


def git(folder, *command):
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *who, *command], cwd=folder, check=True, capture_output=True)


def commit(folder):
    git(folder, "add", "--all")
    git(folder, "commit", "--message", "A change")


def read(folder):
    return nbformat.read(folder / NOTEBOOK, as_version=4)


def test_a_first_visit_fails(browser, tmp_path):
    authors, course = copy_course(tmp_path / "authors"), tmp_path / "work"
    git(authors, "init", "--quiet", "--initial-branch", "main")
    commit(authors)
    git(tmp_path, "clone", "--quiet", str(authors), "work")
    with running_lab(tmp_path) as lab:
        page = browser.new_page(viewport={"width": 1280, "height": 1400})
        page.set_default_timeout(LONG)
        heard = []
        page.on("console", lambda said: heard.append(said.text))
        open_and_run_all(page, lab)
        drag_river(page)
        edit_and_save(page)
        tidy_and_pull(course, authors)
        page.goto(f"{lab}/lab/tree/{NOTEBOOK}")
        expect(page.locator("p").filter(has_text=NEWS)).to_be_visible(timeout=LONG)
        expect(exercise(page)).to_contain_text(OWN)
        # widgets/lab removes these errors about links that set figures
        assert not [text for text in heard if "No target" in text]
        page.close()


def exercise(page):
    """Return the cell of the chapter's first exercise."""
    return page.locator(".jp-CodeCell").filter(has_text="def my_softmax").first


def open_and_run_all(page, lab):
    page.goto(f"{lab}/lab/tree/{NOTEBOOK}")
    run_all(page)
    for name in ("my_softmax", "my_attention"):
        verdict = page.get_by_text(f"Not yet: {name} returns None")
        expect(verdict).to_be_visible(timeout=LONG)
    folds = page.get_by_text("Three usual mistakes", exact=True)
    expect(folds).to_have_count(2, timeout=LONG)
    wait_until_idle(page)
    failed = page.locator("[data-mime-type='application/vnd.jupyter.stderr']")
    expect(failed).to_have_count(0)
    expect(page.get_by_text("Jupyter news")).to_have_count(0)


def drag_river(page):
    """Drag *river* away, and wait until the sentence about *bank* changes."""
    card = page.locator("[data-figure=bank]")
    card.scroll_into_view_if_needed()
    weight = card.locator(".abh-reading")
    before = weight.inner_text()
    river = card.locator(".abh-knob").filter(has_text="river")
    x, y = middle(river)
    drag(page, (x, y), (x + 60, y + 60))
    expect(weight).not_to_have_text(before, timeout=LONG)


def edit_and_save(page):
    exercise(page).locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.insert_text(f"{OWN}\n")
    page.keyboard.press("Control+s")
    expect(page.locator(".lm-TabBar .jp-mod-dirty")).to_have_count(0, timeout=LONG)


def tidy_and_pull(course, authors):
    """Remove the outputs, then pull: the changes of student and authors must merge."""
    saved = read(course)
    assert any(cell.get("outputs") for cell in saved.cells)
    tidied = run_in(course, "book.notebooks", "--tidy", "01-")
    assert tidied.returncode == 0, tidied.stderr
    own = [cell for cell in read(course).cells if OWN in cell.source]
    assert len(own) == 1
    assert not any(cell.get("outputs") for cell in read(course).cells)
    commit(course)
    news = read(authors)
    news.cells[-1].source += f"\n\n{NEWS}"
    nbformat.write(news, authors / NOTEBOOK)
    commit(authors)
    git(course, "pull", "--no-rebase", "--no-edit")
    text = (course / NOTEBOOK).read_text(encoding="utf-8")
    assert OWN in text
    assert NEWS in text
