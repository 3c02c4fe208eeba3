"""Chapter 5 as it is built keeps within its limits: words and decimals."""

import re

from built import page, with_class
from lxml import html
from lxml.html import HtmlElement

PAGE = "chapters/05-walkthrough-apple.html"
NOT_SHOWN = "self::script or self::style or self::noscript"
IN_A_WIDGETS_PLACE = f"{with_class('widget')} or {with_class('lost')}"
FOLDED = "self::details"
NOT_PROSE = f"self::svg or self::pre or self::button or {with_class('math')}"


def shown(element: HtmlElement, *without: str) -> str:
    """Text that an article shows, without what stands in some elements."""
    left_out = " or ".join((NOT_SHOWN, IN_A_WIDGETS_PLACE, *without))
    found = element.xpath(f"//article//text()[not(ancestor::*[{left_out}])]")
    return " ".join(found)


def words(element: HtmlElement) -> list[str]:
    """Words of the prose and of the tables that no fold hides."""
    text = shown(element, FOLDED, NOT_PROSE)
    return re.findall(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*", text)


def decimals(element: HtmlElement) -> list[str]:
    """Decimals of everything that the page shows, folded or not, drawings included."""
    return re.findall(r"\d+\.\d+", shown(element))


def test_it_has_at_most_2200_words_outside_folds():
    assert 1_000 < len(words(page(PAGE))) <= 2_200


def test_it_shows_at_most_500_decimals_and_folds_none_away():
    assert 300 < len(decimals(page(PAGE))) <= 500


def test_what_is_counted():
    read = html.fromstring(
        "<p>0.1</p><article><p>Two words, <em>no</em> more: 0.2.</p>"
        '<div class="math">0.3 cos</div>'
        '<svg><text>0.4 drawn</text><path d="1.5"/></svg>'
        "<pre>0.5 code</pre><table><tr><td>0.6 cell</td></tr></table>"
        "<details><p>0.7 hidden</p></details><script>0.8</script>"
        '<div class="widget big"><p>0.9 and so on</p></div></article>'
    )
    assert words(read) == ["Two", "words", "no", "more", "cell"]
    assert decimals(read) == ["0.2", "0.3", "0.4", "0.5", "0.6", "0.7"]
