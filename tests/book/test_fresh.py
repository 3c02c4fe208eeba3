"""A build is never stale: an edit under `src/` reaches the page; no edit, no work."""

import re
import subprocess
import time
from pathlib import Path

import nbformat
import pytest
from copies import notebook, run_in

from book.build import fingerprint, inputs


def build(root: Path, **environment: str) -> subprocess.CompletedProcess:
    return run_in(root, "book.build", **environment)


def page(root: Path) -> str:
    path = root / "_build" / "html" / "chapters" / "01-tiny.html"
    return path.read_text(encoding="utf-8")


def executed(root: Path) -> list[int]:
    """When each result of the cache was written."""
    notebooks = (root / "_build/.jupyter_cache").rglob("*.ipynb")
    return [path.stat().st_mtime_ns for path in sorted(notebooks)]


def test_an_edit_under_src_reaches_the_page(tiny):
    first = build(tiny)
    assert first.returncode == 0, first.stderr
    assert "open _build/html/index.html" in first.stdout
    assert "value 4041" in page(tiny)
    home = (tiny / "_build/html/intro.html").read_text("utf-8")
    assert re.search(r'<img [^>]*alt="One grey dot."', home), "a picture from a file"

    start = time.perf_counter()
    again = build(tiny)
    assert "up to date" in again.stdout
    assert time.perf_counter() - start < 5

    ran = executed(tiny)
    intro = tiny / "intro.md"
    text = intro.read_text(encoding="utf-8")
    intro.write_text(f"{text}\n[lost](nowhere.md)\n", encoding="utf-8")
    assert "nowhere.md" in build(tiny).stderr
    intro.write_text(text, encoding="utf-8")
    assert build(tiny).returncode == 0
    assert executed(tiny) == ran, "a broken link made a notebook run again"

    (tiny / "src/course/tiny.py").write_text("VALUE = 4042\n", encoding="utf-8")
    told = {"REPOSITORY_URL": "https://github.com/owner/name", "REPOSITORY_REF": "v1"}
    edited = build(tiny, **told)
    assert edited.returncode == 0, edited.stderr
    assert "value 4042" in page(tiny)
    check_what_a_told_build_adds(tiny)


def check_what_a_told_build_adds(root: Path) -> None:
    """The same build was told of a repository: its links and Colab's copy are there."""
    text = page(root)
    for host in ("mybinder.org/v2/gh/owner/name/v1", "colab.research.google.com"):
        assert f'href="https://{host}' in text
    assert 'href="https://github.com/owner/name/blob/v1/chapters/01-tiny' in text
    copy = root / "_build/html/colab/chapters/01-tiny.ipynb"
    first = nbformat.read(copy, as_version=4).cells[0]
    assert "git+https://github.com/owner/name@v1" in first.source
    assert "%pip" not in text


def test_a_failing_cell_fails_every_time(tiny):
    chapter = tiny / "chapters/01-tiny.ipynb"
    chapter.write_text(notebook("raise RuntimeError('slip')"), encoding="utf-8")
    for _ in range(2):
        result = build(tiny)
        assert result.returncode != 0
        assert "RuntimeError" in result.stderr


OTHER = "chapters/02-other.ipynb"


def changed(root: Path, name: str) -> set[str]:
    """Pages whose code runs again when this file changes."""
    (root / OTHER).write_text(notebook("1"), encoding="utf-8")
    before = inputs(root)["execution"]
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(notebook("2"), encoding="utf-8")
    after = inputs(root)["execution"]
    return {page for page in before if before[page] != after[page]}


@pytest.mark.parametrize("name", ["src/new.py", "requirements.lock"])
def test_what_makes_every_notebook_run_again(tiny, name):
    assert changed(tiny, name) == {"chapters/01-tiny.ipynb", OTHER}


@pytest.mark.parametrize("name", ["src/course/chapters/other/figures.py", OTHER])
def test_a_room_and_a_notebook_are_one_chapter_s_own(tiny, name):
    assert changed(tiny, name) == {OTHER}


@pytest.mark.parametrize(
    "name",
    [
        *("intro.md", "_toc.yml", "_config.yml", "references.bib"),
        *("book/assets/book.css", "src/course/widgets/heads.js"),
        "src/course/widgets/heads.css",
    ],
)
def test_what_makes_every_page_written_again(tiny, name):
    before = inputs(tiny)
    (tiny / name).write_text("changed", encoding="utf-8")
    after = inputs(tiny)
    assert after["pages"] != before["pages"]
    assert after["execution"] == before["execution"]


def test_a_rename_counts_and_a_cache_does_not(tiny):
    before = fingerprint(tiny, ["src"])
    cache = tiny / "src/course/__pycache__"
    cache.mkdir()
    (cache / "tiny.pyc").write_bytes(b"x")
    assert fingerprint(tiny, ["src"]) == before
    (tiny / "src/course/tiny.py").rename(tiny / "src/course/small.py")
    assert fingerprint(tiny, ["src"]) != before


def test_a_new_address_counts(tiny, monkeypatch):
    monkeypatch.delenv("REPOSITORY_URL", raising=False)
    before = inputs(tiny)
    monkeypatch.setenv("REPOSITORY_URL", "https://github.com/owner/name")
    assert inputs(tiny)["pages"] != before["pages"]
