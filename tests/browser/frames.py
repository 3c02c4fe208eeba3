"""What a page does a few frames later."""

from playwright.sync_api import Page

# A figure shares out the room it has a frame after it was told of it, and what is
# inside it a frame after that.
DRAWN = """async () => {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}"""


def drawn(page: Page) -> None:
    """Wait until what follows from a change of size has been drawn."""
    page.evaluate(DRAWN)


def resize(page: Page, width: int, height: int) -> None:
    """Give the page another size, and the time to take it."""
    page.set_viewport_size({"width": width, "height": height})
    drawn(page)
