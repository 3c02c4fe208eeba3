"""Figures of the apple walkthrough."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course.chapters.walkthrough_apple.experiments import FOCUS
from course.chapters.walkthrough_apple.tables import ROLES, trace
from course.kit import look
from course.kit.matrices import Matrix, equation
from course.notes import APPLE


def apples_weights() -> Figure:
    """Draw apple's weights in the three heads, computed and as the page lists them.

    Each head has a panel. Hollow marks show printed weights, filled ones computed
    weights.
    """
    fig, axes = plt.subplots(1, 3, figsize=(4.3, 2.6), sharey=True, sharex=True)
    for head, ax in enumerate(axes):
        _weights_panel(ax, head)
    axes[0].set_yticks(range(5), APPLE.tokens)
    axes[0].invert_yaxis()
    axes[1].set_xlabel("weight that “apple” gives")
    fig.tight_layout(rect=(0, 0.07, 1, 1))
    _legend(fig)
    return fig


def _weights_panel(ax: Axes, head: int) -> None:
    """Draw the printed and the computed weights of one head, joined by lines."""
    computed = trace().heads[head].weights[FOCUS]
    printed = APPLE.printed["apple_weights"][head]
    rows = np.arange(len(computed))
    ax.hlines(
        rows, computed, printed, color=look.colour("line"), linewidth=2.5, zorder=1
    )
    hollow = {"facecolor": look.colour("paper"), "edgecolor": look.colour("muted")}
    ax.scatter(printed, rows, s=42, linewidth=1.6, zorder=2, **hollow)
    ax.scatter(computed, rows, s=46, color=look.colour("output"), zorder=3)
    ax.set(xlim=(0, 0.45), title=f"head {head + 1}", xticks=(0, 0.2, 0.4))
    ax.tick_params(length=0)
    ax.spines["left"].set_visible(False)


def _legend(fig: Figure) -> None:
    """Draw a legend of the two kinds of marks, below the panels."""
    hollow = (look.colour("paper"), look.colour("muted"), "as the web page lists it")
    filled = (look.colour("output"), look.colour("output"), "from its inputs")
    quiet = {"fontsize": 9.5, "va": "center", "color": look.colour("muted")}
    for x, (face, edge, text) in ((0.12, hollow), (0.57, filled)):
        mark = plt.Line2D([x], [0.035], marker="o", markersize=6.5, linestyle="none")
        mark.set(markerfacecolor=face, markeredgecolor=edge, markeredgewidth=1.6)
        mark.set_transform(fig.transFigure)
        fig.add_artist(mark)
        fig.text(x + 0.03, 0.035, text, **quiet)


def row_maxima(values: ArrayLike) -> list[tuple[int, int]]:
    """Return the row and column of the largest entry of each row."""
    return list(enumerate(np.argmax(values, axis=-1).tolist()))


def concatenation() -> Figure:
    """Draw apple's three head outputs side by side: twelve numbers."""
    blocks = [
        Matrix(head.output[FOCUS], f"head {h + 1}", role="output", note=f"“{role}”")
        for h, (head, role) in enumerate(zip(trace().heads, ROLES, strict=True))
    ]
    return equation([blocks])


def apples_rows() -> Figure:
    """Draw apple's row of weights in the three heads."""
    rows = np.array([head.weights[FOCUS] for head in trace().heads])
    drawn = Matrix(
        rows,
        rows=[f"head {h + 1}" for h in range(len(rows))],
        columns=APPLE.tokens,
        fill="weights",
        marked=row_maxima(rows),
    )
    return equation([[drawn]])


def words_in_and_out() -> Figure:
    """Draw the five embeddings and the five outputs as lines over four features."""
    fig, axes = plt.subplots(2, 1, figsize=(4, 6), sharex=True, sharey=True)
    line = {"color": look.colour("ink"), "linewidth": 1.4}
    for ax, rows, name in zip(
        axes, (APPLE.X, trace().output), ("embeddings", "outputs"), strict=True
    ):
        ax.plot(range(4), rows.T, marker="o", markersize=4, **line)
        ax.set_title(name, loc="left", fontsize=10)
        ax.set_xticks(range(4), ["1st", "2nd", "3rd", "4th"])
        ax.tick_params(length=0)
    for word, x in zip(APPLE.tokens, APPLE.X, strict=True):
        axes[0].text(-0.15, x[0], word, ha="right", va="center_baseline")
    axes[1].text(1.5, 0.9, "all five words", ha="center", va="center_baseline")
    axes[0].set(xlim=(-0.95, 3.15), ylim=(0, 1.45), ylabel="value")
    axes[0].yaxis.set_ticks([0, 1])
    fig.tight_layout()
    return fig


def features() -> Figure:
    """Draw the five embeddings as lines over their four features."""
    fig, ax = plt.subplots(figsize=(4, 2.9))
    quiet = {"color": look.colour("muted"), "linewidth": 1.0}
    strong = {"color": look.colour("ink"), "linewidth": 2.6}
    styles = {"bought": strong, "to": {**strong, "linestyle": (0, (3, 1.5))}}
    for word, x in zip(APPLE.tokens, APPLE.X, strict=True):
        style = styles.get(word, quiet)
        ax.plot(range(4), x, marker="o", markersize=4, **style)
        left = {"ha": "right", "va": "center_baseline", "color": style["color"]}
        ax.text(-0.1, x[0], word, **left)
    ax.set(xlim=(-0.78, 3.1), ylim=(0, 1.08), ylabel="value")
    ax.set_xticks(range(4), ["e₁", "e₂", "e₃", "e₄"])
    ax.yaxis.set_ticks([0, 0.5, 1])
    ax.tick_params(length=0)
    fig.tight_layout()
    return fig


def winners(shares: Mapping[str, ArrayLike]) -> Figure:
    """Draw how often each of the five words gets apple's highest weight.

    `shares` maps the distribution of the weights to shares of the trials.
    """
    table = np.array(list(shares.values()))
    return equation(
        [[Matrix(table, rows=list(shares), columns=APPLE.tokens, fill="weights")]]
    )


def before_and_after(
    rows: ArrayLike, changed: ArrayLike, names: Sequence[str]
) -> Figure:
    """Draw apple's attention weights in three heads, shape (3, 5), before and after.

    `names` are the names of the two sets of weights.
    """
    old, new = names
    labels = [f"head {h + 1}" for h in range(3)]
    style = {"columns": APPLE.tokens, "fill": "weights"}
    before = Matrix(rows, old, labels, marked=row_maxima(rows), **style)
    after = Matrix(changed, new, marked=row_maxima(changed), **style)
    return equation([[before, "→", after]])
