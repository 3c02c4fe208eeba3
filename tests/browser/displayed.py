"""Read the texts, bars and colours of a figure from the screen, and check them."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from playwright.sync_api import Locator, Page

from course.kit import look

SCRIPT = Path(__file__).with_name("displayed.js").read_text(encoding="utf-8")
FIGURES = SCRIPT + Path(__file__).with_name("figures.js").read_text(encoding="utf-8")
NUMBER = re.compile(
    r"(?<![\w.])\u2212?\d[\d,]*(?:\.\d+)?(?: × 10[\u207b\u2070-\u2079¹²³]+)?"
)
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
UNDO = "button:text-is('Undo')"  # in the closed menu of a figure
LEVEL = 4  # of 255: largest error of rounding between colour spaces


INFINITE = "(_, x) => (x === -Infinity ? '-Infinity' : x)"


def ask(where: Page | Locator, script: str, argument: Any = None) -> Any:
    """Evaluate a JavaScript function; send its argument and result as one JSON text.

    Without JSON, Playwright handles each part of a large value separately, which can
    take longer than the function itself. JSON has no infinity: it is sent as a text.
    """
    node = "" if isinstance(where, Page) else "node, "
    call = f"({script})({node}JSON.parse(given))"
    function = f"async ({node}given) => JSON.stringify(await {call}, {INFINITE})"
    return json.loads(where.evaluate(function, json.dumps(argument)))


def shown(text: str) -> tuple[float, float]:
    """Return the value of a number's text, and half a unit of its last digit."""
    plain, _, power = text.replace("\u2212", "-").replace(",", "").partition(" × 10")
    scale = 10.0 ** int(power.translate(RAISED) or 0) if power else 1.0
    digits = len(plain.partition(".")[2])
    return float(plain) * scale, 0.5 * 10.0**-digits * scale


def agrees(text: str, value: float) -> bool:
    """Return whether a text is `value` rounded to its digits, with the minus U+2212."""
    if not NUMBER.fullmatch(text):
        return False
    read, half = shown(text)
    return abs(read - value) <= half * (1 + 1e-9) + 1e-12 * abs(value)


def check(where: Page | Locator, colours: bool = True) -> None:
    """Raise unless every number is shown rounded, with the right bar and colour."""
    node = where.locator("html") if isinstance(where, Page) else where
    if not node.page.evaluate("typeof displayed === 'object'"):
        node.page.evaluate(SCRIPT)
    looks = ("bars", "tinted") if colours else ()
    check_read(*(ask(node, f"displayed.{what}") for what in ("wrong", *looks)))


def check_read(wrong: Sequence, bars: Sequence = (), tinted: Sequence = ()) -> None:
    """Raise unless the numbers, bars and colours from `displayed.js` are right."""
    assert wrong == []
    for row in bars:
        for text, length in row:
            value, half = shown(text)
            assert abs(length - value) <= half + 1e-4, f"the bar of {text} is {length}"
    for cells in tinted:
        check_colours(cells)


def check_colours(cells: list) -> None:
    """Raise unless the colours of a table on the screen are those of `look`."""
    values = np.array([shown(text)[0] for text, _, _ in cells])
    colours = np.array([colour for _, colour, _ in cells])
    bars = [bar for _, _, bar in cells]
    if None not in bars:
        np.testing.assert_allclose(bars, values, atol=0.02)
        expected = ramp(look.WEIGHTS, values)
        assert np.abs(colours - expected).max() <= LEVEL, "colours of weights"
        return
    # The colour scale ends somewhere near or above the largest |number|.
    ends = (np.abs(values).max() or 1.0) * np.geomspace(0.98, 12, 400)[:, np.newaxis]
    expected = ramp(look.SIGNED, (values / ends + 1) / 2)
    error = np.abs(colours - expected).max(axis=(1, 2)).min()
    assert error <= LEVEL, f"colours of signed numbers: {values}, {colours}"


def ramp(colormap, places: np.ndarray) -> np.ndarray:
    """Return the colours of a scale at places from 0 to 1, interpolated linearly."""
    smooth = LinearSegmentedColormap.from_list("smooth", colormap.colors, 4096)
    return 255 * smooth(np.clip(places, 0, 1))[..., :3]
