"""The build reads a page again if its cells ran again."""

from book.build import read_again


def test_a_page_is_not_read_again_or_another_page_is(tmp_path):
    pages = ("intro.md", "chapters/01-self-attention.ipynb")
    kept = [tmp_path / ".doctrees" / page for page in (*pages, "chapters/other.md")]
    kept = [path.with_suffix(".doctree") for path in kept]
    for path in kept:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    read_again(tmp_path, pages)
    assert [path.exists() for path in kept] == [False, False, True]
