"""The search page: its results, its messages about missing words, and its keys."""

import csv
import re
from pathlib import Path

import pytest
from frames import wait_until

from book import search

QUERIES = Path(__file__).with_name("search") / "queries.csv"
FIRST = ".search-found ol:first-child li:first-child a"


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


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
    """Open a new search page; return its watcher, and the function that searches."""
    watched = watch()
    return watched, asks(watched.open(f"{site}/search.html"))


def test_one_of_forty_queries_finds_a_wrong_place_first(ask):
    """The right places were written down before the search was tuned."""
    queries = rows_of(QUERIES)
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


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("softmx", "No place has “softmx”; these have “softmax”."),
        ("gradeint", "No place has “gradeint”; these have “gradient”."),
        ("backprop", "“backprop” is called “gradient” here."),
        (
            "chatgpt",
            "The course does not tell of “chatgpt”. The nearest is “transformer”.",
        ),
        ("entropy xylophone", "The course does not tell of “xylophone”."),
        ("colour softmax lattice", "The course does not tell of “lattice”."),
        ("seed subspace", "No place has all the words; these have some."),
    ],
)
def test_the_answer_does_not_name_the_words_that_are_not_found(ask, asked, said):
    [answer] = ask(asked)
    assert answer["places"]
    assert answer["said"].startswith(said)


@pytest.mark.parametrize(
    ("asked", "some"),
    [("residual stream subspace", True), ("beam search greedy rotary", False)],
)
def test_a_place_may_lack_one_word_of_three_or_none_of_four(ask, asked, some):
    [answer] = ask(asked)
    assert ("No place has all the words" in answer["said"]) == some


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ("xylophone", "glossary"),  # no page has this word
        ("license", "about#licence"),  # the American spelling
        ("how do i use the library", "library"),
    ],
)
def test_a_query_leads_to_another_place_first(ask, asked, place):
    [answer] = ask(asked)
    assert answer["places"][0].startswith(place)


SPELLINGS = dict.fromkeys(["W_O", "wo", "W^O", "Wᴼ", "$W^O$"], "Wo")
SPELLINGS["backprops"] = "backprop"


@pytest.mark.parametrize(("written", "usual"), SPELLINGS.items())
def test_a_symbol_or_a_plural_is_found_in_one_spelling_only(ask, written, usual):
    one, other = ask(written, usual)
    assert one["places"] == other["places"] != []
    assert one["said"].replace(written, usual) == other["said"]


def test_a_word_that_every_object_has_stops_the_search(ask):
    [answer] = ask("constructor")
    assert answer["said"]


def test_a_result_lacks_the_subscript_or_superscript_of_a_symbol(found):
    watched, ask = found
    for asked, tag, text in (("d_k", "sub", "k"), ("W^O", "sup", "O")):
        ask(asked)
        indices = watched.page.locator(f".search-found li mark {tag}")
        assert set(indices.all_inner_texts()) == {text}


def test_a_place_with_some_words_comes_before_a_place_with_all(found):
    watched, ask = found
    ask("residual stream")
    lists = watched.page.locator(".search-found ol")
    words = [
        [item.lower() for item in lists.nth(i).locator("li").all_inner_texts()]
        for i in range(lists.count())
    ]
    assert all("residual" in item and "stream" in item for item in words[0])
    assert words[1]
    assert not any("residual" in item and "stream" in item for item in words[1])


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
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    target = page.evaluate("document.activeElement.href")
    assert target == page.locator(FIRST).evaluate("link => link.href")
    page.keyboard.press("Enter")
    page.wait_for_url(target)
    section = f"document.getElementById({target.partition('#')[2]!r})"
    wait_until(page, f"Math.abs({section}?.getBoundingClientRect().top) < 60")
    assert watched.complaints == []


def test_the_address_lacks_the_query_or_back_does_not_restore_it(found):
    watched, ask = found
    page = watched.page
    [answer] = ask("entropy")
    first = answer["places"][0]
    assert page.url.endswith("?q=entropy")
    assert page.evaluate("document.activeElement.matches('.search-found a')")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{first.replace('#', '.html#')}")
    page.go_back()
    page.locator(FIRST).wait_for()
    assert page.locator("main").get_by_role("searchbox").input_value() == "entropy"
    page.locator("main").get_by_role("searchbox").fill("")
    wait_until(page, "!document.querySelector('.search-found a')")
    assert page.url.endswith("search.html")


def test_a_query_of_signs_alone_gets_no_explanation(ask):
    [found] = ask("∑ %")
    assert found["said"] == "The search finds words and not signs alone."


EXCERPT = """async ([text, terms]) => {
  globalThis.Stemmer = class { stemWord(word) { return word; } };  // Sphinx has its own
  const { excerptOf } = await import("/search/excerpt.js");
  const element = document.createElement("p");
  element.append(...excerptOf(text, terms));
  return [element.textContent, [...element.children].map((each) => each.textContent)];
}"""


def test_an_excerpt_does_not_begin_with_the_sentence_that_has_most_words(empty_page):
    text = "Softmax, softmax, softmax. Here softmax acts on a row."
    said, marked = empty_page.evaluate(EXCERPT, [text, ["softmax", "row"]])
    assert said == "Here softmax acts on a row."
    assert marked == ["softmax", "row"]


WORDS = """async (text) => {
  globalThis.Stemmer = class { stemWord(word) { return word; } };  // Sphinx has its own
  const { wordsToIndex } = await import("/search/words.js");
  return wordsToIndex(text);
}"""


def test_a_hyphenated_name_with_a_number_is_not_found_as_one_word(empty_page):
    assert empty_page.evaluate(WORDS, "GPT-2") == ["GPT", "2", "GPT2"]


def test_enter_right_after_typing_loses_the_focus_on_the_first_result(found):
    page = found[0].page
    page.locator("main").get_by_role("searchbox").fill("entropy")
    page.keyboard.press("Enter")
    page.locator(FIRST).evaluate("link => { link.className = 'first'; }")
    page.wait_for_timeout(400)  # longer than the pause after which typing searches
    assert page.evaluate("document.activeElement.className") == "first"
