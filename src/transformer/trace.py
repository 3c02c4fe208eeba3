"""A notebook for the forward pass: every array under the name of its place."""

from typing import Protocol

from numpy.typing import NDArray


class Keeper(Protocol):
    """What the layers report to."""

    def keep(self, **arrays: NDArray) -> None:
        """Take arrays by name."""

    def under(self, *names: str) -> "Keeper":
        """Return a keeper whose names stand below these."""


class Trace:
    """Keeps every array; ``trace["encoder.0.self_attention.head.2.weights"]``.

    The arrays are copies that cannot be written to.
    """

    def __init__(self, arrays: dict[str, NDArray] | None = None, at: str = "") -> None:
        self.arrays = {} if arrays is None else arrays
        self._at = at

    def __getitem__(self, name: str) -> NDArray:
        return self.arrays[name]

    def keep(self, **arrays: NDArray) -> None:
        """Take arrays by name."""
        for name, array in arrays.items():
            own = array.copy()
            own.flags.writeable = False
            self.arrays[self._at + name] = own

    def under(self, *names: str) -> "Trace":
        """Return a trace that writes to the same pages below these names."""
        return Trace(self.arrays, self._at + "".join(f"{name}." for name in names))


class _Nothing:
    """Keeps nothing: for training."""

    def keep(self, **arrays: NDArray) -> None:
        """Forget the arrays."""

    def under(self, *names: str) -> "_Nothing":
        """Return itself."""
        return self


NOTHING = _Nothing()
