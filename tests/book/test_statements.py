"""What three pages say of grammar, training data, heads and runs has a register.

The law's reach: a sentence counts that names one of the `TOPICS` and an amount, in
figures or in words; in a section that tells how a machine is built, or in an exercise,
none does. What code says has its numbers from code: there only amounts in words count,
such as *every* or *none*. Figures count by their descriptions; tables, and the numbers
that a figure draws, are held by their own tests.
"""

import copy
import re
from functools import cache

import pytest
from built import SITE, page, with_class
from states import models, questions
from test_claims import PAGES, numbers, paragraphs_of

from course import claims
from course.claims import sentences_of
from course.statements import WHY, statements

NO_FINDINGS = {  # sections that build, prove or ask, and report no run
    "before-attention": {"steps-and-paths", "attention-added", "check-yourself"},
    "06-transformer": {
        "two-stacks",
        "i-am-good-number-by-number",
        "where-a-word-stands",
        "the-feed-forward-network",
        "masks",
        "cross-attention",
        "from-vectors-back-to-words",
        "part-two-beyond-this-machine",
        "what-the-note-says-and-what-holds",
        "what-comes-next",
        "check-yourself",
    },
    "07-translation": {
        "nothing-twice",
        "write-a-decoding-step-with-a-cache",
        "what-it-costs",
        "check-yourself",
    },
}
TOPICS = re.compile(
    r"\b(?:heads?|sentences?|train\w*|models?|seeds?|grammar|pairs?|networks?|learn\w*"
    r"|stacks?|pronouns?|nouns?|adjectives?|translat\w*|layers?|reasons?)\b",
    re.IGNORECASE,
)
QUANTIFIER = (
    r"half|third|quarter|tenth|twice|all|every|each|no|none|nothing|nobody|never|always"
    r"|only|hardly|nearly|almost|any|most|many|few|both|neither|either|cannot"
)
IN_WORDS = re.compile(
    rf"\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand"
    rf"|{QUANTIFIER})\b",
    re.IGNORECASE,
)
AMOUNT = re.compile(rf"\d|{IN_WORDS.pattern}", re.IGNORECASE)
ROWS = statements()
CLAIMS = claims.register()


def article_of(stem, *, of_code):
    """What code says on a page, or all the rest of its text."""
    [article] = page(PAGES[stem]).xpath("//article")
    article = copy.deepcopy(article)
    said = f"//div[{with_class('cell_output')}]"
    figures = f"//div[{with_class('cell_output')}][.//*[{with_class('still')}]]"
    away = ["//table", "//details", f"//*[{with_class('admonition')}]", figures]
    for element in article.xpath("|".join([*away, *([] if of_code else [said])])):
        if element.getparent() is not None:
            element.drop_tree()
    if not of_code:
        return [article]
    return article.xpath(f"{said}[not(ancestor::div[{with_class('cell_output')}])]")


def found_in(stem):
    """Sentences that owe a row: typed, asked and described ones, and those of code."""
    for element in article_of(stem, of_code=False):
        for sections, text in paragraphs_of(element):
            if NO_FINDINGS[stem].isdisjoint(sections):
                yield from owing(text, AMOUNT)
    for text in (*asked_on(stem), *drawn_on(stem)):
        yield from owing(text, AMOUNT)
    for element in article_of(stem, of_code=True):
        inside = {e.get("id") for e in element.iterancestors("section")}
        if NO_FINDINGS[stem].isdisjoint(inside):
            for _, text in paragraphs_of(element):
                yield from owing(text, IN_WORDS)


def asked_on(stem):
    """What questions say: of the choices the right one, and every reason given."""
    asked = [q for state in models(SITE / PAGES[stem]) for q in questions(state)]
    for question in asked:
        yield question["prompt"]
        yield from (c["text"] for c in question["choices"] if c["right"])
        yield from (choice["why"] for choice in question["choices"])


def drawn_on(stem):
    """How figures are described to those who do not see them."""
    for drawing in page(PAGES[stem]).xpath("//article//svg[@role='img'][@aria-label]"):
        inside = {e.get("id") for e in drawing.iterancestors("section")}
        if NO_FINDINGS[stem].isdisjoint(inside):
            yield drawing.get("aria-label")


def owing(text, amount):
    for sentence in sentences_of(text):
        if sentence.endswith("?"):
            continue
        plain = re.sub(r"\b[Cc]hapter \d", "", sentence)
        if TOPICS.search(plain) and amount.search(plain):
            yield sentence


@cache
def sentences(stem):
    return list(dict.fromkeys(found_in(stem)))


def has_a_row(stem, sentence):
    words = [row.words for row in (*ROWS, *CLAIMS) if row.page == stem]
    return any(each in sentence for each in words)


@pytest.mark.parametrize("stem", NO_FINDINGS)
def test_each_statement_has_a_row(stem):
    assert [s for s in sentences(stem) if not has_a_row(stem, s)] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.page}-{row.words[:30]}")
def test_each_row_is_of_a_statement_and_has_its_value_there(row):
    found = [s for s in sentences(row.page) if row.words in s]
    assert found, "no statement has these words"
    assert sum(map(bool, (row.function, row.claim, row.why))) == 1
    if row.claim:
        assert any(row.claim in c.words for c in CLAIMS if c.page == row.page)
    elif row.why:
        assert row.why in WHY
    elif row.value != "yes":
        assert {float(v) for v in row.value.split(",")} <= numbers(found[0].lower())


def test_a_typed_statement_without_a_row_is_found():
    for planted in (
        "Three heads of the encoder look at the noun.",
        "In training, red never stands with cat.",
        "The grammar has 974,144,820 sentences.",
    ):
        assert list(owing(planted, AMOUNT)) == [planted]
        assert not has_a_row("07-translation", planted)
    assert list(owing("Without it no head is right. It is 12.", IN_WORDS)) == [
        "Without it no head is right."
    ]


def test_no_section_that_is_left_out_is_gone():
    for stem, left_out in NO_FINDINGS.items():
        assert left_out <= set(page(PAGES[stem]).xpath("//section/@id"))
