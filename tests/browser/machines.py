"""Open machines alone on a page, and use them as a reader does."""

from acts import enter
from frames import drawn

from course.widgets import Machine

WIDTH = 944  # of a figure on a desktop screen


def ready(page) -> None:
    page.wait_for_selector(".abh-ma-svg [data-row]", state="attached")
    drawn(page)


def reopen(page, query: str) -> None:
    page.goto(page.url.split("?")[0] + query)
    ready(page)


def value(where, name: str, r: int, c: int) -> str:
    """Return all digits of a number of a stage, after the page has been drawn."""
    drawn(getattr(where, "page", where))
    shown = where.locator(f'text[data-name="{name}.{r}.{c}"]').first
    return shown.get_attribute("data-value")


def type_number(where, name: str, r: int, c: int, text: str) -> None:
    """Type a new number into a stage; first close the menus that may cover it."""
    getattr(where, "page", where).bring_to_front()
    for menu in where.locator(".abh-ma-more[open]").all():
        menu.evaluate("menu => { menu.open = false; }")
    cell = where.locator(f'[data-key="{name}.{r}.{c}"]').first
    # The bar at the bottom of the screen does not cover the middle.
    cell.evaluate("cell => cell.scrollIntoView({ block: 'center' })")
    cell.click()
    field = where.locator(".abh-ma-field")
    enter(field, text)


def more(where) -> None:
    """Open the menu of a machine."""
    menu = where.locator(".abh-ma-more").first
    if menu.get_attribute("open") is None:
        menu.locator("summary").click()


def undo(where, name: str = "Undo") -> None:
    more(where)
    where.get_by_role("button", name=name).first.click()


def preset(name: str, **traits) -> Machine:
    """Return the machine of a preset, without its question."""
    return Machine.preset(name, **{"question": {}, "stage": "X"} | traits)
