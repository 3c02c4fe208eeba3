"""Links in the prose that set a figure, also in a browser without scripts.

The weekly run follows every link. `test_every_page_at_a_desk.py` follows the first and
the last link of each kind.
"""

import pytest
from found import pages_with
from frames import drawn, wait_until
from prose_links import LINKS, follow

WITH_LINKS = pages_with('class="sets')


def test_the_links_of_a_page_are_not_found():
    assert {"intro.html", "chapters/02-why-sqrt-dk.html"} <= set(WITH_LINKS)


@pytest.mark.more
@pytest.mark.weekly
@pytest.mark.parametrize("name", WITH_LINKS)
def test_a_link_does_not_set_its_figure_or_bring_it_into_view(watch, site, name):
    """Follow the links from the last to the first.

    So a link must also reset the traits that only a later link names.
    """
    watched = watch(reduced_motion="reduce")
    page = watched.open(f"{site}/{name}")
    follow(page, name, lambda hrefs: range(len(hrefs))[::-1])
    assert watched.complaints == []


def test_without_scripts_a_link_does_not_lead_to_the_figure(watch, site):
    page = watch(java_script_enabled=False).page
    page.goto(f"{site}/chapters/02-why-sqrt-dk.html")
    page.locator(LINKS).first.click()
    top = "document.querySelector('#fig-walk')?.getBoundingClientRect().top"
    wait_until(page, f"0 <= {top} && {top} < 60")
    style = page.locator(LINKS).first.evaluate("a => getComputedStyle(a).borderStyle")
    assert style == "none", "without scripts the link must not look like a control"


@pytest.mark.parametrize("key", ["ctrlKey", "metaKey", "shiftKey"])
def test_a_click_that_opens_a_tab_sets_a_figure(watch, site, key):
    page = watch().open(f"{site}/chapters/02-why-sqrt-dk.html")
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
