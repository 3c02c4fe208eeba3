"""The public names of the library."""

import inspect
import re
from collections.abc import Callable

import attention

NAME = re.compile("__call__|[a-z][a-z_]*")  # without the copies that mutmut adds


def public() -> list[Callable]:
    """Return every public function and class, and the public methods of the classes."""
    found = []
    for thing in (getattr(attention, name) for name in attention.__all__):
        names = filter(NAME.fullmatch, vars(thing)) if inspect.isclass(thing) else ()
        found += [thing, *filter(callable, (getattr(thing, name) for name in names))]
    return found
