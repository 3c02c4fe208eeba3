"""The served site reloads a page after each build, and only then."""

import urllib.request
from threading import Thread

import pytest

from book.serve import NEWS, SCRIPT, Site

PAGE = "<html><head></head><body>Words</body></html>"


@pytest.fixture
def site(tmp_path):
    """A running server and its address."""
    (tmp_path / "one.html").write_text(PAGE)
    (tmp_path / "style.css").write_text("a {}")
    with Site(tmp_path, 0) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def text_at(address):
    with urllib.request.urlopen(address, timeout=10) as answer:
        return answer.read().decode()


def test_a_page_loads_the_script_and_other_files_are_unchanged(site):
    _, address = site
    page = text_at(f"{address}/one.html")
    assert page.count(f'src="{SCRIPT}"') == 1
    assert "Words" in page
    assert NEWS in text_at(address + SCRIPT)
    assert text_at(f"{address}/style.css") == "a {}"
