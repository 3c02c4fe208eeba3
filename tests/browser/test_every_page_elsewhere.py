"""Every page on a phone, opened from disk."""

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


def test_on_a_phone_and_from_disk(watch, page_path, answer_all, axe, request):
    objections, _ = axe  # the dark differs in colours, which are the desk's
    folder = request.config.rootpath / "_build" / "html"
    watched = watch(width=390, height=844)
    page = watched.open((folder / page_path).as_uri())
    assert page.locator("main h1").first.is_visible()
    assert objections(page) == [], "axe, before any answer"
    answer_all(page)
    for width in (360, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(OVERFLOW) == [], f"sideways at {width} pixels"
    assert watched.outside(folder.as_uri(), "blob:") == []
    assert watched.complaints == []
