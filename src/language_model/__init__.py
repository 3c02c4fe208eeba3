"""A real language model, SmolLM2-135M-Instruct, run on `attention` (chapter 9).

`model` is the model and its knobs, `weights` reads its numbers from a file, `tokens`
cuts text into word pieces, `fetch` gets the file. The course works without the file and
without the packages that read it: its chapters read stored results.
"""

from language_model.fetch import found
from language_model.model import Knobs, Model, Reading, probabilities
from language_model.tokens import Pieces
from language_model.weights import load

__all__ = [
    "Knobs",
    "Model",
    "Pieces",
    "Reading",
    "found",
    "load",
    "probabilities",
]
