"""An address holds the digest of its file, also after the file has changed."""

from book.addresses import UNKNOWN, digest, fill_in


def test_an_address_has_another_digest_than_the_current_file(tmp_path):
    style = tmp_path / "_static/views/a.css"
    style.parent.mkdir(parents=True)
    page = tmp_path / "chapters/one.html"
    page.parent.mkdir()
    page.write_text(f'<link href="../_static/views/a.css?{UNKNOWN}"><a href="b?c">')
    for content in (b"one", b"two", b"two"):
        style.write_bytes(content)
        fill_in(tmp_path)
        address = f"../_static/views/a.css?{digest(content)}"
        assert page.read_text() == f'<link href="{address}"><a href="b?c">'
