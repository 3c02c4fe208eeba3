"""Numbers and dates look the same for every reader, in every locale."""

import re

from book.build import ROOT

CODE = [
    path
    for folder in ("book", "src")
    for path in (ROOT / folder).rglob("*.js")
    if "vendor" not in path.parts
]
WRITES = re.compile(r"(?:\.toLocale\w+|new Intl\.\w+|\.localeCompare)\([^)]*\)")
ENGLISH = re.compile(r"""\((?:\w+, )?"en(?:-\w+)?\"""")


def test_every_call_that_depends_on_a_locale_names_english():
    found = [(path.name, *WRITES.findall(path.read_text("utf-8"))) for path in CODE]
    written = [(name, each) for name, *all_ in found for each in all_]
    assert len(written) >= 4
    assert [pair for pair in written if not ENGLISH.search(pair[1])] == []
