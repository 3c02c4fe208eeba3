"""The axes of a drawn figure cut off none of its marks."""

from built import PAGES, page

TOLERANCE = 0.01  # of a point: coordinates are rounded
SIDES = ("x", "y", "width", "height")


def test_a_mark_is_cut_off():
    count = 0
    for name in PAGES:
        rectangles = {
            each.getparent().get("id"): [float(each.get(side)) for side in SIDES]
            for each in page(name).xpath("//clippath/rect")
        }
        for mark in page(name).xpath("//g[@clip-path]/use[@x]"):
            x, y = float(mark.get("x")), float(mark.get("y"))
            clip = mark.getparent().get("clip-path")[len("url(#") : -1]
            left, top, width, height = rectangles[clip]
            if x:  # x is 0 for an area, which has no single point
                assert -TOLERANCE <= x - left <= width + TOLERANCE, (name, clip)
                assert -TOLERANCE <= y - top <= height + TOLERANCE, (name, clip)
                count += 1
    assert count
