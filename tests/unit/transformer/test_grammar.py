"""The grammar: French by a dictionary's word, one translation each, clean splits."""

import random
from collections import Counter
from itertools import islice

import pytest

from transformer.grammar import (
    PRONOUNS,
    Action,
    Because,
    NounPhrase,
    State,
    realise,
    refer_to,
    text,
)
from transformer.lexicon import ADJECTIVES, FEELINGS, NOUNS, QUALITIES, VERBS
from transformer.sentences import (
    HELD_OUT_PAIRS,
    draw,
    draw_phrase,
    has_held_out_pair,
    held_out_sentences,
    is_held_out,
    number_of_sentences,
    phrases,
    training_sentences,
)
from transformer.vocabulary import END, ENGLISH, FRENCH, PAD, START, split

NOUN = {noun.english[0]: noun for noun in NOUNS}
ADJECTIVE = {adjective.english: adjective for adjective in ADJECTIVES}
VERB = {verb.english[0]: verb for verb in VERBS}
SAID = {one.english: one for one in (*FEELINGS, *QUALITIES)}
PRONOUN = {pronoun.word: pronoun for pronoun in PRONOUNS}


def phrase(words):
    """Build a noun phrase from words in the singular, "two" or "the ... s"."""
    if words in PRONOUN:
        return PRONOUN[words]
    article, *adjectives, noun = words.split()
    plural = article == "two" or noun.endswith("+")
    chosen = tuple(ADJECTIVE[word] for word in adjectives)
    return NounPhrase(article, chosen, NOUN[noun.rstrip("+")], plural)


def action(subject, verb, object_, past=False):
    return Action(phrase(subject), VERB[verb], phrase(object_), past)


def state(subject, said, past=False, negated=False):
    return State(phrase(subject), SAID[said], past, negated)


def because(clause, of, said):
    return Because(clause, State(refer_to(of), SAID[said], clause.past, of=of))


DOG = action("a dog", "eat", "the food", past=True)
APPLE = action("the dog", "eat", "an apple".replace("an", "a"), past=True)
BY_HAND = [
    (state("I", "good"), "I am good", "je vais bien"),
    (
        because(DOG, DOG.subject, "hungry"),
        "a dog ate the food because it was hungry",
        "un chien a mangé la nourriture car il avait faim",
    ),
    (
        because(APPLE, APPLE.object, "red"),
        "the dog ate an apple because it was red",
        "le chien a mangé une pomme car elle était rouge",
    ),
    (
        action("the small black cat", "see", "two pretty white hen"),
        "the small black cat sees two pretty white hens",
        "le petit chat noir voit deux jolies poules blanches",
    ),
    (
        action("the horse+", "draw", "the bird+", past=True),
        "the horses drew the birds",
        "les chevaux ont dessiné les oiseaux",
    ),
    (state("the water", "cold"), "the water is cold", "l'eau est froide"),
    (
        state("the cold water", "dirty", past=True, negated=True),
        "the cold water was not dirty",
        "l'eau froide n'était pas sale",
    ),
    (
        state("a big tree", "green"),
        "a big tree is green",
        "un grand arbre est vert",
    ),
    (
        action("the man", "see", "the small onion"),
        "the man sees the small onion",
        "l'homme voit le petit oignon",
    ),
    (
        action("I", "find", "a expensive key", past=True),
        "I found an expensive key",
        "j'ai trouvé une clé chère",
    ),
    (
        state("I", "thirsty", past=True, negated=True),
        "I was not thirsty",
        "je n'avais pas soif",
    ),
    (
        state("we", "happy", negated=True),
        "we are not happy",
        "nous ne sommes pas contents",
    ),
    (state("she", "tired"), "she is tired", "elle est fatiguée"),
    (state("they", "good", past=True), "they were good", "ils allaient bien"),
    (
        action("we", "eat", "the egg+"),
        "we eat the eggs",
        "nous mangeons les œufs",
    ),
    (
        state("the bee+", "grey"),
        "the bees are grey",
        "les abeilles sont grises",
    ),
]


@pytest.mark.parametrize(("clause", "english", "french"), BY_HAND)
def test_translations_written_by_hand(clause, english, french):
    sentence = realise(clause)
    assert text(sentence.english) == english
    assert text(sentence.french) == french


def test_alignment_written_by_hand():
    sentence = realise(action("the small black cat", "wash", "a red car", past=True))
    english = [[sentence.english[i] for i in at] for at in sentence.alignment]
    assert list(zip(sentence.french, english, strict=True)) == [
        ("le", ["the"]),
        ("petit", ["small"]),
        ("chat", ["cat"]),
        ("noir", ["black"]),
        ("a", ["washed"]),
        ("lavé", ["washed"]),
        ("une", ["a"]),
        ("voiture", ["car"]),
        ("rouge", ["red"]),
    ]


@pytest.fixture(scope="module")
def drawn():
    rng = random.Random(5)
    return [draw(rng) for _ in range(6000)]


def test_every_sentence_has_one_translation(drawn):
    translations = {}
    for sentence in drawn:
        first = translations.setdefault(sentence.english, sentence)
        assert (first.french, first.alignment, first.pairs) == (
            sentence.french,
            sentence.alignment,
            sentence.pairs,
        )


def test_lengths_are_as_stated(drawn):
    assert {len(s.english) for s in drawn} == set(range(3, 10))
    assert max(len(s.french) for s in drawn) == 10


def test_every_english_word_is_translated_and_every_french_one_has_a_source(drawn):
    for sentence in drawn:
        assert len(sentence.alignment) == len(sentence.french)
        assert all(sentence.alignment)
        used = {i for at in sentence.alignment for i in at}
        assert used == set(range(len(sentence.english))), text(sentence.english)


def test_the_grammar_is_as_large_as_it_says():
    """Phrases and states are counted by writing all of them out."""
    for kinds, most in ((("person", "animal"), 2), (("food",), 1)):
        every = {tuple(phrase.english()) for phrase in phrases(kinds, most)}
        assert len(every) == len(phrases(kinds, most))
        rng = random.Random(0)
        drawn = {tuple(draw_phrase(rng, kinds, most).english()) for _ in range(2000)}
        assert drawn <= every
    people = phrases(("person", "animal"), 1) + list(PRONOUNS)
    anything = phrases(("person", "animal", "food", "thing"), 1)
    states = [(s, said) for s in people for said in FEELINGS]
    states += [(s, said) for s in anything for said in QUALITIES]
    assert number_of_sentences()["state"] == 4 * len(states)


def test_no_vowel_is_left_where_it_must_go(drawn):
    for sentence in drawn:
        for word, after in zip(sentence.french, sentence.french[1:], strict=False):
            vowel = after[0] in "aeiouyâéèêîôœ" or after.startswith("homme")
            if word in ("le", "la", "je", "ne"):
                assert not vowel, text(sentence.french)
            if word.endswith("'"):
                assert vowel, text(sentence.french)


def test_the_lexicon_is_as_large_as_asked():
    assert len(NOUNS) >= 40
    assert len(ADJECTIVES) >= 20
    genders = Counter(noun.gender for noun in NOUNS)
    assert min(genders.values()) >= 15


def test_forms_end_as_french_forms_do():
    for noun in NOUNS:
        assert noun.mass or noun.french[1][-1] in "sx", noun
    for adjective in (*ADJECTIVES, *FEELINGS[:3]):
        _, la, les, les_f = adjective.french
        assert la[-1] == "e", adjective
        assert les[-1] in "sx", adjective
        assert les_f == la + "s", adjective
    for verb in VERBS:
        je, il, nous, ils, participle = verb.french
        assert (je[-1], nous[-3:], ils[-3:]) in {
            ("e", "ons", "ent"),
            ("s", "ons", "ent"),
        }
        assert il == (je if je[-1] == "e" else je[:-1] + "t"), verb
        assert participle[-1] in "éu", verb


def test_a_fifth_of_the_pairs_is_held_out_of_every_noun_and_adjective():
    assert len(HELD_OUT_PAIRS) * 5 == len(NOUNS) * len(ADJECTIVES)
    nouns = Counter(noun for _, noun in HELD_OUT_PAIRS)
    adjectives = Counter(adjective for adjective, _ in HELD_OUT_PAIRS)
    assert set(nouns.values()) == {len(ADJECTIVES) // 5}
    assert set(adjectives.values()) == {len(NOUNS) // 5}


def adjacent(sentence):
    """Return each adjective with the next noun after it, by reading the words only."""
    nouns = {word: noun.english[0] for noun in NOUNS for word in noun.english}
    found = set()
    for i, word in enumerate(sentence.english):
        if word in ADJECTIVE:
            after = [nouns[w] for w in sentence.english[i:] if w in nouns]
            if after:
                found.add((word, after[0]))
    return found


def test_training_shows_nothing_that_is_held_out():
    for sentence in islice(training_sentences(0), 5000):
        assert not is_held_out(sentence)
        assert not HELD_OUT_PAIRS & sentence.pairs
        if "because" not in sentence.english and "is" not in sentence.english:
            assert not HELD_OUT_PAIRS & adjacent(sentence)


def test_a_pronoun_brings_its_noun_into_the_pair():
    sentence = realise(because(APPLE, APPLE.object, "red"))
    assert sentence.pairs == {("red", "apple")}


def test_training_shows_every_word():
    english, french = set(), set()
    for sentence in islice(training_sentences(0), 5000):
        english.update(sentence.english)
        french.update(sentence.french)
    assert english == set(ENGLISH.words) - {PAD}
    assert french == set(FRENCH.words) - {PAD, START, END}


@pytest.mark.parametrize("pairs", [False, True])
def test_the_tests_are_what_they_say(pairs):
    sentences = held_out_sentences(300, pairs=pairs)
    assert len({s.english for s in sentences}) == 300
    for sentence in sentences:
        assert has_held_out_pair(sentence) == pairs
        assert pairs or is_held_out(sentence)
    assert sentences == held_out_sentences(300, pairs=pairs)


def test_a_typed_sentence_is_split_into_known_words():
    words = split("A dog ate  the food, because it was hungry.")
    assert FRENCH.words[0] == ENGLISH.words[0] == PAD
    assert ENGLISH.decode(ENGLISH.encode(words)) == words
    assert split("i am GOOD!") == ["I", "am", "good"]


def test_an_unknown_word_is_refused_with_the_nearest_known_one():
    with pytest.raises(ValueError, match=r"got 'catt'; did you mean 'cat'\?"):
        ENGLISH.encode(["the", "catt"])


def test_padding_fills_up_and_decoding_stops_at_the_end():
    rows = FRENCH.batch([["le", "chat"], ["la"]])
    assert rows[1, 1] == 0
    assert FRENCH.decode([1, *FRENCH.encode(["le"]), 2, 5, 6]) == ["le"]
