"""Compare the stored still images of the machine with the drawings of its view."""

import os

import pytest
from machines import preset

from course.widgets.machine import STILLS

pytestmark = pytest.mark.slow

STORE = os.environ.get("STORE_STILLS")
"""If set, new stills are stored: use ``STORE_STILLS=1`` after a change of the view."""

SHOWN = [
    ("football", {}),
    ("football", {"chapter": 2}),
    ("football", {"stage": "key"}),
    ("cat", {"chapter": 3}),
    ("cat", {"chapter": 4}),
    ("cat", {"stage": "box", "residual": True}),
    ("cat", {"stage": "output"}),
    ("apple", {"stage": "weights", "row": 2}),
]
"""Preset and traits of each machine that a page of the course shows."""

DRAWN = """() => {
  const event = new CustomEvent("machine-still", { detail: {} });
  document.querySelector(".abh-ma-card").dispatchEvent(event);
  return event.detail.still;
}"""


@pytest.mark.parametrize(("example", "traits"), SHOWN)
def test_a_stored_still_differs_from_what_the_view_draws(open_machine, example, traits):
    machine = preset(example, **{"stage": ""} | traits)
    page = open_machine(machine, height=720)
    path = STILLS / f"{machine.still_name()}.svg"
    drawing = page.evaluate(DRAWN) + "\n"
    if STORE:
        path.write_text(drawing, encoding="utf-8")
    assert path.read_text("utf-8") == drawing, f"{path.name} is old: use STORE_STILLS=1"
