"""Sheets as the text of an address, written and read by the page's own code."""

import json

from displayed import ask
from playwright.sync_api import Browser

from course.widgets import Worksheet, WorksheetInputs
from course.widgets.bundler import joined, sources

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
SCRIPT = f"""{joined(sources("worksheet/link.js"))}
const {{ written, readSheet }} = need("worksheet/link.js");
const signed = (_, value) => Object.is(value, -0) ? "-0" : value;  // JSON writes it 0
globalThis.sheets = {{
  written,
  read: (text, limits) => JSON.stringify(readSheet(text, limits), signed),
  refusal(text, limits) {{
    try {{
      return readSheet(text, limits) && "";
    }} catch ({{ message }}) {{
      return message;
    }}
  }},
}}; 0"""


class SheetTexts:
    """The page's own writer and reader of sheets, in a browser."""

    def __init__(self, browser: Browser) -> None:
        self.page = browser.new_page()
        self.page.evaluate(SCRIPT)

    def written(self, *sheets: WorksheetInputs) -> list[str]:
        """Write sheets as an address has them."""
        plain = [sheet.to_json() for sheet in sheets]
        return ask(self.page, "all => all.map(sheets.written)", plain)

    def read(self, *texts: str) -> list[WorksheetInputs]:
        """Read sheets out of texts of an address."""
        found = map(json.loads, self._each("read", texts))
        return [WorksheetInputs.from_json(sheet) for sheet in found]

    def refusals(self, *texts: str) -> list[str]:
        """Say why each text cannot be read, or nothing."""
        return self._each("refusal", texts)

    def _each(self, name: str, texts: tuple[str, ...]) -> list[str]:
        script = f"([all, limits]) => all.map((text) => sheets.{name}(text, limits))"
        return ask(self.page, script, [texts, Worksheet().limits])
