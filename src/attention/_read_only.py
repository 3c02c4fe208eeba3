"""Arrays that stay as they are, also in an object that was copied or unpickled."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def read_only(array: NDArray) -> NDArray:
    """Return a copy that nobody can write to or make writable again."""
    copy = np.array(array)
    copy.setflags(write=False)
    return copy.view()


class ReadOnly:
    """A frozen dataclass of arrays that is as frozen once copied or unpickled."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(
            (name, read_only(value) if isinstance(value, np.ndarray) else value)
            for name, value in state.items()
        )
