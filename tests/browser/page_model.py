"""Load the JavaScript language model of chapter 9 into a blank page."""

import base64
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
from playwright.sync_api import Browser

from course.widgets.bundler import joined, sources

ENTRY = "real_model/language_model.js"
LOAD = """async ([entry, file]) => {
  const buffer = await (await fetch(file)).arrayBuffer();
  globalThis.model = need(entry).modelOf(buffer);
}"""
READ = """async ([tokens, knobs]) => {
  const { rows, scores } = await model.read(tokens, knobs);
  const text = (array) => {
    let letters = "";
    for (const b of new Uint8Array(array.buffer)) letters += String.fromCharCode(b);
    return btoa(letters);
  };
  return { rows: rows.map((ofLayer) => ofLayer.map(text)), scores: text(scores) };
}"""


def numbers(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4")


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
        found = self.page.evaluate(READ, [list(tokens), knobs])
        n, layers = len(tokens), len(found["rows"])
        rows = [[numbers(row) for row in of_layer] for of_layer in found["rows"]]
        heads = rows[0][0].size
        weights = np.zeros((layers, heads, n, n), "f4")
        for layer, of_layer in enumerate(rows):
            for i, row in enumerate(of_layer):
                weights[layer, :, i, : i + 1] = row.reshape(heads, i + 1)
        return weights, numbers(found["scores"])


def host_of(file: bytes) -> type[BaseHTTPRequestHandler]:
    """Return a request handler: the file is at ``/file``, elsewhere an empty page."""

    class Host(BaseHTTPRequestHandler):
        def do_GET(self):
            body = file if self.path == "/file" else b"<!doctype html>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    return Host


@contextmanager
def page_model(browser: Browser, file: bytes) -> Iterator[PageModel]:
    """Load a GGUF file into the JavaScript model of a blank page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), host_of(file)) as server:
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        code = f"{joined(sources(ENTRY))} return need;"
        page.evaluate(f"globalThis.need = (() => {{ {code} }})(); 0")
        page.evaluate(LOAD, [ENTRY, "/file"])
        yield PageModel(page)
        page.close()
        server.shutdown()
