"""Questions in the format GIFT keep their choices, reasons and special signs."""

import re

import pytest
from built import SITE

from book.quiz import gift, questions
from course.widgets import ask

ALL = list(questions(SITE))


@pytest.mark.parametrize(("page", "name", "question"), ALL)
def test_a_question_in_gift_lacks_the_right_choice_or_a_reason(page, name, question):
    text = gift(name, question)
    assert len(re.findall(r"^=", text, re.MULTILINE)) == 1
    choices = re.findall(r"^[=~].+?(?<!\\)#.+$", text, re.MULTILINE)
    assert len(choices) == len(question["choices"])


def test_a_sign_of_the_format_is_not_escaped_or_a_formula_is_lost():
    question = ask("Is {a} = $d_k$: yes?", ("~1", True, "#2"), ("no", False, "why"))
    lines = gift("x", question).splitlines()
    assert lines[0] == r"::x::[markdown]Is \{a\} \= \\(d_k\\)\: yes? {"
    assert r"=\~1#\#2" in lines
