"""Make the site's font for formulas: STIX Two Math with only the characters in use.

A browser draws a formula with one font. This font must have the larger sizes of braces,
roots and sums, and the table `MATH`, which says where scripts and bars go.
"""

import io
import unicodedata
import xml.etree.ElementTree as ET
from bisect import bisect_right
from collections.abc import Iterable, Set
from functools import cache

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from book.vendor import vendored

WHOLE = "stix-two-math/stix-two-math.woff2"
ITALICS = (*range(0x1D434, 0x1D468), 0x210E, 0x1D6A4, 0x1D6A5, *range(0x1D6E2, 0x1D71C))


def _upright(italic: str) -> str:
    _, code = unicodedata.decomposition(italic).split()
    return chr(int(code, 16))


# MathML contains upright letters; a browser draws a single letter as the italic letter
# of Unicode (MathML Core, "italic mappings").
ITALIC = {_upright(c): c for c in map(chr, ITALICS) if unicodedata.decomposition(c)}

# The font always has these characters, so that few new formulas change the font: the
# keyboard's, italic letters, common signs, the root sign (MathML never names it) and
# invisible operators (without their zero-width glyphs Firefox leaves a gap).
ALWAYS = frozenset(
    [
        *map(chr, range(0x20, 0x7F)),
        *(c for c in ITALIC.values() if not "\U0001d6e2" <= c <= "\U0001d6fa"),
        *"√∑−±×÷·⋅∗∘∂∇∞≤≥≠≈∼∝→←∈…⋯′ΔΣ\u2061\u2062\u2063\u2064",
    ]
)

# In thousandths of an em. By default a browser lowers a subscript with the depth of its
# letter: the i of q_i hangs lower than the i of k_i. `SubscriptBaselineDropMin` stops
# this. A bar of 1.2 pixels would be drawn with one pixel or with two; slightly thinner
# bars all look alike.
CONSTANTS = {
    "SubscriptBaselineDropMin": 0,
    "SuperscriptBaselineDropMax": 350,
    "SpaceAfterScript": 60,
    "FractionRuleThickness": 55,
    "RadicalRuleThickness": 55,
    "RadicalDisplayStyleVerticalGap": 85,  # if larger, Firefox takes a taller sign
}

LEANS = (30, 55, 90)  # thousandths of an em: where the levels 1, 2 and 3 begin
TIGHT = 35  # thousandths of an em: with less room a subscript touches its letter
FOOT = 200  # thousandths of an em above the baseline: the top of a subscript


def characters(mathml: Iterable[str]) -> set[str]:
    """Collect the characters that formulas are drawn with."""
    return {
        character
        for formula in mathml
        for element in ET.fromstring(formula).iter()
        for character in drawn(element)
    }


def drawn(element: ET.Element) -> str:
    """Return the text of one element of a formula as a browser draws it."""
    text = element.text or ""
    if element.tag == "mi" and element.get("mathvariant") != "normal":
        return ITALIC.get(text, text)
    return text


def _whole() -> TTFont:
    return TTFont(io.BytesIO(vendored(WHOLE)), recalcTimestamp=False)


@cache
def leaning() -> dict[str, int]:
    """Return a level for each letter that leans to the right: 1 a little, 3 much."""
    font = _whole()
    table = font["MATH"].table.MathGlyphInfo.MathItalicsCorrectionInfo
    corrections = zip(table.Coverage.glyphs, table.ItalicsCorrection, strict=True)
    lean_of = {glyph: correction.Value for glyph, correction in corrections}
    glyphs = font.getBestCmap()
    levels = {
        letter: bisect_right(LEANS, lean_of.get(glyphs.get(ord(letter)), 0))
        for letter in ITALIC.values()
    }
    return {letter: level for letter, level in levels.items() if level}


@cache
def tight() -> set[str]:
    """Return the capitals that reach so far right that a subscript touches them."""
    font = _whole()
    return {
        letter
        for upright, letter in ITALIC.items()
        if upright.isupper() and _room_below(font, letter) < TIGHT
    }


def _room_below(font: TTFont, letter: str) -> int:
    """Return the free width at the right of a letter, below the height `FOOT`."""
    name = font.getBestCmap()[ord(letter)]
    outline, _, _ = font["glyf"][name].getCoordinates(font["glyf"])
    return font["hmtx"][name][0] - max(x for x, y in outline if y <= FOOT)


def cut(drawn_with: Set[str]) -> bytes:
    """Return the font with only these characters and `ALWAYS`.

    The same characters always give the same bytes.
    """
    font = _whole()
    wanted = ALWAYS | drawn_with
    lacking = {each for each in wanted if ord(each) not in font.getBestCmap()}
    if lacking:
        raise ValueError(f"STIX Two Math has no glyph for {sorted(lacking)}")
    options = Options()
    options.layout_features = ["*"]
    options.hinting = False  # with hints an i in a subscript loses its dot
    options.name_IDs = [*options.name_IDs, 13, 14]  # the licence, and where it is
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(wanted))
    subsetter.subset(font)
    for name, value in CONSTANTS.items():
        getattr(font["MATH"].table.MathConstants, name).Value = value
    _narrow_roots(font)
    _raise_primes(font)
    font.flavor = "woff2"
    file = io.BytesIO()
    font.save(file)
    return file.getvalue()


def _narrow_roots(font: TTFont) -> None:
    """Make the tall root signs as narrow as the small root sign.

    Chromium leaves room for the widest of these signs behind every root.
    """
    small = font.getBestCmap()[ord("\N{SQUARE ROOT}")]
    width, _ = font["hmtx"][small]
    variants = font["MATH"].table.MathVariants
    place = variants.VertGlyphCoverage.glyphs.index(small)
    sizes = variants.VertGlyphConstruction[place]
    parts = [part.glyph for part in sizes.GlyphAssembly.PartRecords]
    tall = [size.VariantGlyph for size in sizes.MathGlyphVariantRecord]
    for name in {*tall, *parts} - {small}:
        _reshape(font, name, width / font["hmtx"][name][0], 1, 0)


def _raise_primes(font: TTFont) -> None:
    """Enlarge and lower the prime: a superscript prime then looks as in a text.

    A font can do this with the feature `ssty`, but the published file of STIX Two
    Math lacks this feature.
    """
    constants = font["MATH"].table.MathConstants
    scale = 100 / constants.ScriptPercentScaleDown
    shift = -scale * constants.SuperscriptShiftUp.Value
    _reshape(font, font.getBestCmap()[ord("\N{PRIME}")], scale, scale, shift)


def _reshape(font: TTFont, name: str, across: float, up: float, shift: float) -> None:
    """Scale a glyph across and up, then shift it upwards."""
    outline = font["glyf"][name]
    outline.coordinates.scale((across, up))
    outline.coordinates.translate((0, shift))
    outline.coordinates.toInt()
    outline.recalcBounds(font["glyf"])
    font["hmtx"][name] = (round(across * font["hmtx"][name][0]), outline.xMin)
