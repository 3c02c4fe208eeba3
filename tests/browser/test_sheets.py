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
SIZE = 20  # seeds in one run of the simulated students


@pytest.fixture(scope="module")
def sheets(browser):
    """Yield a function that runs JavaScript with the modules of the sheets."""
    page = browser.new_page()
    load_modules(page, "sheet/judge.js")
    page.evaluate(f"""{READERS}
      globalThis.steps = need("sheet/steps.js");
      globalThis.problem = need("sheet/problem.js").problem;
      globalThis.judging = need("sheet/judge.js");
      globalThis.mistakes = need("sheet/mistakes.js").MISTAKES; 0""")
    kinds = [asdict(kind) for kind in KINDS]
    make = "globalThis.readers = sheets(steps, judging, mistakes, kinds);"
    page.evaluate(f"(kinds) => {{ globalThis.kinds = kinds; {make} }}", kinds)
    yield lambda script, argument=None: displayed.ask(page, script, argument)
    page.close()


def test_one_of_a_thousand_problems_differs_between_page_and_python(sheets):
    asked = list(product(range(len(KINDS)), range(1, 251)))
    script = "asked => asked.map(([kind, seed]) => problem(kinds, kind, seed))"
    assert sheets(script, asked) == [problem(*each) for each in asked]


def test_a_sheet_clears_or_overwrites_entries_of_another(module):
    entries = module("sheet/entries.js")
    texts = {"1.2.Q.0.1": "5", "1.2.Q.0.10": "6", "1.23.Q.0.1": "7"}
    [own] = entries("entriesOf", [texts, "1.2"])
    assert own == {"Q.0.1": "5", "Q.0.10": "6"}
    [others] = entries("without", [texts, "1.2"])
    assert others == {"1.23.Q.0.1": "7"}
    cell = "1.2.Q.0.1"
    written, emptied = entries("withEntry", [texts, cell, "8"], [texts, cell, ""])
    assert written == texts | {cell: "8"}
    assert emptied == {"1.2.Q.0.10": "6", "1.23.Q.0.1": "7"}


KEY = """asked => asked.map(([kind, seed]) => {
  const sheet = steps.sheetOf(kinds, kind, seed, 2);
  const exact = (key, i, j) => [key, i, j, sheet.exact(key, i, j)];
  return sheet.asked.map(({ part, i, j }) => exact(part.key, i, j));
})"""


def test_the_key_of_a_sheet_differs_from_what_the_library_computes(sheets):
    asked = list(product(range(len(KINDS)), range(1, 21)))
    for each, cells in zip(asked, sheets(KEY, asked), strict=True):
        numbers = key(*each)
        found = {name for name, *_ in cells}
        assert found == set(numbers)
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


@pytest.mark.parametrize("first", first_and_weekly(range(1, 10_001, SIZE)))
def test_a_careful_student_is_called_wrong(sheets, first):
    found = sheets("readers.refused", list(range(first, first + SIZE)))
    assert len(found) == 8
    assert not any(found.values()), found


@pytest.mark.parametrize("size", first_and_weekly([40, 1000]))
def test_a_mistake_in_a_row_is_not_named(sheets, size):
    found = sheets("readers.planted", list(range(1, size + 1)))
    assert len(found) == 12
    for name, count in found.items():
        assert count["alone"] >= 5, name
        assert count["named"] >= 0.95 * count["alone"], name
        assert count["later"] == 0, f"{name}: a slip that is carried on is punished"
    planted = sum(count["planted"] for count in found.values())
    moved = sum(count["moved"] for count in found.values())
    assert planted - moved <= 0.004 * planted, "wrong rows are called right"


def test_a_product_with_the_wrong_sign_is_not_named(sheets):
    """The wrong number comes from plain products, not from the judge's own formulas."""
    found = sheets("seeds => seeds.map(readers.flipped)", list(range(1, 61)))
    named = [key for key in found if key is not None]
    assert len(named) > 20
    assert set(named) <= {"sign", "none"}  # "none": another mistake fits too
    assert named.count("sign") > 0.8 * len(named)


# Judges sheets whose only entry is a score that is too large by 1.
ALONE = """() => Array.from({ length: 30 }, (_, at) => {
  const sheet = steps.sheetOf(kinds, 0, at + 1, 0);
  const isScore = ({ part }) => part.step === "scores";
  const { part, i, j, id } = sheet.asked.find(isScore);
  const entry = String(sheet.exact(part.key, i, j) + 1);
  const { rows } = judging.judge(sheet, { [id]: entry });
  const { mistake, cells } = rows.find(isScore);
  return [mistake?.key ?? "none", cells[0].state];
})"""


def test_one_wrong_number_alone_in_a_row_is_called_a_known_mistake(sheets):
    assert sheets(ALONE) == [["none", "wrong"]] * 30


# Returns, for each row of weights, the mistake that the judge names; null if the sheet
# does not ask for the row.
NAMED = """([kind, seed, rows]) => {
  const sheet = steps.sheetOf(kinds, kind, seed, 2);
  return rows.map((row, at) => {
    const entry = ({ part: { key }, i, j }) =>
      (key === "weights" && i === at ? row[j] ?? 0 : sheet.exact(key, i, j));
    const written = sheet.asked.map((cell) => [cell.id, String(entry(cell))]);
    const { rows: judged } = judging.judge(sheet, Object.fromEntries(written));
    const own = judged.find(({ part, i }) => part.key === "weights" && i === at);
    return own && (own.mistake?.key ?? "none");
  });
}"""


def wrong_weights(mistake: str, logits: np.ndarray, seen: int) -> np.ndarray:
    """Return the weights of the first `seen` tokens that a mistake gives."""
    powers, shown = np.exp(logits), logits[:seen]
    return {
        "no exponentials": shown / (shown.sum() or 1),
        "not divided": powers[:seen],
        "mask after softmax": powers[:seen] / powers.sum(),
    }[mistake]


CAUSAL = next(k for k, kind in enumerate(KINDS) if kind.causal)
MASKED = ("no exponentials", "not divided", "mask after softmax")


@pytest.mark.parametrize("mistake", MASKED)
def test_a_mistake_under_a_mask_is_not_named(sheets, mistake):
    """NumPy computes the wrong rows, not the judge's own formulas."""
    found = []
    for seed in range(1, 41):
        logits = key(CAUSAL, seed)["logits"]
        rows = [wrong_weights(mistake, row, i + 1) for i, row in enumerate(logits)]
        named = sheets(NAMED, [CAUSAL, seed, [row.tolist() for row in rows]])
        [asked] = [i for i, name in enumerate(named) if name is not None]
        if 0 < asked < len(rows) - 1 and logits[asked, : asked + 1].any():
            found.append(named[asked])
    assert len(found) > 15
    assert found.count(mistake) > 0.8 * len(found), found


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


def sentence(page):
    return page.locator(".abh-reading")


@pytest.mark.parametrize("kind", first_and_weekly(range(len(KINDS))))
def test_a_sheet_cannot_be_filled_in_by_keyboard_alone(open_page, sheets, kind):
    page = open_page(Sheet(kind=kind, seed=3), width=390)
    texts = sheets(TEXTS, [kind, 3, 0])
    page.locator("[data-cell]").first.focus()
    for text in texts:
        write(page, text)
    expect(sentence(page)).to_have_text(f"All {len(texts)} entries are right.")
    more = page.get_by_role("button", name="Another one, with more blanks")
    more.press("Enter")
    expect(page.get_by_label("Number of the sheet")).to_have_value("4")
    expect(page.get_by_label("Blanks")).to_have_value("1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_mistake_is_not_named_beside_its_row_or_a_hint_is_missing(open_page):
    page = open_page(Sheet())
    scores = key(0, 1)["scores"][problem(0, 1)["row"]]
    logits = page.locator("[data-cell^=logits]")
    fields = page.locator("[data-cell^=scores]").all() + logits.all()
    for field, entry in zip(fields, [*scores, *(scores / 4)], strict=True):
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
    expect(sentence(page)).to_contain_text("You have filled in 1 of 10 entries.")
    expect(fields.first).not_to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Hand in").press("Enter")
    expect(sentence(page)).to_contain_text("You have 0 of 10 points")
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
    weights = key(3, 1)["weights"][0]
    fields = page.locator("[data-cell^=powers]").all()
    fields += page.locator("[data-cell^=weights]").all()
    texts = [f"{power:.0f}" for power in key(3, 1)["powers"][0]]
    texts += [f"{weight:.3f}" for weight in weights]
    for field, text in zip(fields, texts, strict=True):
        field.fill(text)
    page.keyboard.press("Enter")
    verdict = page.locator(".abh-step").nth(1).locator(".abh-verdict")
    expect(verdict).to_contain_text("The first digits are right. Write a fraction.")


def test_an_impossible_sheet_number_is_accepted_or_leaves_the_field(open_page):
    page = open_page(Sheet(seed=999_999))
    field = page.get_by_label("Number of the sheet")
    page.get_by_role("button", name="Another like this").click()
    expect(field).to_have_value("1")  # after the last sheet comes the first
    refusal = page.get_by_text("Type a whole number from")
    for text in ("0", "abc", "2.5", "-3"):
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
        X = problem(kind, seed).get("X")
        if X:
            shown = [displayed.shown(text)[0] for text in sheet["given"]]
            assert shown == list(np.ravel(X))
        assert solved["key"] == sheets(TEXTS, [kind, seed, 2])
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(PRINTED) == []


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.slow
@pytest.mark.parametrize("kind", range(len(KINDS)))
@pytest.mark.parametrize(
    ("blanks", "count"), first_and_weekly([(2, 8), (2, 40), (1, 40), (0, 40)])
)
def test_a_sheet_or_a_key_does_not_fit_on_one_page(watch, site, kind, blanks, count):
    state = f"sheet.kind={kind}&sheet.blanks={blanks}"
    page = watch().open(f"{site}/chapters/practise-by-hand.html?{state}")
    print_on_paper(page, count)
    assert pages(page.pdf(prefer_css_page_size=True)) == 2 * count


def test_a_worse_sheet_that_is_shown_again_replaces_the_best_result(module):
    def kept(filled, right, all_):
        return module("sheet/filled.js")("kept", [filled, right, all_])[0]

    assert kept("", 10, 19) == "10 of 19 entries right"
    assert kept("10 of 19 entries right", 12, 19) == "12 of 19 entries right"
    assert kept("12 of 19 entries right", 10, 19) == "12 of 19 entries right"
    assert kept("12 of 19 entries right", 7, 10) == "7 of 10 entries right"


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
