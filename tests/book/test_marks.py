"""No mark of a drawn figure lies outside the limits of its axes, cut off."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"
PAGES = sorted(SITE.rglob("*.html"))
TOLERANCE = 0.01  # of a point: coordinates are rounded


class Marks(HTMLParser):
    """Collects the rectangles that clip, and the marks that each of them clips."""

    def __init__(self):
        super().__init__()
        self.sides: dict[str, dict[str, float]] = {}
        self.marks: list[tuple[str, float, float]] = []
        self._rectangle = ""
        self._groups: list[str] = []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "clippath":
            self._rectangle = attributes["id"]
        elif tag == "rect" and self._rectangle:
            sides = ("x", "y", "width", "height")
            self.sides[self._rectangle] = {s: float(attributes[s]) for s in sides}
        elif tag == "g":
            clip = re.search(r"#([^)]*)", attributes.get("clip-path") or "")
            self._groups.append(clip[1] if clip else "")
        elif tag == "use" and self._groups and self._groups[-1]:
            at = float(attributes.get("x", 0)), float(attributes.get("y", 0))
            if at[0]:  # an area stands whole at the figure's corner
                self.marks.append((self._groups[-1], *at))

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag):
        if tag == "g":
            self._groups.pop()
        elif tag == "clippath":
            self._rectangle = ""

    def cut_off(self) -> list[tuple[str, float, float]]:
        return [mark for mark in self.marks if not self._inside(*mark)]

    def _inside(self, clip, x, y) -> bool:
        sides = self.sides[clip]
        right, low = sides["x"] + sides["width"], sides["y"] + sides["height"]
        return (
            sides["x"] - TOLERANCE <= x <= right + TOLERANCE
            and sides["y"] - TOLERANCE <= y <= low + TOLERANCE
        )


def read(path: Path) -> Marks:
    marks = Marks()
    marks.feed(path.read_text(encoding="utf-8"))
    return marks


READ = {path.relative_to(SITE).as_posix(): read(path) for path in PAGES}


def test_marks_are_found():
    assert len(READ["chapters/02-why-sqrt-dk.html"].marks) > 20


@pytest.mark.parametrize("name", [name for name, each in READ.items() if each.marks])
def test_no_mark_is_cut_off(name):
    assert READ[name].cut_off() == []
