"""Every page on a phone, and opened from disk."""

OVERFLOW = """() => {
  if (document.documentElement.scrollWidth <= window.innerWidth) return [];
  const clipped = (box) => {
    for (let up = box.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowX !== "visible") return true;
    }
    return false;
  };
  return [...document.querySelectorAll("body *")]
    .filter(b => b.getBoundingClientRect().right > innerWidth + 0.5 && !clipped(b))
    .slice(0, 5).map(b => b.outerHTML.slice(0, 160));
}"""


def test_on_a_phone(watch, site, page_path, answer_all, axe):
    objections, objections_in_the_dark = axe
    watched = watch(width=390, height=844, color_scheme="light")
    page = watched.open(f"{site}/{page_path}")
    assert objections(page) == [], "axe, before any answer"
    answer_all(page)
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(OVERFLOW) == [], f"sideways at {width} pixels"
    assert objections_in_the_dark(page) == [], "axe, in the dark"
    assert watched.complaints == []


def test_from_disk(watch, page_path, request):
    folder = request.config.rootpath / "_build" / "html"
    watched = watch()
    page = watched.open((folder / page_path).as_uri())
    assert watched.outside(folder.as_uri(), "blob:") == []
    assert watched.complaints == []
    assert page.locator("main h1").first.is_visible()
