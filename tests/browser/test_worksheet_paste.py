"""Blocks of numbers between the worksheet and spreadsheets, both ways."""

import displayed
import numpy as np
import pytest
from test_worksheet import (
    cell,
    compare,
    compare_with_python,
    opened,
    preset,
    type_number,
    understood,
)

__all__ = ["opened"]

WANTED = np.array([[0.5, -1.25, 3.0], [1e-3, 0.0, 12.5], [7.0, 0.125, -2.0]])
BEFORE = preset("football").inputs.X

# A field receives what the clipboard holds: text and, from a spreadsheet, a table.
PASTE = """(cell, [text, html]) => {
  const field = cell.querySelector("input") ?? cell;
  field.focus();
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  if (html) clipboardData.setData("text/html", html);
  const init = { clipboardData, bubbles: true, cancelable: true };
  return !field.dispatchEvent(new ClipboardEvent("paste", init));
}"""


def paste(page, place, text, html=""):
    """Paste into a cell; gives whether the worksheet took the text."""
    return cell(page, *place).evaluate(PASTE, [text, html])


def said(page):
    return page.locator(".abh-ws-problem").inner_text()


def shown(page, matrix="X"):
    """The numbers of a matrix as its fields show them."""
    fields = page.locator(f"table[data-matrix='{matrix}'] input")
    return read(fields.evaluate_all("all => all.map((field) => field.value)"))


def read(texts):
    return [float(text.replace("\u2212", "-")) for text in texts]


def joined(between, ends, write=str):
    return ends.join(between.join(write(x) for x in row) for row in WANTED)


def with_comma(x):
    return repr(float(x)).removesuffix(".0").replace(".", ",")


def plain(x):
    return repr(float(x)).removesuffix(".0")


BLOCKS = {
    "Excel, points": joined("\t", "\r\n", plain) + "\r\n",
    "Excel, commas": joined("\t", "\r\n", with_comma) + "\r\n",
    "Sheets, points": joined("\t", "\n", plain),
    "Sheets, commas": joined("\t", "\n", with_comma),
    "LibreOffice, points": joined("\t", "\n", plain) + "\n",
    "LibreOffice, commas": joined("\t", "\n", with_comma) + "\n",
    "old Mac": joined("\t", "\r", plain) + "\r",
    "quoted": joined("\t", "\n", lambda x: f'"{with_comma(x)}"'),
    "quoted, over lines": joined("\t", "\n", lambda x: f'"{plain(x)}\n"'),
    "true minus signs": joined("\t", "\n", plain).replace("-", "\u2212"),
    "semicolons, commas": joined(";", "\r\n", with_comma),
    "semicolons and spaces": joined("; ", "\n", plain),
    "commas": joined(",", "\n", plain),
    "commas and spaces": joined(", ", "\n", plain) + "\n\n",
    "commas, quoted decimals": joined(",", "\n", lambda x: f'"{with_comma(x)}"'),
    "spaces": joined(" ", "\n", plain),
    "spaces, aligned": joined("", "\n", lambda x: f"{plain(x):>8}"),
    "percentages": joined("\t", "\n", lambda x: f"{100 * x:.6g} %".replace(".", ",")),
    "thousands of a million": joined("\t", "\n", plain).replace("7", "7/1"),
    "Python": str(WANTED.tolist()),
    "Python, over lines": str(WANTED.tolist()).replace("], [", "],\n [") + "\n",
    "NumPy": repr(WANTED).replace("array", "np.array"),
    "NumPy, printed": str(WANTED),
    "NumPy, with a type": f"np.asarray({WANTED.tolist()}, dtype=np.float64)",
}


# What is seen of each block, pasted into a field of X where 9 was typed, in a sheet as
# it was given: the sheet before, what is said before, whether the worksheet took the
# text, what is said then, the fields of X, the sheet.
SEEN = f"""pastes => pastes.map(([text, row, column]) => {{
  const said = () => document.querySelector(".abh-ws-problem").innerText;
  sheet.acts.reset();
  const before = sheet.read();
  const field = sheet.acts.field(["X", null, row, column]);
  sheet.send(field, "input", "9");
  const quiet = said();
  const taken = ({PASTE})(field.closest("td"), [text, ""]);
  const fields = sheet.all("table[data-matrix='X'] input").map((field) => field.value);
  return [before, quiet, taken, said(), fields, sheet.read()];
}})"""


def test_a_block_fills_the_matrix_wherever_it_is_pasted(opened):
    page = opened(preset("football"))
    places = [(0, 0), (1, 2)]
    pastes = [(text, *place) for text in BLOCKS.values() for place in places]
    seen = displayed.ask(page, SEEN, pastes)
    names = [name for name in BLOCKS for _ in places]
    for name, (before, quiet, taken, said, fields, after) in zip(
        names, seen, strict=True
    ):
        np.testing.assert_array_equal(compare(*understood(before)).X, BEFORE)
        assert quiet == ""
        assert taken, name
        assert said == "3 \u00d7 3 numbers pasted into X.", name
        X = compare(*understood(after)).X
        np.testing.assert_allclose(X, WANTED, rtol=1e-15, err_msg=name)
        assert read(fields) == pytest.approx(WANTED.ravel()), name


def test_a_smaller_block_begins_at_its_cell(opened):
    page = opened(preset("football"))
    type_number(page, "X", 1, 1, "half")
    assert paste(page, ("X", 1, 1), "1,5\t2\n3\t4\n")
    wanted = BEFORE.copy()
    wanted[1:, 1:] = [[1.5, 2], [3, 4]]
    np.testing.assert_array_equal(compare_with_python(page).X, wanted)
    assert page.locator("[aria-invalid]").count() == 0
    assert paste(page, ("W_Q.0", 0, 1), "5\r\n6\r\n7\r\n", "<table><td>5</td></table>")
    assert compare_with_python(page).W_Q[0][:, 1].tolist() == [5, 6, 7]


def test_a_block_that_changes_no_number_still_replaces_what_was_half_typed(opened):
    page = opened(preset("football"))
    type_number(page, "X", 1, 1, "half")
    assert page.locator("[aria-invalid]").count() == 1
    rows = ["\t".join(plain(x) for x in row) for row in BEFORE]
    assert paste(page, ("X", 0, 0), "\n".join(rows))
    assert page.locator("[aria-invalid]").count() == 0
    assert shown(page) == pytest.approx(BEFORE.ravel())


REFUSED = {
    "1\t2\t3\t4\n5\t6\t7\t8": "The block is 2 \u00d7 4, but X is 3 \u00d7 3.",
    "1\n2\n3\n4": "The block is 4 \u00d7 1, but X is 3 \u00d7 3.",
    "1\t2\n3\tthree": "Row 2, column 2 of the block: \u201cthree\u201d is not",
    "1\t2\n\t4": "Row 2, column 1 of the block: The cell is empty.",
    "1\t2\n3\t4\t5": "Row 1 of the block has 2 cells, row 2 has 3.",
    "1\t2e9": "Row 1, column 2 of the block: \u201c2e9\u201d: Too large",
    "1\t1,234": "column 2 of the block: \u201c1,234\u201d may be 1.234 or 1234",
    "1,5\t1.234": "column 2 of the block: \u201c1.234\u201d may be 1.234 or 1234",
    "1,2\n3,4": "The block may be 2 \u00d7 2 or 2 \u00d7 1: separate its columns",
    "x,y\n1,2": "Row 1, column 1 of the block: \u201cx\u201d is not a number.",
    "a\tb\tc": "Row 1, column 1 of the block: \u201ca\u201d is not a number.",
}


def test_a_block_that_does_not_fit_changes_nothing_and_is_refused_in_words(opened):
    page = opened(preset("football"))
    type_number(page, "X", 0, 0, "0.25")
    before = shown(page)
    for text, words in REFUSED.items():
        assert paste(page, ("X", 0, 0), text), text
        assert said(page).startswith("Nothing was pasted. "), text
        assert words in said(page), text
        assert shown(page) == before
    assert paste(page, ("X", 2, 1), "1\t2\n3\t4")
    assert "is 2 \u00d7 2, but X is 3 \u00d7 3, 1 \u00d7 2 from the selected" in said(
        page
    )
    assert paste(page, ("scores.0", 0, 0), "1\t2\n3\t4")
    assert "Scores is computed" in said(page)
    assert shown(page) == before
    type_number(page, "X", 0, 0, "0.5")
    assert said(page) == ""
    compare_with_python(page)


def test_one_decimal_mark_tells_how_the_others_are_meant(opened):
    page = opened(preset("football"))
    for decimals in ("1,25\t1,500", "1.25\t1.500"):
        assert paste(page, ("X", 0, 0), decimals)
        assert compare_with_python(page).X[0, :2].tolist() == [1.25, 1.5], decimals
        assert paste(page, ("X", 0, 0), "1.25\t1,500")
        assert compare_with_python(page).X[0, :2].tolist() == [1.25, 1500]


def test_a_column_with_commas_is_one_where_the_clipboard_holds_a_table(opened):
    page = opened(preset("football"))
    assert paste(page, ("X", 0, 1), "0,5\r\n0,25\r\n", "<table><tr><td>0,5</td></tr>")
    assert compare_with_python(page).X[:2, 1].tolist() == [0.5, 0.25]


def test_a_single_number_is_left_to_its_field(opened):
    page = opened(preset("football"))
    for text in ("0,5", "0.5\r\n", "1,234", "nothing"):
        assert not paste(page, ("X", 0, 0), text), text


def test_a_paste_is_one_change(opened):
    page = opened(preset("football"))
    page.evaluate(
        """() => {
          window.seen = new Set();
          const table = document.querySelector("table[data-matrix='Q.0']");
          new MutationObserver(() => seen.add(table.innerText))
            .observe(table, { subtree: true, characterData: true });
        }"""
    )
    paste(page, ("X", 0, 0), BLOCKS["Sheets, points"])
    page.wait_for_timeout(50)
    assert page.evaluate("seen.size") == 1


def test_undo_takes_a_block_back_as_one_and_redo_brings_it_again(opened):
    page = opened(preset("football"))
    type_number(page, "X", 0, 0, "0.25")
    page.evaluate("document.activeElement.blur()")
    before = shown(page)
    paste(page, ("X", 0, 0), BLOCKS["Excel, commas"])
    page.get_by_role("button", name="Undo").click()
    assert shown(page) == before
    page.get_by_role("button", name="Redo").click()
    assert shown(page) == pytest.approx(WANTED.ravel())
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    np.testing.assert_array_equal(compare_with_python(page).X, BEFORE)


def test_keys_paste_and_copy(opened):
    page = opened(preset("football"), fresh=True)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    write = "text => navigator.clipboard.writeText(text)"
    page.evaluate(write, BLOCKS["Excel, commas"])
    cell(page, "X", 0, 0).locator("input").focus()
    page.keyboard.press("Control+V")
    np.testing.assert_allclose(compare_with_python(page).X, WANTED, rtol=1e-15)
    held = "navigator.clipboard.readText()"
    cell(page, "weights.0", 1, 1).focus()
    page.keyboard.press("Control+C")
    assert said(page) == "Weights copied as a block."
    weights = compare_with_python(page).trace().heads[0].weights
    np.testing.assert_allclose(block(page.evaluate(held)), weights, rtol=1e-9)
    field = cell(page, "X", 0, 1).locator("input")
    field.focus()
    page.keyboard.press("Control+C")
    assert page.evaluate(held) == "\u22121.25"
    field.press("Home")  # no text is selected: the whole matrix is
    page.keyboard.press("Control+C")
    np.testing.assert_array_equal(block(page.evaluate(held)), WANTED)


def block(text):
    return np.array([[float(x) for x in line.split("\t")] for line in text.split("\n")])


@pytest.mark.parametrize(("name", "form"), [("cat", "a block"), ("apple", "NumPy")])
def test_a_copied_matrix_comes_back_whole(opened, name, form):
    page = opened(preset(name), fresh=True)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    type_number(page, "X", 0, 0, "0.12345678901234567")
    cell(page, "X", 0, 0).locator("input").focus()
    button = "Copy as NumPy: X" if form == "NumPy" else "Copy: X"
    page.get_by_role("button", name=button).click()
    page.get_by_text(f"X copied as {form}.").wait_for()
    text = page.evaluate("navigator.clipboard.readText()")
    X = compare_with_python(page).X
    read_back = eval(text, {"np": np}) if form == "NumPy" else block(text)
    np.testing.assert_array_equal(read_back, X)
    page.get_by_role("button", name="Reset the numbers").click()
    paste(page, ("X", 1, 1), text)
    np.testing.assert_array_equal(compare_with_python(page).X, X)
