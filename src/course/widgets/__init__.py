"""Widgets: Python traits hold the state, and an ES module beside them draws the view.

How to write a widget
---------------------
A widget has two or three files: ``name.py`` (traits and numbers), ``name.js`` (the
view) and, for rules that the card's stylesheet lacks, ``name.css``. The files of all
chapters' widgets are in this folder. A large widget has its own folder, such as
``machine/``. This is a complete example::

    import traitlets as t

    from attention import softmax
    from course.widgets.card import Card, Sentence, ask
    from course.widgets.card.still import bars
    from course.widgets.contract import even, sent, slider

    class Name(Card, view="name"):
        sentences = (
            Sentence(
                "alike",
                "At sharpness 0 each word gets {largest:.2f}.",
                lambda fact: fact["beta"] == 0,
            ),
            Sentence(
                "apart",
                "At sharpness {beta} the largest weight is {largest:.2f}.",
                lambda fact: fact["beta"] > 0,
            ),
        )

        title = sent(t.Unicode("What the figure shows"))
        words = sent(t.List(["the", "cat"]))
        logits = sent(t.List([1.0, 0.0]))
        beta = slider(1.0, even(0, 8, 0.05), "Sharpness", "β")

        @t.default("question")
        def _default_question(self):
            return ask(
                "What will the largest weight do as the sharpness grows?",
                ("Grow", True, "Sharpness multiplies every logit, so they lie apart."),
                ("Shrink", False, "That is what a higher temperature does to weights."),
                ("Stay", False, "That holds if something is added to every logit."),
            )

        def numbers(self):
            return {"weights": softmax(self.logits, beta=self.beta)}

        def facts(self):
            return {"largest": self.numbers()["weights"].max()}

        def pictures(self):
            return [bars(self.words, self.numbers()["weights"])]

The view imports functions and builds its elements once. Later it only changes their
attributes. Its last line is an export::

    import { card } from "./card/card.js";
    import { bars } from "./card/drawings.js";
    import { softmax } from "./card/numbers.js";

    function render(host) {
      const view = card(host);
      const { model } = view;
      const row = bars({ key: "weights", name: "Weights", labels: model.get("words") });
      view.drawing.append(row.node);
      view.watch(["beta"], () => {
        const beta = model.get("beta");
        const weights = softmax(model.get("logits"), beta);
        row.update(weights);
        view.say(beta === 0 ? "alike" : "apart", { largest: Math.max(...weights) });
      });
    }

    export default { render };

- **State each fact once**, in Python: the view reads the numbers, ranges, names and
  sentences of a figure from its traits. `course.widgets.contract` has a function for
  each kind of trait. Controls, links, Undo, storage on the device, progress, stills and
  tests derive from this declaration.
- A **slider**, a list or a checkbox needs only its declaration: the card draws the
  controls in the order of the class. ``view.control("beta")`` returns the row of a
  control, which the view can move elsewhere.
- **Sentences** contain number formats (`course.widgets.card.sentences`). The view picks
  a sentence by its key and passes facts; the traits in links are facts already. In each
  state exactly one predicate is true, and the tests compare the view's choice with it.
- ``numbers`` returns every number that the view shows, and the view names each number:
  ``key: "weights"`` for a drawing of several, ``number({ "data-name": "largest" })``
  for a single number. The drawing shows no other decimals. The same arithmetic is in
  Python and in JavaScript, because a page draws its figures without Python; a browser
  test compares them. The ``data-value`` of an element holds its number unrounded.
- Other **state** is a `setting` with a trait of traitlets: ``t.List(t.Float())`` for a
  point that the reader drags, ``t.List(t.List(t.List(t.Float())))`` for matrices,
  ``t.List(t.Int(min=0, max=7))`` for heads that are off, ``OneOf("", words)`` for a
  forced word. Links, Undo and the device need no more code for them. Use `looked_at` if
  the reader only looks at another part of a figure. If an address needs another text
  than JSON for a value, or must refuse a value, the view exports ``codecs`` and
  ``refuses`` (``book/runtime/figures.js``).
- To let the reader **drag**, capture the pointer on ``pointerdown``
  (``setPointerCapture``), and set the trait on ``pointermove`` and on the arrow keys.
  One drag, from press to release, is one step of Undo.
- An **answer** is declared with the file that judges it; the file exports
  ``results(get)`` (``contract.d.ts``). The card keeps the answer as text, not as an
  index, because an edit may reorder the choices.
- A question is optional. It has at least two choices, and each choice has a reason. The
  reader may skip the question: the figure works before any answer.
- ``pictures`` returns a state as SVG drawings (`course.widgets.card.still`) for paper,
  for readers without scripts, and for the page of all figures.
- Listeners on ``window`` or ``document``, observers and timers must end with the host's
  ``signal``: ``addEventListener(type, act, { signal: view.signal })``, or `followSize`
  of ``card/elements.js``.
- ``card/grid.js`` draws every **matrix**, with any content in its cells.
- A file sees a name of another file only if it imports the name. The docstring of
  `course.widgets.bundler.Source` lists the allowed forms of import and export.
- The book copies the views from these files when it writes pages, so an edit of a view
  runs no notebook again.
- Build buttons and lists with ``button`` and ``selectOf`` of ``card/elements.js``, and
  other controls with ``html``. These functions mark a control, so that JupyterLab does
  not use its arrow and Enter keys.
- Parse a number that a reader types with ``readNumber`` only. Then 0,5, 1/4, 25 % and a
  true minus sign mean the same in every field (``tests/browser/test_modules.py`` has
  the texts). Format the numbers of the view with ``card/numbers.js`` only.
- Nothing below a figure may move when a value changes. So use fixed decimals, ``lines``
  of room for the reading (see ``card``), and tables with fixed columns.
- A slow device must draw a move of a slider within 16 ms. So change only texts in boxes
  of ``number()``, and corners with ``setPoints``: neither makes the browser compute
  styles. In a grid or a flexbox, wrap a changing number with ``held``: else each change
  makes the browser lay out all items. Words and arcs (``card/arcs.js``) have their own
  boxes.
- Use only the colour variables ``--abh-<role>``; begin class names with ``abh-``.
  Narrow layouts are container queries on the card, not media queries.
"""

from importlib import import_module
from typing import Any

from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Sentence, ask, in_order, right, wrong

_VIEWS = {
    "cache_bytes": ("CacheBytes",),
    "exercise": ("Exercise", "Slip"),
    "growing_head": ("GrowingHead",),
    "head_wall": ("HeadWall",),
    "ledger_table": ("LedgerTable",),
    "machine": ("Machine",),
    "machine.inputs": ("MachineInputs",),
    "pieces": ("WordPieces",),
    "plane": ("BankPlane", "QueryDial", "RotaryDial", "SharedBoard", "TwoHeads"),
    "quiz": ("Quiz",),
    "score_walk": ("ScoreWalk",),
    "shape_explorer": ("ShapeExplorer",),
    "sheet": ("Sheet",),
    "softmax_sharpness": ("SoftmaxSharpness",),
    "suspects": ("Suspects",),
    "swing": ("Swing",),
    "tiles": ("TileMap",),
    "translator": ("Translator",),
    "what_is_left": ("WhatIsLeft",),
    "who_is_it": ("SmallWhoIsIt", "WhoIsIt"),
    "word_order": ("WordOrder",),
}
"""Names by module. A module is imported at first use: no page shows all widgets."""
_MODULES = {name: module for module, names in _VIEWS.items() for name in names}

__all__ = [
    "Card",
    "Sentence",
    "ask",
    "bundle",
    "in_order",
    "right",
    "stylesheet",
    "wrong",
    *_MODULES,
]


def __getattr__(name: str) -> Any:
    """Return a widget class by its name, and import its module if necessary."""
    if name not in _MODULES:
        raise AttributeError(f"course.widgets has no {name}; it has {sorted(__all__)}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
