"""The axes of a drawn figure cut off none of its marks."""

import pytest
from built import PAGES, page

TOLERANCE = 0.01  # of a point: coordinates are rounded
SIDES = ("x", "y", "width", "height")


def marks(name: str) -> list[tuple[str, float, float]]:
    """Return the id of the clipping rectangle and the point of each clipped mark."""
    clipped = page(name).xpath("//g[@clip-path]/use[@x]")
    return [
        (
            use.getparent().get("clip-path")[5:-1],
            float(use.get("x")),
            float(use.get("y")),
        )
        for use in clipped
        if float(use.get("x"))  # x is 0 for an area, which has no single point
    ]


def rectangles(name: str) -> dict[str, tuple[float, ...]]:
    """Return left, top, width and height of each clipping rectangle, by its id."""
    found = page(name).xpath("//clippath/rect")
    return {
        each.getparent().get("id"): tuple(float(each.get(side)) for side in SIDES)
        for each in found
    }


def is_inside(rectangle: tuple[float, ...], x: float, y: float) -> bool:
    left, top, width, height = rectangle
    across, down = x - left, y - top
    return (
        -TOLERANCE <= across <= width + TOLERANCE
        and -TOLERANCE <= down <= height + TOLERANCE
    )


@pytest.mark.parametrize("name", PAGES)
def test_no_mark_is_cut_off(name):
    clips = rectangles(name)
    assert [m for m in marks(name) if not is_inside(clips[m[0]], *m[1:])] == []
