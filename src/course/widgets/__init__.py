"""Interactive views: state in Python traits, each view an ES module beside it.

How to write a widget
---------------------
A widget is two files or three: ``name.py`` (traits and the numbers), ``name.js`` (the
view) and, for what the card's stylesheet does not cover, ``name.css``, added as
``stylesheet("name.css")``. They lie here, whichever chapter shows the widget; a large
one has a folder of its own, as ``card/`` and ``worksheet/`` have. This one is whole::

    import traitlets as t

    from attention import softmax
    from course.widgets.bundler import bundle, stylesheet
    from course.widgets.card import Card, Sentence, ask
    from course.widgets.card.still import bars

    class Name(Card):
        _esm = bundle("name.js")
        _css = stylesheet()

        sentences = (
            Sentence(
                "The largest weight is {largest}.",
                lambda fact: fact["largest"] >= fact["other"],
            ),
        )

        title = t.Unicode("What the figure shows").tag(sync=True)
        beta = t.Float(1.0, min=0.0, max=8.0).tag(sync=True, url=True)

        @t.default("question")
        def _default_question(self):
            return ask(
                "What will the largest weight do as the sharpness grows?",
                ("Grow", True, "Sharpness multiplies every logit, so they lie apart."),
                ("Shrink", False, "That is what a higher temperature does to weights."),
                ("Stay", False, "That holds if something is added to every logit."),
            )

        def numbers(self):
            return {"weights": softmax([1, 0], beta=self.beta)}

        def facts(self):
            largest, other = self.numbers()["weights"]
            return {"largest": largest, "other": other}

        def pictures(self):
            return [bars(["the", "cat"], self.numbers()["weights"])]

The view imports what it needs, builds its elements once, changes attributes in
place afterwards, and ends in an export::

    import { card } from "./card/card.js";
    import { evenStops, slider } from "./card/controls.js";
    import { bars } from "./card/drawings.js";
    import { fixed, softmax } from "./card/numbers.js";

    function render({ model, el }) {
      const view = card({ model, el });
      slider(view, { trait: "beta", label: "Sharpness", stops: evenStops(0, 8, 0.05) });
      const row = bars({ key: "weights", name: "Weights", labels: ["the", "cat"] });
      view.drawing.append(row.node);
      view.watch(["beta"], () => {
        const weights = softmax([1, 0], model.get("beta"));
        row.update(weights);
        view.say(`The largest weight is ${fixed(Math.max(...weights))}.`);
      });
      return view.dispose;
    }

    export default { render };

- ``numbers`` gives every number that the view shows, and the view names each:
  ``key: "weights"`` where several are drawn, ``number({ "data-name": "largest" })`` for
  one. Other decimals have no place in the drawing.
- ``sentences`` lists what the view may ``say``, word for word, with fields in braces;
  ``facts`` gives the fields. A predicate says in numbers what its sentence says in
  words: in each state exactly one holds, and of other facts it would not. If Python and
  the view have the same word wrong, no test can tell.
- A question is optional. It has three choices or more, each with a sentence of reason.
- The question is an offer: the figure is drawn and moves before any answer. If its
  first state gives the answer away, ``ask(..., veil=True)``, and the view names the
  parts that do with ``view.veil(node)``.
- ``pictures`` draws a state as SVG (`course.widgets.card.still`): for paper, for
  readers without scripts, for the page of all figures.
- ``.tag(url=True)`` makes a trait part of a figure's link; ``limits`` gives the bounds
  that only the widget knows, so that an address that cannot be is refused in words.
- Numbers come from `attention`: a table that Python computed is a synced trait; where
  the reader's input is free, the view computes and a browser test compares it with
  Python. Every number that is shown stands in full in its element's ``data-value``.
- Two forms of import and export are read (``course.widgets.bundler`` says which), and
  no name of another file is seen without one.
- The book takes views from these files when it writes pages, so an edit of one runs no
  notebook again. In JupyterLab an edit shows at once where ``watchfiles`` is installed
  and JupyterLab was started with ``ANYWIDGET_HMR=1``.
- Build controls with ``html`` (or with ``slider``, ``select``, ``checkbox``): it marks
  them so that JupyterLab leaves them their arrow and Enter keys.
- What a reader types as a number is read by ``readNumber`` and by nothing else, so that
  0,5, 1/4, 25 % and a true minus sign mean the same in every field
  (``tests/browser/test_typed_numbers.py`` finds the fields).
- Nothing below a figure may move when a value changes: fixed decimals, ``lines`` of
  room for the reading (see ``card``), tables with fixed columns.
- A move of a slider is drawn within 16 ms on a slow device
  (``benchmarks/page_weight.py``). So change texts in boxes of ``number()`` and corners
  with ``setPoints``, which style nothing anew; and let what changes be a block, since
  an item of a grid or a flexbox is never laid out alone.
- Use the colour variables ``--abh-<role>`` and nothing else; keep class names under
  ``abh-``. Narrow layouts are container queries on the card, not media queries.
- ``.tag(url=True)`` keeps a trait in the page's address, ``.tag(device=True)`` on the
  reader's device; ``visited=True`` makes each of its values a place that Back returns
  to; all only on the static site. What an address has to say otherwise than in JSON, or
  to refuse, a view exports as ``kept`` (``book/runtime/figure.js``).
- Undo and Redo are in every card (``card/history.js``) and take back what is in the
  address: an act is what changes while one event is dispatched. A trait that only says
  what the reader looks at is tagged ``undo=False``.
"""

from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Sentence, ask, in_order
from course.widgets.exercise import Exercise, Slip
from course.widgets.heads import Heads
from course.widgets.ledger_table import LedgerTable
from course.widgets.quiz import Quiz
from course.widgets.row_of_weights import RowOfWeights
from course.widgets.shape_explorer import ShapeExplorer
from course.widgets.softmax_sharpness import SoftmaxSharpness
from course.widgets.sqrt_dk import SqrtDk
from course.widgets.suspects import Suspects
from course.widgets.translator import Translator
from course.widgets.who_looks_at_whom import WhoLooksAtWhom
from course.widgets.worksheet import Worksheet
from course.widgets.worksheet.inputs import WorksheetInputs

__all__ = [
    "Card",
    "Exercise",
    "Heads",
    "LedgerTable",
    "Quiz",
    "RowOfWeights",
    "Sentence",
    "ShapeExplorer",
    "Slip",
    "SoftmaxSharpness",
    "SqrtDk",
    "Suspects",
    "Translator",
    "WhoLooksAtWhom",
    "Worksheet",
    "WorksheetInputs",
    "ask",
    "bundle",
    "in_order",
    "stylesheet",
]
