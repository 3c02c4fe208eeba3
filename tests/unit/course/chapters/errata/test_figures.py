"""Figures and the table of the errata show their data under the right names."""

import numpy as np
import pytest
import traitlets
from matplotlib.colors import to_hex

from course.chapters.errata import experiments, figures
from course.kit import look
from course.ledger import CHECKED, rows
from course.widgets import LedgerTable


def test_a_count_stands_in_another_panel_or_row():
    counted = {"a": [40, 30, 20, 10], "b": [4, 3, 2, 1]}
    axes = figures.verdict_bars(counted).axes
    colours = ["right", "negative", "muted", "wrong"]
    assert [ax.get_title(loc="left") for ax in axes] == list(CHECKED)
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["a", "b"]
    columns = zip(*counted.values(), strict=True)
    for ax, column, colour in zip(axes, columns, colours, strict=True):
        at = {bar.get_y() + bar.get_height() / 2: bar for bar in ax.patches}
        said = {t.get_position()[1]: t.get_text() for t in ax.texts}
        for y, count in enumerate(column):
            assert (at[y].get_width(), said[y]) == (count, str(count))
        drawn = {to_hex(bar.get_facecolor()) for bar in ax.patches}
        assert drawn == {look.colour(colour)}


def test_a_step_after_the_slip_has_other_figures_or_colours():
    paths = experiments.apple_slip()
    figure = figures.slip_path(paths)
    titles = [ax.get_title(loc="left") for ax in figure.axes]
    assert titles[0] == "query: up to 31% off"
    assert [t.split(":")[0] for t in titles] == ["query", "scores", "weights", "output"]
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


def test_a_sum_stands_beside_another_row():
    sums = [[1.0, 0.9], [1.1, 1.0]]
    figure = figures.row_sums(sums, ["a", "b"], ["head 1", "head 2"])
    for ax, name, values in zip(figure.axes, ["head 1", "head 2"], sums, strict=True):
        assert ax.get_title(loc="left") == name
        said = {round(t.get_position()[1] + 0.24): t.get_text() for t in ax.texts}
        assert said == {y: f"{value:.3f}" for y, value in enumerate(values)}
        dots = ax.collections[-1]
        assert dots.get_offsets().tolist() == [[v, y] for y, v in enumerate(values)]
        shown = [to_hex(colour) for colour in dots.get_facecolor()]
        assert shown == [look.colour("right" if v == 1 else "wrong") for v in values]
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names == ["a", "b"]


def test_the_table_of_the_ledger_loses_a_row():
    assert len(LedgerTable().packed.split("\n")) == len(rows())
    table = LedgerTable(rows("apple-walkthrough", 43), find="Q1")
    last = table.packed.split("\n")[-1].split("\t")
    assert last[1:4] == ["43", "Q1[apple][1]", "0.81"]
    with pytest.raises(traitlets.TraitError, match="apple-walkthrough:185"):
        LedgerTable(row="line 185")
