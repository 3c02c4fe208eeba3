"""Serve the site and keep it up to date: ``python -m book.serve``, or ``make serve``.

When a file of the book is saved, the site is built again, and open pages in a browser
reload. If the build fails, the command reports it, and the pages do not reload.
"""

import argparse
import subprocess
import sys
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread

from watchfiles import DefaultFilter, watch

from book.build import IGNORED_PARTS, ROOT

FOLDERS = ("book", "chapters", "src")
SCRIPT, NEWS = "/reload.js", "/news"
# Each page asks every second. If pages kept connections open, a browser with six open
# pages could load no seventh: a browser opens at most six connections to a server.
RELOADS = f"""\
{{
  let seen;
  const ask = async () => {{
    const built = await fetch("{NEWS}").then((answer) => answer.text(), () => seen);
    if (seen && built !== seen) location.reload();
    seen = built;
    setTimeout(ask, 1000);
  }};
  ask();
}}
"""
TAG = f'<script defer src="{SCRIPT}"></script></head>'.encode()


class Site(ThreadingHTTPServer):
    """A server of the built site that tells open pages of each new build."""

    daemon_threads = True

    def __init__(self, folder: Path, port: int) -> None:
        super().__init__(("127.0.0.1", port), partial(Handler, directory=str(folder)))
        self.tell_pages()

    def tell_pages(self) -> None:
        """Make every open page reload."""
        self.built = time.time_ns()


class Handler(SimpleHTTPRequestHandler):
    """Answers requests; adds to each page a script that reloads the page."""

    server: Site

    def do_GET(self) -> None:
        """Answer with a file, the script, or the time of the last build."""
        path = Path(self.translate_path(self.path))
        if self.path == SCRIPT:
            self._send("text/javascript", RELOADS.encode())
        elif self.path == NEWS:
            self._send("text/plain", str(self.server.built).encode())
        elif path.suffix == ".html" and path.is_file():
            page = path.read_bytes().replace(b"</head>", TAG, 1)
            self._send("text/html; charset=utf-8", page)
        else:
            super().do_GET()

    def _send(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:
        """Print nothing about requests, so that reports of builds are easy to see."""


def watch_files(saved: Queue[None]) -> None:
    """Start threads that put None into a queue whenever a file of the book is saved."""
    ignored = DefaultFilter(ignore_dirs=(*DefaultFilter.ignore_dirs, *IGNORED_PARTS))

    def follow(folders: list[Path], recursive: bool) -> None:
        for _ in watch(*folders, watch_filter=ignored, recursive=recursive):
            saved.put(None)

    # Of the root only the files are watched, because .venv contains thousands of files.
    for folders, recursive in (
        ([ROOT], False),
        ([ROOT / each for each in FOLDERS], True),
    ):
        Thread(target=follow, args=(folders, recursive), daemon=True).start()


def build() -> bool:
    """Build the site with the code as it is now; return whether that succeeded."""
    return subprocess.call([sys.executable, "-m", "book.build"], cwd=ROOT) == 0


def main(arguments: list[str] | None = None) -> int:
    """Build and serve the site until the reader presses Ctrl+C; return the status."""
    parser = argparse.ArgumentParser(prog="python run.py serve")
    parser.add_argument("--port", type=int, default=8000)
    asked = parser.parse_args(arguments)
    try:
        site = Site(ROOT / "_build" / "html", asked.port)
    except OSError:
        print(
            f"Port {asked.port} is taken: type `python run.py serve --port "
            f"{asked.port + 1}`.",
            file=sys.stderr,
        )
        return 1
    saved: Queue[None] = Queue()
    watch_files(saved)
    try:
        build()
        Thread(target=site.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{asked.port}"
        print(f"The site is at {address}. Ctrl+C stops it.", flush=True)
        while True:
            saved.get()
            while not saved.empty():
                saved.get()
            if build():
                site.tell_pages()
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main())
