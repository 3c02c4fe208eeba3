"""Copies for GitHub, nbviewer and Colab: no raw markup, no gap, no dead link."""

import re
from functools import cache
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from built import ROOT, SITE, ids
from copies import ENVIRONMENT
from lxml import html
from nbconvert import HTMLExporter
from repeats import ends_daily
from test_names import undefined

from book.build import chapters
from book.citations import Citations, named
from book.notebooks import tags
from book.readable import CopyPlace, coloured, copied, executed, install_cells
from book.repository import Repository

CACHE = ROOT / "_build" / ".jupyter_cache"
NAMES = [path.stem for path in chapters()]
HOME = "https://owner.github.io/name/"
BIB = ROOT / "references.bib"
EXPORTER = HTMLExporter(template_name="basic")
RAW = re.compile(r"\{[a-z:]+\}`|^:{3,}|^```\{|%matplotlib|\]\([^)]*\.ipynb", re.M)
MATH = re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$", re.DOTALL)


@cache
def results(name: str):
    return executed(ROOT / "chapters" / f"{name}.ipynb", CACHE)


def dead(target: str) -> bool:
    """Return whether a link of a copy leads to no place of the built site."""
    address = urlsplit(target.removeprefix("../../"))
    if address.scheme in ("http", "https"):
        return False
    if not (SITE / address.path).is_file():
        return True
    return bool(address.fragment) and unquote(address.fragment) not in ids(address.path)


def shown(notebook):
    """Return a copy as a host of notebooks shows it."""
    page, _ = EXPORTER.from_notebook_node(notebook)
    return html.fromstring(f"<div>{page}</div>")


def links_of(page):
    return [a.get("href") for a in page.xpath("//a[@href]") if a.text != "¶"]


@pytest.mark.parametrize("name", ends_daily(NAMES))
def test_a_copy_lacks_something_that_its_page_shows(name):
    notebook = copied(results(name), CopyPlace("../../", f"chapters/{name}"))
    nbformat.validate(notebook)
    page = shown(notebook)
    said = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    assert RAW.findall(MATH.sub("", said)) == []
    links = links_of(page)
    assert [link for link in links if dead(link)] == []
    assert any("chapters/" in link for link in links)

    outputs = [o for c in results(name).cells for o in c.get("outputs", ())]
    data = [o.get("data", {}) for o in outputs]
    drawn = sum("image/svg+xml" in each for each in data)
    widgets = sum("application/vnd.jupyter.widget-view+json" in each for each in data)
    assert len(page.xpath("//div[contains(@class, 'output_svg')]")) >= drawn
    assert said.count("on the page</a>") == widgets
    code = [c.source for c in notebook.cells if c.cell_type == "code"]
    of_all = [c for c in results(name).cells if c.cell_type == "code"]
    seen = [c for c in of_all if not tags(c) & {"remove-input", "remove-cell"}]
    assert [c.source for c in seen if c.source not in code] == []
    assert undefined(code) <= {"display"}, "the copy does not run from its first cell"


def test_a_citation_is_not_found_or_listed_with_all_its_authors():
    citations = Citations(BIB)
    said = [
        "Vaswani et al.",
        "He and\nHofmann",
        "*attention is all you need*",
        "Radford",
    ]
    text = ", ".join(f"[{words}](../sources.md)" for words in said)
    found = re.findall(r"\[\[(\d)\]\]\(([^)]*)\)", citations.numbered(text))
    paper = ("1", "https://arxiv.org/abs/1706.03762")
    assert found == [paper, ("2", "https://arxiv.org/abs/2311.01906"), paper]
    assert named("Radford et al.", BIB) is None  # fits two sources
    assert named("Radford et al., 2019", BIB) == "radford2019"
    said = Citations(BIB, ["shazeer2019", "jain2019", "michel2019"]).listed()
    authors = re.findall(r"^\d\. (.*?):", said, re.MULTILINE)
    assert authors == ["Shazeer", "Jain and Wallace", "Michel and others"]


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_for_colab_does_not_install_the_course_or_lacks_code(name):
    repository = Repository.from_environment(ENVIRONMENT)
    place = CopyPlace(repository.site, f"chapters/{name}")
    notebook = copied(results(name), place, *install_cells(repository))
    nbformat.validate(notebook)
    about, install = notebook.cells[:2]
    assert "Run the next cell first" in about.source
    package = '"attention-by-hand[course] @ git+https://github.com/owner/name@v1"'
    assert package in install.source
    sources = [c.source for c in notebook.cells if c.cell_type == "code"][1:]
    of_all = [c for c in results(name).cells if c.cell_type == "code"]
    assert sources == [c.source for c in of_all if "remove-cell" not in tags(c)]
    text = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    links = re.findall(r'\]\(([^)\s]+)\)|href="([^"]+)"', text)
    assert {urlsplit("".join(each)).scheme for each in links} == {"https"}


TO_THE_SITE = {
    "[a](01-a.ipynb)": f"[a]({HOME}chapters/01-a.html)",
    "[a](01-a.ipynb#b-c)": f"[a]({HOME}chapters/01-a.html#b-c)",
    "[a](../sources.md)": f"[a]({HOME}sources.html)",
    "[a](#here)": f"[a]({HOME}chapters/02-b.html#here)",
    "[a](#f.n=[1]&f.m=3)": f"[a]({HOME}chapters/02-b.html?f.n=[1]&f.m=3#fig-f)",
    "[a](https://b.c)": "[a](https://b.c)",
    "`[a](b)`": "`[a](b)`",
}
TO_COPIES = {
    "[a](01-a.ipynb#b-c)": "[a](01-a.ipynb)",
    "[[3]](../sources.md)": "[3]",
    "[a](#f.n=[1]&f.m=3)": "a",
    "[a](https://b.c)": "[a](https://b.c)",
}


@pytest.mark.parametrize(("home", "expected"), [(HOME, TO_THE_SITE), (None, TO_COPIES)])
def test_a_link_of_a_copy_leads_elsewhere_than_to_the_site_or_a_copy(home, expected):
    place = CopyPlace(home, "chapters/02-b")
    assert {link: place.linked(link) for link in expected} == expected


def test_a_still_picture_needs_a_css_variable():
    mix = "color-mix(in oklab,var(--abh-zero),var(--abh-positive) 100%)"
    drawn = coloured(f'<svg viewBox="0 0 1 1"><g fill="{mix}"/></svg>')
    assert "var(" not in drawn
    assert "#ae90e6" in drawn
    assert drawn.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
