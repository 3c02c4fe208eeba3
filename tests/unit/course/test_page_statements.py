"""Statements that pages type about data, models and stored runs, computed anew.

A page computes most of its sentences. The sentences below are typed, or describe a
figure to readers who cannot see it.
"""

import inspect
import re

import numpy as np
import pytest

import attention
from book.build import ROOT
from course.chapters.a_real_model import experiments as real
from course.chapters.before_attention import experiments as before
from course.chapters.transformer import experiments as transformer
from course.chapters.translation import stored
from transformer.ablations import QUARTER, VARIANTS
from transformer.effects import COUNT
from transformer.lexicon import EITHER
from transformer.parameters import Config, initial, named
from transformer.storage import SEEDS

pytestmark = pytest.mark.more


def test_the_figure_of_reach_is_described_wrongly():
    kinds = ("simple", "gated, forget bias 3", "attention")
    simple, *others = (np.median(before.reach(kind, 64), axis=0) for kind in kinds)
    assert simple[49] < 1e-15
    assert all(0.1 < other.min() < other.max() < 10 for other in others)


def test_the_figure_of_stacked_attention_is_described_wrongly():
    runs = transformer.through_layers(64)
    apart = {name: np.median(run["difference"], axis=0) for name, run in runs.items()}
    assert apart["attention alone"][4] < 1e-4
    assert max(apart, key=lambda name: apart[name][-1]) == "norm, then residual"


def test_chapter_7_gives_a_wrong_size_or_count():
    config, accuracy = Config(), stored.accuracy().values()
    either = stored.calibration().values()
    seeds = {len(sets["held-out pairs"]) for sets in stored.results(QUARTER).values()}
    assert (config.num_layers, 512 // config.d_model) == (2, 16)
    assert (len(SEEDS), sum(part.sentences for part in accuracy)) == (5, 10_000)
    assert len(EITHER) == 4
    assert sum(part["sentences"][0].sum() for part in either) == 2000
    assert (seeds, QUARTER, COUNT) == ({5}, 1000, 1000)
    trees = (named(initial(VARIANTS[name], 0)) for name in ("full", "one head"))
    four, one = (sum(array.size for array in tree.values()) for tree in trees)
    assert four == one


def test_the_figure_of_alignment_is_described_wrongly():
    found = stored.alignment()
    first, second = np.split(found.heads, 2, axis=1)
    ends = [first.min(), first.max(), second.min(), second.max()]
    np.testing.assert_allclose(ends, [1 / 6, 1 / 2, 1 / 3, 0.9], atol=0.05)
    assert (round(100 * found.chance), round(100 * found.diagonal)) == (14, 64)
    assert len(set(found.heads.argmax(axis=1))) > 1  # the best head differs by seed


def test_chapters_1_to_4_give_a_wrong_number_of_the_real_model():
    bank = real.senses_by_layer("bank")["right"]
    assert (bank[5], len(real.plane_at(5)["river"])) == (1, 16)
    beta, losses = real.loss_by_sharpness()
    loss = dict(zip(beta, losses.mean(axis=0), strict=True))
    assert loss[8] > 2 * loss[1]
    assert round(np.median(real.spread_of_scores()) / 8) == 2
    story = real.cost_of_each_head("story", "zero")
    assert (story.size, (np.abs(story) < 0.01).sum()) == (270, 124)
    assert sum(real.same_words("alike")) == 144


def test_two_ways_of_the_library_page_to_write_a_padding_mask_differ():
    page = (ROOT / "library.md").read_text(encoding="utf-8")
    [row] = [line for line in page.splitlines() if line.startswith("| `key_padding")]
    ways = re.findall(r"`(\w+)=(.*?)`", row)
    lengths = np.array([1, 3])
    names = {"lengths": lengths, "padding": np.arange(4) >= lengths[:, None]}
    arrays = np.random.default_rng(0).normal(size=(3, 2, 5, 4, 7))
    one, other = (
        attention.scaled_dot_product_attention(*arrays, **{k: eval(code, dict(names))})
        for k, code in ways
    )
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)


def test_the_library_page_has_no_row_for_an_argument():
    page = (ROOT / "library.md").read_text(encoding="utf-8")
    rows = page.split("| you want | you write |")[1].split("\n\n")[0]
    function = attention.scaled_dot_product_attention
    names = {*inspect.signature(function).parameters} - {"query", "key", "value"}
    assert names - {*re.findall(r"\b(\w+)=", rows)} == {"dropout_p"}
