"""A sheet of attention to fill in by hand, judged entry by entry in the page.

``problem.js`` draws the numbers as `course.practice.sheets` does, ``steps.js`` has the
formulas, ``tables.js`` builds the tables, ``entries.js`` finds the texts of one sheet,
``judge.js`` and ``mistakes.js`` judge, ``filled.js`` keeps the result, ``sheet.js`` is
the view, and ``paper.js`` prints the sheet with its key.
"""

from dataclasses import asdict
from functools import partial

import traitlets as t

from course.practice.sheets import KINDS, problem
from course.widgets.card import Card
from course.widgets.card.still import matrix
from course.widgets.contract import Asked, answer, checkbox, choice, kept, sent, setting


class Sheet(Card, view="sheet/sheet"):
    """Fill in attention by hand; a wrong entry is not counted again in later steps.

    Attributes
    ----------
    kind : int
        Index in `course.practice.sheets.KINDS`.
    blanks : int
        How much the reader fills in: 0 for a few entries, 2 for most.
    exam : bool
        Whether the page judges the sheet only when the reader hands it in.
    seed : int
        Number of the sheet, which determines the given numbers for all readers.
    entries : dict of str to str
        What the reader wrote, by kind, seed, matrix, row and column, as in
        ``0.1.scores.2.0``.
    handed_in : list of str
        Exams that the reader handed in, by kind, seed and blanks: ``0.1.2``.
    filled : str
        Best result of the sheets that the reader finished, such as
        ``17 of 19 entries right``.
    """

    title = sent(t.Unicode("A sheet to fill in"))
    kind = choice(0, [kind.name for kind in KINDS], "Kind")
    blanks = choice(0, ["a few", "more", "most"], "Blanks")
    exam = checkbox(False, "Judge at the end (exam)")
    seed = setting(t.Int(1, min=1, max=999_999))
    entries = answer(
        t.Dict(key_trait=t.Unicode(), value_trait=t.Unicode()),
        called=("entries in sheets",),
    )
    handed_in = kept(t.List(t.Unicode()), called=("exams that you handed in",))
    filled = answer(
        t.Unicode(),
        Asked("sheet/filled.js", pattern=r"^\d+ of \d+ entries"),
        called=("results of sheets",),
        undo=False,
    )
    kinds = sent(t.List([asdict(kind) for kind in KINDS], read_only=True))

    def pictures(self) -> list[str]:
        """Draw the given matrices of the first head."""
        given, tokens = problem(self.kind, self.seed), KINDS[self.kind].tokens
        draw = partial(matrix, digits=0)
        if "exponents" in given:
            logits = draw("Logits, in units of ln 2", given["exponents"], tokens)
            return [logits, draw("V", given["V"], role="value")]
        roles = {"W_Q": "query", "W_K": "key", "W_V": "value"}
        weights = [draw(name, given[name][0], role=roles[name]) for name in roles]
        return [draw("X", given["X"], tokens), *weights]
