"""The file of the model: small, plain, and what the log says it is."""

import csv
import json
import struct

import numpy as np
import pytest

from transformer.evaluation import learning_curve
from transformer.parameters import Config, initial, named
from transformer.storage import LOG, MODEL, as_stored, from_bytes, load, to_bytes
from transformer.training import Plan


def test_the_model_is_small():
    assert MODEL.stat().st_size <= 130_000


def test_the_layout_is_what_the_module_says():
    content = MODEL.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    weights = named(load()[0])
    assert list(header) == ["__metadata__", *weights]
    end = 0
    for name, array in weights.items():
        tensor = header[name]
        begin, after = tensor["data_offsets"]
        assert (tensor["dtype"], begin) == ("F16", end)
        end = after
        values = struct.unpack(
            f"<{array.size}e", content[8 + length + begin : 8 + length + after]
        )
        assert values == tuple(array.ravel())
        assert tensor["shape"] == list(array.shape)
    assert 8 + length + end == len(content)
    assert length % 8 == 0


def test_what_is_stored_comes_back_rounded_once():
    config = Config(num_layers=1, positions="learned", norm="pre")
    weights = initial(config, seed=4)
    back, sizes = from_bytes(to_bytes(weights, config, seed="4"))
    assert sizes == config
    assert named(back).keys() == named(weights).keys()
    for name, array in named(weights).items():
        expected = array.astype(np.float16).astype(np.float64)
        np.testing.assert_array_equal(named(back)[name], expected, strict=True)
        again = named(as_stored(back))[name]
        np.testing.assert_array_equal(again, expected, strict=True)


def log():
    with LOG.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.more
def test_the_first_steps_can_be_repeated():
    rows = log()[:10]
    points = learning_curve(Config(), Plan(), every=Plan().steps, count=1)
    for row in rows:
        point = next(points)
        assert point.step == int(row["step"])
        # Other builds of BLAS add in another order: float32, ten steps.
        assert point.loss == pytest.approx(float(row["loss"]), rel=1e-4)


def test_the_log_follows_the_plan():
    steps = [int(row["step"]) for row in log()]
    assert steps == [*range(1, 21), *range(40, Plan().steps + 1, 20)]
    measured = [int(row["step"]) for row in log() if row["held_out"]]
    assert measured == list(range(100, Plan().steps + 1, 100))
