"""Wait until a page has drawn, stored or finished the effects of a change."""

import time
from typing import Any

from playwright.sync_api import Page

# A figure lays out its parts one frame after its size changes, and the contents of the
# parts one frame later.
DRAWN = """async () => {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}"""


def drawn(page: Page) -> None:
    """Wait until the page has drawn the effects of a change."""
    page.evaluate(DRAWN)


SETTLED = """async () => {
  const started = () => !document.querySelector(".widget > script");
  while (!started()) await new Promise(r => setTimeout(r, 10));
  await document.fonts.ready;
}"""


def settle(page: Page) -> None:
    """Wait until all widgets have started and are drawn, and all fonts are loaded."""
    page.evaluate(SETTLED)
    drawn(page)


def wait_until(page: Page, condition: str, argument: Any = None) -> None:
    """Wait until a script returns a true value, at most 30 seconds.

    Playwright's own `wait_for_function` evaluates a string inside the page from its
    second attempt on, and the site's content security policy forbids this.
    """
    deadline = time.monotonic() + 30
    while not page.evaluate(condition, argument):
        assert time.monotonic() < deadline, f"never true: {condition}"
        page.wait_for_timeout(10)


# Timers fire in the order of their times, so figures' shorter timers fire before this.
WRITTEN = "() => new Promise((done) => setTimeout(done, 300))"


def written(page: Page) -> None:
    """Wait until figures have written their state to the address and the device."""
    page.evaluate(WRITTEN)


def resize(page: Page, width: int, height: int) -> None:
    """Set the size of the page, and wait until the page is drawn."""
    size = {"width": width, "height": height}
    if page.viewport_size != size:
        page.set_viewport_size(size)
        drawn(page)


HEARD = """async ([media, scheme]) => {
  const query = matchMedia(media);
  const theme = () => document.documentElement.dataset.theme ?? scheme;  // of the site
  while (!query.matches || (scheme && theme() !== scheme)) {
    await new Promise(requestAnimationFrame);
  }
  await new Promise(requestAnimationFrame);
}"""


def emulate(
    page: Page, media: str | None = None, color_scheme: str | None = None
) -> None:
    """Set the colour scheme or the medium (``"print"``).

    The page and its theme follow a frame or two later; this function waits for them.
    """
    page.emulate_media(media=media, color_scheme=color_scheme)
    query = media or f"(prefers-color-scheme: {color_scheme})"
    page.evaluate(HEARD, [query, color_scheme])
