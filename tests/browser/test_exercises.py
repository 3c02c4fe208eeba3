"""The walkthrough's exercises and questions, with no kernel behind them."""

import json
import math
import random
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal

import pytest
from alone import answer_with, page_of
from frames import resize

from course.chapters.walkthrough_apple import exercises as apple_exercises
from course.chapters.walkthrough_apple import questions as apple_quiz
from course.widgets import Quiz
from course.widgets.bundler import bundle, read_source

ADDRESS = "http://exercises.test/"
PATH = "chapters/05-walkthrough-apple.html"
EXERCISES = [
    apple_exercises.projection(0, "Q"),
    apple_exercises.projection(0, "K"),
    apple_exercises.score(0, "bought"),
    apple_exercises.practice_softmax(0, "eat"),
    apple_exercises.head_output(0),
    apple_exercises.final_output(),
]
QUESTIONS = [
    apple_quiz.highest_weight(),
    apple_quiz.softmax_ensures(),
    apple_quiz.prediction(),
    apple_quiz.who_can_win(),
]


# What is kept of figures, and not how far the page was read.
KEPT = r"Object.keys(localStorage).filter((key) => /[/][^/]+[.][^/]+$/.test(key))"


HOLDS = f"count => {KEPT}.length === count"  # the page writes a moment later


@pytest.fixture(scope="module")
def opened(browser):
    """A page of the exercises and the quiz alone; it must not complain."""
    complaints = []
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(10_000)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text))
    body = page_of([*EXERCISES, Quiz(QUESTIONS)])
    answer_with(page, ADDRESS, body)
    page.goto(ADDRESS)
    page.wait_for_selector(".abh-quiz")
    yield page
    page.close()
    assert complaints == []


# What the dialog of "Clear …" does for the whole page.
CLEAR = """() => {
  const press = (kind, words) => [...document.querySelectorAll(kind)]
    .find((node) => node.textContent.trim() === words).click();
  press("button", "Clear …");
  press("dialog label", "This page");
  press("dialog button", "Clear");
}"""


@pytest.fixture
def page(opened, wait_until):
    """The page as a new reader finds it."""
    opened.evaluate(CLEAR)
    wait_until(opened, HOLDS, 0)
    return opened


def card(page, exercise):
    return page.get_by_role("group", name=f"Exercise: {exercise.prompt}", exact=True)


def answer(page, exercise, text):
    """Type an answer, check it, and give what the card says."""
    region = card(page, exercise)
    region.get_by_label("Your answer").fill(text)
    region.get_by_role("button", name="Check").click()
    return region.locator(".abh-reading").inner_text()


def answers(page, exercise, texts):
    """Submit several answers in one go, and give what the card says to each."""
    return [said for said, _ in judgements(page, exercise, texts)]


def judgements(page, exercise, texts):
    """What the card says to each of several answers, and if its field is marked."""
    return card(page, exercise).evaluate(
        """(card, texts) => texts.map((text) => {
             const field = card.querySelector(".abh-answer");
             field.value = text;
             card.querySelector("form").requestSubmit();
             const said = card.querySelector(".abh-reading").textContent;
             return [said, field.ariaInvalid === "true"];
           })""",
        texts,
    )


def shown(page, exercise):
    return card(page, exercise).get_attribute("data-verdict")


def rounded(value, places, how=ROUND_HALF_EVEN):
    return str(Decimal(value).quantize(Decimal(1).scaleb(-places), how))


def test_every_correct_rounding_is_right(page):
    for exercise in EXERCISES:
        truth, digits = exercise.truth, exercise.digits
        texts = [rounded(truth, places) for places in range(digits, digits + 5)]
        texts += [texts[4].replace(".", ","), f"+{texts[1]}", f" {texts[0]} "]
        texts += [f"{rounded(100 * truth, digits)}%", f"{texts[3]}/1", f"{truth:.6e}"]
        for text, said in zip(texts, answers(page, exercise, texts), strict=True):
            assert said.startswith("Right:"), text
        assert shown(page, exercise) == "right"


def test_every_slip_is_named(page):
    for exercise in EXERCISES:
        texts = [rounded(slip["value"], exercise.digits) for slip in exercise.slips]
        whys = [slip["why"].replace("W_O", "WO") for slip in exercise.slips]
        assert answers(page, exercise, texts) == whys
        assert shown(page, exercise) == "wrong"


@pytest.mark.parametrize("exercise", EXERCISES[::5], ids=lambda e: e.name)
def test_common_slips_are_named(page, exercise):
    truth, digits = exercise.truth, exercise.digits
    said = {
        f"-{rounded(truth, digits)}": "sign is wrong",
        rounded(truth, 1): "Right as far as it goes",
        rounded(truth * 1.009, digits + 3): "Close",
        rounded(truth * 7.77, digits): "Not yet",
        "": "Type a number first",
        "apple": "is not a number",
        "1/2/3": "is not a number",
        "1/0": "finite",
        "infinity": "finite",
        "1e999": "finite",
    }
    judged = judgements(page, exercise, [*said])
    for (text, part), (words, marked) in zip(said.items(), judged, strict=True):
        assert part in words, text
        is_number = part not in ("Type a number first", "is not a number", "finite")
        assert marked != is_number, text
    in_percent = answer(page, exercise, rounded(100 * truth, 1))
    assert ("in percent" in in_percent) == (abs(truth) <= 1)
    if abs(truth) <= 1:
        cut = next(
            rounded(truth, d, ROUND_DOWN)
            for d in range(digits, digits + 6)
            if rounded(truth, d, ROUND_DOWN) != rounded(truth, d)
        )
        if len(cut) == digits + 2:
            assert "cut off" in answer(page, exercise, cut)


def mark(region, *lines):
    for line in lines:
        region.get_by_role("button", name=line, exact=True).click()


def test_the_task_follows_from_the_lines_that_the_reader_marks(page):
    region = card(page, EXERCISES[0])
    task, picked = region.locator(".abh-expression"), region.locator(".abh-picked")
    assert task.inner_text() == "Mark a row or a column of X and one of WQ of head 1."
    mark(region, "X, row apple")
    assert picked.all_inner_texts() == ["0.6", "0.4", "1.0", "0.2"]
    colours = "cells => cells.map(c => getComputedStyle(c).boxShadow)"
    assert len(set(picked.evaluate_all(colours))) == 1
    others = region.locator("td:not(.abh-picked)").evaluate_all(colours)
    assert not set(others) & set(picked.evaluate_all(colours))
    mark(region, "W Q of head 1, column 1")
    assert task.inner_text() == "0.6 × 0.8 + 0.4 × 0.1 + 1.0 × 0.6 + 0.2 × 0.3 = ?"
    mark(region, "X, row apple")  # once more takes it back
    assert task.inner_text() == "Mark a row or a column of X."


def test_the_slip_can_happen_and_is_told_from_a_slip_in_the_sum(page):
    exercise = EXERCISES[0]
    region = card(page, exercise)
    mark(region, "X, row apple", "W Q of head 1, row 1")
    rule = "The right factor gives a column: here column 1."
    why = f"You took row 1 of WQ of head 1. {rule}"
    followed = (
        "That follows from the lines you marked, but the task asks for other lines. "
    )
    assert answer(page, exercise, "0.72") == followed + why
    assert answer(page, exercise, "3") == why
    mark(region, "W Q of head 1, column 1", "X, row to")
    wrong_word = "You took the row of “to” of X, not apple."
    assert answer(page, exercise, "3") == wrong_word
    mark(region, "X, row apple")
    assert "Not yet" in answer(page, exercise, "3")
    assert answer(page, exercise, "1.18").startswith("Right:")
    region.get_by_role("button", name="Clear", exact=True).click()
    assert region.locator(".abh-picked").count() == 0


def test_a_softmax_down_the_column_can_happen(page):
    exercise = EXERCISES[3]
    region = card(page, exercise)
    mark(region, "scaled scores, column eat")
    column = [float(x) for x in region.locator(".abh-picked").all_inner_texts()]
    share = math.exp(column[2]) / sum(map(math.exp, column))
    said = answer(page, exercise, rounded(share, 3))
    assert said.startswith("That follows from the lines you marked, but the task")
    assert "along a row" in said


def test_lines_of_two_lengths_do_not_pair_off(page):
    region = card(page, EXERCISES[4])
    mark(region, "weights, row apple", "V₁, row apple")
    said = region.locator(".abh-expression").inner_text()
    assert said == "5 numbers against 4: they do not pair off."


def test_hint_then_steps_then_none(page):
    exercise = EXERCISES[0]
    region = card(page, exercise)
    lines = region.locator(".abh-steps li")
    button = region.locator(".abh-help button")
    wanted = [exercise.hint, *exercise.steps]
    assert button.inner_text() == "Hint"
    for count in range(1, len(wanted) + 1):
        button.focus()
        page.keyboard.press("Enter")
        assert lines.all_inner_texts() == wanted[:count]
    assert button.inner_text() == "Hide the steps"
    button.click()
    assert lines.count() == 0


def test_a_keyboard_is_enough_for_an_answer(page):
    exercise = EXERCISES[1]
    card(page, exercise).get_by_label("Your answer").focus()
    page.keyboard.type(rounded(exercise.truth, 2))
    page.keyboard.press("Enter")
    assert shown(page, exercise) == "right"
    live = card(page, exercise).locator(".abh-reading")
    assert live.get_attribute("aria-live") == "polite"


def quiz_card(page):
    return page.get_by_role("group", name=f"Quiz of {len(QUESTIONS)} questions")


def commit(page, number, choice):
    field = quiz_card(page).locator(".abh-question").nth(number)
    field.locator("input").nth(choice).check()
    field.get_by_role("button", name="Commit to this answer").click()
    if (tell := field.get_by_role("button", name="Show the answer")).is_visible():
        tell.click()
    return field


def test_each_choice_explains_itself_after_the_commit(page):
    score = quiz_card(page).locator(".abh-reading")
    right = 0
    for number, asked in enumerate(QUESTIONS):
        field = quiz_card(page).locator(".abh-question").nth(number)
        assert field.locator(".abh-why:visible").count() == 0
        choice = number % len(asked["choices"])
        commit(page, number, choice)
        whys = field.locator(".abh-why").all_inner_texts()
        for text, given in zip(whys, asked["choices"], strict=True):
            assert text.endswith(given["why"].replace("_", ""))
        right += asked["choices"][choice]["right"]
        assert score.inner_text().startswith(f"{right} of {len(QUESTIONS)} right.")
    assert 0 < right < len(QUESTIONS)
    assert score.inner_text().endswith("All answered.")
    field.get_by_role("button", name="Answer again").click()
    assert "1 still to answer" in score.inner_text()
    page.get_by_role("button", name="Start the quiz again").click()
    assert score.inner_text().startswith("0 of")


def test_answers_survive_a_reload_and_can_be_cleared(page, wait_until, clear):
    exercise = EXERCISES[2]
    answer(page, exercise, rounded(exercise.truth, 3))
    card(page, exercise).locator(".abh-help button").click()
    commit(page, 1, [choice["right"] for choice in QUESTIONS[1]["choices"]].index(True))
    wait_until(page, HOLDS, 7)
    page.reload()
    page.wait_for_selector(".abh-quiz")
    field = card(page, exercise).get_by_label("Your answer")
    assert field.input_value() == rounded(exercise.truth, 3)
    assert shown(page, exercise) == "right"
    assert card(page, exercise).locator(".abh-steps li").count() == 1
    assert "1 of" in quiz_card(page).locator(".abh-reading").inner_text()
    query = page.evaluate("location.search")
    assert query == "", "answers are the reader's own and not in the address"

    clear(page)
    assert field.input_value() == ""
    assert shown(page, exercise) == "none"
    assert "0 of" in quiz_card(page).locator(".abh-reading").inner_text()
    wait_until(page, HOLDS, 0)
    page.reload()
    page.wait_for_selector(".abh-quiz")
    assert shown(page, exercise) == "none"


def test_another_exercise_keeps_its_own_answer(page, wait_until):
    answer(page, EXERCISES[0], "5")
    answer(page, EXERCISES[1], "6")
    wait_until(page, HOLDS, 4)
    kept = page.evaluate("({...localStorage})")
    entries = {k.split("/")[-1]: v for k, v in kept.items() if k.endswith("entry")}
    assert entries == {"Q1-0.entry": "5", "K1-0.entry": "6"}


# Make moves as a reader would; gives what the exercise says and its verdict after each.
MOVE = """(moves) => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
  const one = (list, where) => list[Math.floor(where * list.length)];
  const kinds = {
    help: (card) => card.querySelector(".abh-help button").click(),
    clear: (card) => all("button", card).find((b) => b.textContent === "Clear").click(),
    answer(card, text) {
      card.querySelector(".abh-answer").value = text;
      card.querySelector("form").requestSubmit();
    },
    commit(card, where, choice) {
      const question = one(all(".abh-quiz .abh-question"), where);
      one(all("input", question), choice).click();
      question.querySelector("button").click();
    },
  };
  return moves.map(([kind, which, ...how]) => {
    const card = one(all(".abh-exercise"), which);
    kinds[kind](card, ...how);
    return [card.querySelector(".abh-reading").textContent, card.dataset.verdict];
  });
}"""
ENTRIES = ["", "1", "-1", "0.27", "1e308", "abc", "½", "1/3", "30%", "9" * 40, "<b>"]


def test_two_hundred_random_moves(page):
    rng = random.Random(5)
    how = {
        "answer": lambda: [rng.choice(ENTRIES)],
        "help": list,
        "clear": list,
        "commit": lambda: [rng.random(), rng.random()],
    }
    kinds = [rng.choice([*how]) for _ in range(200)]
    moves = [[kind, rng.random(), *how[kind]()] for kind in kinds]
    for kind, (said, verdict) in zip(kinds, page.evaluate(MOVE, moves), strict=True):
        assert said or kind != "answer"
        assert verdict == "none" or kind != "clear"


def test_an_exercise_of_the_walkthrough_reaches_over_the_edge(watch, site):
    page = watch().open(f"{site}/{PATH}")
    names = page.evaluate(
        """() => [...document.querySelectorAll(".abh-exercise")]
                   .map(card => card.getAttribute("aria-label"))"""
    )
    assert names
    page.evaluate(
        """long => document.querySelectorAll(".abh-exercise").forEach((card) => {
             card.querySelector(".abh-answer").value = long;
             card.querySelector("form").requestSubmit();
             card.querySelector(".abh-help button").click();
           })""",
        "a number that is far too long to be one " * 3,
    )
    refused = page.locator(".abh-reading", has_text="is not a number")
    assert refused.count() == len(names)
    for width in (360, 1280):
        resize(page, width, 800)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        wide = page.evaluate(
            """() => [...document.querySelectorAll(".abh-exercise, .abh-quiz")]
                       .filter(c => c.scrollWidth > c.clientWidth).length"""
        )
        assert wide == 0


SOURCES = "".join(read_source(name).script for name in bundle("exercise.js").names)


def judged(page, cases):
    script = f"""cases => {{ {SOURCES};
        const need = (name) => globalThis.abhSources[name](need);
        const {{ judge }} = need("exercise.js");
        return cases.map(c => judge(c.text, c.truth, c.digits, []).right); }}"""
    return page.evaluate(script, cases)


def cases_of(rng, count):
    """Random true values with a text and whether it is a correct rounding."""
    for _ in range(count):
        truth = rng.choice([-1, 1]) * 10 ** rng.uniform(-4, 4) * rng.random()
        digits = rng.randrange(9)
        places = digits + rng.randrange(4)
        units = rng.choice([0, 0, 0, 2, -2, 5, 17])
        text = str(Decimal(rounded(truth, places)) + units * Decimal(10) ** -digits)
        yield {"text": text, "truth": truth, "digits": digits}, units == 0


def test_roundings_are_judged_as_python_rounds(browser):
    rng = random.Random(7)
    cases, wanted = zip(*cases_of(rng, 3000), strict=True)
    page = browser.new_page()
    given = judged(page, json.loads(json.dumps(cases)))
    page.close()
    wrong = [c for c, g, w in zip(cases, given, wanted, strict=True) if g != w]
    assert wrong == []


def test_both_roundings_of_an_exact_half_are_right(browser):
    page = browser.new_page()
    texts = ["0.12", "0.13", "0.125", "1/8", "12.5%"]
    cases = [{"text": text, "truth": 0.125, "digits": 2} for text in texts]
    assert judged(page, cases) == [True] * 5
    page.close()
