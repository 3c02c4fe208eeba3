"""Fixtures for every test in this folder: a real Chromium and the built site."""

import contextlib
import os
from collections.abc import Callable, Iterator
from functools import cache, partial

import displayed
import pytest
from alone import answer_with, page_of
from displayed import ask
from found import PAGES, SITE
from frames import settle, wait_until
from hosts import SiteHost, serve
from machines import WIDTH, ready
from modules import load_modules
from playwright.sync_api import Browser, CDPSession, Page, expect, sync_playwright

from book.browser import FLAGS, find_browser
from course.widgets import Card, Machine

expect.set_options(timeout=30_000)  # a slow machine takes longer, and passes


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
        self.page.context.unroute_all()
        self.page.goto("about:blank")
        self.page.mouse.move(0, 0)
        session = session_of(self.page)
        session.send("Page.resetNavigationHistory")  # Chromium keeps only 50 entries
        for origin in {url[: url.find("/", 8)] for url in self._visited}:
            forget = {"origin": origin, "storageTypes": "local_storage"}
            if origin.startswith(("http", "file")):
                session.send("Storage.clearDataForOrigin", forget)


@cache
def session_of(page: Page) -> CDPSession:
    """Return the session of Chromium's DevTools protocol for a page."""
    return page.context.new_cdp_session(page)


# Options that `emulate_media` can set on a page, so they need no new context.
MEDIA = {"color_scheme": "light", "reduced_motion": "no-preference", "media": "screen"}


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
        context.set_default_timeout(30_000)
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
def watching(browser: Browser) -> Callable[[], Watching]:
    """Return a function for `with`: it opens pages that stay open until the end.

    All calls reuse one list of pages: a new page costs more than most tests.
    """
    return partial(watching_with, browser, [])


@pytest.fixture
def watch(watching: Callable[[], Watching]) -> Iterator[Callable[..., Watched]]:
    """Yield a function that opens pages for one test: see `watching_with`."""
    with watching() as watch:
        yield watch


ALONE = "http://cards.localhost/index.html"  # a secure context: it has a clipboard
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
        wait_until(page, CARDS, sum(isinstance(card, Card) for card in cards))
        page.evaluate(displayed.FIGURES)
        return page

    yield open_
    for each in opened:
        if each.page.url.startswith(ALONE):
            displayed.check(each.page, colours=False)
        assert each.complaints == []


@pytest.fixture
def open_machine(open_page: Callable[..., Page]) -> Callable[..., Page]:
    """Return a function that opens machines alone on a page."""

    def open_(*machines: Machine, **options) -> Page:
        page = open_page(*machines, **{"width": WIDTH} | options)
        ready(page)
        return page

    return open_


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
        load_modules(page, name)
        page.evaluate(f'modules["{name}"] = need("{name}"); 0')
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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes `page_path` on every page of the site."""
    if "page_path" in metafunc.fixturenames:
        metafunc.parametrize("page_path", PAGES or ["intro.html"], scope="module")
