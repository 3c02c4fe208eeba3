"""Colours for Matplotlib, CSS and widgets, defined here and nowhere else.

Every colour has a light and a dark value. Matplotlib draws with the light values. In a
finished SVG, `themed` replaces each of them by the CSS variable of its role, so that a
figure in a page follows the theme of the page.

Query, key and value are blue, vermillion and green after Okabe and Ito, darkened or
lightened to a contrast of at least 4.5 on their background. `ink` can be read on every
cell of a matrix, in both themes.
"""

import re
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axis import Axis
from matplotlib.colors import ListedColormap, to_hex, to_rgb
from matplotlib.ticker import NullFormatter
from numpy.typing import ArrayLike, NDArray


class Colour(NamedTuple):
    """A colour of a role on a light page and on a dark one."""

    light: str
    dark: str


ROLES = {
    "query": Colour("#0072b2", "#5cb3e6"),
    "key": Colour("#c05500", "#f0924c"),
    "value": Colour("#008561", "#3cc49f"),
    "output": Colour("#a03a78", "#e08bc0"),
    "ink": Colour("#1f2328", "#eceef1"),
    "muted": Colour("#59636e", "#a7b1bc"),
    "line": Colour("#d0d7de", "#3d4651"),
    "paper": Colour("#ffffff", "#14181e"),
    "surface": Colour("#fcfcfd", "#1d232b"),
    "right": Colour("#1a7f37", "#57c273"),
    "wrong": Colour("#b3261e", "#ff8a80"),
    "head-1": Colour("#6f52c4", "#ab98f2"),
    "head-2": Colour("#8a7000", "#d0b64a"),
    "head-3": Colour("#7d4035", "#f6c3b9"),
    "head-4": Colour("#2f5880", "#a9d6ff"),
    "head-5": Colour("#3d6100", "#b4e37d"),
    "head-6": Colour("#760357", "#ffa4eb"),
    "head-7": Colour("#006a70", "#00ddda"),
    "head-8": Colour("#924700", "#ffad3d"),
    "weight-low": Colour("#fbf8f3", "#20262f"),
    "weight-high": Colour("#d873b5", "#96397b"),
    "negative": Colour("#c2b444", "#655c13"),
    "zero": Colour("#f9f8f6", "#222831"),
    "positive": Colour("#ae90e6", "#6a4aa6"),
    "code-string": Colour("#5f4d00", "#d8c27a"),
    "code-name": Colour("#4b3f8f", "#b9aef2"),
}

IN_FORMULAS = ("query", "key", "value", "output")
"""Roles whose letters are coloured in formulas."""

_LEVELS = 101  # one colour for each percent from 0 to 100

_SRGB_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_LMS_TO_OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def oklab(colour: str) -> NDArray[np.float64]:
    """Return the coordinates of a colour in OKLab (Ottosson 2020)."""
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return _LMS_TO_OKLAB @ np.cbrt(_SRGB_TO_LMS @ linear)


def _from_oklab(labs: NDArray[np.float64]) -> list[str]:
    """Return the colours of OKLab coordinates, clipped to what a screen can show."""
    lms = np.linalg.solve(_LMS_TO_OKLAB, labs.T) ** 3
    linear = np.clip(np.linalg.solve(_SRGB_TO_LMS, lms), 0, 1)
    rgb = np.where(
        linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055
    )
    return [to_hex(each) for each in np.clip(rgb, 0, 1).T]


def mix(low: str, high: str, shares: ArrayLike) -> list[str]:
    """Mix two colours in OKLab, as CSS's ``color-mix(in oklab, ...)`` does."""
    start, end = oklab(low), oklab(high)
    return _from_oklab(start + (end - start) * np.asarray(shares)[:, None])


_ENDS = (("weight-low", "weight-high"), ("zero", "negative"), ("zero", "positive"))
_RAMPS = {
    (low, high): mix(ROLES[low].light, ROLES[high].light, np.linspace(0, 1, _LEVELS))
    for low, high in _ENDS
}
"""Light colours from one role to another."""
_WEIGHTS, _NEGATIVE, _POSITIVE = _RAMPS.values()

WEIGHTS = ListedColormap(_WEIGHTS, name="weights")
"""Sequential scale for attention weights, from 0 to 1."""

SIGNED = ListedColormap([*_NEGATIVE[:0:-1], *_POSITIVE], name="signed")
"""Diverging scale for signed numbers, from -a to a."""


def colour(role: str) -> str:
    """Return the hex value of a role on a light page, for Matplotlib."""
    return ROLES[role].light


def css() -> str:
    """Return a stylesheet with a variable `--abh-<role>` for each role.

    The site marks its theme with ``data-theme``, JupyterLab with
    ``data-jp-theme-light``. Without either mark, the system's theme applies. Printed
    pages are always light.
    """
    light = "".join(f"--abh-{name}:{c.light};" for name, c in ROLES.items())
    dark = "".join(f"--abh-{name}:{c.dark};" for name, c in ROLES.items())
    return (
        f":root{{{light}}}"
        "@media screen and (prefers-color-scheme:dark){"
        ":root:not([data-theme=light]):not(:has(body[data-jp-theme-light]))"
        f"{{{dark}}}}}"
        f"@media screen{{:root[data-theme=dark]{{{dark}}}"
        f"body[data-jp-theme-light=false]{{{dark}}}}}"
    )


def _css_values() -> dict[str, str]:
    """Return the CSS value of each hex value that a figure may contain."""
    mixed = {
        hex_value: f"color-mix(in oklab,var(--abh-{low}),var(--abh-{high}) {percent}%)"
        for (low, high), ramp in _RAMPS.items()
        for percent, hex_value in enumerate(ramp)
    }
    return mixed | {c.light: f"var(--abh-{name})" for name, c in ROLES.items()}


def themed(svg: str) -> str:
    """Replace the course's colours in an SVG by CSS variables."""
    values = _css_values()
    return re.sub(
        r"#[0-9a-fA-F]{6}\b",
        lambda match: values.get(match[0].lower(), match[0]),
        svg,
    )


_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def powers_of_ten(*axes: Axis) -> None:
    """Make axes logarithmic and write their ticks in plain text, such as 10⁻³.

    Matplotlib writes formulas, which can take longer to draw than the whole figure.
    """
    for axis in axes:
        axis.axes.set(**{f"{axis.axis_name}scale": "log"})
        axis.set_major_formatter(
            lambda tick, _: "10" + f"{np.log10(tick):.0f}".translate(_SUPERSCRIPTS)
        )
        axis.set_minor_formatter(NullFormatter())


def use() -> None:
    """Set Matplotlib to the course's style: SVG, column width, grey axes."""
    ink, muted, line = colour("ink"), colour("muted"), colour("line")
    mpl.rcParams.update(
        {
            "figure.figsize": (7.2, 3.2),
            "figure.facecolor": colour("paper"),
            "axes.facecolor": "none",
            "axes.edgecolor": line,
            "axes.labelcolor": ink,
            "axes.titlesize": 11,
            "axes.titley": 1.0,  # fixed: Matplotlib's search for a height is slow
            "axes.labelsize": 10,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.prop_cycle": mpl.cycler(
                color=[colour(r) for r in ("query", "key", "value", "output")]
            ),
            "font.family": "sans-serif",
            "font.size": 10,
            "grid.color": line,
            "legend.frameon": False,
            "text.color": ink,
            "xtick.color": muted,
            "ytick.color": muted,
            "xtick.labelcolor": ink,
            "ytick.labelcolor": ink,
            "svg.fonttype": "none",
            "svg.hashsalt": "attention-by-hand",
        }
    )
    try:
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:  # not in a notebook
        return
    set_matplotlib_formats(
        "svg", metadata={"Date": None}
    )  # no date, so that two builds write the same bytes
    from matplotlib.pyplot import uninstall_repl_displayhook

    uninstall_repl_displayhook()  # the hook would draw each figure for a window
