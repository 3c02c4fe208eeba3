"""States of the course's widgets on the built pages, and their questions."""

import json
import re
from pathlib import Path

STATE = re.compile(
    r'<script type="application/vnd\.jupyter\.widget-state\+json">(.*?)</script>',
    re.DOTALL,
)
PLACE = re.compile(r'<div class="widget" id="fig-([^"]+)"')


def models(path: Path) -> list[dict]:
    """Return the state of every widget of the course on a page."""
    found = []
    for text in STATE.findall(path.read_text(encoding="utf-8")):
        saved = json.loads(text.replace("<\\/", "</"))["state"]
        found += [model["state"] for model in saved.values()]
    return [state for state in found if "_anywidget_id" in state]


def figures(path: Path) -> dict[str, dict]:
    """Return the states of a page's figures by name, in the order of the page."""
    named = {s["_page"].get("name"): s for s in models(path) if "_page" in s}
    return {name: named[name] for name in PLACE.findall(path.read_text("utf-8"))}


def questions(state: dict) -> list[dict]:
    """Return the questions of a widget: its own question, and those of a quiz."""
    own = [state["question"]] if state.get("question") else []
    return [*own, *state.get("questions", [])]
