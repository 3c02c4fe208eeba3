"""Figures of chapter 7."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import ArrayLike

from course.kit import look
from course.kit.live import show_live
from course.kit.matrices import Matrix, equation

# --- cost -----------------------------------------------------------------------------


def cost_by_length(lengths: Sequence[int], parts: Mapping[str, ArrayLike]) -> Figure:
    """Draw the multiplications of a layer against the length of the sentence."""
    fig, ax = plt.subplots(figsize=(4, 2.9))
    roles, lifts = ("query", "output", "value"), (-5, 2, 5)
    for (name, counts), role, lift in zip(parts.items(), roles, lifts, strict=True):
        style = {"color": look.colour(role), "fontsize": 9.5, "va": "center"}
        ax.plot(lengths, counts, color=look.colour(role))
        near = {"textcoords": "offset points", "xytext": (4, lift)}
        ax.annotate(name, (lengths[-1], counts[-1]), **near, **style)
    ax.set_xscale("log", base=2)
    look.powers_of_ten(ax.yaxis)
    ax.set(xlabel="words", ylabel="multiplications of a layer")
    ax.minorticks_off()
    fig.tight_layout()
    return fig


# --- the model that translates --------------------------------------------------------


class LearningCurve:
    """Loss and accuracy of a training run of `steps` steps, drawn while it runs.

    The bar at the top shows the finished share of the steps.
    """

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.fig, (self.bar, self.loss, self.right) = plt.subplots(
            3, 1, figsize=(4, 3.8), height_ratios=[0.12, 1, 1]
        )
        self.points: list[tuple[int, float]] = []
        self.measured: list[tuple[int, float, float]] = []
        self.draw()
        self.show = show_live(self.fig)

    def add(
        self, step: int, loss: float, held_out: float | None, pairs: float | None
    ) -> None:
        """Add a step; draw again if accuracy was measured.

        `held_out` and `pairs` are the shares right for held-out sentences and for
        sentences with held-out pairs of words.
        """
        self.points.append((step, loss))
        if held_out is not None and pairs is not None:
            self.measured.append((step, held_out, pairs))
            self.draw()
            self.show()

    def draw(self) -> None:
        """Draw all steps so far."""
        for ax in (self.bar, self.loss, self.right):
            ax.clear()
        done = self.points[-1][0] if self.points else 0
        self.bar.barh(0, self.steps, color=look.colour("line"))
        self.bar.barh(0, done, color=look.colour("output"))
        self.bar.set(xlim=(0, self.steps), title=f"step {done} of {self.steps}")
        self.bar.set_axis_off()
        if self.points:
            self.loss.plot(*zip(*self.points, strict=True), color=look.colour("ink"))
        self.loss.set(
            xlim=(0, self.steps), ylabel="loss", yscale="log", ylim=(0.03, 12)
        )
        self.loss.set_yticks([0.1, 1, 10], ["0.1", "1", "10"])
        self.loss.minorticks_off()
        self.loss.set_xticklabels([])
        self._accuracy()
        self.fig.tight_layout()

    def _accuracy(self) -> None:
        """Draw the two accuracies, with their names in the upper left corner."""
        ax = self.right
        roles = {"held-out sentences": "query", "held-out pairs": "key"}
        for k, (name, role) in enumerate(roles.items(), start=1):
            line = [(point[0], point[k]) for point in self.measured]
            if line:
                ax.plot(*zip(*line, strict=True), "o-", color=look.colour(role))
            at = {"transform": ax.transAxes, "va": "top", "fontsize": 9.5}
            ax.text(0.02, 1.02 - 0.16 * k, name, color=look.colour(role), **at)
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        ax.set(xlim=(0, self.steps), ylim=(0, 1), xlabel="step", ylabel="right")


def accuracy_by_variant(found: Mapping[str, Mapping[str, ArrayLike]]) -> Figure:
    """Draw the share of right translations of every variant, a dot for each seed."""
    names = list(found)[::-1]
    fig, ax = plt.subplots(figsize=(4, 0.42 * len(names) + 1.1))
    sets = (("held-out sentences", "query", 0.13), ("held-out pairs", "key", -0.13))
    for name, role, lift in sets:
        for i, variant in enumerate(names):
            values = np.asarray(found[variant][name])
            style = {"color": look.colour(role), "alpha": 0.75, "markersize": 6}
            ax.plot(values, np.full(len(values), i + lift), "o", **style)
    for (name, role, _), y in zip(sets, (1.1, 1.01), strict=True):
        text = {"color": look.colour(role), "transform": ax.transAxes, "va": "bottom"}
        ax.text(0, y, name, fontsize=9.5, **text)
    ax.set_yticks(range(len(names)), names)
    ax.set(
        xlim=(-0.03, 1.03),
        ylim=(-0.5, len(names) - 0.5),
        xlabel="right to the last word",
    )
    ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.grid(axis="x")
    ax.set_axisbelow(True)
    fig.tight_layout()
    return fig


def alignment_by_head(
    heads: ArrayLike, layers: int, chance: float, diagonal: float
) -> Figure:
    """Draw how often each head's largest weight lies on an aligned word.

    `heads` has shape (seeds, layers * heads). `chance` and `diagonal` are the shares of
    a random head, and of a head that attends to the same position.
    """
    heads = np.asarray(heads)
    per_layer = heads.shape[1] // layers
    fig, ax = plt.subplots(figsize=(4, 2.9))
    for level, text in ((chance, "random head"), (diagonal, "same place")):
        ax.axhline(
            level, color=look.colour("muted"), linewidth=1, linestyle=(0, (4, 2))
        )
        style = {"fontsize": 9.5, "color": look.colour("muted")}
        # a place where the text hides few dots
        ax.text(-0.4, level + 0.015, f"{text}, {level:.0%}", **style)
    for layer in range(layers):
        places = np.arange(per_layer) + layer * per_layer
        part = np.sort(heads[:, places], axis=1)[:, ::-1]
        ax.plot(places, part.T, "o", color=look.colour("output"), alpha=0.7)
    ranks = ["1st", "2nd", "3rd", *(f"{k}th" for k in range(4, per_layer + 1))]
    ax.set_xticks(range(heads.shape[1]), ranks[:per_layer] * layers)
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.set(ylim=(0, 1.02), xlim=(-0.5, heads.shape[1] - 0.5), ylabel="aligned")
    for layer in range(layers):
        middle = (layer + 0.5) / layers
        under = {"transform": ax.transAxes, "ha": "center", "va": "top"}
        ax.text(middle, -0.14, f"layer {layer + 1}, best first", **under)
    fig.tight_layout()
    return fig


def weights_by_ending(rows: Mapping[str, ArrayLike], words: Sequence[str]) -> Figure:
    """Draw a head's weights on sentences that differ in the last word.

    `rows` maps the last word to the weights on all words. `words` are the words that
    the sentences share.
    """
    endings = [f"… {word}" for word in rows]
    weights = np.column_stack(list(rows.values()))
    return equation([[Matrix(weights, "", [*words, "…"], endings, fill="weights")]])


def weights_on_nouns(rows: Mapping[str, tuple[float, float]], marked: str) -> Figure:
    """Draw each head's mean weight on the noun that *it* means and on the other noun.

    `rows` maps a head's name, such as ``encoder.1.self_attention.head.0``, to both
    weights. Each sublayer has a panel. The label of the head `marked` says that it is
    the head of chapter 7.
    """
    groups: dict[str, list[str]] = {}
    for name in rows:
        groups.setdefault(name.split(".head.")[0], []).append(name)
    fig, axes = plt.subplots(
        len(groups), 1, figsize=(4, 0.27 * len(rows) + 2.1), sharex=True
    )
    for ax, (group, names) in zip(axes, groups.items(), strict=True):
        side, layer, kind = group.split(".")
        cross = ", cross-attention" if kind == "cross_attention" else ""
        ax.set_title(f"{side} layer {int(layer) + 1}{cross}", fontsize=9.5, loc="left")
        for i, name in enumerate(names):
            meant, other = rows[name]
            ax.plot([other, meant], [i, i], color=look.colour("line"), zorder=1)
            ax.plot(other, i, "o", color=look.colour("muted"), markersize=5)
            ax.plot(meant, i, "o", color=look.colour("output"), markersize=7)
        heads = [
            f"head {i + 1}" + (", chapter 7" if name == marked else "")
            for i, name in enumerate(names)
        ]
        ax.set_yticks(range(len(names)), heads, fontsize=9.5)
        ax.set(xlim=(-0.02, 1.02), ylim=(len(names) - 0.5, -0.5))
    axes[-1].set_xlabel("mean weight\n(large dot: the noun that is meant)")
    fig.tight_layout()
    return fig
