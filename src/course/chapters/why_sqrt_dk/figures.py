"""Figures of chapter 2."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course.kit import look

_BOTH = {"not divided": "ink", "divided by √dₖ": "output"}


def _label(ax: Axes, x: float, y: float, text: str, role: str, **style: object) -> None:
    """Write a label in the colour of a role."""
    ax.text(x, y, text, color=look.colour(role), **style)


def nudged(rows: Mapping[str, tuple[ArrayLike, ArrayLike]]) -> Figure:
    """Draw the weights of each row before and after a change of one logit.

    `rows` maps the title of a panel to the weights before and after.
    """
    size = (4, 1.7 * len(rows))
    fig, axes = plt.subplots(len(rows), 1, figsize=size, sharex=True)
    for ax, (title, (before, after)) in zip(axes, rows.items(), strict=True):
        keys = np.arange(1, len(np.asarray(before)) + 1)
        for shift, weights, role in ((-0.2, before, "muted"), (0.2, after, "output")):
            ax.bar(keys + shift, weights, width=0.38, color=look.colour(role))
        ax.set(title=title, ylim=(0, 1), xticks=keys, ylabel="weight")
        ax.tick_params(axis="x", length=0)
    _label(axes[0], 0.6, 0.88, "before", "muted")
    _label(axes[0], 0.6, 0.74, "after", "output")
    axes[-1].set_xlabel("key")
    fig.tight_layout()
    return fig


def reach(
    norms: Mapping[tuple[int, int], tuple[ArrayLike, ArrayLike]], least: float = 1e-9
) -> Figure:
    """Draw the gradients of queries by width, one panel for each number of keys.

    `norms` maps the number of keys and d_k to the norms without and with the division.
    Norms below `least` are drawn at this value.
    """
    counts, widths = (list(dict.fromkeys(each)) for each in zip(*norms, strict=True))
    size = (4, 2 * len(counts))
    fig, axes = plt.subplots(len(counts), 1, figsize=size, sharex=True, sharey=True)
    for ax, m in zip(axes, counts, strict=True):
        for side, role in enumerate(_BOTH.values()):
            found = [np.maximum(norms[m, d][side], least) for d in widths]
            low, middle, high = np.percentile(found, [10, 50, 90], axis=1)
            x = np.array(widths) * (0.87, 1.15)[side]  # beside each other
            ax.vlines(x, low, high, color=look.colour(role), linewidth=1.5)
            ax.plot(x, middle, "o-", color=look.colour(role), markersize=4, linewidth=1)
        ax.set(title=f"{m} keys", xscale="log", yscale="log")
        ax.set_xticks(widths, [str(d) for d in widths])
        ax.tick_params(axis="x", length=0, which="both")
        ax.minorticks_off()
    for (name, role), y in zip(_BOTH.items(), (1e-7, 1e-8), strict=True):
        _label(axes[0], 14, y, name, role)
    axes[-1].set_xlabel("width of a key")
    fig.supylabel("gradient of a query", fontsize=10)
    fig.tight_layout()
    return fig


def learning_rates(rows: Sequence[Mapping[str, float | str]], d_k: int) -> Figure:
    """Draw the loss after training by learning rate, with and without division.

    The figure shows the `rows` of `training.stored_sweep` with this width `d_k`.
    """
    fig, ax = plt.subplots(figsize=(4, 2.9))
    for (name, role), way in zip(_BOTH.items(), ("unscaled", "scaled"), strict=True):
        chosen = [r for r in rows if r["way"] == way and r["d_k"] == d_k]
        rates, found = zip(*[(r["rate"], r["loss"]) for r in chosen], strict=True)
        ax.plot(rates, found, "o-", color=look.colour(role), markersize=5)
        right = way == "unscaled"
        at = (rates[-1], found[-1] / 3.2) if right else (rates[3] / 1.4, found[4] / 1.5)
        _label(ax, *at, name, role, ha="right")
    look.powers_of_ten(ax.xaxis, ax.yaxis)
    ax.set(xlabel="learning rate", ylabel="loss at the end")
    fig.tight_layout()
    return fig
