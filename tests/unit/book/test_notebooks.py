"""The committed form of a notebook: reports of other forms, and `make tidy`."""

import json
from copy import deepcopy

import nbformat
import pytest

from book import notebooks
from book.notebooks import normalised, problems

markdown, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell


def notebook():
    """Return a small notebook in its committed form."""
    cells = [markdown("# One"), markdown("Two."), code("2 + 2"), markdown("Three.")]
    return normalised(nbformat.v4.new_notebook(cells=cells))


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (0, "the prose of cell 0 changed: run `make notebooks`"),
        (2, "the code of cell 2 changed: run `make notebooks`"),
        (3, "the prose of cell 3 changed: run `make notebooks`"),
    ],
)
def test_a_change_is_not_reported_with_its_cell(number, message):
    changed = notebook()
    assert problems(changed) == []
    changed.cells[number].source += "1"
    assert problems(changed) == [message]


def test_metadata_or_leftover_output_is_not_reported():
    metadata, output, authors, fenced = (notebook() for _ in range(4))
    metadata.cells[1].metadata.scrolled = True
    assert problems(metadata) == ["cell 1 has other metadata"]
    output.cells[2].execution_count = 3
    assert problems(output) == ["cell 2 holds leftover output or a count"]
    fenced.cells[1].source = "Words.\n\n:::{note}\nMore.\n:::"
    assert "cell 1 holds a directive of MyST" in problems(fenced)[0]
    authors.metadata.authors = []
    assert problems(authors) == ["the notebook has other metadata"]
    bare = nbformat.v4.new_notebook(cells=[markdown("# One"), code("import course")])
    assert "first cell does not say what is missing" in problems(bare)[0]


def test_tidy_keeps_saved_output_or_removes_the_readers_cell(tmp_path, monkeypatch):
    path = tmp_path / "a.ipynb"
    monkeypatch.setattr(notebooks, "chapters", lambda beginning: [path])
    committed = notebook()
    saved = deepcopy(committed)
    saved.metadata.widgets = {"state": {}}
    four = {"text/plain": "4"}
    saved.cells[2].outputs = [nbformat.v4.new_output("execute_result", four)]
    saved.cells[2].execution_count = 7
    nbformat.write(saved, path)
    assert notebooks.main(["--tidy"]) == 0
    assert nbformat.read(path, as_version=4) == committed
    saved.cells.append(code("my_own = 1"))
    nbformat.write(saved, path)
    notebooks.main(["--tidy"])
    kept = nbformat.read(path, as_version=4)
    assert kept.cells[:-1] == committed.cells
    assert kept.cells[-1].source == "my_own = 1"


def test_cells_of_another_editor_get_no_ids_or_a_warning(tmp_path):
    path = tmp_path / "page.ipynb"
    without = notebook()
    for cell in without.cells:
        del cell["id"]
    path.write_text(json.dumps(without), encoding="utf-8")
    notebooks.tidy(path)
    assert nbformat.read(path, as_version=4) == notebook()


def test_an_error_does_not_name_the_file_of_its_notebook(tmp_path):
    path = tmp_path / "page.ipynb"
    path.write_text("<<<<<<< HEAD", encoding="utf-8")  # git wrote a conflict
    with pytest.raises(RuntimeError, match=r"\npage\.ipynb was not written"):
        notebooks.tidy(path)


def test_tidy_loses_a_picture_that_a_reader_pasted_into_a_text(tmp_path):
    path, pasted = tmp_path / "page.ipynb", {"image.png": {"image/png": "iVBORw0KGgo="}}
    own = markdown("![my notes](attachment:image.png)", attachments=pasted)
    nbformat.write(nbformat.v4.new_notebook(cells=[own]), path)
    notebooks.tidy(path)
    assert nbformat.read(path, as_version=4).cells[0].attachments == pasted


def test_tidy_repeats_the_first_cell_below_a_cell_that_a_reader_put_on_top():
    chapter = nbformat.v4.new_notebook(cells=[code("import course")])
    committed = normalised(chapter)
    committed.cells.insert(0, markdown("My notes."))
    sources = [cell.source for cell in normalised(committed).cells]
    assert sources == [notebooks.FIRST_CELL, "My notes.", "import course"]
