"""Fixtures for every test in this folder: a real Chromium and the built site."""

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any

import displayed
import pytest
from alone import answer_with, page_of
from displayed import ask
from found import PAGES, SITE
from frames import emulate
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from book.browser import FLAGS, find_browser
from course.widgets import Card
from course.widgets.bundler import joined, sources


@pytest.fixture(scope="session")
def browser_path() -> str:
    path = find_browser()
    if path is None and os.environ.get("CI"):
        pytest.fail("the browser tests need Chromium or Chrome, and none is installed")
    if path is None:
        pytest.skip("browser tests skipped: no Chromium or Chrome on this machine")
    return path


# All tests of this folder share one browser, because it takes a second to start. The
# browser must not outlast them: while Playwright runs, this thread has an event loop,
# and notebooks that the same worker runs later need an event loop of their own.
@pytest.fixture(scope="package")
def browser(browser_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser_path, args=FLAGS)
        yield chromium
        chromium.close()


class FolderHost(SimpleHTTPRequestHandler):
    """Serve a folder that a test writes; the browser must not cache the files.

    A later test may get the same port and serve other files there.
    """

    keep = "no-store"

    def end_headers(self):
        self.send_header("Cache-Control", self.keep)
        super().end_headers()

    def log_message(self, *_):
        pass


class SiteHost(FolderHost):
    """Serve the built site; the browser may cache each file for ten minutes.

    Without this header, the browser requests the files of a freshly built site again
    for every page.
    """

    keep = "max-age=600"


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Ignore errors: the browser closes connections that it no longer needs."""


@contextlib.contextmanager
def serve(folder: Path, kind: type[FolderHost] = FolderHost) -> Iterator[str]:
    """Serve a folder on a free local port; yield the address."""
    handler = partial(kind, directory=str(folder))
    with Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.01], daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="package")
def site() -> Iterator[str]:
    """Yield the address of the built site."""
    if not (SITE / "index.html").exists():
        pytest.fail("there is no built site to look at: run `make book` first")
    with serve(SITE, SiteHost) as address:
        yield address


class Watched:
    """A browser page with its console messages and, if `requests`, its requests.

    Recording requests makes a page load longer: a chapter loads some thirty files.
    """

    def __init__(self, page: Page, requests: bool = False):
        self.page = page
        self.complaints: list[str] = []
        self._visited: list[str] = []
        self._hearing = {
            "console": lambda said: self.complaints.append(f"{said.type}: {said.text}"),
            "pageerror": lambda error: self.complaints.append(f"error: {error}"),
            "framenavigated": lambda frame: self._visited.append(frame.url),
        }
        if requests:
            self.requests: list[str] = []
            self._hearing["request"] = lambda asked: self.requests.append(asked.url)
        for event, hear in self._hearing.items():
            page.on(event, hear)

    def open(self, address: str) -> Page:
        self.page.goto(address)
        settle(self.page)
        return self.page

    def outside(self, *inside: str) -> list[str]:
        """Return the requests to addresses that start with none of `inside`."""
        return [url for url in self.requests if not url.startswith((*inside, "data:"))]

    def leave(self) -> None:
        """Reset the page for the next test: listeners, routes, history, storage."""
        for event, hear in self._hearing.items():
            self.page.remove_listener(event, hear)
        self.page.unroute_all()
        self.page.goto("about:blank")
        self.page.mouse.move(0, 0)
        session = session_of(self.page)
        session.send("Page.resetNavigationHistory")  # it holds only 50
        for origin in {url[: url.find("/", 8)] for url in self._visited}:
            forget = {"origin": origin, "storageTypes": "local_storage"}
            if origin.startswith(("http", "file")):
                session.send("Storage.clearDataForOrigin", forget)


@cache
def session_of(page: Page) -> CDPSession:
    """Return the session of Chromium's DevTools protocol for a page."""
    return page.context.new_cdp_session(page)


# Lays out the whole page for the tests: on a phone, the site lays out a section only
# when it comes near.
SETTLED = """async () => {
  const all = new CSSStyleSheet();
  all.replaceSync("main section section { content-visibility: visible !important }");
  document.adoptedStyleSheets.push(all);
  const started = () => !document.querySelector(".widget > script");
  while (!started()) await new Promise(r => setTimeout(r, 10));
  await document.fonts.ready;
  const frame = () => new Promise(requestAnimationFrame);
  if (innerWidth < 769) for (let i = 0; i < 2; i += 1) await frame();
}"""


def settle(page: Page) -> None:
    """Wait until all widgets have started and all fonts are loaded."""
    page.evaluate(SETTLED)


def until(page: Page, condition: str, argument: Any = None) -> None:
    """Wait until a script returns a true value, at most ten seconds.

    Playwright's own `wait_for_function` evaluates a string inside the page from its
    second attempt on, and the site's content security policy forbids this.
    """
    deadline = time.monotonic() + 10
    while not page.evaluate(condition, argument):
        assert time.monotonic() < deadline, f"never true: {condition}"
        page.wait_for_timeout(10)


# Options that `emulate_media` can set on a page, so they need no new context.
MEDIA = {"color_scheme": "light", "reduced_motion": "no-preference"}
MEDIA |= {"forced_colors": "none", "media": "screen"}


@pytest.fixture(scope="package")
def used_pages() -> list[Page]:
    """Return a list of pages to reuse: a new page costs more than most tests."""
    return []


@contextlib.contextmanager
def watching_with(
    browser: Browser, used_pages: list[Page]
) -> Iterator[Callable[..., Watched]]:
    """Yield a function that opens pages: ``watch(width=390, color_scheme="dark")``.

    Pages are reset and reused. A test that changes its page for good, for example with
    an init script, must ask for a ``fresh`` page, which is closed at the end.
    """
    watched, contexts = [], []

    def new_page(**options) -> Page:
        context = browser.new_context(**options)
        context.set_default_timeout(10_000)
        return context.new_page()

    def new(
        width: int = 1280,
        height: int = 900,
        fresh: bool = False,
        requests: bool = False,
        **options,
    ):
        media = {name: options.pop(name, usual) for name, usual in MEDIA.items()}
        if fresh or options:
            page = new_page(**options)
            contexts.append(page.context)
        else:
            page = used_pages.pop() if used_pages else new_page()
        size = {"width": width, "height": height}
        if page.viewport_size != size:
            page.set_viewport_size(size)
        page.emulate_media(**media)
        watched.append(Watched(page, requests))
        return watched[-1]

    yield new
    for each in watched:
        if each.page.context in contexts:
            each.page.context.close()
        else:
            each.leave()
            used_pages.append(each.page)


Watching = contextlib.AbstractContextManager[Callable[..., Watched]]


@pytest.fixture(scope="package")
def watching(browser: Browser, used_pages: list[Page]) -> Callable[[], Watching]:
    """Return a function for `with`: it opens pages that stay open until the end."""
    return partial(watching_with, browser, used_pages)


@pytest.fixture
def watch(watching: Callable[[], Watching]) -> Iterator[Callable[..., Watched]]:
    """Yield a function that opens pages for one test: see `watching_with`."""
    with watching() as watch:
        yield watch


ALONE = "http://cards.test/"
CARDS = "count => document.querySelectorAll('.abh-card').length === count"


@pytest.fixture
def open_page(watch: Callable[..., Watched]) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens cards on a page without the book.

    The test fails if the page logs anything or shows a number that is not rounded.
    """
    opened = []

    def open_(*cards: Card, query: str = "", **options) -> Page:
        watched = watch(**{"reduced_motion": "reduce"} | options)
        opened.append(watched)
        page = watched.page
        answer_with(page, ALONE, page_of(cards))
        page.goto(ALONE + query)
        until(page, CARDS, sum(isinstance(card, Card) for card in cards))
        page.evaluate(displayed.FIGURES)
        return page

    yield open_
    for each in opened:
        if each.page.url.startswith(ALONE):
            displayed.check(each.page, colours=False)
        assert each.complaints == []


def reveal(page: Page) -> None:
    """Answer every question of the page, and open every fold."""
    page.evaluate(
        """() => {
          for (const gate of document.querySelectorAll(".abh-predict:not([hidden])")) {
            const press = (text) => [...gate.querySelectorAll("button")]
              .find(b => b.offsetParent && b.textContent === text)?.click();
            gate.querySelector("input[type=radio]:enabled")?.click();
            press("Commit to this answer");
            press("Show the answer");
          }
          document.querySelectorAll("details").forEach(d => { d.open = true; });
        }"""
    )


def clear_kept(page: Page, extent: str = "This page") -> None:
    """Clear the stored state of a figure, of the page or of the whole course."""
    page.get_by_role("button", name="Clear …").click()
    page.get_by_role("radio", name=extent).check()
    dialog = page.get_by_role("dialog")  # an exercise has a "Clear" button too
    dialog.get_by_role("button", name="Clear", exact=True).click()


AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
AUDIT = Path(__file__).with_name("axe.js").read_text(encoding="utf-8")

# The theme changes only colours, so the dark theme needs only the rules about colour.
COLOUR_RULES = ("color-contrast", "link-in-text-block")
# Looks (colours and paint of a text, see axe.js) that have passed on earlier pages.
LOOKS: set[str] = set()


def objections(page: Page, *rules: str, parts: str | None = None) -> list[str]:
    """Return axe-core's objections to a page, or to what the selector `parts` matches.

    Without `rules`, axe-core uses all of its rules.
    """
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE)
        page.evaluate(AUDIT)
    asked = [rules, parts, list(LOOKS)]
    found, passed = page.evaluate("asked => audit.objections(asked)", asked)
    LOOKS.update(passed)
    return found


def objections_in_the_dark(page: Page, parts: str | None = None) -> list[str]:
    emulate(page, color_scheme="dark")
    found = objections(page, *COLOUR_RULES, parts=parts)
    emulate(page, color_scheme="light")
    return found


Call = Callable[..., list]


@pytest.fixture(scope="package")
def module(browser: Browser) -> Iterator[Callable[[str], Call]]:
    """Yield a function that loads a JavaScript file of the widgets on a blank page.

    ``module("card/numbers.js")("softmax", [logits, beta], ...)`` calls an exported
    function once for each list of arguments, and returns the list of results.
    """
    page = browser.new_page()
    page.evaluate("globalThis.modules = {}; 0")

    def load(name: str) -> Call:
        code = f'{joined(sources(name))} return need("{name}");'
        page.evaluate(f'modules["{name}"] = (() => {{ {code} }})(); 0')
        script = "([file, name, calls]) => calls.map((c) => modules[file][name](...c))"
        return lambda function, *calls: ask(page, script, [name, function, calls])

    yield load
    page.close()


@pytest.fixture
def empty_page(browser: Browser) -> Iterator[Page]:
    """Yield an empty page that can import the files of `book`: ``/live/cell.js``."""
    page = browser.new_page()
    with serve(SITE.parents[1] / "book") as address:
        page.route(f"{address}/", lambda route: route.fulfill(body="<html>"))
        page.goto(f"{address}/")
        yield page
        page.close()


@pytest.fixture(scope="session")
def axe() -> tuple[Callable[..., list[str]], Callable[[Page], list[str]]]:
    return objections, objections_in_the_dark


@pytest.fixture(scope="session")
def wait_until() -> Callable[..., None]:
    return until


@pytest.fixture(scope="session")
def answer_all() -> Callable[[Page], None]:
    return reveal


@pytest.fixture(scope="session")
def clear() -> Callable[..., None]:
    return clear_kept


@pytest.fixture(scope="session")
def serve_folder() -> Callable[[Path], contextlib.AbstractContextManager[str]]:
    return serve


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes `page_path` on every page of the site."""
    if "page_path" in metafunc.fixturenames:
        metafunc.parametrize("page_path", PAGES or ["intro.html"], scope="module")
