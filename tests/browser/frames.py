"""What a page does a few frames later."""

from playwright.sync_api import Page

# A figure shares out the room it has a frame after it was told of it, and what is
# inside it a frame after that.
DRAWN = """async () => {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}"""


def drawn(page: Page) -> None:
    """Wait until what follows from a change has been drawn."""
    page.evaluate(DRAWN)


# A page's timers end in order, so one of its own waits for all that ended before it.
WRITTEN = "() => new Promise((done) => setTimeout(done, 300))"


def written(page: Page) -> None:
    """Wait until figures have written their state to the address and the device."""
    page.evaluate(WRITTEN)


FOLLOWED = """async () => {
  const isBusy = () => document.querySelector("[aria-busy=true]");
  while (isBusy()) await new Promise(requestAnimationFrame);
}"""


def followed(page: Page) -> None:
    """Wait until figures have drawn what they leave for after a frame."""
    page.evaluate(FOLLOWED)


def resize(page: Page, width: int, height: int) -> None:
    """Give the page this size, and the time to take it."""
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
    """Set what the system prefers, or what the page is shown on.

    The page hears of it a frame or two later, and so does its theme.
    """
    page.emulate_media(media=None if media == "all" else media, **features)
    asked = (f"({FEATURES[name]}: {value})" for name, value in features.items())
    page.evaluate(HEARD, [" and ".join([media, *asked]), features.get("color_scheme")])
