"""Stored answers of a reader: their results, also after an author edits the questions.

The browser keeps the answers between two visits of the same address.
"""

import json

import pytest
from acts import reading
from alone import answer_with, page_of
from displayed import ask as ask_page
from modules import load_modules

from book.widgets import RUNTIME
from course.widgets import Exercise, Quiz, ScoreWalk, ask
from course.widgets.bundler import sources

ADDRESS = "http://course.test/"
RESULTS = "<section class='results'></section>"

VIEWS = ("quiz.js", "exercise.js")
JUDGE = """(state) =>
  need("answers.js").resultsOf((trait) => state[trait], state._page)"""


@pytest.fixture(scope="module")
def judged(browser):
    """Yield a function that judges a card's answers with the JavaScript of pages."""
    page = browser.new_page()
    scripts = [each.script for view in VIEWS for each in sources(view)]
    page.evaluate("\n".join([*scripts, "0"]))
    load_modules(page, "answers.js", folder=RUNTIME)

    def judge(card, **given):
        for name, value in given.items():
            setattr(card, name, value)
        state = json.loads(json.dumps(card.get_state(), default=str))
        return ask_page(page, JUDGE, state)

    yield judge
    page.close()


def asks(prompt, *texts):
    """Return a question whose right choice is the text with the word "right"."""
    return ask(prompt, *((text, "right" in text, f"So: {text}.") for text in texts))


THREE = ("right", "wrong, one", "wrong, two")
# Tries ("": a new start), choice, (verdict, right at first, right answer if shown).
TRIES = {
    "nothing": ([], "", ("", False, "right")),
    "one wrong try": (["wrong, one"], "wrong, one", ("wrong", False, "")),
    "two wrong tries": (["wrong, one"] * 2, "wrong, one", ("wrong", False, "right")),
    "right at last": (["wrong, two", "right"], "right", ("right", False, "right")),
    "right once": (["right", "wrong, one"], "wrong, one", ("right", True, "right")),
    "asked again": (["wrong, two"] * 2 + [""], "", ("wrong", False, "right")),
    "wrong once more": (["right", "", "wrong, one"], "wrong, one", ("right", True, "")),
    "no choice any more": (["wrong, six"], "", ("", False, "right")),
}


@pytest.mark.parametrize(("tries", "picked", "wanted"), TRIES.values(), ids=TRIES)
def test_tries_at_a_question_give_a_wrong_result(judged, tries, picked, wanted):
    quiz = Quiz([asks("Two?", "right", "wrong"), asks("So?", *THREE)])
    now = {"Two?": "wrong"} | ({"So?": picked} if picked else {})
    two, found = judged(quiz, picked=now, tries={"Two?": ["wrong"], "So?": tries})
    assert (found["verdict"], found["wasRight"], found["right"]) == wanted
    assert found["first"] == next((text for text in tries if text in THREE), "")
    assert two["right"] == "right", "two choices leave no second try"


@pytest.mark.parametrize(
    ("tries", "entry", "verdict"),
    [
        (["1.2", "1.18"], "7", "right"),  # a right try still counts
        (["1.2"], "", "wrong"),
        ([], "what?", ""),
    ],
)
def test_tries_of_numbers_give_a_wrong_verdict(judged, tries, entry, verdict):
    half = Exercise("half", "Half of 2.36?", truth=1.18)
    [found] = judged(half, entry=entry, tries={half.prompt: tries})
    assert found["verdict"] == verdict
    assert found["first"] == (tries or [entry])[0]


# --- What a page shows ----------------------------------------------------------------


@pytest.fixture
def show(watch):
    """Yield a function that shows cards at one address; each call is a new visit."""
    watched = watch(reduced_motion="reduce")

    def visit(*cards):
        watched.page.context.unroute_all()
        body = page_of(cards).replace("</article>", f"{RESULTS}</article>")
        answer_with(watched.page, ADDRESS, body)
        return watched.open(ADDRESS)

    yield visit
    assert watched.complaints == []


def commit(place, text):
    """Commit to a choice, without asking for the right answer."""
    place.get_by_role("radio", name=text, exact=True).check()
    place.get_by_role("button", name="Commit").click()


def results(page):
    """Return the results at the end of the page: the summary, then each answer."""
    section = page.locator("section.results")
    return [section.locator("p").first.inner_text(), *section.locator("li").all()]


def predicts(*words):
    return ScoreWalk(question=asks("Why?", *words))


def quizzes(*words):
    return Quiz([asks("So?", *words)])


def test_an_answer_whose_choice_was_removed_still_counts(show):
    page = show(predicts("right", "wrong"), quizzes("right", "wrong"))
    for card in page.locator(".abh-card").all():
        commit(card, "wrong")
    page = show(*(asking("right", "wrong: it grows") for asking in (predicts, quizzes)))
    for card in page.locator(".abh-card").all():
        assert card.get_by_role("button", name="Commit").is_visible()
    [summary] = results(page)
    assert "none of the 2 questions" in summary
    for card in page.locator(".abh-card").all():
        commit(card, "right")
    assert "2 right" in results(page)[0]


SECOND = "You have a second try before the answer is shown."


def this_and_next_visit(show, asking):
    yield
    show(asking(*THREE))
    yield


@pytest.mark.parametrize("asking", [predicts, quizzes])
@pytest.mark.parametrize("last", ["right", "wrong, two", "Show the answer"])
def test_a_second_try_is_missing_or_its_answer_comes_early(show, asking, last):
    page = show(asking(*THREE))
    card = page.locator(".abh-card")
    commit(card, "wrong, one")
    for _ in this_and_next_visit(show, asking):
        said = card.inner_text()
        assert SECOND in said
        assert "So: wrong, one." in said
        for early in ("So: right.", "the answer is “right”", "without predicting"):
            assert early not in said
        summary, item = results(page)
        assert "0 right, 1 not right" in summary
        assert "answer is" not in item.inner_text()
    assert card.get_by_role("radio", name="wrong, one").is_disabled()
    if last in THREE:
        commit(card, last)
    else:
        card.get_by_role("button", name=last).click()
    is_right = last == "right"
    counts = "1 right, 0 not" if is_right else "0 right, 1 not"
    for _ in this_and_next_visit(show, asking):
        assert SECOND not in card.inner_text()
        summary, item = results(page)
        assert f"{counts} right. 0 right at the first try." in summary
        assert ("The answer is: right." in item.inner_text()) != is_right
        is_told = "Your first try: wrong, one." in item.inner_text()
        assert is_told == (last in THREE)


def test_a_question_with_a_try_left_counts_as_answered_or_a_restart_keeps_tries(show):
    page = show(Quiz([asks("Two?", *THREE), asks("So?", *THREE)]))
    first, second = page.locator(".abh-question").all()
    commit(first, "right")
    commit(second, "wrong, one")
    assert "1 still to answer" in reading(page)
    commit(second, "wrong, two")  # this shows the answer
    assert "All answered" in reading(page)
    page.get_by_role("button", name="Start the quiz again").click()
    for question in (first, second):
        assert "So:" not in question.inner_text()
        commit(question, "wrong, one")
        assert SECOND in question.inner_text()
        assert "So: right." not in question.inner_text()
