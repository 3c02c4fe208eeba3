"""Stored files: their digests, the layout of weights, and the tables of results."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import course
import transformer
from transformer import effects, seeds, storage
from transformer.decoding import translate
from transformer.effects import stored_effects
from transformer.evaluation import alignment, exact_match
from transformer.laboratory import head_means, heads_of, stored_means
from transformer.parameters import Config, initial, named
from transformer.sentences import SETS, held_out_sentences, training_sentences
from transformer.stored_files import DIGESTS, changed_files, read_table
from transformer.training import Plan

SOURCES = [Path(package.__path__[0]) for package in (transformer, course)]
FOLDERS = sorted(path.parent for root in SOURCES for path in root.rglob(DIGESTS))


def last_two(folder):
    return "/".join(folder.parts[-2:])


@pytest.mark.parametrize("folder", FOLDERS, ids=last_two)
def test_a_stored_file_was_changed_by_hand(folder):
    changed = [f"{last_two(folder)}/{name}" for name in changed_files(folder)]
    assert not changed, (
        f"{changed} differ from their digests in {DIGESTS}: only the program that "
        "computes a stored file may write it (`transformer.stored_files`)"
    )


def test_weights_read_back_are_not_those_rounded_to_half_precision():
    config = Config(num_layers=1, norm="pre", num_heads=2)
    weights = initial(config, seed=4)
    back, sizes = storage.from_bytes(storage.to_bytes(weights, config, seed="4"))
    assert sizes == config
    again = named(storage.as_stored(back))
    assert named(back).keys() == named(weights).keys()
    for name, array in named(weights).items():
        expected = array.astype(np.float16).astype(np.float64)
        np.testing.assert_array_equal(named(back)[name], expected, strict=True)
        np.testing.assert_array_equal(again[name], expected, strict=True)


# --- tables ---------------------------------------------------------------------------


@pytest.mark.more
@pytest.mark.parametrize("seed", storage.SEEDS)
def test_a_stored_model_is_less_accurate_than_its_rows_say(seed):
    """Test 150 sentences of each set; one more may be wrong on another processor."""
    weights, config = storage.load(storage.model_of(seed))
    assert config == Config()
    said = storage.notes(storage.model_of(seed))
    assert (said["seed"], said["steps"]) == (str(seed), str(Plan().steps))
    rows = [row for row in read_table(storage.ACCURACY) if row["seed"] == str(seed)]
    assert {row["set"] for row in rows} == {*SETS}
    for name, pairs in SETS.items():
        sentences = held_out_sentences(150, pairs=pairs)
        found = translate([s.english for s in sentences], weights, config)
        wrong = 150 - round(150 * exact_match(sentences, found))
        lost = [int(r["sentences"]) - int(r["right"]) for r in rows if r["set"] == name]
        assert wrong <= sum(lost) + 1


@pytest.mark.more
def test_stored_effects_of_cuts_differ_from_the_model(stored):
    """Measure single cuts on 97 of the 1,000 sentences, within 5 standard errors."""
    sentences = effects.held_out()[:97]
    rows = [row for row in stored_effects() if len(row.off) < 2]
    measured = effects.effects(sentences, *stored, [row.off for row in rows])
    for row, (off, counts) in zip(rows, measured, strict=True):
        share = sum(row.right.values()) / effects.COUNT
        error = np.sqrt((share * (1 - share) + 1e-3) / 97)
        assert counts.total() / 97 == pytest.approx(share, abs=5 * error), off


@pytest.mark.more
def test_stored_head_means_differ_from_the_shipped_model(stored):
    found = stored_means()
    assert list(found) == list(heads_of(stored[1]))
    sentences = [*islice(training_sentences(seed=1), 300)]
    for name, mean in head_means(sentences, *stored).items():
        size = np.abs(mean).max()
        np.testing.assert_allclose(found[name], mean, atol=0.15 * size + 1e-3)


@pytest.mark.more
@pytest.mark.weekly
def test_stored_tables_differ_from_the_shipped_model(stored, monkeypatch):
    """Measure accuracy, calibration and alignment again, with a tolerance."""
    monkeypatch.setattr(seeds, "TWOFOLD", 100)
    measured = seeds.calibration_rows(*stored)
    for row, new in zip(read_table(storage.CALIBRATION), measured, strict=False):
        assert float(row["mean"]) == pytest.approx(new["mean"], abs=0.05)
    sentences = held_out_sentences(1000, pairs=False)
    heads = alignment(sentences, *stored)
    for head, row in zip(heads, read_table(storage.ALIGNMENT), strict=False):
        for name in ("mass", "largest", "chance", "diagonal"):
            assert getattr(head, name) == pytest.approx(float(row[name]), abs=1e-3), row
