"""Multiple choice: one choice is right, and every choice has an explanation."""

from collections.abc import Sequence
from html import escape

import traitlets as t

from course.widgets.card import Card, Question, check_question
from course.widgets.contract import Asked, answer, sent


class Quiz(Card, view="quiz"):
    """Ask one or several multiple-choice questions, made by `course.widgets.card.ask`.

    After the reader has answered a question, each choice shows why it is right or
    which misconception is behind it. A quiz with more than one question shows the
    score. Its name identifies the quiz on its page, so that the page finds the reader's
    answers after a reload. `picked` has the texts of these answers, by prompt.

    Raises
    ------
    ValueError
        If there is no question, or if two questions have the same prompt.
    TraitError
        If `course.widgets.card.check_question` refuses a question.

    Examples
    --------
    >>> from course.widgets import ask
    >>> quiz = Quiz([ask("Two?", ("2", True, "It is."), ("3", False, "Too many."))])
    >>> quiz.picked
    {}
    """

    shows = False

    name = sent(t.Unicode("quiz"))
    questions = sent(t.List(t.Dict()))
    picked = answer(
        t.Dict(key_trait=t.Unicode(), value_trait=t.Unicode()),
        Asked(
            "quiz.js",
            lambda quiz: len(quiz.questions),
            needs=("questions", "tries"),
            choices=lambda quiz: [
                choice["text"] for q in quiz.questions for choice in q["choices"]
            ],
        ),
        called=("quiz", "quizzes"),
    )

    @t.default("title")
    def _default_title(self) -> str:
        if len(self.questions) > 1:
            return f"Quiz of {len(self.questions)} questions"
        return f"Question: {self.questions[0]['prompt']}"

    def drawn_still(self) -> str:
        """Return the HTML of the questions and choices, with folded answers."""
        return "".join(map(_on_paper, self.questions))

    def __init__(self, questions: Sequence[Question], name: str = "quiz") -> None:
        if not questions:
            raise ValueError("a quiz needs a question")
        for question in questions:
            check_question(question)
        if len({question["prompt"] for question in questions}) < len(questions):
            raise ValueError("two questions of a quiz have the same prompt")
        super().__init__(name=name, questions=[dict(q) for q in questions])

    @property
    def score(self) -> int:
        """Number of questions that the reader has answered right."""
        return sum(
            choice["right"] and choice["text"] == self.picked.get(question["prompt"])
            for question in self.questions
            for choice in question["choices"]
        )


def _on_paper(question: Question) -> str:
    """Return the HTML of a question for a page without scripts."""
    choices = "".join(f"<li>{escape(c['text'])}</li>" for c in question["choices"])
    right = next(choice for choice in question["choices"] if choice["right"])
    answer = f"{escape(right['text'])}: {escape(right['why'])}"
    return (
        f'<div class="still"><p class="still-title">{escape(question["prompt"])}</p>'
        f"<ul>{choices}</ul><details><summary>Answer</summary><p>{answer}</p></details>"
        "</div>"
    )
