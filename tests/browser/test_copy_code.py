"""The button that copies a code cell: by mouse, by keyboard, without a clipboard."""

import nbformat
import pytest
from found import ROOT
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

PAGE = "chapters/10-attention-since-2017.html"


def test_the_button_is_hidden_on_hover_or_copies_more_than_the_code(watch, site):
    allowed = ["clipboard-read", "clipboard-write"]
    page = watch(permissions=allowed).open(f"{site}/{PAGE}")
    cell = page.locator(".cell", has_text="KeyValueCache, scaled").first
    button = cell.get_by_role("button", name="Copy the code")
    assert button.evaluate("b => getComputedStyle(b).opacity") == "0"
    cell.locator(".highlight").first.hover()
    expect(button).to_have_css("opacity", "1")
    button.click()
    page.get_by_role("status").get_by_text("Copied").wait_for(state="attached")
    copied = page.evaluate("navigator.clipboard.readText()")
    notebook = nbformat.read(ROOT / PAGE.replace(".html", ".ipynb"), as_version=4)
    assert copied.rstrip() in [cell.source for cell in notebook.cells]
    assert "KeyValueCache" in copied


def test_without_a_clipboard_there_is_a_button_or_a_refused_copy_is_silent(watch, site):
    page = watch().open(f"{site}/{PAGE}")
    page.evaluate("navigator.clipboard.writeText = () => Promise.reject('no'); 0")
    button = page.get_by_role("button", name="Copy the code").last
    button.focus()
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("Not allowed").wait_for(state="attached")
    watched = watch(fresh=True)
    watched.page.add_init_script("delete Navigator.prototype.clipboard;")
    assert watched.open(f"{site}/{PAGE}").locator(".copy").count() == 0
    assert watched.complaints == []
