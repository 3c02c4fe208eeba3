"""Stored files: their digests, the layout of weights, and the tables of results."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest

import course
import transformer
from transformer import ablations, effects, seeds
from transformer.decoding import translate
from transformer.effects import stored_effects
from transformer.evaluation import alignment, bleu, exact_match
from transformer.grammar import KINDS_OF_SENTENCES, MAX_WORDS
from transformer.laboratory import head_means, heads_of, stored_means, switches
from transformer.lexicon import EITHER
from transformer.parameters import Config, initial, named
from transformer.sentences import SETS, held_out_sentences, training_sentences
from transformer.storage import (
    ABLATIONS,
    ACCURACY,
    ALIGNMENT,
    CALIBRATION,
    LOG,
    MODEL,
    SEEDS,
    as_stored,
    from_bytes,
    load,
    model_of,
    notes,
    to_bytes,
)
from transformer.stored_files import (
    DIGESTS,
    changed_files,
    digests,
    read_table,
    write_file,
    write_table,
)
from transformer.training import Plan

SOURCES = [Path(package.__path__[0]) for package in (transformer, course)]
FOLDERS = sorted(path.parent for root in SOURCES for path in root.rglob(DIGESTS))


def room(folder):
    return "/".join(folder.parts[-2:])


@pytest.mark.parametrize("folder", FOLDERS, ids=room)
def test_a_stored_file_was_changed_by_hand(folder):
    changed = [f"{room(folder)}/{name}" for name in changed_files(folder)]
    assert not changed, (
        f"{changed} differ from their digests in {DIGESTS}: only the program that "
        "computes a stored file may write it (`transformer.stored_files`)"
    )


def test_a_run_is_stored_without_a_digest():
    runs = [path for root in SOURCES for path in root.rglob("runs/*")]
    stored = [path for path in runs if path.name != DIGESTS]
    assert len(stored) > 15
    for path in stored:
        assert path.name in digests(path.parent), f"{path.name} has no digest"
    assert any("relations.csv" in digests(folder) for folder in FOLDERS)


def test_write_file_updates_the_digests_and_changes_are_found(tmp_path):
    for name, content in (("b", b"1"), ("a", b"2"), ("b", b"3")):
        write_file(tmp_path / name, content)
    assert changed_files(tmp_path) == []
    (tmp_path / "b").write_bytes(b"4")
    assert changed_files(tmp_path) == ["b"]
    (tmp_path / "a").unlink()
    assert changed_files(tmp_path) == ["a", "b"]
    write_file(tmp_path / "b", b"5")
    assert list(digests(tmp_path)) == ["b"]
    write_table(tmp_path / "c", [{"x": 0.5, "y": None}, {"x": 7, "y": "é, z"}])
    expected = [{"x": "0.5", "y": ""}, {"x": "7", "y": "é, z"}]
    assert read_table(tmp_path / "c") == expected
    assert (tmp_path / "c").read_bytes() == 'x,y\n0.5,\n7,"é, z"\n'.encode()


def test_stored_weights_have_the_documented_layout():
    content = MODEL.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    weights = named(load()[0])
    assert list(header) == ["__metadata__", *weights]
    end = 0
    for name, array in weights.items():
        begin, after = header[name]["data_offsets"]
        assert (header[name]["dtype"], begin) == ("F16", end)
        end = after
        part = content[8 + length + begin : 8 + length + after]
        assert struct.unpack(f"<{array.size}e", part) == tuple(array.ravel())
        assert header[name]["shape"] == list(array.shape)
    assert 8 + length + end == len(content) <= 130_000
    assert length % 8 == 0


def test_weights_are_read_back_rounded_to_half_precision():
    config = Config(num_layers=1, norm="pre", num_heads=2)
    weights = initial(config, seed=4)
    back, sizes = from_bytes(to_bytes(weights, config, seed="4"))
    assert sizes == config
    again = named(as_stored(back))
    assert named(back).keys() == named(weights).keys()
    for name, array in named(weights).items():
        expected = array.astype(np.float16).astype(np.float64)
        np.testing.assert_array_equal(named(back)[name], expected, strict=True)
        np.testing.assert_array_equal(again[name], expected, strict=True)


# --- tables ---------------------------------------------------------------------------


def test_a_row_of_a_stored_table_is_missing_or_out_of_order():
    reasons = [said.english for said in EITHER]
    layers = [(str(i), str(h)) for i in range(2) for h in range(4)]
    for path, names, expected in (
        (
            ABLATIONS,
            ("variant", "steps", "seed", "set"),
            [
                (v, str(n), str(s), x)
                for v, n in ablations.RUNS
                for s in SEEDS
                for x in SETS
            ],
        ),
        (
            CALIBRATION,
            ("seed", "set", "reason"),
            [(str(s), x, reason) for s in SEEDS for x in SETS for reason in reasons],
        ),
        (
            ALIGNMENT,
            ("seed", "layer", "head"),
            [(str(s), *at) for s in SEEDS for at in layers],
        ),
    ):
        found = [tuple(row[name] for name in names) for row in read_table(path)]
        assert found == expected, path.name
    for seed in SEEDS:
        off = [row.off for row in stored_effects(seed)]
        assert off == effects.cuts(Config(), pairs=seed == 0)
    assert len(switches(Config())) == len(heads_of(Config())) + 8
    steps = [int(row["step"]) for row in read_table(LOG)]
    assert steps == [*range(1, 21), *range(40, Plan().steps + 1, 20)]
    measured = [int(row["step"]) for row in read_table(LOG) if row["held_out"]]
    assert measured == list(range(100, Plan().steps + 1, 100))


def test_a_count_is_larger_than_the_number_of_sentences():
    counted = {}
    for row in read_table(ACCURACY):
        asked, right = int(row["sentences"]), int(row["right"])
        assert right <= asked
        assert row["kind"] in KINDS_OF_SENTENCES
        assert 2 <= int(row["words"]) <= MAX_WORDS
        total = counted.setdefault((int(row["seed"]), row["set"]), [0, 0])
        total[0] += asked
        total[1] += right
    assert list(counted) == [(seed, name) for seed in SEEDS for name in SETS]
    for key, (asked, right) in counted.items():
        assert asked == 5000
        assert right >= 0.997 * 5000, f"seed, set {key}: too few are right"
    for row in read_table(CALIBRATION):
        quantiles = [float(row[f"q{q}"]) for q in (5, 25, 50, 75, 95)]
        assert quantiles == sorted(quantiles)
        ends = int(row["il_ends_right"]), int(row["elle_ends_right"])
        assert max(ends) <= int(row["sentences"]) < 300


@pytest.mark.more
@pytest.mark.parametrize("seed", SEEDS)
def test_a_stored_model_is_as_accurate_as_its_rows_say(seed):
    """Test 150 sentences of each set; one more may be wrong on another processor."""
    weights, config = load(model_of(seed))
    assert config == Config()
    said = notes(model_of(seed))
    assert (said["seed"], said["steps"]) == (str(seed), str(Plan().steps))
    rows = [row for row in read_table(ACCURACY) if row["seed"] == str(seed)]
    for name, pairs in SETS.items():
        sentences = held_out_sentences(150, pairs=pairs)
        found = translate([s.english for s in sentences], weights, config)
        wrong = 150 - round(150 * exact_match(sentences, found))
        lost = [int(r["sentences"]) - int(r["right"]) for r in rows if r["set"] == name]
        assert wrong <= sum(lost) + 1


@pytest.mark.more
def test_stored_effects_of_cuts_agree_with_the_model(stored):
    """Measure single cuts on 97 of the 1,000 sentences, within 5 standard errors."""
    sentences = effects.held_out()[:97]
    rows = [row for row in stored_effects() if len(row.off) < 2]
    measured = effects.effects(sentences, *stored, [row.off for row in rows])
    for row, (off, counts) in zip(rows, measured, strict=True):
        share = sum(row.right.values()) / effects.COUNT
        error = np.sqrt((share * (1 - share) + 1e-3) / 97)
        assert counts.total() / 97 == pytest.approx(share, abs=5 * error), off


@pytest.mark.more
def test_stored_head_means_agree_with_the_shipped_model(stored):
    found = stored_means()
    assert list(found) == list(heads_of(stored[1]))
    sentences = [
        s for s, _ in zip(training_sentences(seed=1), range(300), strict=False)
    ]
    for name, mean in head_means(sentences, *stored).items():
        size = np.abs(mean).max()
        np.testing.assert_allclose(found[name], mean, atol=0.15 * size + 1e-3)


@pytest.mark.more
@pytest.mark.weekly
def test_stored_tables_agree_with_the_shipped_model(stored, monkeypatch):
    """Measure accuracy, calibration, alignment and BLEU again, with a tolerance."""
    monkeypatch.setattr(seeds, "TWOFOLD", 100)
    for row, new in zip(
        read_table(CALIBRATION), seeds.calibration_rows(*stored), strict=False
    ):
        assert float(row["mean"]) == pytest.approx(new["mean"], abs=0.05)
        assert float(row["q5"]) - 0.1 < new["q5"] < new["q95"] < float(row["q95"]) + 0.1
    sentences = held_out_sentences(1000, pairs=False)
    heads = alignment(sentences, *stored)
    for head, row in zip(heads, read_table(ALIGNMENT), strict=False):
        for name in ("mass", "largest", "chance", "diagonal"):
            assert getattr(head, name) == pytest.approx(float(row[name]), abs=1e-3), row
    found = translate([s.english for s in sentences], *stored)
    row = read_table(ABLATIONS)[0]
    right = float(row["exact_match"])
    assert exact_match(sentences, found) == pytest.approx(right, abs=2e-3)
    assert bleu(sentences, found) == pytest.approx(float(row["bleu"]), abs=0.1)
