"""The random walks behind sqrt(d_k): the canvas, the marks over it, the d_k line."""

from pathlib import Path

import displayed
import numpy as np
import pytest
from acts import drag_by_finger, middle
from found import answered, states
from frames import emulate, resize

from course.widgets import ScoreWalk
from course.widgets.drawn import STEPS_PER_UNIT, WIDEST, draws

DRAWN = Path(__file__).with_name("walks.js").read_text(encoding="utf-8")


def walk_of(query, key):
    """Return the heights of a walk after 0, 1, 2, ... steps."""
    q, k = draws() / STEPS_PER_UNIT
    return np.concatenate([[0], np.cumsum(q[query] * k[key])])


@pytest.fixture
def open_walks(open_page):
    def open_(*cards, **options):
        page = open_page(*map(answered, cards), **options)
        page.evaluate(f"{DRAWN}; 0")
        return page

    return open_


def test_the_cut_the_envelope_or_an_end_is_not_where_the_walks_are(open_walks):
    cards = states(ScoreWalk)
    found = displayed.ask(open_walks(*cards), "walks")
    for card, drawn in zip(cards, found, strict=True):
        assert drawn["last"] == (128 if card.d_k <= 96 else WIDEST)
        share = card.d_k / drawn["last"]
        places = [*drawn["cut"], drawn["rest"]]
        assert places == pytest.approx([100 * share] * 3, abs=0.01)
        scores = card._scores()[card.row]
        walks = [walk_of(card.row, key)[card.d_k] for key in range(8)]
        np.testing.assert_allclose(scores, walks, atol=1e-9)
        ends = np.array(drawn["ends"])
        np.testing.assert_allclose(ends[:, 0], 100 * share, atol=0.01)
        np.testing.assert_allclose(ends[:, 1], 50 - scores * drawn["unit"], atol=0.01)
        for sign, branch in zip((1, -1), drawn["envelope"], strict=True):
            x, y = np.transpose(branch)
            roots = np.sqrt(x / 100 * drawn["last"])
            np.testing.assert_allclose(50 - y, sign * roots * drawn["unit"], atol=0.02)
            assert (x[0], x[-1]) == (0, 100)


def test_the_highest_of_the_40_walks_leaves_the_plot_or_fills_little_of_it(open_walks):
    for drawn in displayed.ask(open_walks(ScoreWalk(), ScoreWalk(d_k=WIDEST)), "walks"):
        walks = [walk_of(q, k)[: drawn["last"] + 1] for q in range(5) for k in range(8)]
        assert 45 < np.abs(walks).max() * drawn["unit"] < 50


def test_the_walks_of_the_chosen_query_are_hidden_or_misplaced(open_walks):
    page = open_walks(ScoreWalk(d_k=WIDEST))
    steps = [64, 256, 600, 1022]
    for row in (0, 4):
        page.locator("select").select_option(str(row))
        [drawn] = displayed.ask(page, "walks")
        places = [
            [n / WIDEST, 0.5 - walk_of(row, key)[n] * drawn["unit"] / 100]
            for n in steps
            for key in range(8)
        ]
        distances = displayed.ask(page, "inked", [places, "key"])
        assert max(distances) <= 2  # pixels between ink and walk


def test_the_canvas_does_not_follow_the_theme_or_the_width(open_walks):
    page = open_walks(ScoreWalk(d_k=WIDEST))
    [drawn] = displayed.ask(page, "walks")
    place = [[0.999, 0.5 - walk_of(0, 0)[WIDEST] * drawn["unit"] / 100]]
    for scheme in ("dark", "light"):
        emulate(page, color_scheme=scheme)
        page.evaluate("() => new Promise(requestAnimationFrame)")
        assert displayed.ask(page, "inked", [place, "key"])[0] <= 3, scheme
    resize(page, 700, 900)
    width = "canvas => canvas.width - canvas.clientWidth"
    assert page.locator("canvas").evaluate(width) == 0
    page.evaluate("() => { document.body.dataset.jpThemeLight = false; }")  # JupyterLab
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert displayed.ask(page, "inked", [place, "key"])[0] <= 3


def test_a_drag_of_the_line_is_not_one_undo_step(open_walks):
    page = open_walks(ScoreWalk())
    plot = page.locator(".abh-walks")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    field = page.locator("[data-trait=d_k] .abh-field")
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 30)
    page.mouse.down()
    for share in (0.7, 0.8):
        page.mouse.move(box["x"] + share * box["width"], box["y"] + 40, steps=3)
        assert int(field.input_value()) == pytest.approx(128 * share, rel=0.02)
    page.mouse.move(box["x"] + 2 * box["width"], box["y"])
    assert field.input_value() == "128"  # the axis keeps its length during a drag
    page.mouse.up()
    assert displayed.ask(page, "walks")[0]["last"] == WIDEST
    page.locator(displayed.UNDO).dispatch_event("click")
    assert field.input_value() == "64"
    assert displayed.ask(page, "walks")[0]["last"] == 128


def test_a_finger_does_not_drag_the_line_across_or_scroll_the_page_down(open_walks):
    page = open_walks(ScoreWalk(), has_touch=True, width=390, height=500)
    plot = page.locator(".abh-walks")
    width = plot.bounding_box()["width"]
    field = page.locator("[data-trait=d_k] .abh-field")
    x, y = middle(plot)
    drag_by_finger(page, (x - 0.2 * width, y), (0.5 * width, 4))
    assert int(field.input_value()) == pytest.approx(128 * 0.8, rel=0.02)
    assert page.evaluate("scrollY") == 0
    before = field.input_value()
    drag_by_finger(page, (x - 0.3 * width, y), (0, -90))
    page.wait_for_function("scrollY > 0")
    assert field.input_value() == before, "a finger that scrolls sets nothing"
    page.mouse.move(x + 0.4 * width, middle(plot)[1], steps=3)
    assert field.input_value() == before, "a scroll ends the drag"
