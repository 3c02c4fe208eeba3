"""Links in the prose that set a figure, without scripts and in a new tab.

`test_every_page_at_a_desk.py` follows the first and the last link of each kind; the
build refuses a link with an impossible value.
"""

import pytest
from frames import drawn, wait_until
from prose_links import LINKS

PAGE = "chapters/02-why-sqrt-dk.html"


def test_without_scripts_a_link_does_not_lead_to_the_figure(watch, site):
    page = watch(java_script_enabled=False).page
    page.goto(f"{site}/{PAGE}")
    page.locator(LINKS).first.click()
    top = "document.querySelector('#fig-walk')?.getBoundingClientRect().top"
    wait_until(page, f"0 <= {top} && {top} < 60")
    style = page.locator(LINKS).first.evaluate("a => getComputedStyle(a).borderStyle")
    assert style == "none", "without scripts the link must not look like a control"


@pytest.mark.parametrize("key", ["ctrlKey", "metaKey", "shiftKey"])
def test_a_click_that_opens_a_tab_sets_a_figure(watch, site, key):
    page = watch().open(f"{site}/{PAGE}")
    before = page.locator("[data-trait=d_k] .abh-field").input_value()
    taken = page.evaluate(
        """key => new Promise((tell) => {
          addEventListener("click", (event) => {
            tell(event.defaultPrevented);
            event.preventDefault();
          }, { once: true });
          const link = document.querySelector("a[href*='walk.d_k=1024']");
          const init = { bubbles: true, cancelable: true, [key]: true };
          link.dispatchEvent(new MouseEvent("click", init));
        })""",
        key,
    )
    assert not taken
    drawn(page)
    assert page.locator("[data-trait=d_k] .abh-field").input_value() == before
