"""Figures of chapter 9."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from course.kit import look


def loss_by_sharpness(
    beta: ArrayLike, losses: ArrayLike, texts: Sequence[str]
) -> Figure:
    """Draw the loss of each text against the sharpness of all heads.

    The first `beta` must be 0; the logarithmic axis cannot show this value. `losses`
    has shape (texts, len(beta)).
    """
    beta, losses = np.asarray(beta)[1:], np.asarray(losses)[:, 1:]
    fig, ax = plt.subplots(figsize=(4, 3.2))
    places = np.log2(beta)
    for name, loss in zip(texts, losses, strict=True):
        ax.plot(places, loss, color=look.colour("muted"), lw=1, label=name)
    ax.plot(places, losses.mean(axis=0), "o-", color=look.colour("output"), lw=2)
    for at, words in (
        (-3, "divided\nby 64"),
        (0, "divided\nby 8"),
        (3, "not\ndivided"),
    ):
        ax.annotate(
            words, (at, 0.2), ha="center", fontsize=9, color=look.colour("muted")
        )
    ax.set_xticks([-3, -2, -1, 0, 1, 2, 3], ["1/8", "1/4", "1/2", "1", "2", "4", "8"])
    ax.set(xlabel="sharpness of all heads", ylabel="loss, nats a token", ylim=(0, None))
    fig.tight_layout()
    return fig


def grids(measures: Mapping[str, ArrayLike]) -> Figure:
    """Draw measures, each of shape (layers, heads), as one square for each head.

    A square is white at 0 and has its full colour at 1.
    """
    fig, axes = plt.subplots(len(measures), 1, figsize=(4, 1.55 * len(measures)))
    for ax, (name, values) in zip(np.atleast_1d(axes), measures.items(), strict=True):
        squares = np.asarray(values).T
        style = {"cmap": look.WEIGHTS, "vmin": 0, "vmax": 1}
        ax.pcolormesh(squares, edgecolors=look.colour("line"), linewidth=0.4, **style)
        ax.set_title(name, fontsize=10, loc="left")
        ax.set(ylabel="head", yticks=[0.5, 4.5, 8.5], yticklabels=["0", "4", "8"])
        ticks = [0, 5, 10, 15, 20, 25, 29]
        ax.set_xticks([tick + 0.5 for tick in ticks], [str(tick) for tick in ticks])
        ax.invert_yaxis()
    ax.set_xlabel("layer")
    fig.tight_layout()
    return fig


def switches(story: ArrayLike, words: ArrayLike, labels: int = 5) -> Figure:
    """Draw for each head how much the loss of two texts rises without it.

    The heads with the largest cost are named, `labels` of them for each text.
    """
    fig, ax = plt.subplots(figsize=(4, 3.6))
    across, up = np.ravel(story), np.ravel(words)
    ax.axhline(0, color=look.colour("line"), lw=1, zorder=0)
    ax.axvline(0, color=look.colour("line"), lw=1, zorder=0)
    style = {"ms": 4.5, "alpha": 0.6, "mew": 0, "color": look.colour("output")}
    ax.plot(across, up, "o", **style)
    named = {*np.argsort(-across)[:labels], *np.argsort(-up)[:labels]}
    for rank, place in enumerate(sorted(named, key=lambda place: -up[place])):
        layer, head = divmod(int(place), np.shape(story)[1])
        ax.annotate(
            f"({layer}, {head})",
            (across[place], up[place]),
            xytext=(4, -10 if rank % 2 else 3),  # alternate: no overlap
            textcoords="offset points",
            fontsize=9,
        )
    ax.set(xlabel="rise in the story, nats a token", ylabel="rise in repeated words")
    ax.margins(x=0.12, y=0.1)
    fig.tight_layout()
    return fig


def senses(words: Mapping[str, Mapping[str, ArrayLike]]) -> Figure:
    """Draw how well each layer separates the two senses of each word.

    For each word, `words` has the result of `experiments.senses_by_layer`.
    """
    fig, axes = plt.subplots(len(words), 1, figsize=(4, 1.8 * len(words)), sharex=True)
    for ax, (word, found) in zip(np.atleast_1d(axes), words.items(), strict=True):
        layer = np.asarray(found["layer"])
        ax.plot(layer, found["right"], "o-", ms=3, color=look.colour("output"))
        before, chance = found["right_word_before"], found["chance_best_layer"]
        ax.plot(layer, before, color=look.colour("query"), lw=1)
        ax.plot(layer, chance, "--", color=look.colour("muted"), lw=1)
        ax.set_title(f"“{word}”", fontsize=10)
        ax.set(ylim=(0.3, 1.03), xticks=[0, 10, 20, 30])
    first = np.atleast_1d(axes)[0]
    first.set_ylabel("right, leave one out")
    for name, at, role in (
        ("the word", 0.5, "output"),
        ("the word before", 0.43, "query"),
        ("chance", 0.36, "muted"),
    ):
        first.text(30, at, name, ha="right", fontsize=9, color=look.colour(role))
    fig.supxlabel("layers passed", fontsize=10)
    fig.tight_layout()
    return fig


def planes(layers: Mapping[int, Mapping[str, ArrayLike]]) -> Figure:
    """Draw vectors, (sentences, 2), of one word at several layers, by sense."""
    fig, axes = plt.subplots(len(layers) // 2, 2, figsize=(4, len(layers)))
    marks = {"river": ("o", "query"), "money": ("s", "key")}
    for ax, (layer, found) in zip(axes.flat, layers.items(), strict=True):
        for sense, points in found.items():
            mark, role = marks[sense]
            across, up = np.asarray(points).T
            style = {"ms": 4.5, "alpha": 0.7, "mew": 0, "color": look.colour(role)}
            ax.plot(across, up, mark, label=sense, **style)
        ax.set_title(f"after {layer} layers", fontsize=10)
        ax.set(xticks=[], yticks=[])
        ax.set_box_aspect(1)
    axes.flat[0].legend(fontsize=9, loc="best", handletextpad=0.2)
    fig.tight_layout()
    return fig
