"""The site's font for formulas: STIX Two Math, cut to what formulas are drawn with.

A browser draws a formula with one font. It has to bring the sizes through which braces,
roots and sums grow, and the table `MATH`, which says where scripts and bars go.
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


# MathML's letters are written upright; a browser draws a single one as the italic that
# Unicode has for it (MathML Core, "italic mappings").
ITALIC = {_upright(c): c for c in map(chr, ITALICS) if unicodedata.decomposition(c)}

# Always in the font, so that few new formulas change it: what a keyboard has, italic
# letters, usual signs, the root's, which MathML draws without naming it, and operators
# that are not seen: without their glyphs, which have no width, Firefox leaves a gap.
ALWAYS = frozenset(
    [
        *map(chr, range(0x20, 0x7F)),
        *(c for c in ITALIC.values() if not "\U0001d6e2" <= c <= "\U0001d6fa"),
        *"√∑−±×÷·⋅∗∘∂∇∞≤≥≠≈∼∝→←∈…⋯′ΔΣ\u2061\u2062\u2063\u2064",
    ]
)

# A browser places the scripts of a letter as TeX does those of a box: it reckons with
# how deep the letter reaches, so that the i of q_i hangs lower than that of k_i. With
# these values, in thousandths of an em, it does not. A bar of 1.2 pixels is drawn as
# one or as two: slightly thinner, all bars of a page look alike.
CONSTANTS = {
    "SubscriptBaselineDropMin": 0,
    "SuperscriptBaselineDropMax": 350,
    "SpaceAfterScript": 60,
    "FractionRuleThickness": 55,
    "RadicalRuleThickness": 55,
    "RadicalDisplayStyleVerticalGap": 85,  # more, and Firefox takes a taller sign
}

LEANS = (30, 55, 90)  # thousandths of an em: from where on a letter leans so much
TIGHT = 35  # thousandths of an em: less room than this is too little before a subscript
FOOT = 200  # up to where a subscript reaches


def characters(mathml: Iterable[str]) -> set[str]:
    """Collect the characters that formulas are drawn with."""
    return {
        character
        for formula in mathml
        for element in ET.fromstring(formula).iter()
        for character in drawn(element)
    }


def drawn(element: ET.Element) -> str:
    """Give the text of one element of a formula as a browser draws it."""
    text = element.text or ""
    if element.tag == "mi" and element.get("mathvariant") != "normal":
        return ITALIC.get(text, text)
    return text


def _whole() -> TTFont:
    return TTFont(io.BytesIO(vendored(WHOLE)), recalcTimestamp=False)


@cache
def leaning() -> dict[str, int]:
    """Tell which letters lean over what follows them: 1 a little, 3 much."""
    font = _whole()
    table = font["MATH"].table.MathGlyphInfo.MathItalicsCorrectionInfo
    corrections = zip(table.Coverage.glyphs, table.ItalicsCorrection, strict=True)
    by = {glyph: correction.Value for glyph, correction in corrections}
    glyphs = font.getBestCmap()
    levels = {
        letter: bisect_right(LEANS, by.get(glyphs.get(ord(letter)), 0))
        for letter in ITALIC.values()
    }
    return {letter: level for letter, level in levels.items() if level}


@cache
def tight() -> set[str]:
    """Tell which capitals reach so far to the right that a subscript touches them."""
    font = _whole()
    return {
        letter
        for upright, letter in ITALIC.items()
        if upright.isupper() and _room_below(font, letter) < TIGHT
    }


def _room_below(font: TTFont, letter: str) -> int:
    name = font.getBestCmap()[ord(letter)]
    outline, _, _ = font["glyf"][name].getCoordinates(font["glyf"])
    return font["hmtx"][name][0] - max(x for x, y in outline if y <= FOOT)


def cut(drawn_with: Set[str]) -> bytes:
    """Cut the font to these characters and `ALWAYS`: the same bytes each time.

    Raises
    ------
    ValueError
        If STIX Two Math lacks one of them.
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
    """Make the root's tall signs as narrow as the small one.

    Chromium leaves room behind every root for the widest of them.
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
    """Draw the prime for the superscript that it is: as large as it stands in a text.

    STIX Two Math does so where a browser asks for the style of a script (`ssty`), of
    which the published file has nothing.
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
