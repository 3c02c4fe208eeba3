"""Weights in a file: half precision, in the safetensors layout, for web pages.

The file is

- 8 bytes: the length ``n`` of the header, an unsigned little-endian integer;
- ``n`` bytes: the header, a JSON object. For each tensor, in the order of `named`, it
  has under the tensor's name ``{"dtype": "F16", "shape": [...], "data_offsets": [begin,
  end]}``. The offsets count bytes from the end of the header. ``"__metadata__"`` holds
  the `Config` and the notes, every value as a string;
- the tensors one after the other, row by row, as little-endian float16.

The course computes in float64 from these half-precision values. Stored results of
finished models are measured with them; results during training use single precision.
"""

import dataclasses
import json
from pathlib import Path

import numpy as np

from transformer.parameters import Config, Tree, named, nested

RUNS = Path(__file__).parent / "runs"
MODEL = RUNS / "model.safetensors"
LOG = RUNS / "log.csv"
ACCURACY = RUNS / "accuracy.csv"
CALIBRATION = RUNS / "calibration.csv"
ABLATIONS = RUNS / "ablations.csv"
ALIGNMENT = RUNS / "alignment.csv"
EFFECTS = RUNS / "effects.csv"
MEANS = RUNS / "head-means.safetensors"
SEEDS = range(5)


def model_of(seed: int) -> Path:
    """Return the file of the model that was trained from a seed of `SEEDS`.

    The course ships the model of seed 0. Other models show what depends on the seed.
    """
    return RUNS / f"seed-{seed}.safetensors" if seed else MODEL


def to_bytes(weights: Tree, config: Config, **notes: str) -> bytes:
    """Return a model as the bytes of a file, with `notes` in the header's metadata."""
    sizes = {name: json.dumps(v) for name, v in dataclasses.asdict(config).items()}
    header: dict[str, dict] = {"__metadata__": sizes | notes}
    data = b""
    for name, array in named(weights).items():
        begin = len(data)
        data += np.ascontiguousarray(array, "<f2").tobytes()
        header[name] = {
            "dtype": "F16",
            "shape": list(array.shape),
            "data_offsets": [begin, len(data)],
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # so that the data begin at a multiple of 8
    return len(text).to_bytes(8, "little") + text + data


def from_bytes(content: bytes) -> tuple[Tree, Config]:
    """Return the weights (in float64) and the sizes of a model, from a file's bytes."""
    header, start = _header(content)
    metadata = header.pop("__metadata__")
    sizes = {f.name: json.loads(metadata[f.name]) for f in dataclasses.fields(Config)}
    leaves = {}
    for name, tensor in header.items():
        begin, end = (start + offset for offset in tensor["data_offsets"])
        values = np.frombuffer(content[begin:end], "<f2").astype(np.float64)
        leaves[name] = values.reshape(tensor["shape"])
    return nested(leaves), Config(**sizes)


def _header(content: bytes) -> tuple[dict[str, dict], int]:
    """Return the header of a file, and the offset at which its tensors begin."""
    start = 8 + int.from_bytes(content[:8], "little")
    return json.loads(content[8:start]), start


def notes(path: Path = MODEL) -> dict[str, str]:
    """Return the metadata of a stored model, by default the shipped one."""
    header, _ = _header(path.read_bytes())
    return header["__metadata__"]


def as_stored(weights: Tree) -> Tree:
    """Return the weights rounded to half precision, as a file would return them."""
    return from_bytes(to_bytes(weights, Config()))[0]


def load(path: Path = MODEL) -> tuple[Tree, Config]:
    """Return the weights (in float64) and the sizes of a stored model.

    By default this is the shipped model.
    """
    return from_bytes(path.read_bytes())
