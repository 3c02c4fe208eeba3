"""Rules for the HTML of every built page, checked without a browser."""

import os
import re
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from built import PAGES, ROOT, SITE, contents, ids, page, text_of, with_class
from lxml import html

from course.ledger import as_csv, rows

each_page = pytest.mark.parametrize("name", PAGES)
IN_ORDER = [f"{name}.html" for name in contents()]

POLICY = (
    "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src data:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; worker-src blob:"
)
RUNS = "not(@type) or @type='' or @type='module' or @type='text/javascript'"
LEADS = "//@href|//@src|//@action"


def test_the_site_is_not_built():
    assert "intro.html" in PAGES, "run `make book` first"
    assert any('<div class="figure">' in text_of(name) for name in PAGES)


@each_page
def test_a_page_lacks_or_breaks_the_content_security_policy(name):
    said = "//meta[@http-equiv='Content-Security-Policy']/@content"
    assert page(name).xpath(said) == [POLICY]
    assert page(name).xpath(f"//script[not(@src)][{RUNS}]/text()") == []
    assert page(name).xpath("//@*[starts-with(name(), 'on')]") == []
    # Firefox fetches what rel="next" names, and the policy refuses it.
    named = {word for rel in page(name).xpath("//link/@rel") for word in rel.split()}
    assert named <= {"icon", "stylesheet", "canonical", "preload"}


@each_page
def test_a_page_lacks_a_title_a_description_a_reading_time_or_its_version(name):
    read, is_text = page(name), name not in ("index.html", "search.html")
    assert "Attention by Hand" in read.findtext(".//title")
    assert len(read.xpath("//link[@rel='icon']")) == 1
    assert len(read.xpath("//meta[@property='og:title']")) == 1
    # the build knows no address of the site, so the page states none
    assert read.xpath("//meta[@property='og:url']|//link[@rel='canonical']") == []
    if is_text:
        [description] = read.xpath("//meta[@name='description']/@content")
        assert len(description) > 20
    times = re.findall(
        r'<span class="reading-time">(.*?)</span>.*<article>', text_of(name), re.S
    )
    assert len(times) == is_text
    assert all(re.fullmatch(r"about \d+ minutes?", time) for time in times)
    [foot] = read.xpath("//footer")
    said = re.match(r"Version (\S+), built \d+ \w+ \d{4}\.", foot.text_content())
    assert said[1] == version("attention-by-hand")


def target_of(name: str, link: str) -> str:
    """Return the file that a link leads to, relative to the site's folder."""
    path = unquote(urlsplit(link).path)
    file = os.path.normpath((SITE / name).parent / path) if path else SITE / name
    return Path(file).relative_to(SITE).as_posix()


def leads_somewhere(name: str, link: str) -> bool:
    target, place = target_of(name, link), unquote(urlsplit(link).fragment)
    if target in PAGES and place:
        return place in ids(target)
    return (SITE / target).exists()


@each_page
def test_an_internal_link_leads_nowhere(name):
    urls = ((url, urlsplit(url)) for url in set(page(name).xpath(LEADS)) - {""})
    own = [url for url, parts in urls if not (parts.scheme or parts.netloc)]
    assert own
    assert sorted(url for url in own if not leads_somewhere(name, url)) == []


@each_page
def test_an_id_appears_twice_on_a_page(name):
    times = Counter(page(name).xpath("//@id"))
    assert [each for each, count in times.items() if count > 1] == []


DRAWN = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
EXACT = re.compile(r"(?<![\w.])(\d+\.\d+|\d+(?= percent))")


@each_page
def test_a_figure_has_raw_colours_or_an_alt_text_with_numbers_that_it_lacks(name):
    """The figure must show each number of two digits with a point or in percent."""
    for figure in page(name).xpath("//div[@class='figure']//*[@aria-label]"):
        alt, drawn = figure.get("aria-label"), " ".join(figure.itertext())
        assert len(alt.split()) >= 4, f"alt text {alt!r} is not a sentence"
        raw = re.findall(rb"#[0-9a-fA-F]{6}\b", html.tostring(figure))
        assert raw == [], f"colours outside course.kit.look in {alt!r}"
        digits = {n: n.lstrip("0.").replace(".", "") for n in EXACT.findall(alt)}
        exact = [number for number in digits if len(digits[number]) > 1]
        shown = {float(number) for number in DRAWN.findall(drawn)}
        lacking = [n for n in exact if float(n) not in shown]
        assert lacking == [], f"the figure does not show these numbers of {alt!r}"


# the ending of the file and words of the title, by the words of the link
OFFERED = {"Notebook": (".ipynb", "as a notebook"), "Ledger": (".csv", "a CSV file")}


@each_page
def test_a_link_of_the_navigation_or_to_a_file_is_missing_or_mislabelled(name):
    read = page(name)
    course = read.xpath("//nav[@aria-label='Course']//a/@href")
    here = read.xpath("//aside[@aria-label='On this page']//a/@href")
    if name != "index.html":
        led = {target_of(name, link) for link in course}
        assert led - {name} == {*IN_ORDER} - {name}
        assert all(link.startswith("#") for link in here)
    offered = read.xpath(f"//ul[{with_class('page-links')}]//a")
    notebooks = [link for link in offered if link.text_content() == "Notebook"]
    assert len(notebooks) == name.startswith("chapters/")
    for link in offered:
        ending, title = OFFERED[link.text_content()]
        assert urlsplit(link.get("href")).path.endswith(ending)
        assert title in link.get("title")


BESIDE_TITLE = with_class("headerlink")


def plain(*texts: str) -> str:
    """Return the words of a title, without the LaTeX marks of its formulas."""
    return re.sub(r"\s+", " ", re.sub(r"\\[()]|\\mathrm", "", "".join(texts))).strip()


@each_page
def test_a_previous_or_next_link_does_not_follow_the_contents_or_has_another_title(
    name,
):
    """The first page has no previous page, and the last page has no next page."""
    around = [None, *IN_ORDER, None]
    at = around.index(name) if name in IN_ORDER else 0
    expected = {"prev": around[at - 1], "next": around[at + 1]} if at else {}
    found = {}
    for link in page(name).xpath("//a[@rel='prev' or @rel='next']"):
        target = target_of(name, link.get("href"))
        found[link.get("rel")] = target
        title = page(target).xpath(f"//h1//text()[not(ancestor::a[{BESIDE_TITLE}])]")
        said = link.xpath("./text()|./*[not(self::small)]//text()")
        assert plain(*said) == plain(*title)
    assert found == {rel: to for rel, to in expected.items() if to}


def test_the_errata_page_does_not_offer_the_whole_ledger_as_a_file():
    name = "chapters/errata.html"
    [link] = page(name).xpath("//a[@download][.='Ledger']/@href")
    file = SITE / target_of(name, link)
    assert file.name == "ledger.csv"
    assert file.read_text(encoding="utf-8") == as_csv(rows())


NUMBER = f"//p[{with_class('eyebrow')}]/span[1]/text()"


def test_a_chapter_has_another_number_than_its_file():
    begins = {name: Path(name).name[:2] for name in PAGES}
    numbered = {n: f"Chapter {int(two)}" for n, two in begins.items() if two.isdigit()}
    assert len(numbered) >= 6
    assert {n: page(n).xpath(NUMBER)[0] for n in numbered} == numbered


@pytest.mark.parametrize("name", [n for n in PAGES if re.search(r"/(\d\d|before)-", n)])
def test_a_drawn_figure_of_a_core_page_does_not_fit_a_phone(name):
    drawn = [int(width) for width in re.findall(r"--drawn:(\d+)px", text_of(name))]
    # a phone of 390 pixels has room for 358, and a figure shrinks by 8 % at most
    assert [width for width in drawn if 0.92 * width > 358] == []


def test_french_words_are_not_marked_or_english_words_are():
    """One word in italics, *car*, is in both vocabularies."""
    words = page("chapters/07-translation.html").iter("em")
    french = {word.text_content(): word.get("lang") for word in words}
    assert [french[word] for word in ("il", "chien", "vais bien")] == ["fr"] * 3
    assert [french[word] for word in ("it", "hungry", "dog")] == [None] * 3


MARKUP = re.compile(r"^\||\*\*|(?<![\w*])\*\w|\w\*(?![\w*])|^#+ |\]\(")


@each_page
def test_markup_or_a_traceback_is_left_in_the_text(name):
    """For example, an empty line that cuts a table in two leaves markup in the text."""
    parts = page(name).xpath(
        "//article//*[self::p or self::li or self::dd or self::td]"
        "[not(ancestor::pre)][not(.//p)]"
    )
    texts = (
        "".join(part.xpath(".//text()[not(ancestor::code or ancestor::*[@data-tex])]"))
        for part in parts
    )
    assert [text for text in texts if MARKUP.search(text.strip())] == []
    assert "Traceback (most recent call last)" not in text_of(name)


def test_a_line_of_the_glossary_is_indented_by_one_space_or_three():
    """Sphinx cuts letters off a line indented less than its definition's first line."""
    lines = (ROOT / "glossary.md").read_text("utf-8").splitlines()
    assert [line for line in lines if re.match(r" \S| {3}", line)] == []
