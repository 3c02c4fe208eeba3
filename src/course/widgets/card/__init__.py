"""The card that every widget is: a question, controls, a drawing, a reading."""

from collections import Counter
from typing import Any, ClassVar

import anywidget
import traitlets as t
from ipywidgets import Layout

from course.kit.live import say_what_brings_a_widget_back
from course.widgets import contract
from course.widgets.bundler import bundle, follow, stylesheet
from course.widgets.card import still
from course.widgets.card.question import Choice, Question, ask, check_question, in_order
from course.widgets.card.sentences import Sentence, filled, true_one
from course.widgets.contract import Asked, answer, kept, sent

__all__ = [
    "Card",
    "Choice",
    "Question",
    "Sentence",
    "ask",
    "check_question",
    "in_order",
]

_MADE: Counter[str] = Counter()  # cards of this kernel, by class and name


class Card(anywidget.AnyWidget):
    """A widget with a question above it and state that a page can keep.

    Its traits are declared by the functions of `course.widgets.contract`. Where they
    say that something is in links or kept on the reader's device, the static site does
    so (it reads them from `_page`); in JupyterLab the kernel keeps the state.

    Attributes
    ----------
    question : dict
        ``prompt`` and ``choices``, each with ``text``, ``right`` and ``why``;
        empty for a widget without a question. See `ask`.
    answer : str
        The text of the choice that the reader committed to, empty before. Its words
        and not its place: an edit of the question may reorder the choices.
    tries : dict of str to list of str
        All answers that the reader gave, by prompt, from the first to the last. To have
        the answer told after a wrong try counts as giving the same answer again. An
        empty text stands where the reader had the question asked again.
    opened : bool
        Whether the reader goes on without an answer.
    title : str
        What the widget is called: its accessible name.
    name : str
        Names the widget on its page: in addresses, as the end of a link to it, and
        for what the reader's device keeps. By default its class, with a number from
        the second of a kind on; a page that has two of a kind should name them.
    still : str
        What a page shows of the widget where no script runs, as HTML: the state in
        which it was displayed. See `pictures`.
    sentences : tuple of Sentence
        What the figure may say of itself; exactly one is true in each state.
    shows : bool
        Whether it shows something; a quiz only asks.
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
            choices=lambda card: [
                choice["text"] for choice in card.question.get("choices", ())
            ],
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
    _page = sent(t.Dict())

    def __init__(self, *args: Any, **traits: Any) -> None:
        # Ids of Jupyter's own are drawn anew in each run; with these, a notebook that
        # is run twice from its beginning is saved with the same bytes.
        kind = "-".join(filter(None, (type(self).__name__, traits.get("name"))))
        _MADE[kind] += 1
        model_id = f"{kind}-{_MADE[kind]}"
        traits.setdefault("layout", Layout(model_id=f"{model_id}-layout"))
        texts = {name: getattr(type(self), name) for name in ("_esm", "_css")}
        super().__init__(*args, model_id=model_id, **traits)
        follow(self, **texts)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        declared = (n for n, each in vars(cls).items() if isinstance(each, t.TraitType))
        if taken := [name for name in declared if hasattr(anywidget.AnyWidget, name)]:
            raise TypeError(
                f"{cls.__name__}: ipywidgets has its own {taken}, rename it"
            )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.title}>"

    def numbers(self) -> dict[str, Any]:
        """Give every number that the view shows, by the name it has there.

        Returns
        -------
        dict
            Numbers, arrays, or dicts of them: the view calls ``{"a": {"b": 1}}``
            ``a-b``.
        """
        return {}

    def facts(self) -> dict[str, Any]:
        """Give what the sentences say of the present state, beside its traits."""
        return {}

    def pictures(self) -> list[str]:
        """Draw the present state as SVG, by `course.widgets.card.still`."""
        return []

    def known(self) -> dict[str, Any]:
        """Give the facts of the present state: the traits that are set, and `facts`."""
        traits = (name for name, part in contract.parts(self).items() if part.link)
        return {name: getattr(self, name) for name in traits} | self.facts()

    def said(self) -> Sentence:
        """Find the sentence that is true of the present state."""
        return true_one(self.sentences, self.known())

    def reading(self) -> str:
        """Say the present state in words, as the view does."""
        return filled(self.said().text, self.known()) if self.sentences else ""

    def drawn_still(self) -> str:
        """Give what a page shows of the present state where no script runs."""
        settings = contract.settings(self)
        return still.still(self.title, settings, self.reading(), *self.pictures())

    def _repr_mimebundle_(self, **options: Any) -> Any:
        say_what_brings_a_widget_back()
        self.still = self.drawn_still()
        return super()._repr_mimebundle_(**options)

    @t.default("_page")
    def _default_page(self) -> contract.Page:
        return contract.page(self)

    @t.validate("question")
    def _valid_question(self, proposal: dict[str, Any]) -> dict[str, Any]:
        question = proposal["value"]
        if question:
            check_question(question)
        return question

    @t.validate("answer")
    def _valid_answer(self, proposal: dict[str, Any]) -> str:
        texts = [choice["text"] for choice in self.question.get("choices", ())]
        if proposal["value"] not in ("", *texts):
            raise t.TraitError(
                f"answer is empty (none yet) or one of {texts}, "
                f"not {proposal['value']!r}"
            )
        return proposal["value"]
