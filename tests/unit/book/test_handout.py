"""Hand-outs hold no answer, and keys hold every answer."""

import re

import nbformat
import pytest

from book.build import chapters
from book.handout import only_answers, without_answers
from book.notebooks import tags

NOTEBOOKS = {path.stem: nbformat.read(path, as_version=4) for path in chapters()}
each_chapter = pytest.mark.parametrize("name", NOTEBOOKS)


def sources(notebook):
    return "\n".join(cell.source for cell in notebook.cells)


def answers(notebook):
    folds = re.findall(
        r"<summary><b>[^<]*(?:[aA]nswers?|[sS]olution)</b></summary>(.*?)</details>",
        sources(notebook),
        re.DOTALL,
    )
    solutions = [cell.source for cell in notebook.cells if "solution" in tags(cell)]
    return [*solutions, *(fold.strip() for fold in folds)]


@each_chapter
def test_a_handout_holds_an_answer_or_loses_a_hint_an_exercise_or_a_heading(name):
    chapter = NOTEBOOKS[name]
    before, text = sources(chapter), sources(without_answers(chapter))
    assert [each for each in answers(chapter) if each in text] == []
    titles = re.findall(r"<summary><b>(.*?)</b>", text)
    assert [title for title in titles if re.search("(?i)answer|solution", title)] == []
    for mark in ("Open hint", "Your lines go here", "# "):
        removed = sum(answer.count(mark) for answer in answers(chapter))
        assert text.count(mark) >= before.count(mark) - removed, mark


@each_chapter
def test_a_key_lacks_an_answer_or_the_heading_above_it(name):
    made = only_answers(NOTEBOOKS[name])
    text = sources(made)
    assert [answer for answer in answers(NOTEBOOKS[name]) if answer not in text] == []
    prose = [cell.source for cell in made.cells if cell.cell_type != "code"]
    assert all(each.startswith("#") for each in prose)


@pytest.mark.more
@each_chapter
def test_the_code_of_a_key_does_not_run(name):
    names = {}
    for cell in only_answers(NOTEBOOKS[name]).cells:
        if cell.cell_type == "code":
            exec(cell.source, names)


def test_an_answer_in_a_key_has_the_heading_of_another_section():
    fold = '<details class="fold"><summary><b>Answer</b></summary>\n\nYes.\n</details>'
    new = nbformat.v4
    chapter = new.new_notebook(
        cells=[
            new.new_markdown_cell("# One\n\n## Two\n\nText."),
            new.new_markdown_cell(f"Is it so?\n\n{fold}"),
            new.new_code_cell("x = 1", metadata={"tags": ["solution"]}),
        ]
    )
    texts = [cell.source for cell in only_answers(chapter).cells]
    assert texts == ["## Two\n\nIs it so?\n\n**Answer.** \nYes.\n", "## Two", "x = 1"]
