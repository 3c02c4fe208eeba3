"""Time pages on a slow phone, of several builds of the site side by side.

    python benchmarks/phone.py [site ...] [--pages chapters/01-self-attention ...]

A site is a folder, by default the built one. A phone is 390 pixels wide, its processor
throttled four times, its line 1.6 Mbit/s with 150 ms to the server, which compresses.
The sites take turns, so that what else the machine does falls on all of them alike.
Told are medians: the sum of long tasks (those over 50 ms), when the first text is
there, when loading ends, the greatest layout shift, and kilobytes.
"""

import argparse
import gzip
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "browser")]

from conftest import QuietHandler, serve  # noqa: E402

from book.browser import FLAGS, find_browser  # noqa: E402

SITE = ROOT / "_build" / "html"
ROUNDS = 5
LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 0.75e6 / 8,
}
THROTTLE = 4
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 3,
    "is_mobile": True,
    "has_touch": True,
}
OBSERVE = """
const seen = window.seen = { long: 0, shift: 0 };
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  seen.long += entry.duration;
})).observe({ type: "longtask", buffered: true });
new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
  seen.shift += entry.value;
})).observe({ type: "layout-shift", buffered: true });
"""
QUIET = """async () => {
  let before = "";
  for (let quiet = 0; quiet < 20;) {
    await new Promise((done) => setTimeout(done, 100));
    const now = `${seen.long} ${performance.getEntriesByType("resource").length}`;
    quiet = now === before ? quiet + 1 : 0;
    before = now;
  }
}"""
READ = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const files = [page, ...performance.getEntriesByType("resource")];
  return {
    "long tasks": seen.long,
    "first text": performance.getEntriesByName("first-contentful-paint")[0].startTime,
    "loaded": Math.max(page.loadEventEnd, ...files.map((file) => file.responseEnd)),
    "shift": seen.shift,
    "kB": files.reduce((sum, file) => sum + file.encodedBodySize, 0) / 1000,
  };
}"""


class Compressing(QuietHandler):
    """Compresses text, as the hosts of static sites do."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):  # noqa: N802
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            return self.send_error(404)
        body = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        if path.suffix not in {".woff", ".woff2", ".png"}:
            body = gzip.compress(body, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return None


def opened(browser: Browser, address: str) -> dict[str, float]:
    """Open a page on a phone that has never seen the site, until it is quiet."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", LINE)
    session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    page.add_init_script(OBSERVE)
    page.goto(address, timeout=120_000)
    page.evaluate(QUIET)
    read = page.evaluate(READ)
    context.close()
    return read


def summary(taken: list[dict[str, float]]) -> Iterator[str]:
    for name in taken[0]:
        values = [each[name] for each in taken]
        yield f"{max(values):8.3f}" if name == "shift" else f"{median(values):12.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = sorted(f"chapters/{p.stem}" for p in (ROOT / "chapters").glob("0*.ipynb"))
    parser.add_argument("sites", nargs="*", type=Path, default=[SITE])
    parser.add_argument("--pages", nargs="+", default=names)
    options = parser.parse_args()
    taken = defaultdict(list)
    with ExitStack() as stack, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        sites = {s: stack.enter_context(serve(s, Compressing)) for s in options.sites}
        for turn in range(ROUNDS):
            for page in options.pages:
                for site in list(sites)[:: 1 if turn % 2 else -1]:
                    read = opened(browser, f"{sites[site]}/{page}.html")
                    taken[page, site].append(read)
        browser.close()
    print("  long tasks  first text      loaded   shift          kB  (ms)")
    for page in options.pages:
        print(page)
        for site in sites:
            print("".join(summary(taken[page, site])), "", site)


if __name__ == "__main__":
    main()
