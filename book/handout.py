"""Chapters for a class: ``python -m book.handout`` and ``python -m book.handout key``.

A hand-out is a chapter's notebook without the answers: exercises stay open, hints stay
folded. A key is a notebook of the answers, each below the heading of its section; an
answer in prose keeps the text of its cell, with the question. The imports of the
exercises come first, so a key runs. Authors mark an answer in
code with the tag ``solution``, and an answer in prose by the title of its fold
(`ANSWERS`).
"""

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from book.build import ROOT, chapters
from book.notebooks import tags
from book.readable import CopyPlace
from book.repository import Repository

ANSWERS = ("Solution", "One solution", "Answer", "Answers")  # titles of folds
_ANSWER_FOLD = re.compile(
    rf"<details class=\"fold\"><summary><b>({'|'.join(ANSWERS)})</b></summary>"
    r"\n(.*?)</details>\n?",
    re.DOTALL,
)
_IMPORT = re.compile(r"^(?:import|from) .*$", re.MULTILINE)
_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)


def without_answers(notebook: NotebookNode) -> NotebookNode:
    """Return a copy of a chapter without its answers."""
    cells = []
    for cell in notebook.cells:
        if "solution" in tags(cell):
            continue
        copy = nbformat.from_dict(cell)
        if cell.cell_type == "markdown":
            copy.source = _ANSWER_FOLD.sub("", cell.source).strip()
        if copy.source:
            cells.append(copy)
    return _new_notebook(notebook, cells)


def only_answers(notebook: NotebookNode) -> NotebookNode:
    """Return a notebook of a chapter's answers, with their headings."""
    return _new_notebook(notebook, list(_answers(notebook)))


def _answers(notebook: NotebookNode) -> Iterator[NotebookNode]:
    stubs = [cell.source for cell in notebook.cells if "exercise" in tags(cell)]
    if imports := dict.fromkeys(_IMPORT.findall("\n".join(stubs))):
        yield nbformat.v4.new_code_cell("\n".join(imports))
    heading = ""
    for cell in notebook.cells:
        if "solution" in tags(cell):
            yield nbformat.v4.new_markdown_cell(heading)
            yield nbformat.v4.new_code_cell(cell.source)
        elif cell.cell_type == "markdown":
            opened = _ANSWER_FOLD.sub(r"**\1.** \2", cell.source)
            if opened != cell.source:
                above = "" if cell.source.startswith("#") else f"{heading}\n\n"
                yield nbformat.v4.new_markdown_cell(above + opened)
            heading = [heading, *_HEADING.findall(cell.source)][-1]


def _new_notebook(notebook: NotebookNode, cells: list[NotebookNode]) -> NotebookNode:
    """Return a notebook with these cells and the metadata of a chapter."""
    new = nbformat.v4.new_notebook(cells=cells, metadata=notebook.metadata)
    new.nbformat_minor = notebook.nbformat_minor
    return new


KINDS: dict[str, Callable[[NotebookNode], NotebookNode]] = {
    "handout": without_answers,
    "key": only_answers,
}


def write(kind: str, folder: Path) -> list[Path]:
    """Write every chapter's hand-out or key into a folder; return the files.

    A chapter without an answer has no key. Links lead to the site or, if its address is
    unknown, from notebook to notebook.
    """
    folder.mkdir(parents=True, exist_ok=True)
    site, written = Repository.site_from_environment(), []
    for chapter in chapters():
        made = KINDS[kind](nbformat.read(chapter, as_version=4))
        place = CopyPlace(site, f"chapters/{chapter.stem}")
        place.relink(made)
        if made.cells:
            written.append(folder / chapter.name)
            nbformat.write(made, written[-1])
    return written


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the hand-outs, or the keys."""
    parser = argparse.ArgumentParser(prog="book.handout", description=__doc__)
    parser.add_argument("kind", nargs="?", choices=KINDS, default="handout")
    asked = parser.parse_args(arguments)
    folder = ROOT / "_build" / asked.kind
    files = write(asked.kind, folder)
    print(f"{len(files)} notebooks are in {folder.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
