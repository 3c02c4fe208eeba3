"""Figures of chapter 2."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from numpy.typing import ArrayLike

from attention import softmax
from course.chapters.why_sqrt_dk.experiments import Gradients
from course.kit import look
from course.kit.matrices import Matrix, equation

_BOTH = {"not divided": "ink", "divided by √dₖ": "output"}


def _widths_axis(ax: Axes, d_ks: Sequence[int]) -> None:
    """Put d_k on a logarithmic axis that names each value."""
    ax.set_xscale("log", base=2)
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xticks(d_ks, [str(d_k) for d_k in d_ks])
    ax.set_xlim(d_ks[0] / 1.25, d_ks[-1] * 1.25)
    ax.set_xlabel("dₖ")


def _name(ax: Axes, x: float, y: float, text: str, role: str, **style: object) -> None:
    """Write a label in the colour of what it names."""
    ax.text(x, y, text, color=look.colour(role), **style)


def rows_of_weights(d_ks: Sequence[int], scores: ArrayLike) -> Figure:
    """Draw a row of weights for each d_k, without and with the division.

    Parameters
    ----------
    d_ks : sequence of int
    scores : array_like, shape (len(d_ks), m)
        Raw scores.
    """
    scores, names = np.asarray(scores), [f"dₖ = {d_k}" for d_k in d_ks]
    scaled = scores / np.sqrt(np.asarray(d_ks, dtype=float))[:, None]
    raw = Matrix(softmax(scores), "softmax of q · k", names, fill="weights")
    kept = "softmax of q · k ÷ √dₖ"
    return equation([[raw], [Matrix(softmax(scaled), kept, names, fill="weights")]])


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


def saturation(
    d_ks: Sequence[int], raw: Mapping[str, ArrayLike], scaled: Mapping[str, ArrayLike]
) -> Figure:
    """Draw largest weight and entropy against d_k, both ways.

    Parameters
    ----------
    d_ks : sequence of int
    raw, scaled : mapping of str to array_like, shape (len(d_ks),)
        ``largest`` and ``entropy``, as `experiments.saturation` gives them.
    """
    fig, axes = plt.subplots(1, 2, figsize=(6.4, 2.7))
    panels = (("largest", "largest weight", 1.02), ("entropy", "entropy, in nats", 2.2))
    for ax, (key, title, limit) in zip(axes, panels, strict=True):
        for (_, role), values in zip(_BOTH.items(), (raw, scaled), strict=True):
            ax.plot(d_ks, values[key], "o-", color=look.colour(role), markersize=4)
        inwards = -0.05 * limit if key == "largest" else 0.05 * limit
        (first, ink), (second, plum) = _BOTH.items()
        _name(ax, d_ks[2] * 1.4, raw[key][2] + inwards, first, ink, va="center")
        below = scaled[key][3] - 0.12 * limit
        _name(ax, d_ks[3], below, second, plum, ha="center")
        ax.set(ylim=(0, limit * 1.05), title=title)
        _widths_axis(ax, d_ks)
    fig.tight_layout(w_pad=2)
    return fig


def two_keys() -> Figure:
    """Draw the weight of the first of two keys and its slope, against the gap."""
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


def jacobians(rows: Mapping[str, tuple[ArrayLike, ArrayLike]]) -> Figure:
    """Draw rows of weights with their Jacobians below each other.

    Parameters
    ----------
    rows : mapping of str to (array_like, array_like)
        Weights of shape (m,) and their Jacobian of shape (m, m), by name.
    """
    lines = []
    for name, (weights, derivative) in rows.items():
        p = Matrix(weights, f"{name}: p", fill="weights")
        slopes = Matrix(derivative, "Jacobian", fill="signed", limit=0.25)
        lines.append([p, "→", slopes])
    return equation(lines)


def norm_by_spread(
    spreads: ArrayLike, norms: Mapping[int, ArrayLike], single: ArrayLike
) -> Figure:
    """Draw the mean Jacobian norm against the spread of the logits of all rows.

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


def _gradient_bars(ax: Axes, d_ks: Sequence[int], both: Sequence[ArrayLike]) -> None:
    """Draw medians and the middle four fifths of gradients, both ways."""
    asides = (1 / 1.1, 1.1)
    for norms, role, aside in zip(both, _BOTH.values(), asides, strict=True):
        low, median, high = np.percentile(norms, [10, 50, 90], axis=1)
        colour, x = look.colour(role), np.asarray(d_ks) * aside
        ax.vlines(x, np.maximum(low, 1e-9), high, color=colour, linewidth=1.4)
        ax.plot(x, median, "o-", color=colour, markersize=4)
    _widths_axis(ax, d_ks)


def query_gradients(found: Mapping[tuple[int, int], Gradients]) -> Figure:
    """Draw how large a gradient reaches a query, in a panel for each number of keys.

    Parameters
    ----------
    found : mapping of (int, int) to Gradients
        By number of keys and by d_k; each number of keys with the same d_k.
    """
    keys, d_ks = (list(dict.fromkeys(size)) for size in zip(*found, strict=True))
    fig, axes = plt.subplots(1, len(keys), figsize=(7.0, 3.0), sharey=True)
    for ax, m in zip(axes, keys, strict=True):
        both = zip(*(found[m, d_k] for d_k in d_ks), strict=True)
        _gradient_bars(ax, d_ks, list(both))
        look.powers_of_ten(ax.yaxis)
        ax.set(ylim=(1e-8, 20), title=f"{m} keys")
    axes[0].set_ylabel("gradient that reaches a query")
    for (name, role), height in zip(_BOTH.items(), (1e-7, 1.5e-8), strict=True):
        _name(axes[-1], d_ks[0] / 1.1, height, name, role)
    fig.tight_layout(w_pad=1)
    return fig


def losses(curves: Mapping[str, ArrayLike], window: int = 4) -> Figure:
    """Draw the loss of trained heads, as a running mean over a few steps.

    Parameters
    ----------
    curves : mapping of str to array_like, shape (steps,)
        Losses of at most three heads, by a name that is written beside the curve.
    window : int
        Steps in the running mean, fewer where the curve begins.
    """
    fig, ax = plt.subplots(figsize=(4.8, 2.9))
    roles = ("output", "ink", "muted")
    for (name, loss), role in zip(curves.items(), roles, strict=False):
        starts = np.maximum(np.arange(len(loss)) - window + 1, 0)
        smooth = [np.mean(loss[a : i + 1]) for i, a in enumerate(starts)]
        ax.plot(smooth, color=look.colour(role), linewidth=1.4)
        low = int(np.argmax(np.less(smooth, 0.25 * smooth[0])))
        _name(ax, low + 2, smooth[low], name, role, va="bottom")
    ax.set(xlim=(0, len(smooth)), ylim=(0, None), xlabel="training step")
    ax.set_ylabel("loss")
    fig.tight_layout()
    return fig


def learning_rates(rows: Sequence[Mapping[str, float | str]], d_k: int) -> Figure:
    """Draw the loss after training against the learning rate, both ways.

    Parameters
    ----------
    rows : sequence of mappings
        Entries ``d_k``, ``way``, ``rate`` and ``loss``.
    d_k : int
        Which rows to draw.
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
