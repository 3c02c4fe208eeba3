"""Experiments, figures and the table of the errata chapter."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
import traitlets

from attention import softmax
from course.chapters.errata import experiments as errata
from course.chapters.errata import figures
from course.ledger import CHECKED, checked_by_note, checked_by_step, counts, rows
from course.notes import APPLE
from course.widgets import LedgerTable


def test_counts_by_note_and_by_step_agree():
    by_note = checked_by_note()
    for note, counted in by_note.items():
        steps = np.array(list(checked_by_step(note).values()))
        # the only recomputed figures outside the steps stand in running text
        text = [
            counts("note", "step", "verdict")[f"{note}.md", "text", v] for v in CHECKED
        ]
        inputs = [
            counts("note", "step", "verdict")[f"{note}.md", "inputs", v]
            for v in CHECKED
        ]
        np.testing.assert_array_equal(steps.sum(axis=0) + text + inputs, counted)


def test_a_slip_changes_only_what_follows_it():
    query, scores, weights, output = errata.apple_slip()
    assert query.labels[0] == "entry 0"
    np.testing.assert_allclose(query.slipped - query.right, [-0.37, 0, 0, 0])
    keys = APPLE.X @ APPLE.W_K[0]
    np.testing.assert_allclose(scores.slipped - scores.right, -0.37 * keys[:, 0])
    np.testing.assert_allclose(weights.slipped, softmax(scores.slipped / 2))
    np.testing.assert_allclose(output.slipped, weights.slipped @ APPLE.X @ APPLE.W_V[0])


def test_no_slip_changes_nothing():
    right = float((APPLE.X @ APPLE.W_Q[1])[2, 3])
    for path in errata.follow_slip(APPLE, 1, "apple", 3, right):
        assert path.largest_change == 0


def test_slip_of_an_unknown_token():
    with pytest.raises(ValueError, match="pear"):
        errata.follow_slip(APPLE, 0, "pear", 0, 1.0)


def test_score_gaps_invert_the_softmax():
    weights = np.array([0.9, 0.07, 0.03])
    np.testing.assert_allclose(softmax(errata.score_gaps(weights, 64) / 8), weights)
    with pytest.raises(ValueError, match="must be positive"):
        errata.score_gaps([1.0, 0.0], 64)


def test_whole_scores_round_to_the_printed_percentages():
    for i, j in errata.whole_scores(["90", "7", "3"], d_k=64):
        row = 100 * softmax(np.array([0, -i, -j]) / 8)
        np.testing.assert_array_equal(row.round(), [90, 7, 3])
    assert errata.whole_scores(["50", "25", "25"], d_k=1) == []


def test_parameters_of_a_size_small_enough_to_count_by_hand():
    size = errata.Size(d_model=2, d_ff=3, h=1, d_k=2, d_v=2, layers=1)
    assert errata.attention_parameters(size) == 4 * 4
    assert errata.parameters(size, vocabulary=5) == {
        "embedding": 10,
        "attention": 3 * 16,
        "feed-forward": 2 * (6 + 3 + 6 + 2),
        "normalisation": 5 * 4,
        "total": 10 + 48 + 34 + 20,
    }


def test_fitting_vocabulary_gives_the_printed_count():
    vocabulary = round(errata.fitting_vocabulary(errata.BASE, 65))
    total = errata.parameters(errata.BASE, vocabulary)["total"]
    assert abs(total - 65e6) < errata.BASE.d_model


def test_figures_draw_what_they_are_given():
    bars = figures.verdict_bars({"a": [4, 3, 2, 1]})
    assert [ax.patches[0].get_width() for ax in bars.axes] == [4, 3, 2, 1]
    slip = figures.slip_path(errata.apple_slip())
    assert [ax.get_title(loc="left").split(":")[0] for ax in slip.axes] == [
        "query",
        "scores",
        "weights",
        "output",
    ]
    sums = figures.row_sums([[1.0, 0.9]], ["a", "b"], ["head 1"])
    assert {text.get_text() for text in sums.axes[0].texts} == {"1.000", "0.900"}
    plt.close("all")


def test_table_holds_every_row():
    assert len(LedgerTable().packed.split("\n")) == len(rows())


def test_table_of_some_rows():
    table = LedgerTable(rows("apple-walkthrough", 43), find="Q1")
    assert table.packed.split("\n")[-1].split("\t")[1:4] == [
        "43",
        "Q1[apple][0]",
        "0.81",
    ]


def test_a_row_to_go_to_has_a_note_and_a_line():
    with pytest.raises(traitlets.TraitError, match="apple-walkthrough:185"):
        LedgerTable(row="line 185")
