"""Words of the text that set a figure name the value that they set.

A value is named by itself, by the item at that place in a list of the figure (the word
that a query stands for), or by other words, which are listed here with what they mean.
"""

import json
import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

import pytest
from built import PAGES, SITE, page, text_of, with_class
from states import models

from course.chapters.translation import cuts, experiments
from course.ledger import VERDICTS
from transformer.storage import load

DOG = "sentence=a dog ate the food because it was hungry"
COLD = "sentence=a dog ate the food because it was cold"


def off(*parts: str) -> str:
    """What a link says that switches parts off."""
    return f"off={json.dumps(parts)}"


DECIDES = experiments.deciding_head(
    [said.removeprefix("sentence=").split() for said in (DOG, COLD)], *load()
)
SAYS = {  # words that name a value otherwise, or what is set along with it
    "river": {"sentence=0"},
    "answer only": {"loss=1"},
    "answer only least": {"seed=0"},
    "answer only most": {"seed=2"},
    "loan": {"sentence=1"},
    "move river up": {"river=[0.1,1.6]"},
    "move river to the corner": {"river=[0.02,0.02]"},
    "stretch the query": {"angle=60", "length=24"},
    "a fourth word": {
        "angle=60",
        "length=24",
        "fourth=true",
    },  # as it was, and one more
    "the scores": {"stage=scores"},
    "its sum": {"stage=scores", "cell=2.3"},
    "one sum": {"stage=output", "cell=2.3"},
    "the keys": {"stage=key"},
    "the queries": {"stage=query"},
    "last step": {"stage=output"},
    "its output": {"stage=head"},
    "the output": {"stage=head"},
    "an input": {"stage=X"},
    "the machine above": {"stage=X"},
    "an eighth of the root": {"beta=8"},
    "the first": {"head=1"},
    "the second": {"head=2"},
    "head 2": {"stage=query"},
    "head 3": {"stage=query"},
    "house to houses": {"changed=2"},
    "head 1 off": {"off=[0]"},
    "head 2 off": {"off=[1]"},
    "both on": {"off=[]"},
    "it on again": {"off=[]"},
    "the one that everybody writes": {"on=[true" + ",false" * 14 + "]"},  # the first
    "a quarter": {"beta=0.25"},
    "a half": {"beta=0.5"},
    "the inputs": {"step=input"},
    "the row of play": {"beta=1", "row=1"},
    "the base model": {"d_model=512", "h=8", "d_k=64", "d_v=64"},
    "the big one": {"d_model=1024", "h=16", "d_k=64", "d_v=64"},
    "the cat sat": {"example=cat"},
    "i play football": {"example=football"},
    "a sum in the scores": {"example=cat", "cell=2.3"},
    "have it done": {"example=football"},
    "causal mask": {"example=football"},
    "with five": {"step=weights"},
    "with eight": {"example=eight-tokens", "step=weights"},
    "what is wrong": {f"verdict={2 + VERDICTS.index('wrong')}", "find="},
    "add something of each place s own": {"order=1", "places=true"},
    "the scores of apple": {"find=score apple", "verdict=0"},
    "before the noun": {"sentence=the small cat ate an apple"},
    "after it": {"sentence=the cat ate a red apple"},
    "switch off one head": {DOG, off(DECIDES)},
    "with cold": {COLD, off(DECIDES)},
    "switch off two heads": {DOG, off(*cuts.pairs()[0].heads)},
    "take the positions from the english words": {
        "sentence=the cat saw the dog",
        off("encoder.positions"),
    },
    "write elle": {
        "sentence=the horse washed the food because it was small",
        f"forced={json.dumps([*[''] * 7, 'elle'])}",
    },
    "leave the grammar": {
        "sentence=the black dog ate the red apple because it was hungry"
    },
}
SET_ALONG = {
    "bank.sentence=0",  # the sentence that holds river
    "bank.bank=[0.7,0.7]",  # the other words at their first places
    "bank.near=[0.1,0.3]",
    "softmaxsharpness.row=0",  # the row that the text speaks of
    "translator.step=8",  # where the word that the text speaks of is chosen
    "translator.step=0",  # all words
    "translator.level=heads",  # where the part that is off is seen
    "translator.level=sentence",
    "translator.off=[]",  # nothing that was set before is left
    "translator.forced=[]",
}
READ_ELSEWHERE = {"edits"}  # a machine's numbers as a text, which a browser test reads


def plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w.]+", " ", text.lower()).split())


def names(words: str, trait: str, text: str, state: dict) -> bool:
    """Whether words name the value of a trait."""
    meant = (value for said, what in SAYS.items() if said in words for value in what)
    own = {plain(text), *items(text, state)} - {""}
    says = any(re.search(rf"\b{re.escape(name)}\b", words) for name in own)
    return says or words in plain(text) or f"{trait}={text}" in meant


def items(text: str, state: dict) -> Iterator[str]:
    """What the figure's lists of words hold at a place."""
    for value in state.values() if text.isdigit() else ():
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            yield from map(plain, value[int(text) : int(text) + 1])


def unnamed(name: str) -> list[str]:
    """Values that a page's words set and do not name."""
    states = {s["_page"]["name"]: s for s in models(SITE / name) if "_page" in s}
    found = []
    for link in page(name).xpath(f"//a[{with_class('sets')}]"):
        words = plain(link.text_content())
        pairs = parse_qsl(urlsplit(link.get("href")).query, keep_blank_values=True)
        for key, text in pairs:
            figure, _, trait = key.partition(".")
            if trait in READ_ELSEWHERE or f"{key}={text}" in SET_ALONG:
                continue
            if not names(words, trait, text, states[figure]):
                found.append(f"“{words}” sets {key}={text}")
    return found


@pytest.mark.parametrize("name", [n for n in PAGES if 'class="sets' in text_of(n)])
def test_words_that_set_a_figure_name_the_value(name):
    assert unnamed(name) == []
