"""Arithmetic that plays: what is seen at each position is what Python has reached."""

import itertools
import re

import displayed
import numpy as np
import pytest
from repeats import first_and_weekly
from test_worksheet import cell, opened, preset, read_sheet, unfold

__all__ = ["opened"]


def scrub(page, at):
    """Move the slider of the player; gives what is said of the position."""
    page.locator(".abh-ws-play input").evaluate(
        """(slider, at) => {
          slider.value = at;
          slider.dispatchEvent(new Event("input", { bubbles: true }));
        }""",
        at,
    )
    return reached(page)


def reached(page):
    return page.locator(".abh-ws-reached").inner_text()


def products(left, right):
    return list(itertools.accumulate(np.multiply(left, right)))


def expected(inputs, kind, head, i, j):
    """What playing a cell reaches, term by term."""
    trace = inputs.trace()
    if kind in ("concat", "output"):
        whole = trace.concat
        return (
            [whole[i, j]] if kind == "concat" else products(whole[i], inputs.W_O[:, j])
        )
    of = trace.heads[head]
    if kind in ("Q", "K", "V"):
        weights = {"Q": inputs.W_Q, "K": inputs.W_K, "V": inputs.W_V}[kind][head]
        return products(inputs.X[i], weights[:, j])
    if kind == "weights":
        powers = np.exp(of.logits[i])
        return [*itertools.accumulate(powers), of.weights[i, j]]
    if kind in ("scaled", "masked"):
        return [(of.scaled if kind == "scaled" else of.logits)[i, j]]
    if kind == "scores":
        return products(of.query[i], of.key[j])
    return products(of.weights[i], of.value[:, j])


# Every position of the player of a cell, as it is seen: what is said to be reached, the
# parts of the lines that come with a term, whether the cell's number can be seen. The
# numbers of terms and the whole lines come before, and the lines once more at the end.
PLAYED = """(td, scrub) => {
  const one = (selector) => document.querySelector(selector);
  const lines = () => one(".abh-ws-lines").innerText;
  const parts = () => [...document.querySelectorAll(".abh-ws-lines [data-at]")];
  const visible = (node) => node.checkVisibility({ visibilityProperty: true });
  const slider = one(".abh-ws-play input");
  td.focus();
  td.click();
  const said = one(".abh-ws-reached").innerText;
  const still = lines();
  const seen = [];
  for (let at = 0; at <= Number(slider.max); at++) {
    slider.value = at;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const terms = parts().filter(visible).map((part) => Number(part.dataset.at));
    const shows = visible(td.querySelector(".abh-number"));
    seen.push([one(".abh-ws-reached").innerText, terms, shows]);
  }
  const { row, column } = td.dataset;
  return [Number(row), Number(column), said, seen, still, lines()];
}"""


@pytest.mark.parametrize("name", first_and_weekly(["apple", "football", "cat"]))
def test_each_position_shows_what_python_has_reached(opened, name):
    page = opened(preset(name, decimals=6))
    unfold(page)
    page.get_by_label("Causal mask").check()
    _, inputs = read_sheet(page)
    head = len(inputs.W_Q) - 1
    played = set()
    for matrix in page.evaluate("sheet.grids()"):
        kind = matrix.split(".")[0]
        cells = page.query_selector_all(f"table[data-matrix='{matrix}'] td[tabindex]")
        for at in cells[:1] + cells[-1:]:
            i, j, said, seen, still, after = at.evaluate(PLAYED)
            which = int(matrix.split(".")[1]) if "." in matrix else head
            whole = expected(inputs, kind, which, i, j)
            assert said.split()[0] == str(len(whole))
            for position, value in enumerate([0.0, *whole]):
                check_position(seen[position], position, value, len(whole), matrix)
            assert len(seen) == len(whole) + 1
            assert after == still
            played.add(kind)
    assert {"Q", "K", "V", "scores", "scaled", "masked", "weights", "head"} <= played


def check_position(seen, position, value, terms, matrix):
    """What is seen at a position is the sum so far; the number comes at the end."""
    said, visible, shows = seen
    count, number = re.fullmatch(r"(\d+ of \d+): [a-z ]+ (\S+)", said).groups()
    assert count == f"{position} of {terms}"
    if np.isfinite(value):
        assert displayed.agrees(number, value), (matrix, said)
    else:
        assert number == "\u2212\u221e"
    assert all(term <= position for term in visible)
    assert shows == (position == terms), (matrix, position)


def test_the_pair_of_each_term_lights_up_in_its_row_and_column(opened):
    page = opened(preset("cat", step="queries"))
    cell(page, "Q.0", 1, 1).focus()
    assert page.locator("td.abh-ws-source").count() == 8
    for position in (1, 2, 3, 4):
        scrub(page, position)
        lit = page.locator("td.abh-ws-pointed").evaluate_all(
            "all => all.map((td) => [td.closest('table').dataset.matrix,"
            " Number(td.dataset.row), Number(td.dataset.column),"
            " getComputedStyle(td, '::after').borderTopWidth])"
        )
        place = position - 1
        assert lit == [["X", 1, place, "3px"], ["W_Q.0", place, 1, "3px"]]
    assert page.locator("td.abh-ws-source").count() == 8


def stop_the_clock(page):
    """Let time run by `run_for` alone; once installed it would go on by itself."""
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)


def numbers_seen(page, matrix):
    places = page.locator(f"table[data-matrix='{matrix}'] td .abh-number").all()
    return [place.is_visible() for place in places]


def test_a_key_plays_a_cell_pauses_it_and_plays_on(opened):
    page = opened(preset("cat", step="queries"), fresh=True)
    stop_the_clock(page)
    cell(page, "Q.0", 0, 0).focus()
    page.keyboard.press("p")
    assert reached(page) == "0 of 4: sum 0"
    page.clock.run_for(2100)
    assert reached(page).startswith("2 of 4")
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(5000)
    assert reached(page).startswith("2 of 4")
    page.get_by_role("button", name="Play cell").click()
    page.clock.run_for(9000)
    assert reached(page) == "4 of 4: sum 0.6"
    assert page.get_by_role("button", name="Pause").count() == 0


def test_a_step_plays_cell_by_cell(opened):
    page = opened(preset("football", step="scores"), fresh=True)
    stop_the_clock(page)
    cell(page, "scores.0", 0, 0).focus()
    page.keyboard.press("Shift+P")
    assert numbers_seen(page, "scores.0") == [False] * 9
    for count in range(1, 10):
        page.clock.run_for(500)
        assert reached(page) == f"{count} of 9"
        assert numbers_seen(page, "scores.0") == [i < count for i in range(9)]
        row, column = ("I", "play", "football")[(count - 1) // 3], (count - 1) % 3
        title = page.locator(".abh-ws-title").inner_text()
        assert title.startswith(f"Scores: row {row}, column")
        assert cell(page, "scores.0", (count - 1) // 3, column).evaluate(
            "td => td.classList.contains('abh-ws-here')"
        )
    page.clock.run_for(5000)
    assert reached(page) == "9 of 9"


def test_an_edit_or_a_selection_ends_the_play(opened):
    page = opened(preset("football", step="queries"), fresh=True)
    stop_the_clock(page)
    cell(page, "X", 0, 0).locator("input").focus()
    page.keyboard.press("p")  # no field takes the letter: the step plays
    assert cell(page, "X", 0, 0).locator("input").input_value() == "0.2"
    assert numbers_seen(page, "Q.0") == [False] * 6
    cell(page, "X", 0, 0).locator("input").fill("2")
    page.clock.run_for(3000)
    assert numbers_seen(page, "Q.0") == [True] * 6
    cell(page, "Q.0", 1, 1).focus()
    page.keyboard.press("p")
    cell(page, "Q.0", 0, 0).focus()
    page.clock.run_for(3000)
    assert reached(page) == "3 terms"
    assert page.locator(".abh-ws-later").count() == 0


def test_where_motion_is_unwanted_each_press_is_one_step(opened):
    page = opened(preset("cat", step="queries"), fresh=True, reduced_motion="reduce")
    stop_the_clock(page)
    cell(page, "Q.0", 0, 0).focus()
    for count in (1, 2, 3):
        page.keyboard.press("p")
        page.clock.run_for(5000)
        assert reached(page).startswith(f"{count} of 4")
    following = page.get_by_role("button", name="Next term")
    following.click()
    assert reached(page).startswith("4 of 4")
    page.get_by_role("button", name="Next cell").click()
    page.clock.run_for(5000)
    assert reached(page) == "1 of 6"
    assert numbers_seen(page, "Q.0") == [True] + [False] * 5
