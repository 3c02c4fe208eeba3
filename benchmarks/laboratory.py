"""Time what a reader does with the translator, on a processor throttled four times.

    python benchmarks/laboratory.py [site]

Opens the chapter that translates, from a built site, with a sentence of nine words,
and steps, switches heads, opens matrices, forces a word, chooses a noun and types
sentences of nine words, 60 times each. Told are milliseconds from the event to the end
of the layout after it (as benchmarks/page_weight.py tells of sliders), to the end of
the next frame, and until what comes after that frame (arcs, small pictures, a beam) is
drawn too. What else the machine does only ever adds, so each act has three rounds, and
the best counts.
"""

import argparse
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "browser")]

from conftest import reveal, serve  # noqa: E402

from book.browser import FLAGS, find_browser  # noqa: E402

SITE = ROOT / "_build" / "html"
PAGE = "chapters/07-translation.html"
MOVES, ROUNDS, THROTTLE, GOAL = 60, 3, 4, 40.0
SENTENCES = [
    f"the {who} washed the {what} because it was {how}"
    for how in ("small", "heavy", "hungry")
    for who in ("horse", "dog", "cat", "cow")
    for what in ("food", "car", "table", "flower", "apple")
]
ACTS = """() => {
  const card = document.querySelector("#fig-translator .abh-card");
  const button = (text) => [...card.querySelectorAll(".abh-tr-steps button")]
    .find((each) => each.textContent === text);
  const heads = [...card.querySelectorAll(".abh-tr-part:has(svg)")];
  const words = () => [...card.querySelectorAll(".abh-tr-next button")];
  const typed = card.querySelector(".abh-typing input");
  const [opens, switches] = card.querySelectorAll(".abh-tr-mode");
  const frame = () =>
    new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const settled = async () => {
    await frame();
    while (card.ariaBusy || card.querySelector("[aria-busy]")) await frame();
  };
  window.acts = {
    step: [() => button("From the start").click(), (i) => {
      const [next, again] = [button("Next word"), button("From the start")];
      return () => (next.ariaDisabled === "true" ? again : next).click();
    }],
    switch: [() => switches.click(), (i) => () => heads[(7 * (i >> 1)) % 24].click()],
    open: [() => opens.click(), (i) => () => heads[(7 * i) % 24].click()],
    force: [() => button("From the start").click(),
      (i) => () => words()[1 + (i % 3)].click()],
    choose: [() => {}, (i) => {
      const noun = card.querySelector("[aria-label='subject: noun']");
      noun.selectedIndex = i % noun.options.length;
      return () => noun.dispatchEvent(new Event("change", { bubbles: true }));
    }],
    type: [() => {}, (i, sentence) => {
      typed.value = sentence;
      return () => typed.dispatchEvent(new Event("change", { bubbles: true }));
    }],
  };
  window.timed = async (name, i, sentence) => {
    const act = window.acts[name][1](i, sentence);
    const start = performance.now();
    act();
    card.getBoundingClientRect();
    document.documentElement.offsetHeight;
    const laidOut = performance.now() - start;
    await frame();
    const shown = performance.now() - start;
    await settled();
    return [laidOut, shown, performance.now() - start];
  };
  window.rest = settled;
}"""


def opened(browser: Browser, address: str) -> Page:
    """Open the chapter with the translator in sight, on a slow processor."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#fig-translator .abh-tr-sheet td", state="attached")
    reveal(page)
    card = page.locator("#fig-translator .abh-card")
    card.evaluate("card => card.scrollIntoView({ block: 'start' })")
    page.wait_for_timeout(500)
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    page.evaluate(ACTS)
    return page


def times(page: Page, act: str) -> list[list[float]]:
    """Milliseconds through layout, to a frame, until all is there, each in order."""
    page.evaluate("name => { acts[name][0](); return rest(); }", act)
    moves = [
        page.evaluate(
            "([name, i, text]) => timed(name, i, text)",
            [act, i, SENTENCES[7 * i % len(SENTENCES)]],
        )
        for i in range(MOVES)
    ]
    return [sorted(taken) for taken in zip(*moves, strict=True)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", nargs="?", type=Path, default=SITE)
    options = parser.parse_args()
    p95, middle, good = int(0.95 * MOVES), MOVES // 2, True
    print("  through layout       to a frame    until all is there  (ms)")
    print("     p95  median      p95  median      p95  median")
    with serve(options.site) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        page = opened(browser, f"{address}/{PAGE}")
        for act in ("step", "switch", "open", "force", "choose", "type"):
            rounds = [times(page, act) for _ in range(ROUNDS)]
            best = min(rounds, key=lambda taken: taken[0][p95])
            cells = (f"{ms[p95]:9.1f}{ms[middle]:8.1f}" for ms in best)
            print("".join(cells), "", act)
            good &= best[0][p95] <= GOAL
        browser.close()
    print(f"Goal ({GOAL:.0f} ms through layout): {'met' if good else 'missed'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
