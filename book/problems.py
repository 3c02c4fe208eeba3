"""The warnings of a build as a list of problems, for the report at its end."""

import io
import json
import logging
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.logging import (
    NAMESPACE,
    OnceFilter,
    WarningStreamHandler,
    WarningSuppressor,
    get_node_location,
)

from book.report import Problem, place

LINKS = {("ref", ""), ("ref", "doc"), ("ref", "ref"), ("toc", "not_readable")}
_MISSING = re.compile(
    r"(?:not found|unknown document|undefined label)(?: in doc '(.*)')?: '?(.*?)'?$"
)
_TYPE = re.compile(r" \[[\w.]+\]$")


class Collector(WarningStreamHandler):
    """Gathers the warnings of a build into a list of problems."""

    def __init__(self, app: Sphinx) -> None:
        super().__init__(io.StringIO())
        self.setLevel(logging.WARNING)
        self.addFilter(WarningSuppressor(app))
        self.addFilter(OnceFilter())
        self.app = app
        self.problems: list[Problem] = []
        logging.getLogger(NAMESPACE).addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Add a warning to the list of problems."""
        page, where = self._where(getattr(record, "location", None))
        # Sphinx's own `getMessage` puts the location in front
        said = logging.LogRecord.getMessage(record)
        text = _TYPE.sub("", " ".join(said.split()))
        kind = getattr(record, "type", ""), getattr(record, "subtype", "") or ""
        missing = _MISSING.search(text)
        is_link = kind in LINKS or kind[1].startswith("xref")
        if is_link and missing:
            page_of_target, target = missing.groups()
            text = f"{page_of_target}#{target}" if page_of_target else target
        self.problems.append(Problem(page, where, text, is_link))

    def _where(self, location: Any) -> tuple[str, str]:
        """Return the page and the place on it that a warning names."""
        if isinstance(location, nodes.Node):
            location = get_node_location(location)
        if isinstance(location, tuple):
            location = ":".join(str(part) for part in location if part)
        name, _, number = str(location or "").rpartition(":")
        if not number.isdigit():
            name, number = str(location or ""), ""
        path = Path(name)
        if path.is_absolute() and path.is_relative_to(self.app.srcdir):
            name = path.relative_to(self.app.srcdir).as_posix()
        elif name in self.app.env.found_docs:
            name = Path(self.app.env.doc2path(name, base=False)).as_posix()
        return name, place(int(number or 0), name.endswith(".ipynb"))

    def write(self, file: Path) -> None:
        """Write the problems to a file, as JSON."""
        file.write_text(json.dumps(self.problems), encoding="utf-8")
