"""A reader's progress: marks, Continue, the results of a page, the review page.

The tests find pages and questions in the built site. They compute from the questions
what the site should show, and read from the screen what it shows.
"""

import csv
import json
import re

import pytest
from acts import clear, keep
from found import SITE
from frames import settle, wait_until
from machines import type_number
from playwright.sync_api import expect
from questions import plain
from repeats import first_and_weekly
from states import figures, questions
from test_tabs_storage_history import CLOSED

from book.results import rows_of
from course.chapters.output_projection.questions import DECIDE

REVIEW = "your-progress.html"


def asked_on(name: str) -> list[dict]:
    """Return all questions, in order; exercises and goals have no choices."""
    asked = []
    for state in figures(SITE / name).values():
        asked += questions(state)
        asked += [{"prompt": state["prompt"]}] if "truth" in state else []
        asked += [{"prompt": state["goal"]["prompt"]}] if state.get("goal") else []
    return asked


LINK = re.compile(r'<a href="(chapters/[^"#]+)"')
IN_ORDER = dict.fromkeys(LINK.findall((SITE / "intro.html").read_text("utf-8")))
ASKED = {name: asked for name in IN_ORDER if (asked := asked_on(name))}
SEVERAL = [name for name, asked in ASKED.items() if len(asked) > 2]
FEWEST = min(SEVERAL, key=lambda name: len(ASKED[name]))
FEW = list(ASKED)[::5]

FIRST_CHOICES = """truths => {
  for (const form of document.querySelectorAll(".abh-predict")) {
    form.querySelector("input[type=radio]")?.click();
    const buttons = [...form.querySelectorAll("button")];
    buttons.find(button => /^Commit/.test(button.textContent))?.click();
  }
  document.querySelectorAll(".abh-exercise form").forEach((form, i) => {
    form.querySelector("input").value = truths[i];
    form.querySelector("button[type=submit]").click();
  });
}"""
RESULTS_SAY = "s => document.querySelector('section.results').innerText.includes(s)"
KEPT = "() => Object.keys(localStorage).filter(key => /chapters/.test(key)).length"


def right_answers(asked: list[dict]) -> int:
    """Return the number of right answers among those that `answer` gives."""
    return sum(q["choices"][0]["right"] if "choices" in q else True for q in asked)


def answer(page, name: str) -> None:
    """Answer a page: first choices, true results of exercises, and reached goals."""
    states = figures(SITE / name).values()
    truths = [f"{state['truth']:.12f}" for state in states if "truth" in state]
    page.evaluate(FIRST_CHOICES, truths)
    for card in page.locator(".abh-card:has(.abh-ma-goal:not([hidden]))").all():
        card.locator("[data-named][data-matrix=key]").first.click()
        # This reaches the goal: “play” gives “football” the largest weight.
        type_number(card, "W_K", 0, 0, "-9")
    if (card := page.locator(".abh-card:has(.abh-star)")).count():
        card.get_by_label("Second head").check()
        corners = card.locator(".abh-corner")
        for head, corner in ((1, 0), (2, 2)):
            knob = card.locator(f".abh-knob[aria-label^='head {head}']")
            knob.drag_to(corners.nth(corner))
    block = ".abh-knob[aria-label^='block of head {}']"
    if page.locator(block.format(1)).count():
        for head, key in ((1, "Right"), (2, "Right"), (2, "Down"), (2, "Down")):
            page.locator(block.format(head)).press(f"Arrow{key}")
    count = len(ASKED[name])
    counted = f"{count} of the {count} questions" if count > 1 else "the one question"
    wait_until(page, RESULTS_SAY, f"You have answered {counted}")  # a moment later


CONTENTS = """() => [...document.querySelectorAll("#contents nav li")].map((line) => [
  line.querySelector("a").innerText,
  [...line.querySelectorAll(":scope > .mark")].map((mark) => mark.innerText).join(""),
])"""


def contents(page) -> dict[str, str]:
    """Return the mark beside each title in the table of contents."""
    return {" ".join(title.split()): mark for title, mark in page.evaluate(CONTENTS)}


def review(page) -> list[str]:
    return page.locator("#progress-pages tbody tr").all_inner_texts()


def begun(page) -> list[str]:
    """Return the rows of pages that are begun and not done."""
    return [row for row in review(page) if "begun" in row and "not begun" not in row]


COLOURS = """() => ["right", "wrong"].map((verdict) =>
  [...document.querySelectorAll(`.answers [data-verdict=${verdict}]`)]
    .map((item) => getComputedStyle(item).borderLeftColor))"""
SOLVE_ONE = """() => {
  const { pages } = globalThis.abhCourse;
  const { page, code } = pages.find((each) => each.code?.length > 1);
  localStorage.setItem(`attention-by-hand/${page}/cell-${code[0][0]}.verdict`, "right");
  return [page, code.length];
}"""


def test_an_exercise_in_code_is_not_counted(watch, site):
    watched = watch()
    name, number = watched.open(f"{site}/{REVIEW}").evaluate(SOLVE_ONE)
    rows = review(watched.open(f"{site}/{REVIEW}"))
    assert any(f", 1 of {number} exercises in code solved" in row for row in rows)
    items = watched.open(f"{site}/{name}.html").locator(".answers ul li")
    said = [text.rpartition(": ")[2] for text in items.all_inner_texts()]
    assert said == ["solved.", *["not tried."] * (number - 1)]


def test_the_results_exchange_the_first_and_the_last_answer(watch, site, tmp_path):
    page = watch().open(f"{site}/chapters/04-output-projection.html")
    quiz = page.locator(".abh-quiz")
    texts = [choice["text"] for choice in DECIDE["choices"]]
    right = next(i for i, choice in enumerate(DECIDE["choices"]) if choice["right"])
    wrong = (right + 1) % len(texts)
    for choice in (wrong, right):
        quiz.get_by_label(texts[choice]).check()
        quiz.get_by_role("button", name="Commit").click()
    page.goto(f"{site}/{REVIEW}")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save results").click()
    file = tmp_path / "Ada.csv"
    download.value.save_as(file)
    [row] = csv.DictReader(file.read_text("utf-8-sig").splitlines())
    assert (row["first"], row["answer"]) == (texts[wrong], texts[right])
    assert (row["first_verdict"], row["verdict"]) == ("wrong", "right")
    assert [*rows_of(file)] == [["Ada", "chapters/04-output-projection", 1, 1, 0]]


@pytest.mark.slow
@pytest.mark.parametrize("names", first_and_weekly([FEW, list(ASKED)]))
def test_answers_are_hidden_or_lost_in_another_browser(watch, site, tmp_path, names):
    watched = watch(reduced_motion="reduce", requests=True)
    titles = {}
    for name in names:
        page = watched.open(f"{site}/{name}")
        here = page.locator("#contents [aria-current]").inner_text()
        titles[name] = " ".join(here.split())
        end = page.locator("section.results")
        assert "Your answers will stand here" in end.inner_text()
        answer(page, name)
        right, count = right_answers(ASKED[name]), len(ASKED[name])
        text = end.inner_text()
        assert f": {right} right, {count - right} not right." in text
        assert f"not right. {right} right at the first try." in text
        right_colours, wrong_colours = page.evaluate(COLOURS)
        assert not {*right_colours} & {*wrong_colours}, "right answers look wrong"
        items = end.locator("li").all_inner_texts()
        for question, item in zip(ASKED[name], items, strict=True):
            check_item(question, item)
        expect(page.locator("#contents [aria-current] + .mark")).to_have_text("done")
        assert contents(page)[titles[name]] == "done"
    page = watched.open(f"{site}/{REVIEW}")
    rows = review(page)
    for name, title in titles.items():
        begins = rf"(\d+\. )?{re.escape(words_of(title))}\t"
        [row] = [row for row in rows if re.match(begins, row)]
        count, right = len(ASKED[name]), right_answers(ASKED[name])
        assert f"done, {count} of {count} answered, {right} right" in row
    check_wrong(page, titles)
    check_moving(watched, watch, site, tmp_path)


def check_item(question: dict, item: str) -> None:
    assert plain(question["prompt"]) in plain(item)
    if "choices" not in question:
        assert "Right." in item
        assert "[[" not in item, "the numbers of a reached goal are not for readers"
        return
    picked = question["choices"][0]
    assert plain(picked["text"]) in plain(item)
    assert ("Right." in item) == picked["right"]
    assert ("Not right." in item) != picked["right"]
    right = next(choice for choice in question["choices"] if choice["right"])
    has_second_try = len(question["choices"]) > 2
    is_shown = not (picked["right"] or has_second_try)
    assert (plain(f"The answer is: {right['text']}") in plain(item)) == is_shown


def check_wrong(page, titles: dict[str, str]) -> None:
    """Check that each wrongly answered question stands below its page, with a link."""
    wrong, expected = [], []
    for name, title in titles.items():
        on_page = [q for q in ASKED[name] if not right_answers([q])]
        expected += [words_of(title)] if on_page else []
        wrong += on_page
    pages = page.locator("#progress-wrong h3").all_inner_texts()
    assert [*map(words_of, pages)] == expected
    items = page.locator("#progress-wrong li")
    for question, item in zip(wrong, items.all_inner_texts(), strict=True):
        assert plain(question["prompt"]) in plain(item)
    items.last.get_by_role("link").click()
    page.wait_for_url("**/*#fig-*")
    figure = page.locator(f"#{page.url.partition('#')[2]}")
    assert plain(wrong[-1]["prompt"]) in plain(figure.inner_text())
    page.go_back()


def words_of(title: str) -> str:
    return re.sub(r"^\d+\.?\s+", "", title)


KEYS = "Object.keys(localStorage).sort()"


def check_moving(watched, watch, site, tmp_path) -> None:
    """Check that another browser shows an imported export, and that nothing is sent."""
    page, file = watched.page, tmp_path / "mine.json"
    kept = page.evaluate(KEYS)
    before = review(page), page.locator("#progress-wrong").inner_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    download.value.save_as(file)
    page.get_by_role("button", name="Clear the whole course").click()
    dialog = page.get_by_role("dialog")
    for words in ("prediction", "quiz", "exercise"):
        assert words in dialog.inner_text()
    dialog.get_by_role("button", name="Clear").click()
    wrong = page.locator("#progress-wrong").inner_text()
    assert "You have answered nothing yet." in wrong
    assert page.evaluate("Object.keys(localStorage).length") == 0
    assert not any(contents(page).values())
    other = watch(fresh=True, requests=True)
    page = other.open(f"{site}/{REVIEW}")
    page.set_input_files("#progress-import", file)
    page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    assert page.get_by_text("Imported.").is_visible()
    assert (review(page), page.locator("#progress-wrong").inner_text()) == before
    assert page.evaluate(KEYS) == kept
    for each in (watched, other):
        assert (each.outside(site, f"blob:{site}"), each.complaints) == ([], [])


def test_continue_does_not_lead_a_returning_reader_to_the_last_heading(watch, site):
    page = watch(reduced_motion="reduce").open(f"{site}/intro.html")
    assert page.get_by_text("Continue:").count() == 0
    page.goto(f"{site}/chapters/03-multi-head.html")
    headings = page.locator("article section[id] > h2")
    heading = headings.nth(headings.count() // 2)
    words = heading.evaluate("node => node.firstChild.textContent")
    heading.evaluate("node => node.scrollIntoView()")
    wait_until(page, "() => localStorage['attention-by-hand/place']")
    assert page.evaluate("localStorage['attention-by-hand/version']") == "1"
    assert contents(page)["3 Several heads"] == "", "scrolling must not count"
    page.goto(f"{site}/intro.html")
    go_on = page.locator(".start").get_by_role("link").first
    assert go_on.inner_text() == f"Continue: chapter 3, {words}"
    go_on.click()
    page.wait_for_url("**/03-multi-head.html#*")
    assert 0 <= heading.bounding_box()["y"] < 200


def test_a_page_is_done_before_all_is_answered(watch, site):
    page = watch().open(f"{site}/{FEWEST}")
    form = page.locator(".abh-predict:visible").first
    form.locator("input[type=radio]").first.check()
    form.get_by_role("button", name="Commit").click()
    expect(page.locator(".mark").first).to_have_text("begun")
    end = page.locator("section.results").inner_text()
    assert f"answered 1 of the {len(ASKED[FEWEST])} questions" in end
    page.goto(f"{site}/{REVIEW}")
    [row] = [row for row in review(page) if "answered" in row]
    assert f"begun, 1 of {len(ASKED[FEWEST])} answered" in row


DEVICE = "({ ...localStorage })"
FILE = {"format": "attention-by-hand", "version": 1, "entries": {}}
# Each file gets another message than the file before, so an old message fails the test.
GARBAGE = {
    "{": "this page exports JSON",
    "[]": "it does not say that it holds progress",
    json.dumps({**FILE, "entries": []}): "it has no list of entries",
    json.dumps({**FILE, "format": "other"}): "it does not say that it holds progress",
    json.dumps({**FILE, "version": 2}): "of version 2, and this course reads version 1",
    "null": "it does not say that it holds progress",
}
UNSOUND = {
    "chapters/01-self-attention/machine.entry": "99",
    "chapters/01-self-attention/machine.example": "cat",
    "chapters/01-self-attention/reading": "all of it",
    "chapters/no-such-page/machine.answer": "0",
    "__proto__/machine.answer": "0",
    "place": "[1]",
    "mode": "dark",
}


def give(page, text: str) -> None:
    file = {"name": "f.json", "mimeType": "application/json", "buffer": text.encode()}
    page.set_input_files("#progress-import", file)


def test_the_import_accepts_wrong_files_or_entries_or_gives_no_reason(watch, site):
    watched = watch()
    page = watched.open(f"{site}/{REVIEW}")
    keep(page, {"chapters/01-self-attention/machine.answer": "once"})
    before = page.evaluate(DEVICE)
    field = page.locator("#progress-import")
    for text, words in GARBAGE.items():
        give(page, text)
        page.get_by_text(words).wait_for()
        assert page.get_by_role("dialog").count() == 0
        assert field.input_value() == "", "a browser ignores the same file otherwise"
    give(page, json.dumps({**FILE, "entries": UNSOUND}))
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    assert "Self-attention: 1 prediction" in dialog.inner_text()
    assert "saved at an unknown time" in dialog.inner_text()
    assert f"does not know them: {', '.join(UNSOUND)}." in dialog.inner_text()
    assert page.get_by_text("was not imported").count() == 0, "the message goes"
    dialog.get_by_role("button", name="Keep everything").click()
    assert page.evaluate(DEVICE) == before
    assert watched.complaints == []


def test_clearing_a_page_does_not_ask_or_clears_other_pages(watch):
    """The pages are opened from disk, where a browser keeps entries too.

    The name of one of the other pages begins like the name of the cleared page.
    """
    site = SITE.as_uri()
    page = watch().open(f"{site}/{FEWEST}")
    answer(page, FEWEST)
    another = next(name for name in ASKED if name != FEWEST)
    for name in (another, FEWEST.replace(".html", "-b.html")):
        keep(page, {f"{name.removesuffix('.html')}/reading": "begun"})
    page.goto(f"{site}/{REVIEW}")
    number = page.evaluate(KEPT)
    button = page.locator("#progress-pages tr", has_text="done").get_by_role("button")
    button.click()
    page.get_by_role("dialog").get_by_role("button", name="Keep everything").click()
    assert page.evaluate(KEPT) == number > 2
    button.click()
    page.get_by_role("dialog").get_by_role("button", name="Clear").click()
    assert page.evaluate(KEPT) == 2
    assert len(begun(page)) == 1
    page.goto(f"{site}/{FEWEST}")
    settle(page)
    answer(page, FEWEST)
    clear(page)  # with the button of the page
    assert page.evaluate(KEPT) == 2


FULL = """const set = Storage.prototype.setItem;
Storage.prototype.setItem = function (key, text) {
  if (key.endsWith("/place")) throw new DOMException("full", "QuotaExceededError");
  set.call(this, key, text);
};"""


@pytest.mark.parametrize(
    ("refused", "why"),
    [
        (CLOSED, "this browser does not let this site keep anything"),
        (FULL, "this browser has no more room for what this site keeps"),
    ],
)
def test_a_lost_reading_place_has_no_mark_in_the_contents(watch, site, refused, why):
    watched = watch(fresh=True)
    watched.page.add_init_script(refused)
    page = watched.open(f"{site}/{FEWEST}")
    page.locator("article h2").first.evaluate("node => node.scrollIntoView()")
    mark = page.locator("#contents li:has([aria-current]) .mark")
    expect(mark).to_have_text("not kept")
    expect(mark).to_have_attribute("title", why)


def test_an_import_that_does_not_fit_changes_the_device(watch, site):
    watched = watch(fresh=True)
    watched.page.add_init_script(FULL)
    page = watched.open(f"{site}/{REVIEW}")
    keep(page, {"chapters/01-self-attention/reading": "begun"})
    before = page.evaluate(DEVICE)
    place = json.dumps(["chapters/01-self-attention", "the-formula", "The formula"])
    entries = {"open": "1", "place": place}  # the first one still fits
    give(page, json.dumps({**FILE, "entries": entries}))
    page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    said = page.get_by_text("Nothing was imported, and what was here is still here")
    assert "no more room" in said.inner_text()
    assert page.evaluate(DEVICE) == before


def test_entries_of_a_newer_version_are_read_or_changed(watch, site):
    watched = watch()
    page = watched.open(f"{site}/{REVIEW}")
    keep(page, {"version": "2", "chapters/03-multi-head/reading": "begun"})
    kept = page.evaluate(DEVICE)
    page.reload()
    said = page.locator(".refused").inner_text()
    assert "(version 2; this course reads version 1)" in said
    page = watched.open(f"{site}/{FEWEST}")
    page.keyboard.press("End")  # in version 1 the site keeps this place
    page.wait_for_timeout(500)
    assert page.evaluate(DEVICE) == kept
    assert not any(contents(page).values())


@pytest.mark.parametrize("name", ["intro.html", REVIEW])
def test_a_page_that_the_back_button_restores_shows_old_progress(watch, site, name):
    page = watch().open(f"{site}/{name}")
    place = json.dumps(["chapters/03-multi-head", "two-heads", "Two heads"])
    keep(page, {"place": place, "chapters/03-multi-head/reading": "begun"})
    back = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
    page.evaluate(back)
    if name == REVIEW:
        assert len(begun(page)) == 1
    else:
        assert "Continue: chapter 3, Two heads" in page.locator(".start").inner_text()


def test_garbage_on_the_device_breaks_a_page(watch, site):
    watched = watch()
    page = watched.open(f"{site}/{REVIEW}")
    chapter = "chapters/01-self-attention"
    kept = {
        "place": "[[], {}, 3]",
        f"{chapter}/reading": "{",
        f"{chapter}/machine.answer": "one",
        f"{chapter}/check-1.picked": '{"0": 1}',
    }
    keep(page, kept)
    for name in (REVIEW, "intro.html"):
        page = watched.open(f"{site}/{name}")
        assert page.get_by_text("Continue:").count() == 0
    assert watched.complaints == []


def test_an_answer_in_another_tab_is_missing_from_your_progress(watch, site):
    page = watch().open(f"{site}/your-progress.html")
    row = page.locator("#progress-pages tr", has_text="Self-attention").first
    expect(row).to_contain_text("not begun")
    other = page.context.new_page()
    other.goto(f"{site}/about.html")
    entry = "attention-by-hand/chapters/01-self-attention/bank.sentence"
    other.evaluate("key => localStorage.setItem(key, '1')", entry)
    expect(row).not_to_contain_text("not begun")
