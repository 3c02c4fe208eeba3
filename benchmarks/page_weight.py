"""Measure the bytes and slider times of pages, ours against Jupyter Book's defaults.

    python benchmarks/page_weight.py [chapter ...]

The program builds the same chapters a second time with Jupyter Book's own settings and
opens both sites in Chromium. It counts every byte that is transferred, compressed as a
web server would (gzip, level 6; fonts and images as they are).

Then it makes the CPU four times slower, moves every visible slider, and times each move
from the input event through layout. It also drags every handle and the numbers in the
first row of each matrix X. "Your own attention" shows its largest example meanwhile.
Weight, sliders and drags have goals. Other work of the machine only adds time, so each
control has three rounds of 60 moves, and the best round counts. Work that a page does
up to a tenth of a second after a drag, but not at every move, is not counted. Selects
and checkboxes are timed in one round, for comparison.

For the home page and chapters 1 and 2 the program also prints the weight without the
figures in `TOUCHED`: without their models, their still pictures, and the files that
nothing else on the page needs.

The default page asks CDNs for its scripts. The program answers these requests from npm
packages with the same files: MathJax, the widget manager, RequireJS and anywidget's
front end (needs `npm`; pinned by hash). RequireJS is left out of the weight, because
npm has only its unminified file.
"""

import argparse
import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from playwright.sync_api import (
    Browser,
    ElementHandle,
    Page,
    Response,
    Route,
    sync_playwright,
)

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "browser")]

from conftest import reveal, serve  # noqa: E402

from book.browser import FLAGS, find_browser  # noqa: E402
from book.build import run_jupyter_book  # noqa: E402
from book.widgets import STATE, widget_class  # noqa: E402
from course.widgets.bundler import sources  # noqa: E402

WORK = ROOT / "_build" / "benchmark"
SITE = ROOT / "_build" / "html"
COMPRESSED = (".woff", ".woff2", ".png")
MOVES = 60
ROUNDS = 3
THROTTLE = 4
GOAL_WEIGHT, GOAL_SLIDER, HOME = "intro"
GOALS = {  # for pages that weigh less, or contain a trained model
    HOME: 0.05,
    "01-self-attention": 0.09,
    "02-why-sqrt-dk": 0.08,
    "06-transformer": 0.15,
    "07-translation": 0.25,
    "08-heads-that-learn": 0.15,
    "09-a-real-model": 0.2,  # has the attention maps of one sentence
}
TOUCHED = {HOME: ["bank"], "01-self-attention": ["bank", "dial"]}
TOUCHED["02-why-sqrt-dk"] = ["walk"]
GOAL_ADDED = 0.02  # weight of the figures in TOUCHED, as a share of the default page
LARGEST = "?machine.example=eight-tokens"  # the largest example
LARGEST_OF = "your-own-attention"

NPM = {
    "mathjax@3.2.2": (
        "1b9c0a1c44df864e915690558e72adb9cc5203360daefd385084ced3b6c64c09"
    ),
    "@jupyter-widgets/html-manager@1.0.6": (
        "6c198ceb99ba7e7526990a1de16e8147ad7d3a714e3fb06741183623c04b5f6e"
    ),
    "requirejs@2.3.4": (
        "583693b373f6ab0528ea6644fab5cdb5822011c9b5b1ff1615590d5f2f473dcd"
    ),
    "anywidget@0.11.0": (
        "44efed0d0c9999ec94cd3a86e317e902591f01df8edb3c8006b7e390b7e15ed8"
    ),
}
DEFAULTS = {
    "title": "Attention by Hand",
    "only_build_toc_files": True,
    "execute": {"execute_notebooks": "cache", "timeout": 120},
    "bibtex_bibfiles": ["references.bib"],
    "sphinx": {"config": {"html_context": {"default_mode": "auto"}}},
}

MOVE = """([control, step]) => {
  const start = performance.now();
  if (control.type === "checkbox") control.checked = !control.checked;
  else if (control.tagName === "SELECT") {
    control.selectedIndex = (control.selectedIndex + 1) % control.options.length;
  } else if (control.type === "text") control.value = ((0.382 * step) % 1).toFixed(3);
  else {
    const [low, high] = [Number(control.min), Number(control.max)];
    control.value = low + ((0.382 * step) % 1) * (high - low);
  }
  control.dispatchEvent(new Event("input", { bubbles: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
  document.documentElement.getBoundingClientRect();
  document.documentElement.offsetHeight;
  return performance.now() - start;
}"""
NAME = """control => {
  const card = control.closest(".abh-card");
  const label = control.labels?.[0]?.textContent ?? control.getAttribute("aria-label");
  const name = label ?? control.type ?? "dragged";
  return `${card?.getAttribute("aria-label") ?? "widget"}: ${name}`;
}"""
SLIDERS = ".abh-card input[type=range]"
DRAGGED = ".abh-knob, .abh-walks, [data-act=edit][data-matrix=X][data-r='0']"
DRAG = """([control, step]) => {
  const place = control.closest(".abh-stage, .abh-walks, .abh-ma-svg");
  const { left, top, width, height } = place.getBoundingClientRect();
  const start = performance.now();
  control.dispatchEvent(new PointerEvent("pointermove", {
    bubbles: true, buttons: 1, pointerId: 1,
    clientX: left + ((0.382 * step) % 1) * width,
    clientY: top + ((0.618 * step) % 1) * height,
  }));
  document.documentElement.getBoundingClientRect();
  document.documentElement.offsetHeight;
  return performance.now() - start;
}"""
OTHERS = ".abh-card :is(select, input[type=checkbox])"


@dataclass
class Weight:
    """Bytes that a page transfers, by part: page, theme, MathJax, widgets."""

    parts: dict[str, int] = field(default_factory=dict)

    def add(self, url: str, body: bytes) -> None:
        size = len(body) if url.endswith(COMPRESSED) else compressed(body)
        part = part_of(url)
        self.parts[part] = self.parts.get(part, 0) + size

    @property
    def total(self) -> int:
        return sum(self.parts.values())


def path_of(chapter: str) -> str:
    return f"{chapter}.html" if chapter == HOME else f"chapters/{chapter}.html"


def compressed(body: bytes) -> int:
    return len(gzip.compress(body, 6))


def files_of(model: dict) -> set[str]:
    """Return the files of a saved model's view, with all that they import."""
    state = model["state"]
    if "_esm" not in state:
        return set()
    styles = widget_class(state["_anywidget_id"])._css.names
    return {source.name for source in sources(state["_esm"]["module"])} | set(styles)


def name_of(model: dict) -> str:
    return model["state"].get("_page", {}).get("name", "")


def added_by(names: list[str], path: Path) -> int:
    """Return the bytes that the figures with these names add to a built page."""
    text = path.read_text("utf-8")
    found = re.search(
        rf'(<script type="{re.escape(STATE)}">)(.*?)</script>', text, re.DOTALL
    )
    models = json.loads(found[2])["state"]
    named = [m for m in models.values() if name_of(m) in names]
    files = set().union(*map(files_of, named))
    # A model without a name was made by a cell, and the page does not show it.
    gone = {
        key
        for key, m in models.items()
        if name_of(m) in names or (not name_of(m) and files >= files_of(m) > set())
    }
    kept = {key: model for key, model in models.items() if key not in gone}
    without = text.replace(found[2], json.dumps({"state": kept}))
    for name in names:
        widget = rf'<div class="widget" id="fig-{name}">.*?</script></div>'
        without = re.sub(widget, "", without, flags=re.DOTALL)
    needed = set().union(*map(files_of, kept.values()))
    folder = SITE / "_static" / "widgets"
    alone = sum(compressed((folder / file).read_bytes()) for file in files - needed)
    return alone + compressed(text.encode()) - compressed(without.encode())


def part_of(url: str) -> str:
    if "mathjax" in url.lower():
        return "MathJax"
    if "html-manager" in url or "anywidget" in url or "/widget" in url:
        return "widgets"
    if url.split("?")[0].endswith(".html"):
        return "page"
    return "theme"


def fetch(package: str, sha256: str) -> Path | None:
    """Unpack an npm package once; return its folder, or None if npm fails."""
    name = hashlib.sha256(package.encode()).hexdigest()[:12]
    folder = WORK / "npm" / name
    if folder.exists():
        return folder / "package"
    if not shutil.which("npm"):
        return None
    command = ["npm", "pack", "--silent", package, "--pack-destination", str(WORK)]
    packed = subprocess.run(command, capture_output=True, text=True, check=False)
    if packed.returncode:
        return None
    data = (WORK / packed.stdout.split()[-1]).read_bytes()
    if hashlib.sha256(data).hexdigest() != sha256:
        raise SystemExit(f"{package} is not the package that was pinned")
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"


def build_defaults(chapters: list[str]) -> Path:
    """Build the chapters with Jupyter Book's own settings; return the site's folder."""
    book = WORK / "book"
    book.mkdir(parents=True, exist_ok=True)
    for name in ("chapters", "src"):
        shutil.rmtree(book / name, ignore_errors=True)
        shutil.copytree(ROOT / name, book / name)
    for path in (*ROOT.glob("*.md"), ROOT / "references.bib"):
        shutil.copy(path, book)
    cache = ROOT / "_build" / ".jupyter_cache"
    if cache.exists():
        shutil.copytree(cache, book / "_build" / ".jupyter_cache", dirs_exist_ok=True)
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    (book / "_toc.yml").write_text(toc, encoding="utf-8")
    (book / "_config.yml").write_text(yaml.safe_dump(DEFAULTS), encoding="utf-8")
    run_jupyter_book(book, book / "_build")
    site = book / "_build" / "html"
    for chapter in chapters:
        page = site / ("" if chapter == HOME else "chapters") / f"{chapter}.html"
        text = page.read_text(encoding="utf-8")
        # RequireJS is served unminified, so its checksum would not match
        page.write_text(text.replace("integrity=", "data-integrity="), "utf-8")
    return site


def local_copy(url: str, packages: dict[str, Path | None]) -> Path | None:
    """Return the file of a package that equals the file at a CDN's address."""
    for package, folder in packages.items():
        name = package.rsplit("@", 1)[0]
        if folder and f"/npm/{name}@" in url:
            path = folder / url.split(f"/npm/{name}@")[1].split("/", 1)[1]
            return path if path.suffix else path.with_suffix(".js")
    if "/require.js/" in url and (folder := packages["requirejs@2.3.4"]):
        return folder / "require.js"
    return None


def answer_from(packages: dict[str, Path | None]) -> object:
    def answer(route: Route) -> None:
        url = route.request.url
        if url.startswith("http://127.0.0.1"):
            return route.continue_()
        path = local_copy(url, packages)
        if path is None or not path.exists():
            print(f"  not counted, no copy at hand: {url}")
            return route.abort()
        headers = {"Access-Control-Allow-Origin": "*"}
        return route.fulfill(path=path, headers=headers)

    return answer


def weigh(page: Page, address: str) -> Weight:
    """Open a page; return the weight of all that it transfers until it is idle."""
    weight = Weight()
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1000)
    seen: set[str] = set()
    for response in responses:
        if response.url not in seen and counts(response):
            seen.add(response.url)
            weight.add(response.url, response.body())
    return weight


def counts(response: Response) -> bool:
    url = response.url
    return response.ok and url.startswith("http") and "/require.js/" not in url


@dataclass(order=True)
class Latency:
    """Time from a control's input event through layout, in milliseconds."""

    p95: float
    median: float


Times = dict[str, Latency]  # by name of a page's control


def time_controls(page: Page, selector: str, rounds: int, script: str = MOVE) -> Times:
    """Time the controls of each widget; of several with one name, keep the slowest."""
    times: Times = {}
    for control in page.locator(selector).element_handles():
        if not control.is_visible() or control.is_disabled():
            continue
        control.evaluate("control => control.scrollIntoView({ block: 'center' })")
        found = min(time_moves(page, control, script) for _ in range(rounds))
        name = control.evaluate(NAME)
        times[name] = max(times.get(name, found), found)
    return times


def time_moves(page: Page, control: ElementHandle, script: str) -> Latency:
    """Time the moves of a control, one move in each frame of the browser.

    The mouse button is down during a drag, because else the control would not move.
    """
    taken = []
    if script == DRAG:
        control.hover(force=True)
        control.focus()
        page.mouse.down()
    for step in range(MOVES):
        taken.append(page.evaluate(script, [control, step]))
        page.evaluate("() => new Promise(requestAnimationFrame)")
    page.mouse.up()
    taken.sort()
    return Latency(taken[int(0.95 * MOVES)], taken[MOVES // 2])


def measure(
    browser: Browser,
    address: str,
    packages: dict[str, Path | None] | None,
    largest: str = "",
) -> tuple[Weight, Times, Times, Times]:
    """Return a page's weight and the times of its sliders, drags and other controls."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    if packages is not None:
        page.route("**/*", answer_from(packages))
    weight = weigh(page, address)
    if largest:
        page.goto(address + largest)
    reveal(page)
    page.wait_for_timeout(300)
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    sliders = time_controls(page, SLIDERS, ROUNDS)
    dragged = time_controls(page, DRAGGED, ROUNDS, DRAG)
    others = time_controls(page, OTHERS, rounds=1)
    context.close()
    return weight, sliders, dragged, others


def show_weights(chapter: str, ours: Weight, default: Weight) -> bool:
    print(f"\n{chapter}: bytes transferred, gzipped")
    for part in ("page", "theme", "MathJax", "widgets"):
        a, b = ours.parts.get(part, 0), default.parts.get(part, 0)
        print(f"  {part:10}{a:>12,}{b:>12,}")
    ratio = ours.total / default.total
    print(f"  {'together':10}{ours.total:>12,}{default.total:>12,}   {ratio:.3f}")
    added = 0.0
    if names := TOUCHED.get(chapter):
        size = added_by(names, SITE / path_of(chapter))
        added = size / default.total
        rest = ours.total - size
        share = f"{added:.4f} less (goal {GOAL_ADDED})"
        print(f"  {'without ' + ' and '.join(names)}: {rest:,}, {share}")
    return ratio <= GOALS.get(chapter, GOAL_WEIGHT) and added <= GOAL_ADDED


def show_times(
    controls: str, ours: Times, default: Times, goal: float = float("inf")
) -> bool:
    if ours:
        print(f"  {controls} through layout, CPU / {THROTTLE}, milliseconds")
        print(f"  {'p95':>8}{'median':>8}{'p95':>8}{'median':>8}")
    for name, taken in ours.items():
        other = default.get(name)
        beside = f"{other.p95:8.1f}{other.median:8.1f}" if other else " " * 16
        print(f"  {taken.p95:8.1f}{taken.median:8.1f}{beside}  {name}")
    return all(taken.p95 <= goal for taken in ours.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = sorted(path.stem for path in (ROOT / "chapters").glob("*.ipynb"))
    parser.add_argument("chapter", nargs="*", default=[HOME, *names])
    chapters = parser.parse_args().chapter
    WORK.mkdir(parents=True, exist_ok=True)
    packages = {name: fetch(name, digest) for name, digest in NPM.items()}
    default_site = build_defaults(chapters)
    good = True
    print("Left: this site. Right: the same chapter with Jupyter Book's defaults.")
    with serve(SITE) as ours, serve(default_site) as theirs, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=find_browser(), args=FLAGS)
        for chapter in chapters:
            path = path_of(chapter)
            largest = LARGEST if chapter == LARGEST_OF else ""
            weight, *times = measure(browser, f"{ours}/{path}", None, largest)
            default, *beside = measure(browser, f"{theirs}/{path}", packages)
            good &= show_weights(chapter, weight, default)
            good &= show_times("Sliders", times[0], beside[0], GOAL_SLIDER)
            good &= show_times("Drags", times[1], beside[1], GOAL_SLIDER)
            show_times("Other controls", times[2], beside[2])
        browser.close()
    limits = f"moves in {GOAL_SLIDER:.0f} ms"
    goals = f"{GOAL_WEIGHT} of the bytes ({GOALS}), {limits}"
    print(f"\nGoals ({goals}): {'met' if good else 'missed'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
