"""A build after an edit under `src/` shows the edit; a second build runs nothing.

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
SLIP = "raise RuntimeError('slip')"
BROKEN = "\n[a chapter](chapters/99-nowhere.ipynb) [set it](#figure.d_k=3)\n"


class Build:
    """A build of the tiny book: its result, its pages, and the pages to run again."""

    def __init__(self, root: Path, **environment: str) -> None:
        self.result = run_in(root, "book.build", **environment)
        pages = (root / "_build/html").rglob("*.html")
        self.pages = {page.stem: page.read_text(encoding="utf-8") for page in pages}
        cached = (root / "_build/.jupyter_cache").rglob("*.ipynb")
        self.executed = {path: path.stat().st_mtime_ns for path in cached}
        noted = recorded(root / "_build/inputs.json")["execution"]
        now = inputs(root)["execution"].items()
        self.stale = [page for page, digest in now if noted.get(page) != digest]

    @property
    def problems(self) -> list[str]:
        """The lines of the report that name a problem."""
        return [line for line in self.result.stderr.splitlines() if line[:2] == "  "]

    def problem(self, words: str) -> str:
        """Return the only problem whose line has these words."""
        [found] = [line for line in self.problems if words in line]
        return found


def write_chapter(root: Path, name: str, *cells: str) -> None:
    path = root / f"chapters/{name}.ipynb"
    path.write_text(notebook(*cells), encoding="utf-8")


def list_chapters(root: Path, *names: str) -> None:
    """List these chapters in the contents, after the book's own chapter."""
    listed = "".join(f"  - file: chapters/{name}\n" for name in names)
    (root / "_toc.yml").write_text(TOC + listed, encoding="utf-8")


@pytest.fixture
def tiny(tmp_path) -> Path:
    """A book of one short chapter."""
    write_tiny_book(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def good(tmp_path_factory) -> Iterator[dict[str, Build | Path]]:
    """Build a tiny book twice, with no change in between."""
    root = tmp_path_factory.mktemp("good")
    write_tiny_book(root)
    builds = {"first": Build(root, **ENVIRONMENT), "again": Build(root, **ENVIRONMENT)}
    yield {**builds, "colab": root / "_build/html/colab/chapters/01-tiny.ipynb"}
    shutil.rmtree(root)


@pytest.fixture(scope="module")
def history(tmp_path_factory) -> Iterator[dict[str, Build]]:
    """Build a tiny book with faults, correct the faults, and build it again.

    Between the builds the folder is renamed, like a checkout that is moved.
    """
    root = tmp_path_factory.mktemp("history")
    write_tiny_book(root)
    intro = (root / "intro.md").read_text(encoding="utf-8")
    (root / "intro.md").write_text(intro + BROKEN, encoding="utf-8")
    write_chapter(root, NO_ALT, "1", DRAWS)
    write_chapter(root, STRAY)
    write_chapter(root, RAISES, SLIP)
    list_chapters(root, NO_ALT)
    faulty = Build(root)
    root = root.rename(root.with_name("moved"))
    for name in (NO_ALT, STRAY, RAISES):
        (root / f"chapters/{name}.ipynb").unlink()
    list_chapters(root)
    (root / "intro.md").write_text(intro, encoding="utf-8")
    (root / "src/course/tiny.py").write_text("VALUE = 4042\n", encoding="utf-8")
    yield {"faulty": faulty, "fixed": Build(root)}
    shutil.rmtree(root)


@pytest.mark.more
@pytest.mark.weekly
def test_the_report_lacks_a_fault_or_does_not_end_the_output(history):
    faulty = history["faulty"]
    assert faulty.result.returncode != 0
    assert len(faulty.problems) == 6, faulty.problems
    for name in (STRAY, RAISES):
        faulty.problem(f"chapters/{name}.ipynb is not in _toc.yml")
    assert faulty.problem("slip").split() == [
        *(f"chapters/{RAISES}.ipynb", "cell", "2,", "line", "1"),
        *("RuntimeError:", "slip"),
    ]
    link = faulty.problem("chapters/99-nowhere.ipynb").split()
    assert link == ["intro.md", "line", "10", "chapters/99-nowhere.ipynb"]
    faulty.problem("a link sets 'figure'; figures of this page are none")
    assert f"chapters/{NO_ALT}.ipynb  cell 3" in faulty.problem("without alt text")
    assert "Traceback" not in faulty.result.stderr
    assert "run.py book" in faulty.result.stderr.splitlines()[-1]


def site_of(root: Path) -> dict[str, bytes]:
    """Return every file of the built site."""
    site = root / "_build/html"
    files = [path for path in site.rglob("*") if path.is_file()]
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in files}


def with_another_rule(style: str) -> str:
    return style + "\n.new { color: red; }\n"


EDITS = {
    "intro.md": lambda text: text.replace("Its first page.", "The first page of all."),
    "chapters/01-tiny.ipynb": lambda text: text.replace("A page.", "One page."),
    "book/assets/book.css": with_another_rule,
    "src/course/widgets/shape_explorer.css": with_another_rule,
    "src/course/chapters/other/facts.py": lambda text: "# A comment.\n" + text,
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
    list_chapters(tiny, "02-other", "03-links")
    package = tiny / "src/course/chapters/other"
    package.mkdir(parents=True)
    (package / "facts.py").write_text("")
    assert Build(tiny).result.returncode == 0
    for name, edit in EDITS.items():
        path = tiny / name
        path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")
    edited = Build(tiny)
    assert edited.result.returncode == 0, edited.result.stderr
    site = site_of(tiny)
    assert b"HERE" in site["chapters/03-links.html"]
    shutil.rmtree(tiny / "_build")
    assert Build(tiny).result.returncode == 0
    clean = site_of(tiny)
    assert site.keys() == clean.keys()
    assert [name for name in site if site[name] != clean[name]] == []


def test_a_book_without_faults_does_not_build(good):
    first = good["first"]
    assert first.result.returncode == 0, first.result.stderr
    assert "open _build/html/index.html" in first.result.stdout
    home = first.pages["intro"]
    assert re.search(r'<img [^>]*alt="One grey dot."', home), "a picture from a file"


@pytest.mark.more
@pytest.mark.weekly
def test_an_edit_under_src_does_not_reach_the_page_in_a_moved_folder(history):
    assert "value 4041" in history["faulty"].pages["01-tiny"]
    assert history["fixed"].result.returncode == 0, history["fixed"].result.stderr
    assert "value 4042" in history["fixed"].pages["01-tiny"]


def test_a_second_build_without_a_change_does_something(good):
    again = good["again"]
    assert "up to date" in again.result.stdout
    assert again.executed == good["first"].executed
    assert again.stale == []


def test_a_build_with_a_repository_lacks_a_link_to_it(good):
    text = good["first"].pages["01-tiny"]
    for host in ("mybinder.org/v2/gh/owner/name/v1", "colab.research.google.com"):
        assert f'href="https://{host}' in text
    assert 'href="https://github.com/owner/name/blob/v1/chapters/01-tiny' in text
    first = nbformat.read(good["colab"], as_version=4).cells[1]
    assert "git+https://github.com/owner/name@v1" in first.source
    assert "%pip" not in text


TINY, OTHER = "chapters/01-tiny.ipynb", "chapters/02-other.ipynb"


def changed(root: Path, name: str) -> set[str]:
    """Add a second chapter, overwrite a file, and return the pages that run again."""
    (root / OTHER).write_text(notebook("1"), encoding="utf-8")
    before = inputs(root)["execution"]
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(notebook("2"), encoding="utf-8")
    after = inputs(root)["execution"]
    return {page for page in before if before[page] != after[page]}


@pytest.mark.parametrize(
    ("name", "ran"),
    [
        ("src/new.py", {TINY, OTHER}),
        ("requirements.lock", {TINY, OTHER}),
        ("src/course/chapters/other/figures.py", {OTHER}),
        (OTHER, {OTHER}),
    ],
)
def test_a_change_runs_the_wrong_notebooks(tiny, name, ran):
    assert changed(tiny, name) == ran


SETTINGS = ["_toc.yml", "_config.yml", "references.bib", "book/theme/page.html"]
NO_SETTINGS = [
    *("intro.md", "book/assets/book.css", TINY),
    *("src/course/widgets/shape_explorer.js", "src/course/widgets/shape_explorer.css"),
]


@pytest.mark.parametrize("name", [*SETTINGS, *NO_SETTINGS])
def test_the_wrong_files_count_as_settings(tiny, name):
    before, path = inputs(tiny), tiny / name
    prose = path.read_text("utf-8").replace("A page.", "One page.")
    path.write_text(prose if name == TINY else "changed", encoding="utf-8")
    after = inputs(tiny)
    assert after["pages"] != before["pages"]
    assert (after["settings"] != before["settings"]) == (name in SETTINGS)
    assert after["execution"] == before["execution"]


def test_another_python_does_not_run_every_notebook_again(tiny, monkeypatch):
    before = inputs(tiny)["execution"]
    monkeypatch.setattr("book.build.sys.version", "3.99.0")
    after = inputs(tiny)["execution"]
    assert before.keys() == after.keys()
    assert all(before[page] != after[page] for page in before)
