"""A reader's answers survive an edit of the questions, and a right one stands.

Each test shows a page, answers on it, and shows the page again as an author left it
after an edit: at the same address, with what the device kept in between.
"""

import json
import re
from itertools import product

import pytest
from alone import answer_with, page_of
from repeats import ends_and_weekly

from course.widgets import Exercise, Quiz, SqrtDk, ask

ADDRESS = "http://course.test/"
KEPT = """() => Object.fromEntries(Object.entries(localStorage)
  .map(([key, text]) => [key.split("/").at(-1), text]))"""
RESULTS = "<section class='results'></section>"


@pytest.fixture
def show(watch):
    """Show cards at one address; each call is a later visit, perhaps after an edit."""
    watched = watch(reduced_motion="reduce")

    def visit(*cards):
        watched.page.unroute_all()
        body = page_of(cards).replace("</article>", f"{RESULTS}</article>")
        answer_with(watched.page, ADDRESS, body)
        return watched.open(ADDRESS)

    yield visit
    assert watched.complaints == []


def asks(prompt, *texts):
    """A question whose right choice is the one that says so."""
    return ask(prompt, *((text, "right" in text, f"So: {text}.") for text in texts))


def texts(question):
    return [choice["text"] for choice in question["choices"]]


def choose(place, text):
    form = place.locator(".abh-predict:visible").first
    form.get_by_role("radio", name=text, exact=True).check()
    form.get_by_role("button", name="Commit").click()
    if (tell := place.get_by_role("button", name="Show the answer")).is_visible():
        tell.click()


def kept(page):
    """What the device keeps, by figure and trait; it is written a moment later."""
    page.wait_for_timeout(250)
    return page.evaluate(KEPT)


def results(page):
    """What the end of the page says: a summary, then each answer."""
    section = page.locator("section.results")
    return [section.locator("p").first.inner_text(), *section.locator("li").all()]


WORDS = ("right, four times", "wrong, sixteen times", "wrong, the same")


def reordered(prompt, *words):
    """Another prompt that puts the same choices into another order."""
    before = texts(asks(prompt, *words))
    prompts = (f"{prompt[:-1]} {'really ' * i}then?" for i in range(1, 20))
    return next(p for p in prompts if texts(asks(p, *words)) != before)


@pytest.mark.parametrize("text", ends_and_weekly(WORDS))
def test_a_prediction_keeps_its_verdict_when_its_question_is_reworded(show, text):
    page = show(SqrtDk(question=asks("How does it grow?", *WORDS)))
    choose(page, text)
    verdict = page.locator(".abh-folded").inner_text()
    assert text in verdict
    page = show(SqrtDk(question=asks(reordered("How does it grow?", *WORDS), *WORDS)))
    assert page.locator(".abh-folded").inner_text() == verdict
    summary, item = results(page)
    assert ("1 right" in summary) == text.startswith("right")
    assert f"You predicted: {text}." in item.inner_text()


def test_each_question_of_a_quiz_keeps_its_answer_wherever_it_stands(show):
    one, two = asks("One?", "right", "wrong"), asks("Two?", "right", "wrong")
    three = asks("Three?", "right one", "wrong one")
    page = show(Quiz([one, two, three]))
    forms = page.locator(".abh-question")
    choose(forms.nth(0), "wrong")
    choose(forms.nth(2), "right one")
    results(page)
    reworded = {**three, "prompt": "Three, or more?"}
    page = show(Quiz([reworded, two, one]))
    said = page.locator(".abh-question").all_inner_texts()
    assert ["Right." in said[0], "Commit" in said[1], "Not right" in said[2]] == [
        True
    ] * 3
    assert "1 of 3 right. 1 still to answer." in page.locator(".abh-quiz").inner_text()


def predicts(*words):
    return SqrtDk(question=asks("Why?", *words))


def quizzes(*words):
    return Quiz([asks("So?", *words)])


def test_an_answer_that_is_no_choice_any_more_leaves_its_question_open(show):
    page = show(predicts("right", "wrong"), quizzes("right", "wrong"))
    for card in page.locator(".abh-card").all():
        choose(card, "wrong")
    page = show(*(asking("right", "wrong: it grows") for asking in (predicts, quizzes)))
    for card in page.locator(".abh-card").all():
        assert card.get_by_role("button", name="Commit").is_visible()
        assert "You chose “wrong” before. It is no longer" in card.inner_text()
    [summary] = results(page)
    assert "none of the 2 questions" in summary
    assert set(kept(page)) == {"sqrtdk.tries", "quiz.tries"}
    choose(page.locator(".abh-card").first, "right")
    assert "You chose" not in page.locator(".abh-card").first.inner_text()


THREE = ("right", "wrong, one", "wrong, two")
SECOND = "You have a second try before the answer is shown."


def commit(place, text):
    """Commit to a choice and have nothing told."""
    place.get_by_role("radio", name=text, exact=True).check()
    place.get_by_role("button", name="Commit").click()


@pytest.mark.parametrize("asking", [predicts, quizzes])
def test_a_wrong_choice_says_why_and_leaves_a_second_try(show, asking):
    page = show(asking(*THREE))
    commit(page.locator(".abh-card"), "wrong, one")
    for seen in (page, show(asking(*THREE))):
        card = seen.locator(".abh-card")
        assert SECOND in card.inner_text()
        assert "So: wrong, one." in card.inner_text()
        assert "So: right." not in card.inner_text()
        summary, item = results(seen)
        assert "0 right, 1 not right" in summary
        assert "answer is" not in item.inner_text()
    assert card.get_by_role("radio", name="wrong, one").is_disabled()
    commit(card, "right")
    assert SECOND not in card.inner_text()
    summary, item = results(page)
    assert "1 right, 0 not right. 0 right at the first try." in summary
    assert "Your first try: wrong, one." in item.inner_text()


@pytest.mark.parametrize(
    ("asking", "gives_up"), ends_and_weekly(product((predicts, quizzes), (True, False)))
)
def test_after_the_second_try_the_answer_is_told(show, asking, gives_up):
    page = show(asking(*THREE))
    card = page.locator(".abh-card")
    commit(card, "wrong, one")
    if gives_up:
        card.get_by_role("button", name="Show the answer").click()
    else:
        commit(card, "wrong, two")
    for seen in (page, show(asking(*THREE))):
        summary, item = results(seen)
        assert "0 right, 1 not right. 0 right at the first try." in summary
        assert "The answer is: right." in item.inner_text()
        assert ("first try" in item.inner_text()) != gives_up


def test_the_first_try_is_kept_whatever_comes_later(show, clear):
    page = show(quizzes(*THREE))
    card = page.locator(".abh-card")
    for text in ("right", "wrong, one", "wrong, two", "right"):
        choose(card, text)
        assert "1 right at the first try" in results(page)[0]
        card.get_by_role("button", name="Answer again").click()
    assert json.loads(kept(page)["quiz.tries"])["So?"][0] == "right"
    clear(page)
    choose(card, "wrong, two")
    assert "0 right at the first try" in results(page)[0]


def test_the_first_number_is_kept_and_a_text_that_is_none_is_no_try(show, half):
    page = show(half)
    for text in ("what?", "1/2/3", "1.2", "1.18"):
        submit(page, text)
    summary, item = results(page)
    assert "1 right, 0 not right. 0 right at the first try." in summary
    assert "Right. You wrote: 1.18. Your first try: 1.2." in item.inner_text()


@pytest.fixture
def half():
    return Exercise("half", "Half of 2.36?", truth=1.18)


def submit(page, text):
    page.get_by_label("Your answer").fill(text)
    page.get_by_role("button", name="Check").click()
    return page.locator(".abh-reading").inner_text()


@pytest.mark.parametrize("later", ends_and_weekly(["1.2", "7", "", "what?"]))
def test_a_right_number_is_not_demoted_by_a_later_one(show, half, later):
    page = show(half)
    assert submit(page, "1.18").startswith("Right:")
    assert not submit(page, later).startswith("Right:")
    for seen in (page, show(half)):
        summary, item = results(seen)
        assert "1 right, 0 not right" in summary
        assert "Right. You wrote: 1.18." in item.inner_text()
    show(Exercise("half", "Half of 2.36?", truth=1.81))  # the author was wrong
    summary, *_ = results(page)
    assert "0 right" in summary or "not answered" in summary


def test_a_right_choice_is_not_demoted_by_a_later_one(show):
    page = show(predicts("right", "wrong"), quizzes("right", "wrong"))
    for card in page.locator(".abh-card").all():
        choose(card, "right")
    page.locator(".abh-folded:visible").click()
    for card in page.locator(".abh-card").all():
        card.get_by_role("button", name=re.compile("again$")).first.click()
        choose(card, "wrong")
        assert "Not right" in card.inner_text()
    summary, *items = results(page)
    assert "2 right, 0 not right" in summary
    assert all("Right." in item.inner_text() for item in items)
    entries = kept(page)
    assert json.loads(entries["sqrtdk.tries"]) == {"Why?": ["right", "wrong"]}
    assert json.loads(entries["quiz.tries"]) == {"So?": ["right", "wrong"]}
