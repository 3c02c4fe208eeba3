"""The build reads a page again if its cells ran again."""

from book.build import read_again


def test_the_wrong_pages_are_read_again(tmp_path):
    pages = ("intro.md", "chapters/01-self-attention.ipynb")
    names = ("intro", "chapters/01-self-attention", "chapters/other")
    doctrees = [tmp_path / f".doctrees/{name}.doctree" for name in names]
    for path in doctrees:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    read_again(tmp_path, pages)
    assert [path.exists() for path in doctrees] == [False, False, True]
