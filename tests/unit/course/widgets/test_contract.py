"""Declarations of traits: the rules on which page, link, Undo and device rely."""

from string import Formatter

import found
import pytest
from anywidget import AnyWidget
from jsonschema import Draft202012Validator
from probe import Probe
from traitlets import TraitError

from course.widgets import ScoreWalk, contract
from course.widgets.contract import even, ratios

CARDS = [cls for cls in found.cards() if found.is_made_alone(cls)]
each_card = pytest.mark.parametrize("cls", CARDS, ids=lambda cls: cls.__name__)


# --- Of every card of the course ------------------------------------------------------


@each_card
def test_a_synced_trait_is_not_declared(cls):
    traits = cls.class_traits(sync=True)
    for name in traits.keys() - AnyWidget.class_traits(sync=True).keys():
        assert "part" in traits[name].metadata, f"{cls.__name__}.{name}"


@each_card
def test_marks_of_a_trait_contradict_each_other(cls):
    """The mark "called" is the name of a value that the device keeps."""
    page = cls()._page
    for name, trait in page["traits"].items():
        assert trait.keys() & {"link", "device"}, f"{name} is neither in links nor kept"
        assert "undo" not in trait or trait.keys() & {"link", "called"}, (
            f"{name} is undone, and neither in links nor an answer"
        )
        assert "visited" not in trait or "link" in trait, name
        assert "asked" not in trait or "device" in trait, name
    for control in page["controls"]:
        name = control["trait"]
        assert page["traits"][name].keys() >= {"link", "undo"}, (
            f"{name} has a control, but no link or undo"
        )


@each_card
def test_a_schema_and_its_trait_allow_different_values(cls):
    card = cls()
    for name, schema in found.settable(card).items():
        allows = Draft202012Validator(schema).is_valid
        assert allows(getattr(card, name)), name
        for value in found.values_near(schema):
            assert allows(value) or not takes(card, name, value), (name, value)
            if "additionalProperties" not in schema and schema["type"] != "string":
                assert allows(value) == takes(card, name, value), (name, value)


def takes(card, name, value):
    """Return whether the trait accepts a value, without other checks of the card."""
    try:
        card.traits()[name].validate(card, value)
    except TraitError:
        return False
    return True


@each_card
def test_a_sentence_names_an_unknown_fact_or_shares_its_key(cls):
    card = cls()
    keys = [sentence.key for sentence in card.sentences]
    assert len(set(keys)) == len(keys)
    for sentence in card.sentences:
        assert sentence.text
        named = {name for _, name, *_ in Formatter().parse(sentence.text) if name}
        assert named <= card.known().keys()


# --- Of one card ----------------------------------------------------------------------


def test_a_card_without_a_question_declares_an_answer():
    page = ScoreWalk(question={})._page
    assert {"answer", "tries"}.isdisjoint(page["traits"])
    assert "opened" not in page
    page = ScoreWalk()._page
    assert (page["opened"], page["tries"]) == ("opened", "tries")
    assert page["traits"]["answer"]["asked"]["count"] == 1


def test_bounds_do_not_follow_the_names_of_the_card():
    probe = Probe(names=["a"], word=0, forced="a")
    traits = probe._page["traits"]
    assert traits["word"]["schema"]["maximum"] == 0
    assert traits["forced"]["schema"]["enum"] == ["a"]
    with pytest.raises(TraitError, match="word must be 0 to 0, got 1"):
        probe.word = 1
    with pytest.raises(TraitError, match="forced must be one of a, got 'dog'"):
        probe.forced = "dog"


def test_a_still_states_other_settings_than_the_controls():
    probe = Probe(beta=0.5)
    assert contract.settings(probe) == [
        "Sharpness β: 0.5",
        "Tokens: 3",
        "Word: dog",
        "Switched n: no",
    ]
    probe.on = True  # hides the first control
    assert contract.settings(probe)[0] == "Tokens: 3"
    assert "Tokens: 3; Word: dog; Switched n: yes" in probe.drawn_still()
    assert probe.reading() == "At 0.5 with dog: 0.13, −0.50."


def test_stops_miss_an_end_or_are_uneven():
    assert even(0, 1, 0.1) == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
    assert ratios(1, 16, per_octave=1) == [1, 2, 4, 8, 16]
    assert ratios(1, 1000)[-2:] == [861, 1000]
    assert ratios(64, 128) == [64, 76, 91, 108, 128]  # four for each doubling
