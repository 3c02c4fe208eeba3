"""Traces of a forward pass: every array, under the name of its part."""

from numpy.typing import NDArray


class Keeper:
    """Ignores the arrays that the layers report; training uses it."""

    def keep(self, **arrays: NDArray) -> None:
        """Do nothing; a `Trace` stores the arrays by name."""

    def under(self, *_names: str) -> "Keeper":
        """Return this keeper; a `Trace` puts these names before each name."""
        return self


NOTHING = Keeper()


class Trace(Keeper):
    """Keeps a read-only copy of every array.

    An array's name holds its place in the model:
    ``trace["encoder.0.self_attention.head.2.weights"]``.
    """

    def __init__(
        self, arrays: dict[str, NDArray] | None = None, prefix: str = ""
    ) -> None:
        self.arrays = {} if arrays is None else arrays
        self._prefix = prefix

    def __getitem__(self, name: str) -> NDArray:
        return self.arrays[name]

    def keep(self, **arrays: NDArray) -> None:
        """Store arrays by name."""
        for name, array in arrays.items():
            copy = array.copy()
            copy.flags.writeable = False
            self.arrays[self._prefix + name] = copy

    def under(self, *names: str) -> "Trace":
        """Return a trace of the same arrays that puts these names before each name."""
        more = "".join(f"{name}." for name in names)
        return Trace(self.arrays, self._prefix + more)
