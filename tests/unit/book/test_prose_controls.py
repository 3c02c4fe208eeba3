"""A link that sets a figure names a trait of the figure and an allowed value."""

import pytest

from book.prose_controls import problems

FIGURE = {
    "_page": {
        "name": "own",
        "traits": {
            "d_k": {
                "schema": {"type": "integer", "minimum": 1, "maximum": 9},
                "link": True,
            },
            "on": {
                "schema": {
                    "type": "array",
                    "items": {"type": "boolean"},
                    "minItems": 2,
                    "maxItems": 2,
                },
                "link": True,
            },
            "step": {
                "schema": {"type": "string", "enum": ["scores", "weights"]},
                "link": True,
            },
            "free": {"schema": {"type": "integer"}},
        },
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
        ("own.d_k=NaN", "NaN"),
        ("own.on=[true]", "[true]"),
        ("own.on=[1,0]", "[1,0]"),
        ("own.step=mask", "'mask'"),
        ("own.d_k=4&amp;own.step=mask", "'mask'"),
    ],
)
def test_a_problem_names_the_wrong_part_of_a_link(query, words):
    [said] = problems(link(query), [FIGURE])
    assert words in said
