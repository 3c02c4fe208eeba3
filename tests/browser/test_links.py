"""A copied link, opened where nothing is kept, shows the state that was copied."""

from urllib.parse import urlsplit

import numpy as np
import pytest
from acts import CLIPBOARD
from found import with_links
from frames import wait_until
from machines import reopen, type_number, value

from course.widgets import HeadWall, Machine

pytestmark = pytest.mark.slow

# The machine has its own test. The wall of heads fetches its maps from the site.
LINKED = [cls for cls in with_links() if cls not in (Machine, HeadWall)]


COPY_ALL = """async () => {
  const links = [];
  for (const card of document.querySelectorAll(".abh-card")) {
    [...card.querySelectorAll(".abh-foot button")].at(-1).click();
    await null;
    links.push(globalThis.copied);
  }
  return links;
}"""


CONTENT = """async () => {
  while (document.querySelector("[aria-busy=true]")) {
    await new Promise(requestAnimationFrame);
  }
  return [...document.querySelectorAll(".abh-card")].map(figures.content);
}"""
MOVE = """moves => document.querySelectorAll(".abh-card").forEach((card, i) =>
  moves[i].forEach(([where, how]) => figures.moveOne(where, how, card)))"""


def test_a_link_does_not_restore_its_figure_in_a_fresh_profile(open_page):
    """Two figures of each kind are on one page; one address has the states of all."""
    kinds = [kind for kind in LINKED for _ in range(2)]
    counts = [6 if kind.sentences else 2 for kind in kinds]  # the other cards are slow
    page = open_page(*(kind() for kind in kinds))
    page.evaluate(CLIPBOARD)
    rng = np.random.default_rng(20)
    page.evaluate(MOVE, [rng.random((count, 2)).tolist() for count in counts])
    shown = page.evaluate(CONTENT)
    links = page.evaluate(COPY_ALL)
    assert len(set(links)) == len(kinds)
    unmoved = [kind for kind, link in zip(kinds, links, strict=True) if "?" not in link]
    assert len(set(unmoved)) == len(unmoved), "both figures of a kind are unmoved"
    query = "&".join(urlsplit(link).query for link in links)
    fresh = open_page(*(kind() for kind in kinds), query=f"?{query}")
    assert fresh.evaluate("localStorage.length") == 0
    assert fresh.locator(".refused").count() == 0
    for seen, wanted, link in zip(fresh.evaluate(CONTENT), shown, links, strict=True):
        assert seen == wanted, link


GARBAGE = {
    "head=3": "head = “3”; there is 1 head here",
    "example=cat&machine.head=4": "head = “4”; there are 2 heads here",
    "edits=1AAAA": "edits = “1AAAA”; it is not complete",
    "order=[0,0,0]": "it must list each of the 3 words once, counted from 0",
    'edits={"X":[[1]]}': "such numbers cannot be shown",
    "stage=scores&machine.cell=9.9": "this stage has no such number",
}


SHOWN = """() => [...document.querySelectorAll("[data-value]")]
  .map(({ dataset }) => [dataset.name, dataset.value])"""


def test_an_invalid_link_is_accepted_or_changes_the_figure(open_machine):
    page = open_machine(Machine(stage="X", question={}))
    first = page.evaluate(SHOWN)
    assert first
    said = page.locator(".refused")
    for query, words in GARBAGE.items():
        reopen(page, f"?machine.{query}")
        assert words in said.inner_text()
        assert said.inner_text().endswith("This is the figure’s first state.")
        assert page.evaluate(SHOWN) == first, query
    reopen(page, "")
    type_number(page, "X", 0, 0, "7")
    wait_until(page, "() => localStorage.length")
    reopen(page, "?machine.edits=garbage")
    assert said.inner_text().endswith("This is the figure as you left it.")
    assert value(page, "X", 0, 0) == "7"


SET = """async (texts) => {
  const { setTexts, textsIn } = await import("/runtime/query.js");
  const url = new URL("https://course.test/page.html#fig-machine");
  return texts.map((text) => {
    setTexts(url, { "machine.edits": text });
    return [textsIn(url), url.hash.split("&")[0]];
  });
}"""


def test_a_short_text_does_not_replace_a_long_one_in_a_link(empty_page):
    """A long text stands behind the anchor, a short one in the query."""
    long = "".join(map(str, np.random.default_rng(0).integers(10**9, size=900)))
    kept = [[["machine.edits", long]], [["machine.edits", "{}"]], [], []]
    found = empty_page.evaluate(SET, [long, "{}", None, None])
    assert found == [[texts, "#fig-machine"] for texts in kept]
    found = empty_page.evaluate(SET, [long, None])
    assert found[1] == [[], "#fig-machine"]


def test_a_cut_or_changed_link_stops_the_page(empty_page):
    read = """async (address) => {
      const { textsIn } = await import("/runtime/query.js");
      return textsIn(new URL(address));
    }"""
    for text in ("lz.z", "lz.", "lz.N4Ig"):
        found = empty_page.evaluate(read, f"https://course.test/?machine.edits={text}")
        assert found == [["machine.edits", ""]], text


COUNTED = """async (entries) => {
  const called = { picked: ["quiz", "quizzes"], tries: ["figure", "figures"] };
  globalThis.abhCourse = { called, tries: "tries" };
  const { inWords } = await import("/runtime/entries.js");
  return inWords(entries);
}"""


def test_a_setting_or_a_quiz_is_counted_twice(empty_page):
    entries = ["chapters/a/walk.d_k", "chapters/a/walk.beta", "chapters/b/walk.beta"]
    assert empty_page.evaluate(COUNTED, entries) == "3 settings"
    quiz = ["chapters/a/one.picked", "chapters/a/one.tries", "chapters/a/two.tries"]
    assert empty_page.evaluate(COUNTED, quiz) == "1 quiz and 1 figure"
