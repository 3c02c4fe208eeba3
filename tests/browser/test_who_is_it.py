"""Numbers and drawings of the figures `WhoIsIt`, `SmallWhoIsIt` and `GrowingHead`."""

import base64
import itertools
import random

import displayed
import numpy as np
import pytest
from acts import reading
from modules import load_modules

from course.widgets import GrowingHead, SmallWhoIsIt, WhoIsIt
from course.widgets.growing_head import HEADS as GROWING
from course.widgets.growing_head import SEQUENCES
from course.widgets.who_is_it.card import FRAME, HEADS, LOSSES, NOUNS, SEEDS, SHOWN
from transformer.small import induction, pronouns

IT = pronouns.IT


# --- The forward pass -----------------------------------------------------------------

ASK = """([files, asked]) => {
  const { attentionAt, readStack } = need("who_is_it/machine.js");
  const stacks = files.map(file => {
    const bytes = Uint8Array.from(atob(file), c => c.charCodeAt(0));
    return readStack(new DataView(bytes.buffer));
  });
  return asked.map(([stack, ...how]) => attentionAt(stacks[stack], ...how));
}"""


def test_the_page_computes_other_numbers_than_python_for_120_sentences(browser):
    rng = random.Random(38)
    asked, expected = [], []
    for n in range(120):
        words = [rng.choice(options) for options in FRAME]
        stack = n % (len(LOSSES) * len(SEEDS))
        off = [head for head in HEADS if rng.random() < 0.3]
        off = {0: [], 1: list(HEADS)}.get(n // 6, off)  # each stack: none off, all off
        loss, seed = divmod(stack, len(SEEDS))
        model = pronouns.shown(list(LOSSES)[loss], seed)
        asked.append([stack, off, pronouns.numbers(words), IT])
        expected.append(pronouns.reading(words, *model, off))
    files = [base64.b64encode(file).decode() for file in WhoIsIt().models]
    page = browser.new_page()
    load_modules(page, "who_is_it/machine.js")
    shown = page.evaluate(ASK, [files, asked])
    page.close()
    for found, wanted in zip(shown, expected, strict=True):
        heads = wanted.attention.reshape(len(HEADS), -1)
        mean = wanted.attention[-1].mean(axis=0)
        for key, row in (("heads", heads), ("mean", mean), ("answer", wanted.shares)):
            np.testing.assert_allclose(found[key], row, rtol=0, atol=1e-9)


# --- Arcs and bars --------------------------------------------------------------------

ARCS = """() => [...document.querySelectorAll(".abh-arcs path")].map(path => {
  const words = [...document.querySelectorAll(".abh-arc-row")[0].children];
  const left = path.ownerSVGElement.getBoundingClientRect().left;
  const [, x] = path.getAttribute("d").match(/ (-?[\\d.]+) [\\d.]+$/);
  const away = (box) => Math.abs(box.left + box.width / 2 - left - x);
  const distances = words.map((word) => away(word.getBoundingClientRect()));
  const nearest = distances.indexOf(Math.min(...distances));
  return [nearest, Number(path.getAttribute("stroke-width"))];
})"""


def check_arcs(page, row):
    """Check that each weight w above 0.02 has an arc to its word, of thickness 9 w."""
    words, widths = np.transpose(page.evaluate(ARCS))
    wanted = np.flatnonzero(np.array(row) > 0.02)
    assert words.tolist() == wanted.tolist()
    np.testing.assert_allclose(widths, 9 * np.array(row)[wanted], atol=0.006)


def test_a_press_on_a_line_draws_the_arcs_of_another_head(open_page):
    figure = WhoIsIt(loss=1, seed=1)
    page = open_page(figure)
    for head in range(len(SHOWN)):
        page.locator(".abh-who-name").nth(head).click()
        check_arcs(page, figure._rows()[head])
        assert page.locator(".abh-who-name[aria-pressed=true]").count() == 1


BARS = """() => [...document.querySelectorAll(".abh-who-body polygon")].map(side =>
  figures.corners(side).filter((_, i) => i % 4 === 1).map(([x]) => x))"""


def test_a_bar_is_longer_or_shorter_than_its_number(open_page):
    figure = WhoIsIt(loss=1, seed=1)
    left, right = open_page(figure).evaluate(BARS)
    numbers = figure.numbers()
    both = np.vstack([numbers["heads"], numbers["mean"], numbers["answer"]])
    np.testing.assert_allclose(left, -both[:, 0], atol=1e-5)
    np.testing.assert_allclose(right, both[:, 1], atol=1e-5)


def test_a_second_press_does_not_restore_the_sentence(open_page):
    figure = WhoIsIt(loss=1, seed=2)
    nouns = {"first": figure.second, "second": figure.first}
    page = open_page(figure)
    before = reading(page)
    turn = page.locator(".abh-who-turns .abh-button").first
    swap = page.get_by_role("button", name="Swap the")
    assert turn.inner_text() == f"End with “{FRAME[-1][4]}”"
    for button, changed in ((turn, {"last": 4}), (swap, nouns)):
        button.click()
        assert reading(page) == WhoIsIt(loss=1, seed=2, **changed).reading() != before
        button.click()
        assert reading(page) == before


def test_a_box_does_not_switch_its_head_off_or_all_on_leaves_a_head_off(open_page):
    figure = WhoIsIt(loss=1, seed=1)
    page = open_page(figure)
    before = reading(page)
    on = page.get_by_role("button", name="All on")
    assert on.get_attribute("aria-disabled") == "true"
    for head in (0, 3):  # the first and the last
        page.get_by_role("checkbox").nth(head).uncheck()
    assert on.get_attribute("aria-disabled") == "false"
    figure.off = [HEADS[0], HEADS[3]]
    assert reading(page) == figure.reading()
    assert page.locator(".abh-who-off").count() == 2
    on.click()
    assert reading(page) == before
    page.locator(displayed.UNDO).dispatch_event("click")
    assert reading(page) == figure.reading()


def test_a_noun_that_was_held_out_of_training_is_not_named(open_page):
    page = open_page(WhoIsIt())
    status = page.locator(".abh-who-status")
    assert status.inner_text().strip() == ""
    page.locator("[data-trait=second] select").select_option(str(NOUNS.index("owl")))
    assert status.inner_text() == "No sentence with owl was trained."


def test_the_small_figure_names_the_wrong_noun(open_page):
    figure = SmallWhoIsIt()
    page = open_page(figure, width=390)
    turn = page.locator(".abh-who-turns .abh-button")
    for ending, mat_first in ((4, False), (4, True), (0, True)):
        if ending != figure.ending:
            turn.click()
        page.get_by_role("checkbox").set_checked(mat_first)
        figure.ending, figure.mat_first = ending, mat_first
        check_arcs(page, figure.weights[mat_first][ending])
        assert reading(page) == figure.reading()
        noun = page.locator("[style*='--abh-output'][style*='font-weight']")
        assert noun.all_inner_texts() == ["mat" if ending == 4 else "cat"]


# --- The head that grows --------------------------------------------------------------

SHADES = """() => [...document.querySelectorAll(".abh-grow-head svg")].map(svg =>
  [...svg.querySelectorAll("polygon[fill-opacity]")].map(shade =>
    figures.pieces(shade)))"""


def test_a_picture_lacks_a_weight_or_misplaces_it(open_page):
    """A weight w has the shade floor(8 w), and no shade if w is below 1 / 32."""
    history = induction.history()
    page = open_page(GrowingHead())
    for sequence, at in itertools.product(range(len(SEQUENCES)), (0, 30, 59)):
        page.locator("[data-trait=sequence] select").select_option(str(sequence))
        page.locator("[data-trait=step] .abh-field").fill(str(history.steps[at]))
        weights = history.attention[at, sequence].reshape(len(GROWING), 16, 16)
        found = np.full(weights.shape, -1)
        for head, shades in enumerate(page.evaluate(SHADES)):
            for level, pieces in enumerate(shades):
                for (left, top), (right, _) in pieces:
                    found[head, top, left:right] = level
        expected = np.where(weights < 1 / 32, -1, np.minimum(np.floor(8 * weights), 7))
        np.testing.assert_array_equal(found, expected)


def test_an_arrow_key_skips_a_step(open_page):
    figure = GrowingHead()
    page = open_page(figure)
    steps = induction.history().steps
    page.get_by_role("slider").press("Home")
    for at, step in enumerate(steps[:12]):
        figure.step = step
        assert reading(page) == figure.reading()
        corners = page.locator(".abh-grow-cut").get_attribute("points")
        assert float(corners.split(",")[0]) == pytest.approx(100 * at / 59, abs=1e-3)
        page.keyboard.press("ArrowRight")


def test_a_curve_differs_from_the_loss_or_the_right_answers_of_the_run(open_page):
    page, run = open_page(GrowingHead()), induction.history()
    shares = {"loss": np.array(run.loss) / max(run.loss), "right": run.right}
    for name, expected in shares.items():
        curve = page.locator(f"polyline.abh-grow-{name}").get_attribute("points")
        x, y = np.array([point.split(",") for point in curve.split()], float).T
        np.testing.assert_allclose(x, np.linspace(0, 100, len(expected)), atol=1e-3)
        np.testing.assert_allclose(y, 100 * (1 - np.array(expected)), atol=0.01)


def test_a_pressed_letter_or_a_pressed_head_shows_arcs_of_another(open_page):
    figure = GrowingHead(sequence=1)
    page = open_page(figure)
    for head, place in ((0, 0), (3, 15), (3, 9)):
        page.locator(".abh-grow-head").nth(head).click()
        page.locator(".abh-grow-letter").nth(place).click()
        figure.head = head
        check_arcs(page, figure._weights()[head, place, : place + 1])
        frames = page.locator(".abh-grow-frame").evaluate_all(
            "all => all.map((frame) => frame.getAttribute('points'))"
        )
        square = f"0,{place} {place + 1},{place} {place + 1},{place + 1} 0,{place + 1}"
        assert set(frames) == {square}
        letters = page.locator(".abh-grow-same").all_inner_texts()
        same = SEQUENCES[1][place]
        assert letters == [same] * SEQUENCES[1].count(same)
    chosen = page.locator(".abh-grow-letter[aria-pressed=true]")
    assert chosen.all_inner_texts() == [SEQUENCES[1][9]]
