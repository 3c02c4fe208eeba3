"""Practice sheets: their numbers, their judge, the view and the printed paper."""

import re
from dataclasses import asdict
from itertools import product
from pathlib import Path

import displayed
import numpy as np
import pytest
from acts import enter
from frames import written
from modules import load_modules
from playwright.sync_api import expect
from repeats import first_and_weekly

from course.practice.sheets import KINDS, key, problem
from course.widgets import Sheet

READERS = Path(__file__).with_name("sheets.js").read_text("utf-8")
BUDGETS = (70, 130, 100, 64)  # most products that a sheet of each kind asks for


@pytest.fixture(scope="module")
def sheets(browser):
    """Yield a function that runs JavaScript with the modules of the sheets."""
    page = browser.new_page()
    load_modules(page, "sheet/judge.js")
    page.evaluate(f"""{READERS}
      globalThis.steps = need("sheet/steps.js");
      globalThis.problem = need("sheet/problem.js").problem;
      globalThis.judging = need("sheet/judge.js"); 0""")
    make = "globalThis.readers = sheets(steps, judging, kinds);"
    kinds = [asdict(kind) for kind in KINDS]
    page.evaluate(f"(kinds) => {{ globalThis.kinds = kinds; {make} }}", kinds)
    yield lambda script, argument=None: displayed.ask(page, script, argument)
    page.close()


def test_one_of_a_thousand_problems_differs_between_page_and_python(sheets):
    asked = list(product(range(len(KINDS)), range(1, 251)))
    script = "asked => asked.map(([kind, seed]) => problem(kinds, kind, seed))"
    assert sheets(script, asked) == [problem(*each) for each in asked]


KEY = """([kind, seed]) => {
  const sheet = steps.sheetOf(kinds, kind, seed, 2);
  const exact = (key, i, j) => [key, i, j, sheet.exact(key, i, j)];
  return sheet.asked.map(({ part, i, j }) => exact(part.key, i, j));
}"""


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_the_key_of_a_sheet_differs_from_what_the_library_computes(sheets, kind):
    for seed in range(1, 21):
        cells, numbers = sheets(KEY, [kind, seed]), key(kind, seed)
        assert {name for name, *_ in cells} == set(numbers)
        expected = [numbers[name][i, j] for name, i, j, _ in cells]
        np.testing.assert_allclose([x for *_, x in cells], expected, atol=1e-9)


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_a_sheet_exceeds_its_budget_of_products(sheets, kind):
    script = """([kind, seed]) => [0, 1, 2].map((blanks) =>
      steps.sheetOf(kinds, kind, seed, blanks).products)"""
    counts = [sheets(script, [kind, seed]) for seed in range(1, 21)]
    few, more, most = map(max, zip(*counts, strict=True))
    assert few < more < most <= BUDGETS[kind]


def test_the_table_of_powers_lacks_a_logit_or_has_a_wrong_power(sheets):
    tables = sheets("() => kinds.map((sizes) => steps.powersOf({ sizes }))")
    assert any(tables)
    for kind, table in zip(KINDS, tables, strict=True):
        if table:
            signed = np.char.replace(table, "−", "-")
            x, powers = signed.astype(float).T
            top = kind.largest / np.sqrt(kind.d_k)
            np.testing.assert_array_equal(x, np.arange(-top, top + 0.25, 0.5))
            np.testing.assert_allclose(powers, np.exp(x), atol=5.1e-4)


@pytest.mark.parametrize("seeds", first_and_weekly([range(1, 41), range(41, 2001)]))
def test_a_careful_student_is_called_wrong(sheets, seeds):
    found = sheets("readers.refused", [*seeds])
    assert len(found) == 8
    assert not any(found.values()), found


def one_sign(left, right):
    """Return left @ right.T; in the first column one product has the wrong sign."""
    wrong = left @ right.T
    wrong[:, 0] -= 2 * left[:, 0] * right[0, 0]
    return wrong


def part_of(row):
    return row / row.sum(axis=1, keepdims=True)


# Kind of sheet, matrix, and what a reader writes who makes the mistake. NumPy computes
# the wrong numbers, not the judge's own formulas.
ONE, TWO, CAUSAL, EXACT = range(4)
MISTAKES = {
    "no scaling": [(ONE, "logits", lambda n: n["scores"])],
    "by d_k": [(ONE, "logits", lambda n: n["scores"] / 4)],
    "by root of d_model": [(ONE, "logits", lambda n: n["scores"] / np.sqrt(5))],
    "down the column": [(EXACT, "weights", lambda n: part_of(n["powers"].T).T)],
    "no exponentials": [
        (ONE, "weights", lambda n: part_of(n["logits"])),
        (CAUSAL, "weights", lambda n: part_of(np.tril(n["logits"]))),
    ],
    "not divided": [
        (TWO, "weights2", lambda n: n["powers2"]),
        (CAUSAL, "weights", lambda n: np.tril(n["powers"])),
    ],
    "mask after softmax": [
        (CAUSAL, "weights", lambda n: np.tril(part_of(n["powers"])))
    ],
    "another row": [
        (ONE, "Q", lambda n: np.roll(n["Q"], 1, axis=0)),
        (CAUSAL, "scores", lambda n: np.roll(n["scores"], 1, axis=0)),
    ],
    "other head": [
        (TWO, "scores1", lambda n: n["Q1"] @ n["K2"].T),
        (TWO, "output2", lambda n: n["weights2"] @ n["V1"]),
    ],
    "K not transposed": [(ONE, "scores", lambda n: n["Q"][:, :3] @ n["K"][:, :3])],
    "sign": [
        (ONE, "scores", lambda n: one_sign(n["Q"], n["K"])),
        (EXACT, "output", lambda n: one_sign(n["weights"], n["V"].T)),
    ],
    "no W_O": [(TWO, "Z", lambda n: np.hstack([n["output1"], n["output2"]])[:, :3])],
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_row_is_not_named(sheets, mistake):
    for kind, name, of in MISTAKES[mistake]:
        named = []
        for seed in range(1, 41):
            numbers = key(kind, seed) | problem(kind, seed)
            numbers = {each: np.array(matrix) for each, matrix in numbers.items()}
            with np.errstate(divide="ignore", invalid="ignore"):
                wrong = of(numbers)
            for i, row in enumerate(wrong):
                distance = np.abs(row - numbers[name][i]).max()
                if 0.05 < distance < np.inf:
                    is_rounded = seed % 2 and kind != EXACT
                    values = (row.round(2) if is_rounded else row).tolist()
                    found = sheets("readers.slip", [kind, seed, name, i, values])
                    named += [found] if found else []
        assert len(named) > 15, name
        assert all(found["isWrong"] for found in named), f"{name}: a wrong row is right"
        assert not any(found["isPunished"] for found in named), "a slip counts twice"
        assert not any(found["ofOne"] for found in named), "one number fits by chance"
        names = [found["named"] for found in named]
        assert set(names) <= {mistake, None}, name  # None: another mistake fits too
        assert names.count(mistake) > 0.8 * len(names), name


# --- In the page ----------------------------------------------------------------------

TEXTS = """([kind, seed, blanks]) => {
  const sheet = steps.sheetOf(kinds, kind, seed, blanks);
  return sheet.asked.map(({ part, i, j }) => steps.printed(sheet, part, i, j));
}"""


def write(page, text):
    """Type into the field that has the focus, and go on to the next blank."""
    page.keyboard.press("Control+A")
    page.keyboard.type(text)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("kind", first_and_weekly(range(len(KINDS))))
def test_a_sheet_cannot_be_filled_in_by_keyboard_alone(open_page, sheets, kind):
    page = open_page(Sheet(kind=kind, seed=3), width=390)
    texts = sheets(TEXTS, [kind, 3, 0])
    page.locator("[data-cell]").first.focus()
    for text in texts:
        write(page, text)
    expect(page.locator(".abh-reading")).to_have_text(
        f"All {len(texts)} entries are right."
    )
    more = page.get_by_role("button", name="Another one, with more blanks")
    more.press("Enter")
    expect(page.get_by_label("Number of the sheet")).to_have_value("4")
    expect(page.get_by_label("Blanks")).to_have_value("1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_mistake_is_not_named_beside_its_row_or_a_hint_is_missing(open_page):
    page = open_page(Sheet())
    scores = key(0, 1)["scores"][problem(0, 1)["row"]]
    logits = page.locator("[data-cell^=logits]")
    for fields, row in (
        (page.locator("[data-cell^=scores]"), scores),
        (logits, scores / 4),
    ):
        for field, entry in zip(fields.all(), row, strict=True):
            field.fill(f"{entry:g}")
    page.keyboard.press("Enter")
    step = page.locator(".abh-step").nth(1)
    expect(step.locator(".abh-verdict")).to_contain_text("You divided by dk.")
    expect(logits.first).to_have_attribute("aria-invalid", "true")
    hint = step.get_by_role("button", name="Hint")
    for stage in ("Divide each score", "One entry that is not right yet", "Its result"):
        hint.press("Enter")
        expect(step.locator(".abh-note")).to_contain_text(stage)
    expect(hint).to_be_hidden()
    enter(page.get_by_label("Number of the sheet"), "2")
    expect(step.locator(".abh-note")).not_to_contain_text("Divide each score")
    expect(hint).to_be_visible()


def test_an_exam_is_judged_before_it_is_handed_in_or_not_after(open_page):
    page = open_page(Sheet(exam=True, kind=3))
    fields = page.locator("[data-cell]")
    enter(fields.first, "abc")
    expect(page.locator(".abh-reading")).to_contain_text(
        "You have filled in 1 of 10 entries."
    )
    expect(fields.first).not_to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Hand in").press("Enter")
    expect(page.locator(".abh-reading")).to_contain_text("You have 0 of 10 points")
    written(page)
    assert "0 of 10 entries right" in page.evaluate("JSON.stringify(localStorage)")
    expect(fields.first).to_have_attribute("aria-invalid", "true")
    expect(fields.first).not_to_be_editable()
    page.get_by_label("Blanks").select_option("more")  # another exam
    expect(fields.last).to_be_editable()
    page.get_by_role("button", name="Hand in").press("Enter")
    expect(fields.last).not_to_be_editable()
    page.get_by_label("Blanks").select_option("a few")
    expect(fields.first).not_to_be_editable()
    page.get_by_role("button", name="Clear", exact=True).press("Enter")
    expect(fields.first).to_be_editable()
    page.get_by_label("Blanks").select_option("more")  # its entries are cleared too
    expect(fields.last).to_be_editable()


def test_clear_leaves_entries_or_empties_another_sheet(open_page):
    page = open_page(Sheet(seed=12))
    number = page.get_by_label("Number of the sheet")
    first = page.locator("[data-cell]").first
    for seed, text in (("12", "0.5"), ("1", "0.25")):
        enter(number, seed)
        first.fill(text)
    page.get_by_role("button", name="Hint 1 of 3").first.click()
    expect(page.get_by_text("Multiply the query of the row")).to_be_visible()
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(first).to_have_value("")
    expect(page.get_by_text("Multiply the query of the row")).to_have_count(0)
    enter(number, "12")
    expect(first).to_have_value("0.5")


@pytest.mark.parametrize("width", [390, 1280])
def test_a_press_on_hint_is_lost_after_a_wrong_entry(open_page, width):
    page = open_page(Sheet(), width=width)
    page.locator("[data-cell]").first.click()
    page.keyboard.type("0.25")
    page.locator(".abh-step").first.get_by_role("button", name="Hint").click()
    expect(page.get_by_text("Multiply the query of the row")).to_be_visible()
    expect(page.get_by_text("One entry does not follow")).to_be_visible()


def test_decimals_in_place_of_a_fraction_get_no_reason(open_page):
    page = open_page(Sheet(kind=3))
    for name, digits in (("powers", 0), ("weights", 3)):
        fields = page.locator(f"[data-cell^={name}]").all()
        for field, number in zip(fields, key(3, 1)[name][0], strict=True):
            field.fill(f"{number:.{digits}f}")
    page.keyboard.press("Enter")
    verdict = page.locator(".abh-step").nth(1).locator(".abh-verdict")
    expect(verdict).to_contain_text("The first digits are right. Write a fraction.")


def test_an_impossible_sheet_number_is_accepted_or_leaves_the_field(open_page):
    page = open_page(Sheet(seed=999_999))
    field = page.get_by_label("Number of the sheet")
    page.get_by_role("button", name="Another like this").click()
    expect(field).to_have_value("1")  # after the last sheet comes the first
    refusal = page.get_by_text("Type a whole number from")
    for text in ("0", "abc", "2.5"):
        enter(field, text)
        expect(refusal).to_be_visible()
        expect(field).to_have_value(text)
    page.get_by_role("button", name="Another like this").click()
    expect(refusal).to_be_hidden()
    field.clear()
    field.press_sequentially("100,000")  # `fill` ignores a limit of characters
    field.press("Enter")
    expect(field).to_have_value("100000")
    expect(refusal).to_be_hidden()


# For each printed page, which the screen does not show: its whole text; `given`, the
# numbers of its first matrix; `key`, the answers.
PRINTED = """() => [...document.querySelectorAll(".abh-paper section")].map((one) => {
  const texts = (cells) =>
    [...cells].map(({ textContent }) => textContent).filter(Boolean);
  return { text: one.textContent,
    given: texts(one.querySelector("table").querySelectorAll("td > span")),
    key: texts(one.querySelectorAll("td > b")) };
})"""


def print_on_paper(page, count):
    page.evaluate("globalThis.print = () => {}")
    page.locator("summary", has_text="On paper").click()
    page.get_by_label("Sheets, each with its own number").fill(str(count))
    page.get_by_role("button", name="Print").click()


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_paper_lacks_a_sheet_a_key_or_a_number(open_page, sheets, kind):
    page = open_page(Sheet(kind=kind, seed=999_999, blanks=2))
    print_on_paper(page, 2)  # after the last sheet comes the first
    printed = page.evaluate(PRINTED)
    assert len(printed) == 4
    for seed, sheet, solved in zip((999_999, 1), printed[:2], printed[2:], strict=True):
        assert f"sheet.kind={kind}&sheet.seed={seed}&sheet.blanks=2" in sheet["text"]
        assert re.search(r"about \d+ minutes", sheet["text"])
        assert "One point for each entry that follows" in sheet["text"]
        if X := problem(kind, seed).get("X"):
            shown = [displayed.shown(text)[0] for text in sheet["given"]]
            assert shown == list(np.ravel(X))
        assert solved["key"] == sheets(TEXTS, [kind, seed, 2])
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(PRINTED) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", range(len(KINDS)))
@pytest.mark.parametrize("count", first_and_weekly([8, 40]))
def test_a_sheet_or_a_key_does_not_fit_on_one_page(watch, site, kind, count):
    state = f"sheet.kind={kind}&sheet.blanks=2"
    page = watch().open(f"{site}/chapters/practise-by-hand.html?{state}")
    print_on_paper(page, count)
    pdf = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 2 * count


def test_a_worse_sheet_that_is_shown_again_replaces_the_best_result(module):
    best = ""
    for right, count, kept in ((12, 19, 12), (10, 19, 12), (13, 19, 13), (7, 10, 7)):
        [best] = module("sheet/filled.js")("kept", [best, right, count])
        assert best.startswith(f"{kept} of ")


def test_a_sheet_that_is_filled_in_does_not_count_as_progress(watch, site, sheets):
    page = watch(reduced_motion="reduce").open(f"{site}/chapters/practise-by-hand.html")
    fields = page.locator("[data-cell]")
    texts = sheets(TEXTS, [0, 1, 0])
    fields.first.focus()
    for text in texts[:-1]:
        write(page, text)
    mark = page.locator("#contents [aria-current] + .mark")
    expect(mark).to_have_text("begun")
    write(page, texts[-1])
    expect(mark).to_have_text("done")
    page.goto(f"{site}/your-progress.html")
    row = page.locator("#progress-pages tr", has_text="Practise by hand")
    expect(row).to_contain_text("done, 1 of 1 answered, 1 right")
