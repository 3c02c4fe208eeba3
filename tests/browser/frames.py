"""Wait until a page has drawn, stored or finished the effects of a change."""

from playwright.sync_api import Page

# A figure lays out its parts one frame after its size changes, and the contents of the
# parts one frame later.
DRAWN = """async () => {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}"""


def drawn(page: Page) -> None:
    """Wait until the page has drawn the effects of a change."""
    page.evaluate(DRAWN)


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


FEATURES = {"color_scheme": "prefers-color-scheme", "forced_colors": "forced-colors"}
HEARD = """async ([media, scheme]) => {
  const query = matchMedia(media);
  const theme = () => document.documentElement.dataset.theme ?? scheme;  // of the site
  while (!query.matches || (scheme && theme() !== scheme)) {
    await new Promise(requestAnimationFrame);
  }
  await new Promise(requestAnimationFrame);
}"""


def emulate(page: Page, media: str = "all", **features: str) -> None:
    """Set media features such as the colour scheme, or the medium (``"print"``).

    The page and its theme follow a frame or two later; this function waits for them.
    """
    page.emulate_media(media=None if media == "all" else media, **features)
    asked = (f"({FEATURES[name]}: {value})" for name, value in features.items())
    page.evaluate(HEARD, [" and ".join([media, *asked]), features.get("color_scheme")])
