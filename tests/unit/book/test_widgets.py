"""The saved widgets of a page."""

import json

from book.widgets import PageWidgets


def test_a_figure_lists_its_words_in_another_order_after_a_rebuild():
    words = {"cat": 1, "boy": 2, "aunt": 3}
    pages = [PageWidgets(), PageWidgets()]
    for page, order in zip(pages, (list(words), sorted(words)), strict=True):
        state = {"words": {word: words[word] for word in order}}
        page.add(json.dumps({"state": {"a": {"state": state}}}))
    assert pages[0].state == pages[1].state
