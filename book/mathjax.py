"""MathJax, served by the site itself.

The PyPI package `sphinx-mathjax-offline` carries MathJax 3 as it is published
on npm. The lock pins the package by its hash; it is installed but never
loaded as an extension, which would copy all of its 24 MB. The site takes the
few parts that `book/assets/math.js` asks for.
"""

import shutil
from importlib.metadata import distribution
from pathlib import Path

PARTS = (
    "startup.js",
    "core.js",
    "input/tex.js",
    "input/tex/extensions/color.js",
    "output/chtml.js",
    "output/chtml/fonts/tex.js",
    "a11y/assistive-mml.js",
)
FONTS = "output/chtml/fonts/woff-v2"


def source() -> Path:
    """Folder in which the installed package keeps MathJax."""
    package = distribution("sphinx-mathjax-offline")
    return Path(str(package.locate_file("sphinx-mathjax-offline/static/mathjax")))


def copy_to(folder: Path) -> None:
    """Copy the parts of MathJax that the site uses.

    Parameters
    ----------
    folder : Path
        Where they go; made when it is missing, left alone when it is complete.
    """
    package = source()
    fonts = [f"{FONTS}/{font.name}" for font in (package / FONTS).glob("*.woff")]
    for name in (*PARTS, *fonts):
        target = folder / name
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(package / name, target)
