"""Set the formulas of the built pages: ``python -m book.formulas``, `make formulas`.

The command builds the book, sets the formulas of the pages, and writes the table and
the font. If one of the two changed, it builds the book again. The same pages always
give the same table and font.
"""

import sys
from pathlib import Path

from book import formulas
from book.browser import chromium
from book.build import ROOT, build_book
from book.formulas import font, setting
from book.formulas.site import of_site


def main() -> int:
    """Run the command; return the exit status."""
    with chromium() as browser:
        broken = build_book()
        page_of = of_site(ROOT / "_build" / "html")
        try:
            table = setting.lines(browser, page_of)
        except setting.RefusedError as error:
            print(_refusal(error, page_of), file=sys.stderr)
            return 1
    if broken:  # keep the formulas of pages that were not written
        table = formulas.table() | table
    changed = [
        _written(formulas.TABLE, formulas.write(table).encode()),
        _written(formulas.FONT, font.cut(font.characters(table.values()))),
    ]
    formulas.table.cache_clear()
    return build_book() if any(changed) else broken


def _refusal(error: setting.RefusedError, page_of: dict[formulas.Formula, str]) -> str:
    # Report formulas with other digits (on no page) only if no formula of a page fails.
    why = {each: error.why[each] for each in error.why if each in page_of} or error.why
    lines = (
        f"{page_of.get(each, 'with other digits')}: {each.latex}\n  {why[each]}"
        for each in why
    )
    return "\n".join(["These formulas cannot be set:", *lines])


def _written(path: Path, content: bytes) -> bool:
    """Write a file unless it has this content; return whether it was written."""
    if path.exists() and path.read_bytes() == content:
        return False
    path.write_bytes(content)
    print(f"{path.relative_to(ROOT)} is written")
    return True


if __name__ == "__main__":
    sys.exit(main())
