"""The served site reloads its open pages after each build."""

import urllib.request
from pathlib import Path
from threading import Thread

import pytest

from book.build import PAGES, ROOT, SHARED, VIEWS
from book.serve import FOLDERS, NEWS, SCRIPT, Site

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
    with urllib.request.urlopen(address, timeout=2) as answer:
        return answer.read().decode()


def test_a_page_does_not_load_the_script_or_another_file_changes(site):
    _, address = site
    page = text_at(f"{address}/one.html")
    assert page.count(f'src="{SCRIPT}"') == 1
    assert "Words" in page
    assert NEWS in text_at(address + SCRIPT)
    assert text_at(f"{address}/style.css") == "a {}"


def test_an_open_page_finds_no_new_build_or_keeps_a_connection(site):
    """Browsers open six connections to a server: six pages would stop the seventh."""
    server, address = site
    first = text_at(address + NEWS)
    assert text_at(address + NEWS) == first
    server.tell_pages()
    assert text_at(address + NEWS) != first


def test_a_folder_that_the_build_reads_is_not_watched():
    read = {Path(name).parts[0] for name in (*SHARED, *PAGES, *VIEWS)}
    assert {name for name in read if (ROOT / name).is_dir()} == set(FOLDERS)
