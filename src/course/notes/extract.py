"""Take the numbers out of a notes file, line by line, and nothing else.

The grammar of a number, applied to each line from left to right:

``number = [sign] ( digits ["." digits] | "." digits )``

- ``digits`` are ASCII digits; the subscripts ₀ to ₉ count as the digits they show.
- ``sign`` is ``-``, and only where it can be no minus between two things: at the
  start of the line or after a space, a bracket, ``,``, ``&`` or ``=``, and
  directly before the number.
- ``.5`` is a number of its own only where no digit stands before the point
  (a reading machine writes ``b.5`` for ``0.5``).
- Every match counts, whatever it means: a matrix entry, the 1 of "Head 1", the
  4 of "4D", a digit that a reading machine saw in a letter. What each one is,
  the ledger says. Numbers written as words are not extracted.

The result for the five notes is committed as ``numbers.json``: for each file
its lines with numbers, as ``{line: "number number ..."}``. It holds no prose.
To make it again where the notes lie in ``FOLDER``::

    python -m course.notes.extract FOLDER
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

NOTES = (
    "handwritten-notes.md",
    "handwritten-notes-raw-ocr.md",
    "apple-walkthrough.md",
    "multi-head-operation.md",
    "transformer-self-attention.md",
)
"""The five notes, in the ledger's order."""

STORED = Path(__file__).with_name("numbers.json")

_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_NUMBER = re.compile(
    r"""
    (?: (?: ^ | (?<=[\s\[({,&=]) ) - )?    # a sign, never a minus between two things
    (?: [0-9]+ (?: \.[0-9]+ )?             # 12, 0.5
      | (?<![0-9]) \.[0-9]+ )              # .5
    """,
    re.VERBOSE,
)


def numbers_in(line: str) -> list[str]:
    """Numbers of one line, as printed, from left to right.

    Parameters
    ----------
    line : str
        A line of a notes file.

    Returns
    -------
    list of str
        The numbers, subscripts as plain digits.

    Examples
    --------
    >>> numbers_in("Q₁[0] = 0.6×0.8 - 4 = [-0.2, 4D]")
    ['1', '0', '0.6', '0.8', '4', '-0.2', '4']
    """
    return _NUMBER.findall(line.translate(_SUBSCRIPTS))


def extract(text: str) -> Iterator[tuple[int, list[str]]]:
    """Give each line with numbers: its 1-based line number and the numbers."""
    for line, words in enumerate(text.split("\n"), start=1):
        if numbers := numbers_in(words):
            yield line, numbers


def extract_folder(folder: Path) -> dict[str, dict[int, list[str]]]:
    """Extract all five notes from the folder that they lie in."""
    return {
        note: dict(extract((folder / note).read_text(encoding="utf-8")))
        for note in NOTES
    }


def load() -> dict[str, dict[int, list[str]]]:
    """Give the committed extraction: note, line, numbers as printed."""
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
