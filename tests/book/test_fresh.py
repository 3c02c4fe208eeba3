"""A build after an edit shows the edit; a second build runs nothing.

A build also reports every fault.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from copies import ENVIRONMENT, TOC, notebook, run_in, write_tiny_book

from book.build import inputs, recorded

pytestmark = pytest.mark.slow

DRAWS = """from IPython.display import SVG

SVG('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>')"""
NO_ALT, STRAY, RAISES = "02-no-alt", "07-stray", "03-raises"
BROKEN = "\n[a chapter](chapters/99-nowhere.ipynb) [set it](#figure.d_k=3)\n"


def built(root: Path, **environment: str) -> str:
    """Build a book without faults; return what the build prints."""
    result = run_in(root, "book.build", **environment)
    assert result.returncode == 0, result.stderr
    return result.stdout


def page(root: Path, name: str) -> str:
    return (root / f"_build/html/{name}.html").read_text(encoding="utf-8")


def write_chapter(root: Path, name: str, *cells: str) -> None:
    path = root / f"chapters/{name}.ipynb"
    path.write_text(notebook(*cells), encoding="utf-8")


def list_chapters(root: Path, *names: str) -> None:
    """List these chapters in the contents, after the book's own chapter."""
    listed = "".join(f"  - file: chapters/{name}\n" for name in names)
    (root / "_toc.yml").write_text(TOC + listed, encoding="utf-8")


@pytest.fixture
def tiny(tmp_path) -> Iterator[Path]:
    """A book of one short chapter."""
    write_tiny_book(tmp_path / "book")
    yield tmp_path / "book"
    shutil.rmtree(tmp_path)


@pytest.mark.more
@pytest.mark.weekly
def test_the_report_lacks_a_fault_or_a_moved_folder_keeps_an_old_page(tiny):
    intro = (tiny / "intro.md").read_text(encoding="utf-8")
    (tiny / "intro.md").write_text(intro + BROKEN, encoding="utf-8")
    write_chapter(tiny, NO_ALT, "1", DRAWS)
    write_chapter(tiny, STRAY)
    write_chapter(tiny, RAISES, "raise RuntimeError('slip')")
    list_chapters(tiny, NO_ALT)
    faulty = run_in(tiny, "book.build")
    assert faulty.returncode != 0
    lines = [line for line in faulty.stderr.splitlines() if line[:2] == "  "]
    expected = [
        f"chapters/{STRAY}.ipynb is not in _toc.yml",
        f"chapters/{RAISES}.ipynb is not in _toc.yml",
        f"chapters/{RAISES}.ipynb cell 2, line 1 RuntimeError: slip",
        "intro.md line 10 chapters/99-nowhere.ipynb",
        "a link sets 'figure'; figures of this page are none",
        f"chapters/{NO_ALT}.ipynb cell 3",
    ]
    problems = [" ".join(line.split()) for line in lines]
    for words in expected:
        assert sum(words in problem for problem in problems) == 1, (words, problems)
    assert len(problems) == len(expected)
    assert "Traceback" not in faulty.stderr
    assert "run.py book" in faulty.stderr.splitlines()[-1]
    assert "value 4041" in page(tiny, "chapters/01-tiny")

    moved = tiny.rename(tiny.with_name("moved"))
    for name in (NO_ALT, STRAY, RAISES):
        (moved / f"chapters/{name}.ipynb").unlink()
    list_chapters(moved)
    (moved / "intro.md").write_text(intro, encoding="utf-8")
    (moved / "src/course/tiny.py").write_text("VALUE = 4042\n", encoding="utf-8")
    built(moved)
    assert "value 4042" in page(moved, "chapters/01-tiny")


def site_of(root: Path) -> dict[str, bytes]:
    """Return every file of the built site."""
    site = root / "_build/html"
    files = [path for path in site.rglob("*") if path.is_file()]
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in files}


RULE = "\n.new { color: red; }\n"
EDITS = {
    "intro.md": lambda text: text.replace("Its first page.", "The first page of all."),
    "chapters/01-tiny.ipynb": lambda text: text.replace("A page.", "One page."),
    "book/assets/book.css": lambda style: style + RULE,
    "src/course/widgets/shape_explorer.css": lambda style: style + RULE,
    # A value that a page shows whose own file does not change
    "src/course/chapters/still/facts.py": lambda text: text.replace("1", "2"),
    # A heading that another page shows
    "chapters/02-other.ipynb": lambda text: text.replace("## Here", "## HERE"),
}


@pytest.mark.more
@pytest.mark.weekly
def test_the_site_after_an_edit_differs_from_a_clean_build(tiny):
    heading = "# Other\n\n(here)=\n## Here\n\nText."
    link = "# Links\n\nTo [](02-other.ipynb#here)."
    for name, text in ((OTHER, heading), ("chapters/03-links.ipynb", link)):
        chapter = nbformat.reads(notebook("1"), as_version=4)
        chapter.cells[0].source = text
        nbformat.write(chapter, tiny / name)
    write_chapter(tiny, "04-still", "from course.chapters.still.facts import N\nN")
    list_chapters(tiny, "02-other", "03-links", "04-still")
    package = tiny / "src/course/chapters/still"
    package.mkdir(parents=True)
    (package / "facts.py").write_text("N = 1\n")
    built(tiny)
    for name, edit in EDITS.items():
        path = tiny / name
        path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")
    built(tiny)
    site = site_of(tiny)
    assert b"HERE" in site["chapters/03-links.html"]
    shutil.rmtree(tiny / "_build")
    built(tiny)
    clean = site_of(tiny)
    assert site.keys() == clean.keys()
    assert [name for name in site if site[name] != clean[name]] == []


def test_a_build_lacks_a_link_to_its_repository_or_a_second_build_runs_a_page(tiny):
    assert "open _build/html/index.html" in built(tiny, **ENVIRONMENT)
    picture = r'<img [^>]*alt="One grey dot."'
    assert re.search(picture, page(tiny, "intro")), "a picture from a file"
    text = page(tiny, "chapters/01-tiny")
    for host in ("mybinder.org/v2/gh/owner/name/v1", "colab.research.google.com"):
        assert f'href="https://{host}' in text
    assert 'href="https://github.com/owner/name/blob/v1/chapters/01-tiny' in text
    assert "%pip" not in text
    colab = tiny / "_build/html/colab/chapters/01-tiny.ipynb"
    first = nbformat.read(colab, as_version=4).cells[1]
    assert "git+https://github.com/owner/name@v1" in first.source

    cached = [*(tiny / "_build/.jupyter_cache").rglob("*.ipynb")]
    times = [path.stat().st_mtime_ns for path in cached]
    assert "up to date" in built(tiny, **ENVIRONMENT)
    assert [path.stat().st_mtime_ns for path in cached] == times
    noted = recorded(tiny / "_build/inputs.json")["execution"]
    assert noted == inputs(tiny)["execution"]


TINY, OTHER = "chapters/01-tiny.ipynb", "chapters/02-other.ipynb"
RUNS = {  # the chapters that run again after an edit of a file
    "src/new.py": {TINY, OTHER},
    "requirements.lock": {TINY, OTHER},
    "src/course/chapters/other/figures.py": {OTHER},
}
# After an edit of one of these, every page is read again.
SETTINGS = ["_toc.yml", "_config.yml", "references.bib", "book/theme/page.html"]
NO_SETTINGS = [
    *("intro.md", "book/assets/book.css"),
    *("src/course/widgets/shape_explorer.js", "src/course/widgets/shape_explorer.css"),
]


def test_a_change_runs_or_reads_the_wrong_pages(tiny, monkeypatch):
    write_chapter(tiny, "02-other", "1")

    def changed(name, text):
        """Write a file; return the chapters that run, and the other changed inputs."""
        before, path = inputs(tiny), tiny / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        after = inputs(tiny)
        old, new = before.pop("execution"), after.pop("execution")
        others = {kind for kind in before if before[kind] != after[kind]}
        return {page for page in old if old[page] != new[page]}, others

    for name, pages in RUNS.items():
        assert changed(name, "changed")[0] == pages, name
    for name in SETTINGS:
        assert changed(name, "changed") == (set(), {"pages", "settings"}), name
    for name in NO_SETTINGS:
        assert changed(name, "changed") == (set(), {"pages"}), name
    assert changed(OTHER, notebook("2"))[0] == {OTHER}, "code"
    prose = notebook("2").replace("A page.", "One page.")
    assert changed(OTHER, prose) == (set(), {"pages"}), "prose"
    before = inputs(tiny)["execution"]
    monkeypatch.setattr("book.build.sys.version", "3.99.0")
    after = inputs(tiny)["execution"]
    assert all(before[page] != after[page] for page in before), "another Python"
