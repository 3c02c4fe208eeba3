"""Arrays that cannot be changed, even in a copied or unpickled object."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def read_only(array: NDArray) -> NDArray:
    """Return a copy that can neither be written to nor made writable again."""
    copy = np.array(array)
    copy.setflags(write=False)
    return copy.view()


class ReadOnly:
    """Base of frozen dataclasses: their arrays stay read-only in copies and pickles."""

    def __post_init__(self) -> None:
        self.__setstate__(vars(self))  # the arrays become read-only copies

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(
            (name, read_only(value) if isinstance(value, np.ndarray) else value)
            for name, value in list(state.items())
        )
