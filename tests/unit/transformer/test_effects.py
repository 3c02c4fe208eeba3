"""What cuts cost: one pass tells what translations tell; stored rows are the models."""

from collections import Counter

import numpy as np
import pytest

from transformer.decoding import translate
from transformer.effects import (
    COUNT,
    cuts,
    effects,
    held_out,
    memory_of,
    right,
    stored_effects,
)
from transformer.laboratory import cut, heads_of, switches
from transformer.storage import SEEDS, load, model_of
from transformer.training import batch_of

WEIGHTS, CONFIG = load()


@pytest.mark.parametrize(
    "name", ["decoder.1.cross_attention.head.2", "encoder.residuals"]
)
def test_one_pass_tells_which_translations_are_right(name):
    few = held_out()[:60]
    machine = cut(WEIGHTS, CONFIG, [name])
    batch = batch_of(few)
    found = right(batch, machine, memory_of(batch, machine))
    if machine.reader == machine.writer:
        written = translate([s.english for s in few], machine.weights, CONFIG)
        expected = [s.french == tuple(w) for s, w in zip(few, written, strict=True)]
        assert found.tolist() == expected
        assert 0 < sum(expected) < len(few)
    else:
        assert not found.any()


def test_every_part_and_every_pair_of_heads_is_stored():
    heads = len(heads_of(CONFIG))
    stored = [row.off for row in stored_effects()]
    assert stored == cuts(CONFIG, pairs=True)
    assert len(stored) == 1 + len(switches(CONFIG)) + heads * (heads - 1) // 2


@pytest.mark.more
@pytest.mark.parametrize("seed", SEEDS)
def test_stored_rows_are_those_of_the_stored_models(seed):
    kinds = Counter(sentence.kind for sentence in held_out())
    assert kinds.total() == COUNT
    rows = stored_effects(seed)
    for row in rows:
        assert all(row.right[kind] <= kinds[kind] for kind in row.right)
    few = [rows[0], rows[1 + seed * 5], rows[20]]
    weights, config = load(model_of(seed))
    part = held_out()[:100]
    for off, counts in effects(part, weights, config, [row.off for row in few]):
        row = next(row for row in few if row.off == off)
        of_part = Counter(sentence.kind for sentence in part)
        wrong = {kind: of_part[kind] - counts[kind] for kind in of_part}
        lost = {kind: kinds[kind] - row.right[kind] for kind in of_part}
        assert all(wrong[kind] <= lost[kind] for kind in of_part)


def test_what_the_whole_machine_cannot_is_little():
    first, *_ = stored_effects()
    assert sum(first.right.values()) >= 0.99 * COUNT
    worst = min(sum(row.right.values()) for row in stored_effects())
    assert worst < 0.05 * COUNT
    assert np.isfinite(worst)
