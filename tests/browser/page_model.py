"""Load the JavaScript language model of chapter 9 into a page."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from displayed import ask
from hosts import serve
from modules import load_modules
from playwright.sync_api import Browser

ENTRY = "real_model/language_model.js"
LOAD = """async ([entry, file]) => {
  const buffer = await (await fetch(file)).arrayBuffer();
  globalThis.model = need(entry).modelOf(buffer);
}"""
READ = """async ([tokens, knobs]) => {
  const { rows, scores } = await model.read(tokens, knobs);
  return [rows.map((ofLayer) => ofLayer.map((row) => [...row])), [...scores]];
}"""


class PageModel:
    """Calls the JavaScript model, and returns its arrays as NumPy arrays."""

    def __init__(self, page) -> None:
        self.page = page

    def encode(self, texts: list[str]) -> list[list[int]]:
        return self.page.evaluate("(texts) => texts.map(model.encode)", texts)

    def decode(self, tokens: list[int]) -> list[str]:
        return self.page.evaluate("(tokens) => tokens.map(model.decode)", tokens)

    def read(self, tokens, beta=1.0, off=()) -> tuple[np.ndarray, np.ndarray]:
        """Return weights (layers, heads, n, n), and the scores of the next token."""
        knobs = {"beta": beta, "off": list(off)}
        rows, scores = ask(self.page, READ, [list(tokens), knobs])
        n = len(tokens)
        weights = np.zeros((len(rows), len(rows[0][0]), n, n), "f4")
        for layer, of_layer in enumerate(rows):
            for i, row in enumerate(of_layer):
                weights[layer, :, i, : i + 1] = np.reshape(row, (-1, i + 1))
        return weights, np.array(scores)


@contextmanager
def page_model(browser: Browser, file: Path) -> Iterator[PageModel]:
    """Load a GGUF file into the JavaScript model of a page."""
    with serve(file.parent) as address:
        page = browser.new_page()
        page.goto(address)
        load_modules(page, ENTRY)
        page.evaluate(LOAD, [ENTRY, file.name])
        yield PageModel(page)
        page.close()
