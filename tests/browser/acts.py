"""What a reader does and reads on a page."""

import numpy as np
from playwright.sync_api import Locator, Page

Place = tuple[float, float]


def answer_all(page: Page) -> None:
    """Open every fold of the page, and answer every question."""
    page.evaluate(
        """() => {
          document.querySelectorAll("details").forEach(d => { d.open = true; });
          for (const gate of document.querySelectorAll(".abh-predict:not([hidden])")) {
            const press = (text) => [...gate.querySelectorAll("button")]
              .find(b => b.offsetParent && b.textContent === text)?.click();
            gate.querySelector("input[type=radio]:enabled")?.click();
            press("Commit to this answer");
            press("Show the answer");
          }
        }"""
    )


def clear(page: Page, extent: str = "This page") -> None:
    """Clear the stored state of a figure, of the page or of the whole course."""
    page.get_by_role("button", name="Clear …").click()
    page.get_by_role("radio", name=extent).check()
    dialog = page.get_by_role("dialog")  # an exercise has a "Clear" button too
    dialog.get_by_role("button", name="Clear", exact=True).click()


def keep(page: Page, entries: dict[str, str]) -> None:
    """Store entries of the course on the device, as the site does."""
    stored = {f"attention-by-hand/{key}": text for key, text in entries.items()}
    page.evaluate("entries => Object.assign(localStorage, entries)", stored)


def reading(where: Page | Locator) -> str:
    """Return the sentence of the first figure."""
    return where.locator(".abh-reading").first.inner_text()


def enter(field: Locator, text: str) -> None:
    field.fill(text)
    field.press("Enter")


def middle(node: Locator) -> Place:
    box = node.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: Place, *places: Place) -> None:
    """Press the mouse at a place, move it to the other places, and release it."""
    page.mouse.move(*start)
    page.mouse.down()
    for place in places:
        page.mouse.move(*place, steps=5)
    page.mouse.up()


def drag_by_finger(page: Page, start: Place, by: Place) -> None:
    """Drag a finger in five moves."""
    session = page.context.new_cdp_session(page)
    for count in range(6):
        x, y = np.add(start, np.multiply(by, count / 5)).tolist()
        kind = "touchMove" if count else "touchStart"
        touch = {"type": kind, "touchPoints": [{"x": x, "y": y}]}
        session.send("Input.dispatchTouchEvent", touch)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


# A clipboard for tests: it needs no permission, and stores the text in `copied`.
CLIPBOARD = """() => Object.defineProperty(navigator, "clipboard", { configurable: true,
  value: { writeText: async (text) => { globalThis.copied = text; } } })"""


def copied_link(page: Page) -> str:
    """Press "Copy link" and return the link."""
    page.evaluate(CLIPBOARD)
    page.locator("button:text-is('Copy link')").dispatch_event("click")
    return page.evaluate("globalThis.copied")
