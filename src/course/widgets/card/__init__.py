"""The card, base of every widget: a question, controls, a drawing, a reading."""

from collections import Counter
from typing import Any, ClassVar

import anywidget
import traitlets as t
from ipywidgets import Layout

from course.kit.live import say_what_brings_a_widget_back
from course.widgets import contract
from course.widgets.bundler import bundle, stylesheet, stylesheet_of
from course.widgets.card import still
from course.widgets.card.question import (
    Question,
    ask,
    check_question,
    in_order,
    right,
    wrong,
)
from course.widgets.card.sentences import Sentence, filled, true_one
from course.widgets.contract import Asked, answer, kept, sent

__all__ = [
    "Card",
    "Question",
    "Sentence",
    "ask",
    "check_question",
    "in_order",
    "right",
    "wrong",
]

_MADE: Counter[str] = Counter()  # number of cards in this kernel, by class and name


class Card(anywidget.AnyWidget):
    """A widget that may ask a question, with state that a page can keep.

    The functions of `course.widgets.contract` declare its traits. The static site reads
    from `_page` which traits to put into links or keep on the reader's device. In
    JupyterLab the kernel keeps the state. A subclass names the file of its view:
    ``class Dial(Card, view="plane/dial")``.

    Attributes
    ----------
    question : dict
        ``prompt`` and ``choices``, each with ``text``, ``right`` and ``why``;
        empty for a widget without a question. See `ask`.
    answer : str
        The text of the choice that the reader committed to; empty before. It is a text
        and not an index, because an edit of the question may reorder the choices.
    tries : dict of str to list of str
        All answers that the reader gave, by prompt, from the first to the last. If the
        reader shows the answer after a wrong try, the wrong answer is repeated. An
        empty text marks that the reader started the question again.
    opened : bool
        Whether the reader continued without an answer.
    title : str
        The accessible name of the widget.
    name : str
        Identifies the widget on its page, in links and in the data on the reader's
        device. The default is the class, with a number from the second widget of a
        class on. A page with two widgets of one class should name both.
    still : str
        The HTML that a page shows if no script runs: the widget in the state in
        which it was displayed. See `pictures`.
    sentences : tuple of Sentence
        The possible sentences about the state; exactly one is true in each state.
    shows : bool
        Whether the widget shows a figure; a quiz only asks questions.
    """

    sentences: ClassVar[tuple[Sentence, ...]] = ()
    shows: ClassVar[bool] = True

    _esm = bundle("card/card.js")
    _css = stylesheet()

    question = sent(t.Dict())
    answer = answer(
        t.Unicode(),
        Asked(
            "card/question.js",
            lambda card: int(bool(card.question)),
            ("question", "tries"),
            choices=lambda card: card._choices(),
        ),
        called=("prediction", "predictions"),
        undo=False,
    )
    tries = kept(
        t.Dict(key_trait=t.Unicode(), value_trait=t.List(t.Unicode())),
        called=("figure that you answered", "figures that you answered"),
    )
    opened = sent(t.Bool(False))
    title = sent(t.Unicode("Interactive figure"))
    name = sent(t.Unicode())
    still = sent(t.Unicode())
    _page = sent(t.Dict(), contract.page)

    def __init__(self, *args: Any, **traits: Any) -> None:
        # Jupyter's own ids are random. With these ids, a notebook that is run twice
        # from its beginning is saved with the same bytes.
        kind = "-".join(filter(None, (type(self).__name__, traits.get("name"))))
        _MADE[kind] += 1
        model_id = f"{kind}-{_MADE[kind]}"
        traits.setdefault("layout", Layout(model_id=f"{model_id}-layout"))
        super().__init__(*args, model_id=model_id, **traits)

    def __init_subclass__(cls, view: str = "", **options: Any) -> None:
        if view:
            cls._esm, cls._css = bundle(f"{view}.js"), stylesheet_of(view)
        super().__init_subclass__(**options)
        declared = (n for n, each in vars(cls).items() if isinstance(each, t.TraitType))
        if taken := [name for name in declared if hasattr(anywidget.AnyWidget, name)]:
            raise TypeError(
                f"{cls.__name__}: rename {taken}, which ipywidgets uses itself"
            )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.title}>"

    def numbers(self) -> dict[str, Any]:
        """Return every number that the view shows, by its name in the view.

        A value is a number, an array, or a dict of them. In ``{"a": {"b": 1}}`` the
        view's name of the number is ``a-b``.
        """
        return {}

    def facts(self) -> dict[str, Any]:
        """Return the facts that the sentences need besides the traits."""
        return {}

    def pictures(self) -> list[str]:
        """Return the present state as SVG drawings, by `course.widgets.card.still`."""
        return []

    def known(self) -> dict[str, Any]:
        """Return all facts of the present state: the traits in links, and `facts`."""
        parts = contract.parts(self)
        in_links = {name: getattr(self, name) for name in parts if parts[name].link}
        return in_links | self.facts()

    def said(self) -> Sentence:
        """Return the sentence that is true of the present state."""
        return true_one(self.sentences, self.known())

    def reading(self) -> str:
        """Return the text about the present state that the view shows."""
        return filled(self.said().text, self.known()) if self.sentences else ""

    def drawn_still(self) -> str:
        """Return the HTML of the present state for a page without scripts."""
        settings = contract.settings(self)
        return still.still(self.title, settings, self.reading(), *self.pictures())

    def _repr_mimebundle_(self, **options: Any) -> Any:
        say_what_brings_a_widget_back()
        self.still = self.drawn_still()
        return super()._repr_mimebundle_(**options)

    @t.validate("question")
    def _valid_question(self, proposal: dict[str, Any]) -> dict[str, Any]:
        question = proposal["value"]
        if question:
            check_question(question)
        return question

    @t.validate("answer")
    def _valid_answer(self, proposal: dict[str, Any]) -> str:
        value, texts = proposal["value"], self._choices()
        if value not in ("", *texts):
            raise t.TraitError(
                f"answer must be empty (none yet) or one of {texts}, got {value!r}"
            )
        return value

    def _choices(self) -> list[str]:
        return [choice["text"] for choice in self.question.get("choices", ())]
