"""The faults: what an author might get wrong without noticing."""

from typing import NamedTuple


class Fault(NamedTuple):
    """A replacement in one file, and the tests that are to notice it.

    `built`: whether the site has to be built anew for them.
    """

    name: str
    file: str
    right: str
    wrong: str
    caught_by: tuple[str, ...]
    built: bool = False


FAULTS: list[Fault] = []
