"""The search page: its results, its messages about missing words, and its keys."""

import csv
import re
from pathlib import Path

import pytest
from frames import wait_until

from book import search

QUERIES = Path(__file__).with_name("search") / "queries.csv"
FIRST = ".search-found ol:first-child li:first-child a"

# Submits the queries in order, as a reader does with Enter.
ASK_ALL = """asked => {
  const field = document.querySelector("main input[name=q]");
  return asked.map((words) => {
    field.value = words;
    field.form.requestSubmit();
    const found = document.querySelector(".search-found");
    return {
      said: document.querySelector(".search-said").textContent,
      shown: found.innerText,
      places: [...found.querySelectorAll("a")]
        .map((link) => link.getAttribute("href").replace(".html", "")),
    };
  });
}"""


def asks(page):
    """Return a function that submits queries to a search page."""
    return lambda *words: page.evaluate(ASK_ALL, list(words))


@pytest.fixture(scope="module")
def ask(browser, site):
    """Search on one page for all tests: no answer depends on earlier queries."""
    page = browser.new_page()
    page.goto(f"{site}/search.html")
    yield asks(page)
    page.close()


@pytest.fixture
def found(watch, site):
    """Open a new search page; return the page and the function that searches."""
    page = watch().open(f"{site}/search.html")
    return page, asks(page)


def test_one_of_forty_queries_finds_a_wrong_place_first(ask):
    """The right places were written down before the search was tuned."""
    with QUERIES.open(encoding="utf-8", newline="") as file:
        queries = list(csv.DictReader(file))
    assert len(queries) == 40
    answers = ask(*(row["asked"] for row in queries))
    wrong = {
        row["asked"]: answer["places"][:1]
        for row, answer in zip(queries, answers, strict=True)
        if not {row["place"], row["or"]}.intersection(answer["places"][:1])
    }
    assert wrong == {}
    for answer in answers:
        assert not re.search(r"[\\{}$]|import |np\.|JavaScript", answer["shown"])


def test_a_synonym_leads_to_no_place_with_all_its_words(ask):
    """If a heading was renamed, write its new words into synonyms.csv."""
    means = sorted({means for _, means, _ in search.synonyms()})
    said = (answer["said"] for answer in ask(*means))
    lost = [m for m, s in zip(means, said, strict=True) if not re.match(r"\d+ pl", s)]
    assert lost == []


NOT_HERE = "The course does not tell of"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("softmx", "No place has “softmx”; these have “softmax”."),
        ("gradeint", "No place has “gradeint”; these have “gradient”."),
        ("backprop", "“backprop” is called “gradient” here."),
        ("chatgpt", f"{NOT_HERE} “chatgpt”. The nearest is “transformer”."),
        ("entropy xylophone", f"{NOT_HERE} “xylophone”."),
        ("colour softmax lattice", f"{NOT_HERE} “lattice”."),
        ("seed subspace", "No place has all the words; these have some."),
        ("residual stream subspace", "No place has all the words"),
        ("constructor", ""),  # a name that every object of JavaScript has
    ],
)
def test_the_answer_does_not_name_the_words_that_are_not_found(ask, asked, said):
    [answer] = ask(asked)
    assert answer["places"]
    assert answer["said"]
    assert answer["said"].startswith(said)


def test_a_place_may_not_lack_one_of_four_words_or_signs_get_no_explanation(ask):
    four, signs = ask("beam search greedy rotary", "∑ %")
    assert "No place has all the words" not in four["said"]
    assert signs["said"] == "The search finds words and not signs alone."


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ("xylophone", "glossary"),  # no page has this word
        ("license", "about#licence"),  # the American spelling
        ("gpt2", "chapters/06b-transformer"),  # the text has GPT-2
        ("how do i use the library", "library"),
    ],
)
def test_a_query_leads_to_another_place_first(ask, asked, place):
    [answer] = ask(asked)
    assert answer["places"][0].startswith(place)


def test_a_symbol_or_a_plural_is_found_in_one_spelling_only(ask):
    spellings = dict.fromkeys(["W_O", "wo", "W^O", "Wᴼ", "$W^O$"], "Wo")
    for written, usual in {**spellings, "backprops": "backprop"}.items():
        one, other = ask(written, usual)
        assert one["places"] == other["places"] != [], written
        assert one["said"].replace(written, usual) == other["said"]


def test_a_result_lacks_a_subscript_or_a_place_with_some_words_comes_first(found):
    page, ask = found
    for asked, tag, text in (("d_k", "sub", "k"), ("W^O", "sup", "O")):
        ask(asked)
        indices = page.locator(f".search-found li mark {tag}")
        assert set(indices.all_inner_texts()) == {text}
    ask("residual stream")
    first, second = page.locator(".search-found ol").all()
    has_both = [
        ["residual" in item.lower() and "stream" in item.lower() for item in items]
        for items in (each.locator("li").all_inner_texts() for each in (first, second))
    ]
    assert all(has_both[0])
    assert has_both[1]
    assert not any(has_both[1])


@pytest.mark.parametrize(("scheme", "width"), [("http", 1280), ("file", 390)])
def test_the_keyboard_does_not_lead_to_a_result(watch, site, request, scheme, width):
    folder = (request.config.rootpath / "_build/html").as_uri()
    watched = watch(width=width, height=844)
    page = watched.open(f"{site if scheme == 'http' else folder}/intro.html")
    if width == 390:
        page.get_by_role("button", name="Contents").press("Enter")
    page.get_by_role("searchbox").focus()
    page.keyboard.type("vanishing gradient")
    page.keyboard.press("Enter")
    page.locator(FIRST).wait_for()
    assert page.evaluate("document.activeElement.value") == "vanishing gradient"
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    target = page.evaluate("document.activeElement.href")
    assert target == page.locator(FIRST).evaluate("link => link.href")
    page.keyboard.press("Enter")
    page.wait_for_url(target)
    section = f"document.getElementById({target.partition('#')[2]!r})"
    wait_until(page, f"Math.abs({section}?.getBoundingClientRect().top) < 60")
    assert watched.complaints == []


def test_the_address_lacks_the_query_or_back_does_not_restore_it(found):
    page, ask = found
    [answer] = ask("entropy")
    first = answer["places"][0]
    assert page.url.endswith("?q=entropy")
    assert page.evaluate("document.activeElement.matches('.search-found a')")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{first.replace('#', '.html#')}")
    page.go_back()
    page.locator(FIRST).wait_for()
    box = page.locator("main").get_by_role("searchbox")
    assert box.input_value() == "entropy"
    box.fill("")
    wait_until(page, "!document.querySelector('.search-found a')")
    assert page.url.endswith("search.html")


def test_enter_right_after_typing_loses_the_focus_on_the_first_result(found):
    page, _ = found
    page.locator("main").get_by_role("searchbox").fill("entropy")
    page.keyboard.press("Enter")
    page.locator(FIRST).evaluate("link => { link.className = 'first'; }")
    page.wait_for_timeout(400)  # longer than the pause after which typing searches
    assert page.evaluate("document.activeElement.className") == "first"
