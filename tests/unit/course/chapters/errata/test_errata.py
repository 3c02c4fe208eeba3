"""Experiments, figures and the table of the errata chapter."""

import re
from collections import Counter
from pathlib import Path

import nbformat
import numpy as np
import pytest
import traitlets
from matplotlib.colors import to_hex

from attention import softmax
from course.chapters.errata import experiments as errata
from course.chapters.errata import figures
from course.chapters.errata.tables import eight_errors
from course.kit import look
from course.ledger import (
    CHECKED,
    NOTES,
    checked_by_note,
    checked_by_step,
    counts,
    lost_figures,
    rows,
)
from course.notes import APPLE
from course.widgets import LedgerTable


def test_every_note_and_every_recomputed_figure_is_counted():
    by_note = checked_by_note()
    assert [f"{note}.md" for note in by_note] == list(NOTES)
    found = Counter(row.verdict for row in rows())
    totals = [sum(column) for column in zip(*by_note.values(), strict=True)]
    assert totals == [found[verdict] for verdict in CHECKED]
    for note, counted in by_note.items():
        verdicts = [row.verdict for row in rows(note)]
        assert counted == [verdicts.count(verdict) for verdict in CHECKED]


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
    found = errata.whole_scores(["90", "7", "3"], d_k=64)
    gaps = [(i, j) for i in range(61) for j in range(61)]
    rows = [100 * softmax(np.array([0, -i, -j]) / 8) for i, j in gaps]
    fits = [(row.round() == [90, 7, 3]).all() for row in rows]
    assert found == [gap for gap, fit in zip(gaps, fits, strict=True) if fit]
    assert found
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


def test_verdict_bars_name_panels_rows_and_counts():
    counted = {"a": [40, 30, 20, 10], "b": [4, 3, 2, 1]}
    axes = figures.verdict_bars(counted).axes
    colours = ["right", "negative", "muted", "wrong"]
    assert [ax.get_title(loc="left") for ax in axes] == list(CHECKED)
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["a", "b"]
    for ax, column, colour in zip(
        axes, zip(*counted.values(), strict=True), colours, strict=True
    ):
        at = {bar.get_y() + bar.get_height() / 2: bar for bar in ax.patches}
        said = {t.get_position()[1]: t.get_text() for t in ax.texts}
        for y, count in enumerate(column):
            assert at[y].get_width() == count
            assert said[y] == str(count)
        drawn = {to_hex(bar.get_facecolor()) for bar in ax.patches}
        assert drawn == {look.colour(colour)}


def test_a_slip_is_followed_step_by_step():
    paths = errata.apple_slip()
    figure = figures.slip_path(paths)
    steps = [ax.get_title(loc="left").split(":")[0] for ax in figure.axes]
    assert steps == ["query", "scores", "weights", "output"]
    for ax, path in zip(figure.axes, paths, strict=True):
        names = [label.get_text() for label in ax.get_yticklabels()]
        assert names == list(path.labels)
        drawn = {line.get_label(): line.get_xdata() for line in ax.lines}
        np.testing.assert_array_equal(drawn["right"], path.right)
        np.testing.assert_array_equal(drawn["after the slip"], path.slipped)
    [legend] = figure.legends
    shown = zip(legend.legend_handles, legend.texts, strict=True)
    colours = {text.get_text(): to_hex(mark.get_color()) for mark, text in shown}
    assert colours == {
        "right": look.colour("right"),
        "after the slip": look.colour("wrong"),
    }


def test_row_sums_stand_beside_their_rows():
    sums = [[1.0, 0.9], [1.1, 1.0]]
    figure = figures.row_sums(sums, ["a", "b"], ["head 1", "head 2"])
    for ax, name, values in zip(figure.axes, ["head 1", "head 2"], sums, strict=True):
        assert ax.get_title(loc="left") == name
        assert ax.get_yticks().tolist() == [0, 1]
        said = {round(t.get_position()[1] + 0.24): t.get_text() for t in ax.texts}
        assert said == {y: f"{value:.3f}" for y, value in enumerate(values)}
        dots = ax.collections[-1]
        assert dots.get_offsets().tolist() == [[v, y] for y, v in enumerate(values)]
        shown = [to_hex(colour) for colour in dots.get_facecolor()]
        assert shown == [look.colour("right" if v == 1 else "wrong") for v in values]
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names == ["a", "b"]


def test_table_holds_every_row():
    assert len(LedgerTable().packed.split("\n")) == len(rows())


def test_table_of_some_rows():
    table = LedgerTable(rows("apple-walkthrough", 43), find="Q1")
    assert table.packed.split("\n")[-1].split("\t")[1:4] == [
        "43",
        "Q1[apple][1]",
        "0.81",
    ]


def test_a_row_to_go_to_has_a_note_and_a_line():
    with pytest.raises(traitlets.TraitError, match="apple-walkthrough:185"):
        LedgerTable(row="line 185")


# what the page says in words


CHAPTERS = Path(__file__).resolve().parents[5] / "chapters"


def headings_and_cells(name):
    """Each cell of a chapter with the heading that it stands under."""
    heading = ""
    for cell in nbformat.read(CHAPTERS / f"{name}.ipynb", as_version=4).cells:
        if cell.cell_type == "markdown":
            found = re.findall(r"^#{1,4} (.*)$", cell.source, re.MULTILINE)
            heading = found[-1] if found else heading
        yield heading, cell


def page_text():
    return "\n".join(cell.source for _, cell in headings_and_cells("errata"))


@pytest.mark.parametrize(
    "said",
    [
        r"X_{\text{sat}} = [1, 0, 1, 0, 0]$ | $[1, 1, 0, 0]$",
        "without saying along\nwhich axis. Along each row, over the keys",
        "Of two matrices one\ntakes the matrix product",
        '**"Currently state-of-the-art."** For what, and when?',
        "The page's own exponentials",
        "ledger.lost_figures()",
        "by terms\nthat depend on position in the scores, or by a causal mask",
        "What depends on the input are the\nweights and the values.",
    ],
)
def test_what_was_known_is_said(said):
    assert said in page_text()


def test_it_opens_with_the_eight_errors_and_then_the_table():
    found = re.findall(r"^## (.*)$", page_text(), re.MULTILINE)
    assert found[:2] == [
        "Eight errors that turn a conclusion",
        "Look up any number",
    ]
    assert len(eight_errors().splitlines()) == 2 + 8


def test_head_3_s_weights_from_the_page_s_own_exponentials():
    exponentials = APPLE.printed["apple_exp"][2]
    own = exponentials / exponentials.sum()
    np.testing.assert_allclose(own, [0.163, 0.272, 0.283, 0.107, 0.176], atol=5e-4)
    listed = rows("apple-walkthrough")
    chained = [
        r.chained
        for r in listed
        if re.match(r"weights3\[apple\]\[\w+\] in the list", r.quantity)
    ]
    np.testing.assert_allclose(own, chained, atol=5e-4)


def test_a_printed_row_of_x_has_five_entries():
    surplus = [r for r in rows("handwritten-notes", 387) if "surplus" in r.quantity]
    assert [r.printed for r in surplus] == ["0"]


def test_the_twenty_lost_figures_are_drawn_again_where_the_list_says():
    drawn = {
        int(tag.removeprefix("lost-")): heading
        for heading, cell in headings_and_cells("06-transformer")
        for tag in cell.metadata.get("tags", [])
        if tag.startswith("lost-")
    }
    listed = {n: f.section for n, f in enumerate(lost_figures(), start=1)}
    assert len(listed) == 20
    assert drawn == listed


def test_gershgorin_bounds_the_softmax_s_derivative_by_one_half():
    for seed in range(3):
        for m in (2, 5, 50):
            p = softmax(3 * np.random.default_rng(seed).standard_normal(m))
            J = np.diag(p) - np.outer(p, p)
            np.testing.assert_allclose(np.abs(J).sum(axis=1), 2 * p * (1 - p))
            bound = np.abs(J).sum(axis=1).max()
            assert np.linalg.norm(J, 2) <= bound * (1 + 1e-12) <= 0.5


def test_the_first_two_looks_catch_every_printed_row_of_the_walkthrough():
    page = APPLE.printed
    sums = abs(page["weights"].sum(axis=-1) - 1) > 0.002
    order = np.argsort(page["scores"], axis=-1) != np.argsort(page["weights"], axis=-1)
    assert (sums.sum(), (order.any(axis=-1) & ~sums).sum()) == (12, 3)
