"""A real language model, SmolLM2-135M-Instruct, run on `attention` (chapter 9).

`model` is the model with its `Knobs`, `weights` reads its weights from a file, `tokens`
cuts text into word pieces, `fetch` downloads the file. The chapters of the course read
stored results, so the course works without the file and the packages that read it.
"""

from language_model.fetch import found
from language_model.model import Knobs, Model, probabilities
from language_model.weights import load

__all__ = [
    "Knobs",
    "Model",
    "found",
    "load",
    "probabilities",
]
