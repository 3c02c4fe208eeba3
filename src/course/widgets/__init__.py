"""Interactive views: state in Python traits, each view an ES module beside it.

How to write a widget
---------------------
A widget is two files or three: ``name.py`` (traits and the numbers), ``name.js`` (the
view) and, for what the card's stylesheet does not cover, ``name.css``, added as
``stylesheet("name.css")``. They lie here, whichever chapter shows the widget; a large
one has a folder of its own, as ``card/`` and ``machine/`` have. This one is whole::

    import traitlets as t

    from attention import softmax
    from course.widgets.bundler import bundle, stylesheet
    from course.widgets.card import Card, Sentence, ask
    from course.widgets.card.still import bars
    from course.widgets.contract import even, sent, slider

    class Name(Card):
        _esm = bundle("name.js")
        _css = stylesheet()

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

The view imports what it needs, builds its elements once, changes attributes in
place afterwards, and ends in an export::

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

- **Say each thing once**, in Python: a number, a range, a name, a sentence of a figure
  reaches the view through its traits. `course.widgets.contract` has a function for each
  kind of trait; control, link, Undo, device, progress, still and tests follow from that
  one declaration.
- A **slider**, a list or a checkbox is its declaration and nothing else: the card draws
  it, in the order of the class. A view that wants it elsewhere moves
  ``view.control("beta")``.
- **Sentences** carry their formats (`course.widgets.card.sentences`). The view picks
  one by its key and gives the facts; the traits that are set are facts already. In each
  state exactly one predicate is true, and the tests compare the view's pick with it.
- ``numbers`` gives every number that the view shows, and the view names each:
  ``key: "weights"`` where several are drawn, ``number({ "data-name": "largest" })`` for
  one. Other decimals have no place in the drawing. The arithmetic stands in both
  languages, as a page has no Python: a browser test compares the two. Every number that
  is shown stands in full in its element's ``data-value``.
- Other **state** is a `setting` with a trait of traitlets: ``t.List(t.Float())`` for a
  point that is dragged, ``t.List(t.List(t.List(t.Float())))`` for matrices,
  ``t.List(t.Int(min=0, max=7))`` for heads that are off, ``OneOf("", words)`` for a
  forced word. Link, Undo and device take each as it is. Where the reader only looks
  somewhere else, it is `looked_at`. What an address has to say otherwise than in JSON,
  or to refuse, a view exports as ``codecs`` and ``refuses``
  (``book/runtime/figures.js``).
- What is **dragged** takes the pointer on ``pointerdown`` (``setPointerCapture``), puts
  its trait on ``pointermove`` and on the arrow keys; from press to release is one step
  of Undo.
- An **answer** is declared with the file that judges it, which exports ``results(get)``
  (``contract.d.ts``); it is kept by its words, since an edit may move its place.
- A question is optional. It has three choices or more, each with a sentence of reason.
  It is an offer: the figure is drawn and moves before any answer. If its first state
  gives the answer away, ``ask(..., veil=True)``, and the view names the parts that do
  with ``view.veil(node)``.
- ``pictures`` draws a state as SVG (`course.widgets.card.still`): for paper, for
  readers without scripts, for the page of all figures.
- Listeners on ``window`` or ``document``, observers and timers end with the host's
  ``signal``: ``addEventListener(type, act, { signal: view.signal })``, or `followSize`
  of ``card/elements.js``.
- A **matrix** is drawn by ``card/grid.js``, whatever its cells hold.
- Two forms of import and export are read (``course.widgets.bundler`` says which), and
  no name of another file is seen without one.
- The book takes views from these files when it writes pages, so an edit of one runs no
  notebook again. In JupyterLab an edit shows at once where ``watchfiles`` is installed
  and JupyterLab was started with ``ANYWIDGET_HMR=1``.
- Build other controls with ``html``: it marks them so that JupyterLab leaves them their
  arrow and Enter keys.
- What a reader types as a number is read by ``readNumber`` and by nothing else, so that
  0,5, 1/4, 25 % and a true minus sign mean the same in every field
  (``tests/browser/test_modules.py`` has the texts); what is shown is written
  by ``card/numbers.js``.
- Nothing below a figure may move when a value changes: fixed decimals, ``lines`` of
  room for the reading (see ``card``), tables with fixed columns.
- A move of a slider is drawn within 16 ms on a slow device
  (``benchmarks/page_weight.py``). So change texts in boxes of ``number()`` and corners
  with ``setPoints``, which style nothing anew; and let what changes be a block, since
  an item of a grid or a flexbox is never laid out alone: ``held`` puts a number into
  one. Words and arcs (``card/arcs.js``) have a box of their own.
- Use the colour variables ``--abh-<role>`` and nothing else; keep class names under
  ``abh-``. Narrow layouts are container queries on the card, not media queries.
"""

from importlib import import_module
from typing import Any

from course.widgets.bundler import bundle, stylesheet
from course.widgets.card import Card, Sentence, ask, in_order

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
    "query_gradients": ("QueryGradients",),
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
"""By module what it defines; imported when first asked for, as no page shows all."""
_MODULES = {name: module for module, names in _VIEWS.items() for name in names}

__all__ = [
    "Card",
    "Sentence",
    "ask",
    "bundle",
    "in_order",
    "stylesheet",
    *_MODULES,
]


def __getattr__(name: str) -> Any:
    """Import a view that is asked for."""
    if name not in _MODULES:
        raise AttributeError(f"course.widgets has no {name}; it has {sorted(__all__)}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
