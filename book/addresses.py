"""The digests in addresses of the site's own files: ``_static/book.css?0123456789``.

A file that changes gets a new address, so that no browser shows an old copy. The
digests are filled in after every file is written. So a changed stylesheet gets its new
address on all pages, and Sphinx does not have to write these pages again.
"""

import hashlib
import re
from functools import cache
from pathlib import Path

FOLDER = "_static"
LENGTH = 10  # hexadecimal digits of a digest
UNKNOWN = "0" * LENGTH  # an address has these zeros until `fill_in` writes the digest
_ADDRESS = re.compile(rf'(?<={FOLDER}/)([^"?#]+)\?[0-9a-f]{{{LENGTH}}}(?=")')


def digest(content: bytes) -> str:
    """Return the short hash of a file's content, for the file's address."""
    return hashlib.sha256(content).hexdigest()[:LENGTH]


def fill_in(site: Path) -> None:
    """Write the digests of the site's files into the addresses on its pages."""

    @cache
    def digest_of(name: str) -> str:
        path = site / FOLDER / name
        return digest(path.read_bytes()) if path.exists() else UNKNOWN

    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        new = _ADDRESS.sub(lambda found: f"{found[1]}?{digest_of(found[1])}", text)
        if new != text:
            page.write_text(new, encoding="utf-8")
