"""axe-core finds nothing to object to, wide and narrow, light and dark."""

from importlib.resources import files

import pytest

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
SIZES = {"wide": (1280, 900), "narrow": (390, 844)}

# The theme changes colours and nothing else, so that in the dark only what
# depends on colour is looked at again.
COLOUR_RULES = {"runOnly": ["color-contrast", "link-in-text-block"]}


def objections(page, options=None) -> list[str]:
    found = page.evaluate(
        "options => axe.run(document, options)",
        {"resultTypes": ["violations"], **(options or {})},
    )
    return [
        f"{violation['id']}: {node['html'][:160]}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("size", SIZES)
def test_axe_has_no_objection(watch, site, page_path, size, answer_all):
    width, height = SIZES[size]
    page = watch(width, height, color_scheme="light").open(f"{site}/{page_path}")
    page.evaluate(AXE)
    if size == "narrow":
        assert objections(page) == [], "before any answer"
    answer_all(page)
    if size == "wide":
        assert objections(page) == [], "in the light"
    page.emulate_media(color_scheme="dark")
    assert objections(page, COLOUR_RULES) == [], "in the dark"
