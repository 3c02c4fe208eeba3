"""Extract the numbers of a notes file, line by line.

The grammar of a number, applied to each line from left to right:

``number = [sign] ( digits ["." digits] | "." digits )``

- ``digits`` are ASCII digits; the subscripts ₀ to ₉ count as the digits they show.
- ``sign`` is a ``-`` directly before the number that cannot be a difference: it stands
  at the start of the line or after a space, a bracket, ``,``, ``&`` or ``=``.
- ``.5`` is a number only if no digit stands before the point (OCR writes ``b.5`` for
  ``0.5``).
- Every match counts: a matrix entry, the 1 of "Head 1", the 4 of "4D", a letter that
  OCR read as a digit. The ledger says what each number is. Numbers written as words are
  not extracted.

``numbers.json`` holds the numbers of the five notes: for each file its lines with
numbers, as ``{line: "number number ..."}``, and no prose. To write it again from the
notes in ``FOLDER``, run this file alone, because the package `course.notes` reads
``numbers.json``::

    python src/course/notes/extract.py FOLDER
"""

import json
import re
import sys
from pathlib import Path

NOTES = (
    "handwritten-notes.md",
    "handwritten-notes-raw-ocr.md",
    "apple-walkthrough.md",
    "multi-head-operation.md",
    "transformer-self-attention.md",
)
"""The five notes, in the order of the ledger."""

STORED = Path(__file__).with_name("numbers.json")

_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_NUMBER = re.compile(
    r"""
    (?: (?: ^ | (?<=[\s\[({,&=]) ) - )?    # a sign, not a difference
    (?: [0-9]+ (?: \.[0-9]+ )?             # 12, 0.5
      | (?<![0-9]) \.[0-9]+ )              # .5
    """,
    re.VERBOSE,
)


def numbers_in(line: str) -> list[str]:
    """Return the numbers of one line, as printed, from left to right.

    >>> numbers_in("Q₁[0] = 0.6×0.8 - 4 = [-0.2, 4D]")
    ['1', '0', '0.6', '0.8', '4', '-0.2', '4']
    """
    return _NUMBER.findall(line.translate(_SUBSCRIPTS))


def extract_folder(folder: Path) -> dict[str, dict[int, list[str]]]:
    """Return the numbers of the notes in a folder, by note and line; lines from 1."""
    texts = {note: (folder / note).read_text(encoding="utf-8") for note in NOTES}
    return {
        note: {
            line: numbers
            for line, words in enumerate(text.split("\n"), start=1)
            if (numbers := numbers_in(words))
        }
        for note, text in texts.items()
    }


def load() -> dict[str, dict[int, list[str]]]:
    """Return the numbers in ``numbers.json``, as printed, by note and line."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    return {
        note: {int(line): numbers.split() for line, numbers in lines.items()}
        for note, lines in stored.items()
    }


def main(folder: str) -> None:
    """Write ``numbers.json`` from the notes in `folder`."""
    joined = {
        note: {str(line): " ".join(numbers) for line, numbers in lines.items()}
        for note, lines in extract_folder(Path(folder)).items()
    }
    STORED.write_text(json.dumps(joined, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
