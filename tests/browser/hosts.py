"""Serve folders to the browser."""

import contextlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class FolderHost(SimpleHTTPRequestHandler):
    """Serve a folder that a test writes; the browser must not cache the files.

    A later test may get the same port and serve other files there.
    """

    cache_control = "no-store"

    def end_headers(self):
        self.send_header("Cache-Control", self.cache_control)
        super().end_headers()

    def log_message(self, *_):
        pass


class SiteHost(FolderHost):
    """Serve the built site; the browser may cache each file for ten minutes.

    Without this header, the browser requests the files of a freshly built site again
    for every page.
    """

    cache_control = "max-age=600"


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Ignore errors: the browser closes connections that it no longer needs."""


@contextlib.contextmanager
def serve(folder: Path, kind: type[FolderHost] = FolderHost) -> Iterator[str]:
    """Serve a folder on a free local port; yield the address."""
    handler = partial(kind, directory=str(folder))
    with Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.01], daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
