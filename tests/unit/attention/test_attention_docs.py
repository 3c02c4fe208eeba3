"""Docstrings describe every argument and its default, and give examples of flags."""

import doctest
import inspect
import re

import pytest
from public import public

STATED = re.compile(r"^ *(\w+) : .*\bdefault (.+)$", re.MULTILINE)


def documented(thing):
    """Return the arguments, or the fields, that a docstring describes."""
    sections = re.split(r"\n\n([A-Z][a-z]+)\n-+\n", inspect.getdoc(thing) or "")
    texts = dict(zip(sections[1::2], sections[2::2], strict=True))
    text = texts.get("Parameters", texts.get("Attributes", ""))
    lines = re.findall(r"^(\S.*?) ?(?::.*)?$", text, re.MULTILINE)
    return {name.strip(" *") for line in lines for name in line.split(",")} - {""}


@pytest.mark.parametrize("thing", public(), ids=lambda each: each.__qualname__)
def test_an_argument_is_not_documented_or_its_stated_default_is_false(thing):
    parameters, described = inspect.signature(thing).parameters, documented(thing)
    arguments = set(parameters) - {"self", "cls"}
    missing, unknown = arguments - described, described - arguments
    assert not missing, f"describe {missing} in the docstring of {thing.__qualname__}"
    assert not unknown, f"{thing.__qualname__} has no argument {unknown}"
    for name, default in STATED.findall(inspect.getdoc(thing) or ""):
        assert repr(parameters[name].default) == default.replace('"', "'"), name


def test_a_flag_or_the_mask_has_no_example():
    """Their meaning is a convention, which an example shows."""
    parser, examples, flags = doctest.DocTestParser(), "", {"attn_mask"}
    for thing in public():
        found = parser.get_examples(inspect.getdoc(thing) or "")
        examples += "".join(example.source for example in found)
        arguments = inspect.signature(thing).parameters.values()
        flags |= {a.name for a in arguments if isinstance(a.default, bool)}
    for flag in flags:
        assert f"{flag}=" in examples, f"add an example with {flag}= to a docstring"
