"""The numbers of ``handwritten-notes-raw-ocr.md``: what each one is.

The raw OCR is a second reading of the pages that the cleaned notes were made
from. Each of its numbers is set beside the number of the cleaned notes that
it reads, its twin, and is judged by the twin's step (the OCR's own previous
step is often unreadable). Where the readings differ, both stay in the ledger and
the consistent one, the one that recomputes, is named.

Marks, one for each number of a line: ``=`` reads the next twin number, ``~``
reads it with a letter or a stroke among its digits and can be made out, ``!``
reads it too damaged for that (a lost digit or point), ``?`` is a misread letter or
stray mark, and ``_`` passes over a twin number that the line lacks.
"""

from dataclasses import dataclass

from course.ledger.note import LedgerRow, Note
from course.ledger.verdicts import judge, judge_copy

_READINGS: dict[int, tuple[str, str]] = {
    65: ("74", "=="),
    94: ("110", "==="),
    110: ("133", "==="),
    112: ("135", "==="),
    114: ("137", "==="),
    116: ("139", "=="),
    118: ("141", "========="),
    122: ("145", "==?=="),
    124: ("147", "=="),
    126: ("147:2", "=="),
    128: ("147:4", "=="),
    130: ("149", "===="),
    132: ("151", "=="),
    134: ("153", "===="),
    136: ("153:4", "=="),
    140: ("157", "=="),
    142: ("157:2", "~="),
    144: ("157:4", "=="),
    146: ("159", "=="),
    148: ("159:2", "=="),
    150: ("159:4", "=="),
    152: ("161", "=="),
    154: ("161:2", "=="),
    156: ("161:4", "=="),
    160: ("165", "============"),
    162: ("167", "========="),
    167: ("171", "==="),
    169: ("171", "==="),
    170: ("173:1", "?=~===~=~~"),
    171: ("173", "==~!==~=~~"),
    175: ("177", "========="),
    177: ("179", "="),
    179: ("181", "==="),
    181: ("183", "=?=?!"),
    183: ("185", "=?=?=???"),
    187: ("189", "======"),
    192: ("193", "=="),
    194: ("193:2", "=="),
    195: ("193:4", "=="),
    255: ("243", "?="),
    256: ("245", "="),
    257: ("247", "="),
    263: ("253", "="),
    267: ("259", "="),
    268: ("261", "="),
    269: ("263", "=?"),
    273: ("267", "="),
    277: ("275", "="),
    285: ("281", "="),
    300: ("297", "="),
    302: ("299", "="),
    306: ("303", "==="),
    308: ("305", "="),
    312: ("307", "===="),
    313: ("309", "===="),
    314: ("311", "===="),
    316: ("313 313", "===="),
    318: ("315", "="),
    320: ("317", "=?========"),
    322: ("319:1", "========"),
    324: ("321:1", "========"),
    326: ("323", "="),
    328: ("325", "========="),
    336: ("329", "========="),
    348: ("355", "="),
    349: ("355:1", "==="),
    351: ("359", "=="),
    355: ("363", "================="),
    357: ("365", "="),
    359: ("367", "="),
    361: ("369:6", "=="),
    363: ("369:8", "=="),
    365: ("369:10", "=="),
    367: ("369:12", "=="),
    369: ("369:14", "===="),
    371: ("369:18", "=="),
    509: ("373", "=_============"),
    511: ("413", "?==="),
    512: ("415", "?==="),
    513: ("415", "?==="),
    515: ("419", "="),
    519: ("423", "==="),
    521: ("425", "="),
    524: ("427", "?======="),
    526: ("429", "============"),
    529: ("433", "?======="),
    531: ("441", "="),
    533: (
        "451 449 453 455 457 461 463 465 467 469 471:1 473 475 477 479 481 483 485 487",
        "?==== ??= ?==== ==== = ?= ==== === ==== === === === ?= =?=== === ==== ==="
        "?==== ===",
    ),
    535: ("489", "="),
    539: ("493", "="),
    541: ("495 497", "_=_=_= _============"),
    543: ("503 505 507", "======= ====== =="),
    545: ("509 511 513", "======= ====== =="),
    549: ("517 519 521", "======= ==??======= ======"),
    551: ("523", "=="),
    553: ("529 531:1", "======= ====== ??"),
    555: ("533", "="),
    559: ("537", "======"),
    561: ("539", "====="),
    563: ("541", "======"),
    567: ("545", "?===="),
    569: ("547", "================"),
    571: (
        "549 551:1 555 557:1 561 563 571 573 575",
        "?==== ?==== ==== ??==== ==== = = = =???~==",
    ),
    575: ("579", "="),
    577: ("581", "="),
    579: ("583", "="),
    581: ("585", "===="),
    583: ("587", "====="),
    587: ("591", "===="),
    589: ("593:1", "?===="),
    591: ("597", "===="),
    593: ("599", "="),
    601: ("606", "="),
    603: ("608", "="),
    605: ("610", "=??==="),
    609: ("614 616 618", "==="),
}
"""For each raw line the cleaned lines that it reads (``line[:first]``), its marks."""

_MADE_OUT = {
    (142, 0): "ti.1",
    (170, 2): "b.4101",
    (170, 6): "b.1945",
    (170, 8): "b.3182",
    (170, 9): "b.0106",
    (171, 2): "b.4101",
    (171, 6): "b.1945",
    (171, 8): "b.3182",
    (171, 9): "b.0106",
    (571, 31): "5/12",
}
"""What the machine wrote where the mark is ``~``, by line and place in the line."""


@dataclass(frozen=True)
class DifferingReading:
    """A number that the raw OCR and the cleaned notes read differently.

    Attributes
    ----------
    raw, cleaned : LedgerRow
        The two readings.
    text : str
        The raw reading as it stands, letters among its digits included.
    consistent : str
        ``raw``, ``cleaned``, ``both`` or ``neither``: what recomputes.
    """

    raw: LedgerRow
    cleaned: LedgerRow
    text: str
    consistent: str


def declare(note: Note, cleaned: list[LedgerRow]) -> list[DifferingReading]:
    """Claim every number of the raw OCR, given the rows of the cleaned notes."""
    note.step = "text"
    for line, numbers in note.numbers.items():
        if line not in _READINGS:
            note.unreadable(line, len(numbers), "misread letters or stray marks")
    twins: dict[int, list[LedgerRow]] = {}
    for row in cleaned:
        twins.setdefault(row.line, []).append(row)
    found = []
    for line, (where, marks) in _READINGS.items():
        found += _line(note, line, _twins(where, twins), marks.replace(" ", ""))
    return found


def _twins(where: str, rows: dict[int, list[LedgerRow]]) -> list[LedgerRow]:
    """Find the cleaned rows of ``"line line:first ..."``, in that order."""
    found = []
    for place in where.split():
        line, _, first = place.partition(":")
        found += rows[int(line)][int(first or 0) :]
    return found


def _line(
    note: Note, line: int, twins: list[LedgerRow], marks: str
) -> list[DifferingReading]:
    queue = iter(twins)
    found = []
    for mark in marks:
        if mark == "?":
            note.step = "text"
            note.unreadable(line, what="misread letter or stray mark")
            continue
        twin = next(queue)
        if mark == "_":
            continue
        note.step = twin.step
        if mark == "!" or twin.verdict == "unreadable":
            note.unreadable(line, what=f"damaged: {twin.quantity}")
        else:
            found += _read(note, line, twin)
    return found


def _read(note: Note, line: int, twin: LedgerRow) -> list[DifferingReading]:
    """Claim one reading; give it beside its twin if the two differ."""
    printed = note.peek(line)
    if float(printed) == float(twin.printed):
        raw = note.same_as(line, twin)
        text = _MADE_OUT.get((line, raw.position))
        return [DifferingReading(raw, twin, text, "cleaned")] if text else []
    meant = float(twin.printed) if twin.chained is None else twin.chained
    verdict = _verdict(twin, printed)
    raw = note.misread(line, twin, meant, verdict)
    text = _MADE_OUT.get((line, raw.position), printed)
    return [DifferingReading(raw, twin, text, _consistent(verdict, twin.verdict))]


def _consistent(raw: str, cleaned: str) -> str:
    """Say which of two readings recomputes, from their verdicts."""
    accepted = ("copy-faithful", "right", "inherited")
    right = raw in accepted, cleaned in (*accepted, "input", "label")
    names = {(True, True): "both", (True, False): "raw", (False, True): "cleaned"}
    return names.get(right, "neither")


def _verdict(twin: LedgerRow, printed: str) -> str:
    """Judge a differing reading by its twin's step: right, or a misread copy."""
    if twin.chained is None or twin.source is None:
        return "copy-miscopied"
    if twin.kind == "copy":
        return judge_copy(printed, twin.chained)
    verdict = judge(printed, twin.chained, twin.source)
    return verdict if verdict in ("right", "inherited") else "copy-miscopied"
