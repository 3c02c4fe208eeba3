"""The computation of a machine and the setting of its inputs, without a view.

In a notebook, `Machine` adds a view to it. In a page the figure exists already, so code
that runs there gets the `Machine` of ``book/live/instead``, which draws nothing.
"""

from collections.abc import Mapping
from typing import Any, Self

from attention import MultiHeadTrace
from course.widgets.machine.inputs import MachineInputs
from course.widgets.machine.presets import PRESETS, Preset


def stated(presets: Mapping[str, Preset] | None) -> dict[str, dict[str, Any]]:
    """Return presets as plain dicts for a page; None stands for all of `PRESETS`."""
    return {
        name: preset._asdict() | {"inputs": preset.inputs.to_json()}
        for name, preset in (PRESETS if presets is None else presets).items()
    }


def _input(name: str, doc: str) -> property:
    """Return a property for one input; setting it checks all inputs together."""
    return property(
        lambda machine: getattr(machine.inputs, name),
        lambda machine, value: machine.set(**{name: value}),
        doc=doc,
    )


class Computation:
    """The inputs of a machine, at first those of a preset, and their trace.

    Attributes
    ----------
    presets : dict
        The result of `stated`.
    example : str
        Name of the preset in use.
    edits : dict
        Inputs that replace those of a preset, by name of the preset.
    """

    presets: dict[str, dict[str, Any]]
    example: str
    edits: dict[str, Any]

    @classmethod
    def preset(cls, name: str, /, **traits: Any) -> Self:
        """Return a machine with one preset, a key of `PRESETS`, and initial traits."""
        if name not in PRESETS:
            raise ValueError(f"preset must be among {', '.join(PRESETS)}, got {name!r}")
        return cls({name: PRESETS[name]}, **traits)

    @classmethod
    def of(
        cls,
        inputs: MachineInputs,
        title: str = "Machine",
        provenance: str = "",
        **traits: Any,
    ) -> Self:
        """Return a machine that starts from inputs of your own, and initial traits.

        The card says `title` and `provenance` about the inputs.
        """
        return cls({"own": Preset(title, provenance, inputs)}, **traits)

    @property
    def inputs(self) -> MachineInputs:
        """The inputs in use: the reader's, or the preset's if nothing was changed."""
        given = self.presets[self.example]["inputs"]
        return MachineInputs.from_json(self.edits.get(self.example, given))

    @property
    def trace(self) -> MultiHeadTrace:
        """Every step of the computation, by `attention`, from the inputs in use."""
        return self.inputs.trace()

    def set(self, **changes: Any) -> None:
        """Change several inputs at once, so that their shapes may change together.

        Parameters
        ----------
        **changes
            Any of ``tokens, X, W_Q, W_K, W_V, W_O, causal, padding``.

        Raises
        ------
        TypeError
            If a name is not an input.
        ValueError
            If the inputs do not fit each other; nothing changes then.
        """
        plain = self.inputs.to_json()
        unknown = sorted(set(changes) - set(plain))
        if unknown:
            raise TypeError(f"unknown inputs {unknown}; known are {', '.join(plain)}")
        if not any(plain["padding"]):
            plain["padding"] = None  # fits any number of tokens
        checked = MachineInputs(**plain | changes)
        self.edits = {**self.edits, self.example: checked.to_json()}

    def reset(self) -> None:
        """Go back to the numbers of the preset in use."""
        self.edits = {k: v for k, v in self.edits.items() if k != self.example}

    tokens = _input("tokens", "The words, one for each row of `X`; a tuple of str.")
    X = _input("X", "Embeddings, shape (n, d_model).")
    W_Q = _input("W_Q", "Query weights, shape (h, d_model, d_k).")
    W_K = _input("W_K", "Key weights, shape (h, d_model, d_k).")
    W_V = _input("W_V", "Value weights, shape (h, d_model, d_v).")
    W_O = _input("W_O", "Output projection, shape (h * d_v, d_model), or None.")
    causal = _input("causal", "Whether no token attends to a later token.")
    padding = _input("padding", "True for each token that no token may attend to.")
