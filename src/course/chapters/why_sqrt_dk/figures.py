"""Figures of chapter 2."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from numpy.typing import ArrayLike

from course.kit import look

_BOTH = {"not divided": "ink", "divided by √dₖ": "output"}


def _widths_axis(ax: Axes, d_ks: Sequence[int]) -> None:
    """Make the x axis logarithmic, with a tick for each value of d_k."""
    ax.set_xscale("log", base=2)
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xticks(d_ks, [str(d_k) for d_k in d_ks])
    ax.set_xlim(d_ks[0] / 1.25, d_ks[-1] * 1.25)
    ax.set_xlabel("dₖ")


def _name(ax: Axes, x: float, y: float, text: str, role: str, **style: object) -> None:
    """Write a label in the colour of its curve."""
    ax.text(x, y, text, color=look.colour(role), **style)


def divisors(d_ks: Sequence[int], largest: Mapping[str, ArrayLike], m: int) -> Figure:
    """Draw the largest of m weights against d_k for three divisors of the scores.

    Parameters
    ----------
    d_ks : sequence of int
    largest : mapping of str to array_like, shape (len(d_ks),)
        Mean largest weight, by divisor.
    m : int
        Keys in a row.
    """
    fig, ax = plt.subplots(figsize=(4.8, 2.9))
    roles = dict(zip(largest, ("ink", "output", "muted"), strict=True))
    for name, values in largest.items():
        ax.plot(d_ks, values, "o-", color=look.colour(roles[name]), markersize=4)
        at = d_ks[-1] * 1.4, np.asarray(values)[-1]
        _name(ax, *at, f"divided by {name}", roles[name], va="center")
    ax.axhline(1 / m, color=look.colour("line"), linewidth=1, zorder=0)
    _name(ax, d_ks[0] * 1.1, 1 / m - 0.07, "all equal", "muted")
    _widths_axis(ax, d_ks)
    ax.set(ylim=(0, 1.02), ylabel="largest weight in a row")
    fig.tight_layout()
    return fig


def two_keys() -> Figure:
    """Draw the weight of the first of two keys, and its slope, against the gap."""
    gap = np.linspace(-8, 8, 201)
    p = 1 / (1 + np.exp(-gap))
    fig, ax = plt.subplots(figsize=(4.8, 2.7))
    ax.plot(gap, p, color=look.colour("output"))
    ax.plot(gap, p * (1 - p), color=look.colour("ink"))
    _name(ax, 2.6, 0.83, "weight p", "output")
    _name(ax, 1.9, 0.16, "slope p (1 − p)", "ink")
    ax.set(xlim=(-8, 8), ylim=(0, 1.02), xlabel="first logit minus second logit")
    fig.tight_layout()
    return fig


def norm_by_spread(
    spreads: ArrayLike, norms: Mapping[int, ArrayLike], single: ArrayLike
) -> Figure:
    """Draw the mean norm of the Jacobian against the spread of the logits.

    Parameters
    ----------
    spreads : array_like, shape (p,)
    norms : mapping of int to array_like, shape (p,)
        Mean norms, by the number of keys in a row: 2, 3, 8 and 64.
    single : array_like, shape (p, rows)
        Norms of some single rows, drawn faintly behind the means.
    """
    spreads = np.asarray(spreads)
    fig, ax = plt.subplots(figsize=(4.8, 2.9))
    ax.plot(spreads, single, color=look.colour("line"), linewidth=0.8, zorder=1)
    roles = ("muted", "muted", "ink", "output")
    for (m, values), role in zip(norms.items(), roles, strict=True):
        values = np.asarray(values)
        ax.plot(spreads, values, color=look.colour(role))
        at = spreads[0] * 1.1, values[0] + (-0.04 if m == 2 else 0.015)
        _name(ax, *at, f"{m} keys", role)
    ax.axhline(0.5, color=look.colour("line"), linewidth=1)
    look.powers_of_ten(ax.xaxis)
    ax.set(xlim=(spreads[0], spreads[-1]), ylim=(0, 0.56))
    ax.set_ylabel("norm of the Jacobian")
    _name(ax, spreads[-1], 0.515, "no softmax exceeds one half", "muted", ha="right")
    ax.set_xlabel("spread of all logits")
    fig.tight_layout()
    return fig


def learning_rates(rows: Sequence[Mapping[str, float | str]], d_k: int) -> Figure:
    """Draw the loss after training against the learning rate, divided or not.

    Parameters
    ----------
    rows : sequence of mappings
        Rows of `training.stored_sweep`.
    d_k : int
        Width whose rows are drawn.
    """
    fig, ax = plt.subplots(figsize=(4.8, 2.9))
    for (name, role), way in zip(_BOTH.items(), ("unscaled", "scaled"), strict=True):
        chosen = [r for r in rows if r["way"] == way and r["d_k"] == d_k]
        rates, found = zip(*[(r["rate"], r["loss"]) for r in chosen], strict=True)
        ax.plot(rates, found, "o-", color=look.colour(role), markersize=5)
        right = way == "unscaled"
        at = (rates[-1], found[-1] / 3.2) if right else (rates[3] / 1.4, found[4] / 1.5)
        _name(ax, *at, name, role, ha="right")
    look.powers_of_ten(ax.xaxis, ax.yaxis)
    ax.set(xlabel="learning rate", ylabel="loss at the end")
    fig.tight_layout()
    return fig
