"""A link that sets a figure names a trait of it and a value that the trait can have."""

import pytest

from book.prose_controls import fits, problems

FIGURE = {
    "d_k": 64,
    "on": [True, True],
    "step": "scores",
    "free": 0,
    "_page": {
        "name": "own",
        "url": ["d_k", "on", "step"],
        "limits": {"d_k": [1, 9, True], "step": {"one_of": ["scores", "weights"]}},
    },
}


def link(query):
    return f'<p><a class="sets reference external" href="?{query}#fig-own">Set</a></p>'


@pytest.mark.parametrize(
    "query", ["own.d_k=9", "own.on=[false,true]&amp;own.step=weights", "own.d_k=4.0"]
)
def test_a_sound_link_has_no_problem(query):
    assert problems(link(query), [FIGURE]) == []


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("other.d_k=1", "figures of this page are own"),
        ("own.free=1", "a link can set d_k, on, step"),
        ("own.d_k=10", "'own.d_k' to '10'"),
        ("own.d_k=1.5", "'1.5'"),
        ("own.d_k=true", "'true'"),
        ("own.d_k=", "''"),
        ("own.on=[true]", "[true]"),
        ("own.on=[1,0]", "[1,0]"),
        ("own.step=mask", "'mask'"),
        ("own.d_k=4&amp;own.step=mask", "'mask'"),
    ],
)
def test_a_wrong_link_is_named(query, words):
    [said] = problems(link(query), [FIGURE])
    assert words in said


def test_an_open_list_takes_items_of_any_number():
    assert fits([1, 2], [], None)
    assert not fits("a", [], None)
