"""Still pictures of figures: for paper, for readers without scripts, for thumbnails.

A picture is SVG with the colour variables of `course.kit.look`, so it follows the light
or dark mode of its page.
"""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
from numpy.typing import ArrayLike

from course.kit.prose import number

LINE = 22  # height of a row, in pixels
CELL = 48  # width of a cell
LETTER = 7.4  # approximate width of a letter


def _text(x: float, y: float, words: str, role: str = "ink", end: str = "start") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{end}" '
        f'fill="var(--abh-{role})">{escape(words)}</text>'
    )


def _svg(width: float, height: float, *parts: str) -> str:
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" aria-hidden="true">{"".join(parts)}</svg>'
    )


def bars(
    labels: Sequence[str],
    values: Sequence[float],
    role: str = "output",
    digits: int = 3,
) -> str:
    """Draw one bar per value, from 0 to 1, with its label and its number."""
    left = LETTER * max(map(len, labels)) + 8
    length, lines = 180, []
    for i, (label, value) in enumerate(zip(labels, values, strict=True)):
        y = LINE * i
        lines += [
            _text(left - 8, y + 15, label, end="end"),
            f'<rect x="{left:g}" y="{y + 3}" width="{length * value:.1f}" '
            f'height="{LINE - 6}" fill="var(--abh-{role})"/>',
            _text(left + length + 50, y + 15, number(value, digits), end="end"),
        ]
    return _svg(left + length + 54, LINE * len(labels), *lines)


def _colour(value: float, scale: str, limit: float) -> str:
    if scale == "weights":
        low, high, share = "weight-low", "weight-high", value
    else:
        high = "negative" if value < 0 else "positive"
        low, share = "zero", abs(value) / limit
    percent = 100 * min(max(share, 0.0), 1.0)
    return f"color-mix(in oklab,var(--abh-{low}),var(--abh-{high}) {percent:.0f}%)"


def matrix(
    name: str,
    values: ArrayLike,
    rows: Sequence[str] = (),
    scale: str = "signed",
    role: str = "ink",
    digits: int = 2,
) -> str:
    """Draw a matrix in brackets, with its name above and its rows' names beside it."""
    entries = np.asarray(values, dtype=float)
    limit = float(np.abs(entries).max()) or 1.0
    left = LETTER * max(map(len, rows), default=0) + 10
    parts = [_text(left, 14, name, role)]
    height, width = entries.shape[0] * LINE, entries.shape[1] * CELL
    for i, row in enumerate(entries):
        y = LINE * (i + 1)
        if rows:
            parts.append(_text(left - 8, y + 15, rows[i], "muted", "end"))
        for j, value in enumerate(row):
            x = left + CELL * j
            parts.append(
                f'<rect x="{x:g}" y="{y}" width="{CELL}" height="{LINE}" '
                f'style="fill:{_colour(value, scale, limit)}"/>'
            )
            parts.append(_text(x + CELL - 6, y + 15, number(value, digits), end="end"))
    for x, hook in ((left, 5), (left + width, -5)):
        parts.append(
            f'<path d="M{x + hook:g} {LINE}H{x:g}V{LINE + height}h{hook}" '
            'fill="none" stroke="var(--abh-ink)"/>'
        )
    return _svg(left + width + 2, LINE + height + 2, *parts)


def lines(rows: Sequence[str], columns: Sequence[str], weights: ArrayLike) -> str:
    """Draw lines from each row's word to each column's word, as thick as the weight."""
    left = LETTER * max(map(len, rows)) + 10
    right, thickest = left + 150, 12
    drawn = [
        f'<line x1="{left:g}" y1="{LINE * i + 11}" x2="{right:g}" y2="{LINE * j + 11}" '
        f'stroke="var(--abh-output)" stroke-opacity="0.6" '
        f'stroke-width="{thickest * weight:.1f}"/>'
        for i, row in enumerate(np.asarray(weights, dtype=float))
        for j, weight in enumerate(row)
        if weight > 0.02
    ]
    for i, word in enumerate(rows):
        drawn.append(_text(left - 6, LINE * i + 15, word, "query", "end"))
    for j, word in enumerate(columns):
        drawn.append(_text(right + 6, LINE * j + 15, word, "key"))
    width = right + LETTER * max(map(len, columns)) + 10
    return _svg(width, LINE * max(len(rows), len(columns)), *drawn)


def plane(
    places: Mapping[str, ArrayLike],
    shares: Mapping[str, float],
    query_word: str,
    output: ArrayLike,
    farthest: float,
    axes: tuple[str, str],
) -> str:
    """Draw words in a plane, the weights of one word on all words, and its output.

    `shares` are the weights of `query_word` on each word, itself included. Both axes
    run from 0 to `farthest`; `axes` are their topics.
    """
    side, left, thickest = 220, 12, 16

    def at(place: ArrayLike) -> tuple[float, float]:
        x, y = np.asarray(place, dtype=float) * side / farthest
        return left + x, 16 + side - y

    def line(role: str, start: ArrayLike, end: ArrayLike, width: float) -> str:
        (x, y), (to_x, to_y) = at(start), at(end)
        return (
            f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" '
            f'stroke="var(--abh-{role})" stroke-width="{width:.1f}"/>'
        )

    def ring(place: ArrayLike, radius: float, drawn: str) -> str:
        x, y = at(place)
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" {drawn}/>'

    weighed = [
        line("weight-high", places[query_word], places[word], thickest * share)
        for word, share in shares.items()
        if word != query_word
    ]
    width = f"{thickest * shares[query_word]:.1f}"
    own = f'fill="none" stroke="var(--abh-weight-high)" stroke-width="{width}"'
    words = [
        part
        for word, place in places.items()
        for part in (
            ring(place, 4, 'fill="var(--abh-ink)"'),
            _text(at(place)[0] + 8, at(place)[1] - 8, word),
        )
    ]
    return _svg(
        left + side + 60,
        side + 36,
        line("line", (0, 0), (farthest, 0), 1),
        line("line", (0, 0), (0, farthest), 1),
        *weighed,
        ring(places[query_word], 12, own),
        *words,
        line("output", places[query_word], output, 2),
        ring(output, 5, 'fill="var(--abh-output)"'),
        _text(left + side, side + 31, f"about {axes[0]} \u2192", "muted", "end"),
        _text(left + 6, 12, f"about {axes[1]} \u2191", "muted"),
    )


def triangle(
    corners: Mapping[str, tuple[float, float]],
    star: ArrayLike,
    result: ArrayLike,
    axes: tuple[str, str],
) -> str:
    """Draw a triangle of words in its dashed box, a star to reach, and the result.

    `corners` has the place of each word, `axes` the topic of each axis.
    """
    places = np.array(list(corners.values()))
    low, high = places.min(axis=0), places.max(axis=0)
    unit = 200 / (high - low).max()

    def at(place: ArrayLike) -> tuple[float, float]:
        x, y = unit * (np.asarray(place, dtype=float) - low)
        return 36 + x, 240 - y

    (left, bottom), (right, top) = at(low), at(high)
    ends = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(at, places))
    words = [
        _text(at(place)[0], at(place)[1] + (18 if place[1] < 0 else -8), word, "value")
        for word, place in corners.items()
    ]
    x, y = at(result)
    star_x, star_y = at(star)
    return _svg(
        right + 60,
        276,
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
        f'height="{bottom - top:.1f}" fill="none" stroke="var(--abh-muted)" '
        'stroke-dasharray="4 3"/>',
        f'<polygon points="{ends}" fill="var(--abh-value)" fill-opacity="0.12" '
        'stroke="var(--abh-value)"/>',
        *words,
        _text(star_x, star_y + 7, "\u2605", "output", "middle"),
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="var(--abh-output)"/>',
        _text(right, 270, f"{axes[0]} \u2192", "muted", "end"),
        _text(4, 14, f"{axes[1]} \u2191", "muted"),
    )


def boxes(shapes: Mapping[str, tuple[tuple[int, int], str]]) -> list[str]:
    """Draw matrices on one scale, from shape and role: {"Q": ((64, 512), "query")}."""
    side = max(max(shape) for shape, _ in shapes.values())
    return [
        _box(f"{name} {shape[0]} \u00d7 {shape[1]}", shape, 76 / side, role)
        for name, (shape, role) in shapes.items()
    ]


def _box(label: str, shape: tuple[int, int], scale: float, role: str) -> str:
    height, width = (max(3.0, scale * length) for length in shape)
    drawn = (
        f'<rect x="1" y="{LINE}" width="{width:.1f}" height="{height:.1f}" '
        f'fill="var(--abh-{role})" fill-opacity="0.35" stroke="var(--abh-{role})"/>'
    )
    whole = max(width, LETTER * len(label)) + 2
    return _svg(whole, LINE + 80, _text(1, 14, label), drawn)


def pieces(words: Sequence[Sequence[str]]) -> str:
    """Draw the pieces of each word in boxes, one line per word."""
    width, drawn = 0.0, []
    for i, word in enumerate(words):
        x = 1.0
        for piece in word:
            wide = LETTER * len(piece) + 10
            drawn += [
                f'<rect x="{x:g}" y="{LINE * i + 2}" width="{wide:g}" '
                f'height="{LINE - 4}" fill="none" stroke="var(--abh-muted)"/>',
                _text(x + wide / 2, LINE * i + 15, piece, end="middle"),
            ]
            x += wide + 3
        width = max(width, x)
    return _svg(width, LINE * len(words), *drawn)


def still(title: str, settings: Sequence[str], reading: str, *drawings: str) -> str:
    """Return the HTML of a figure for a page without scripts.

    `settings` has a text for each control with its value, `reading` is the sentence
    about the present state, and the drawings are SVG.
    """
    set_to = f'<p class="still-settings">{escape("; ".join(settings))}</p>'
    return (
        f'<figure class="still" role="group" aria-label="{escape(title)}">'
        f'<p class="still-title">{escape(title)}</p>{set_to if settings else ""}'
        f'<div class="still-pictures">{"".join(drawings)}</div>'
        f"<figcaption>{escape(reading)}</figcaption></figure>"
    )
