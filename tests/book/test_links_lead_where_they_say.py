"""A link whose words name a chapter, a page or a heading leads there."""

import re
from functools import cache
from urllib.parse import unquote, urlsplit

import pytest
from built import PAGES, page, with_class
from test_pages import target_of

# links at headings, and links to the library reference
AUTOMATIC = f"{with_class('headerlink')} or code/@class"
LINKS = f"//article//a[@href][not({AUTOMATIC})]"
HEADINGS = "//article//section[@id]/*[self::h1 or self::h2 or self::h3]"
UNLINKED = f".//text()[not(ancestor::a[{with_class('headerlink')}])]"
CHAPTER = re.compile(r"(?<!appendix to )\bchapter (\d+)$")


def words(element) -> str:
    text = " ".join("".join(element.xpath(UNLINKED)).split())
    return text.strip(" .,:“”").casefold()


@cache
def headings(name: str) -> dict[str, set[str]]:
    """Return the ids of a page's sections, by the words of their headings."""
    found: dict[str, set[str]] = {}
    for heading in page(name).xpath(HEADINGS):
        places = {heading.getparent().get("id"), *heading.getparent().xpath("span/@id")}
        found.setdefault(words(heading), set()).update(places)
    return found


@cache
def titles() -> dict[str, str]:
    return {words(h1): name for name in PAGES for h1 in page(name).xpath("//h1")}


@cache
def pages_with(heading: str) -> list[str]:
    return [name for name in PAGES if heading in headings(name)]


@pytest.mark.parametrize("name", PAGES)
def test_a_link_leads_elsewhere_than_its_words_say(name):
    for link in page(name).xpath(LINKS):
        said, href = words(link), link.get("href")
        if urlsplit(href).netloc:
            continue
        target, place = target_of(name, href), unquote(urlsplit(href).fragment)
        leads = f"{said!r} leads to {target}#{place}"
        if chapter := CHAPTER.search(said):
            assert re.search(rf"/{int(chapter[1]):02}[a-z]?-", target), leads
        if said in titles() and not place:
            assert target == titles()[said], f"{leads}, not to the page of that title"
        if target in PAGES and place and not place.startswith("fig-"):
            expected = headings(target).get(said, {place})
            assert place in expected, f"{leads}, not to the heading with these words"
            only = pages_with(said) if len(pages_with(said)) == 1 else [target]
            assert only == [target], f"{leads}, and the heading is on {only}"
