"""Build and serve pages that hold only widgets and the site's runtime, not the book."""

import json
from collections.abc import Sequence

from ipywidgets.embed import dependency_state, embed_data
from playwright.sync_api import Page

from book.reading_time import WIDGET_VIEW
from book.widgets import PageWidgets, runtime, source_of
from course.kit import look
from course.widgets import Card


def page_of(views: Sequence[Card]) -> str:
    """Return the HTML of a page that shows these widgets; a widget may be repeated."""
    widgets = list(dict.fromkeys(views))
    models = dependency_state(widgets, drop_defaults=False)
    data = embed_data(views=widgets, drop_defaults=False, state=models)
    used = PageWidgets()
    used.add(json.dumps(data["manager_state"]))
    scripts = (
        f'<script type="{WIDGET_VIEW}">'
        f"{json.dumps({'model_id': view.model_id, 'version_major': 2})}</script>"
        for view in views
    )
    shown = used.place("".join(scripts))
    style = "\n".join((look.css(), *map(source_of, used.styles)))
    code = "".join(map(source_of, used.scripts))
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Figure</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style>"
        '<body style="margin: 0; font-family: system-ui, sans-serif">'
        f"<main><article>{shown}</article></main>{used.state}"
        f"<script>{code}</script><script>{runtime()}</script></body></html>"
    )


def answer_with(page: Page, address: str, body: str) -> None:
    """Answer each request for `address`, with any query, with the HTML `body`.

    Other tabs of the page's profile get the same answer.
    """
    page.context.route(
        f"{address}**", lambda route: route.fulfill(body=body, content_type="text/html")
    )
