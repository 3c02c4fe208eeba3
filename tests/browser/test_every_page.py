"""What holds on every page: own files only, no complaint, no sideways scroll."""

import pytest

OVERFLOW = """() => {
  const wide = document.documentElement.scrollWidth - window.innerWidth;
  if (wide <= 0) return [];
  const boxes = [...document.querySelectorAll("body *")];
  return boxes.filter(b => b.getBoundingClientRect().right > innerWidth + 0.5)
              .slice(0, 5).map(b => b.outerHTML.slice(0, 120));
}"""

STRICT = ("default-src 'none'", "script-src 'self' blob:;", "base-uri 'none'")


def test_asks_nobody_else_and_has_nothing_to_complain_of(
    watch, site, page_path, answer_all
):
    watched = watch()
    page = watched.open(f"{site}/{page_path}")
    answer_all(page)
    page.wait_for_load_state("networkidle")
    assert watched.outside(site, f"blob:{site}") == []
    assert watched.complaints == []


def test_works_from_disk(watch, site, page_path, request):
    folder = request.config.rootpath / "_build" / "html"
    watched = watch()
    page = watched.open((folder / page_path).as_uri())
    assert watched.outside(folder.as_uri(), "blob:") == []
    assert watched.complaints == []
    assert page.locator("main h1").first.is_visible()


def test_states_a_strict_policy(watch, site, page_path):
    page = watch(java_script_enabled=False).page
    page.goto(f"{site}/{page_path}")
    policy = page.locator("meta[http-equiv='Content-Security-Policy']")
    content = policy.get_attribute("content")
    assert all(rule in content for rule in STRICT)
    assert "unsafe-eval" not in content
    assert "unsafe" not in content.split("style-src")[0]
    assert page.locator("[onclick], [onload], [onerror], [onsubmit]").count() == 0


def test_never_scrolls_sideways(watch, site, page_path, answer_all):
    page = watch(width=390, height=844).open(f"{site}/{page_path}")
    answer_all(page)
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(OVERFLOW) == [], f"at {width} pixels"


def test_says_what_it_is(watch, site, page_path):
    page = watch(java_script_enabled=False).page
    page.goto(f"{site}/{page_path}")
    assert "Attention by Hand" in page.title()
    assert page.locator("link[rel=icon]").count() == 1
    assert page.locator("meta[property='og:title']").count() == 1
    assert page.locator("meta[property='og:url'], link[rel=canonical]").count() == 0


def test_figures_have_names_and_only_colours_of_the_theme(watch, site, page_path):
    page = watch(java_script_enabled=False).page
    page.goto(f"{site}/{page_path}")
    figures = page.locator(".figure svg")
    for index in range(figures.count()):
        figure = figures.nth(index)
        name = figure.get_attribute("aria-label")
        assert len(name.split()) >= 4, f"alt text {name!r} is not a sentence"
        raw = figure.evaluate("f => f.innerHTML.match(/#[0-9a-f]{6}\\b/gi) ?? []")
        assert raw == [], f"colours outside course.look in {name!r}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_theme_switch_overrides_the_system_and_is_kept(watch, site, scheme):
    page = watch(color_scheme=scheme).open(f"{site}/intro.html")
    paper = "getComputedStyle(document.body).backgroundColor"
    colours = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 30)"}
    assert page.evaluate(paper) == colours[scheme]
    button = page.get_by_role("button", name="theme")
    for mode in ("light", "dark"):
        button.click()
        assert page.evaluate(paper) == colours[mode]
        page.reload()
        assert page.evaluate(paper) == colours[mode]
    button.click()
    assert page.evaluate(paper) == colours[scheme]


def test_keyboard_reaches_the_text_first(watch, site):
    page = watch().open(f"{site}/intro.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the text"
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")


def test_contents_open_and_close_on_a_phone(watch, site):
    page = watch(width=390, height=844).open(f"{site}/intro.html")
    glossary = page.locator("#contents").get_by_role("link", name="Glossary")
    assert not glossary.is_visible()
    page.get_by_role("button", name="Contents").click()
    assert glossary.is_visible()
    page.keyboard.press("Escape")
    assert not glossary.is_visible()


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_search_finds_a_word(watch, site, scheme, request):
    folder = (request.config.rootpath / "_build" / "html").as_uri()
    start = site if scheme == "http" else folder
    watched = watch()
    page = watched.open(f"{start}/intro.html")
    page.get_by_role("searchbox").fill("entropy")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=entropy")
    page.locator("#search-results li a").first.wait_for()
    page.locator("#search-results li a", has_text="Glossary").first.click()
    page.wait_for_url("**/glossary.html*")
    assert watched.complaints == []


def test_front_door_opens_the_introduction(watch, site):
    page = watch().page
    page.goto(f"{site}/index.html")
    page.wait_for_url("**/intro.html")
