"""The grammar: French forms, random sentences, what is held out, the automaton."""

import random
from itertools import islice, product

import pytest

from transformer import grammar, lexicon
from transformer.automaton import english
from transformer.sentences import (
    HELD_OUT_PAIRS,
    draw,
    draw_it,
    has_held_out_pair,
    held_out_sentences,
    is_held_out,
    number_of_sentences,
    training_sentences,
)
from transformer.vocabulary import END, ENGLISH, FRENCH, PAD, START, split

NOUN = {noun.english[0]: noun for noun in lexicon.NOUNS}
ADJECTIVE = {adjective.english: adjective for adjective in lexicon.ADJECTIVES}
VERBS = (*lexicon.VERBS, lexicon.PLAY, *lexicon.ACTIVITIES)
VERB = {verb.english[0]: verb for verb in VERBS}
GAME = {game.english: grammar.Play(game) for game in lexicon.GAMES}
SAID = {one.english: one for one in (*lexicon.FEELINGS, *lexicon.QUALITIES)}
PRONOUN = {pronoun.word: pronoun for pronoun in grammar.PRONOUNS}


def phrase(words):
    """Build a noun phrase; "two" and a noun with "+" are plural."""
    if words in PRONOUN:
        return PRONOUN[words]
    article, *adjectives, noun = words.split()
    plural = article == "two" or noun.endswith("+")
    chosen = tuple(ADJECTIVE[word] for word in adjectives)
    return grammar.NounPhrase(article, chosen, NOUN[noun.rstrip("+")], plural)


def on(words):
    return grammar.PlacePhrase(phrase(words))


def action(subject, verb, object_=None, past=False):
    what = phrase(object_) if isinstance(object_, str) else object_
    return grammar.Action(phrase(subject), VERB[verb], what, past)


def state(subject, said, past=False, negated=False):
    return grammar.StateClause(phrase(subject), SAID[said], past, negated)


def because(clause, of, said):
    it = grammar.refer_to(of)
    reason = grammar.StateClause(it, SAID[said], clause.past, of=of)
    return grammar.Because(clause, reason)


DOG = action("a dog", "eat", "the food", past=True)
APPLE = action("the dog", "eat", "a apple", past=True)
MAT = action("the cat", "sit", on("the mat"), past=True)
CHAIRS = action("the cat+", "sit", on("two chair"), past=True)
BY_HAND = """
I am good | je vais bien | 0 1 2
I was not thirsty | je n' avais pas soif | 0 2 1 2 3
she is tired | elle est fatiguée | 0 1 2
the cold water was not dirty | l' eau froide n' était pas sale | 0 2 1 4 3 4 5
the bees are grey | les abeilles sont grises | 0 1 2 3
the small black cat sees two pretty white hens
    | le petit chat noir voit deux jolies poules blanches | 0 1 3 2 4 5 6 8 7
the horses drew the birds | les chevaux ont dessiné les oiseaux | 0 1 2 2 3 4
I found an expensive key | j' ai trouvé une clé chère | 0 1 1 2 4 3
we eat the eggs | nous mangeons les œufs | 0 1 2 3
the dog bites the man | le chien mord l' homme | 0 1 2 3 4
I sat | je me suis assis | 0 1 1 1
they sit | ils s' asseyent | 0 1 1
we sit on a small tree | nous nous asseyons sur un petit arbre | 0 1 1 2 3 4 5
the women fell on a tree | les femmes sont tombées sur un arbre | 0 1 2 2 3 4 5
two children played chess | deux enfants ont joué aux échecs | 0 1 2 2 3 3
I bought an apple to eat | j' ai acheté une pomme à manger | 0 1 1 2 3 4 5
a dog ate the food because it was hungry
    | un chien a mangé la nourriture car il avait faim | 0 1 2 2 3 4 5 6 7 8
the cats sat on two chairs because they were soft
    | les chats se sont assis sur deux chaises car elles étaient douces
    | 0 1 2 2 2 3 4 5 6 7 8 9
"""
CLAUSES = [
    state("I", "good"),
    state("I", "thirsty", past=True, negated=True),
    state("she", "tired"),
    state("the cold water", "dirty", past=True, negated=True),
    state("the bee+", "grey"),
    action("the small black cat", "see", "two pretty white hen"),
    action("the horse+", "draw", "the bird+", past=True),
    action("I", "find", "a expensive key", past=True),
    action("we", "eat", "the egg+"),
    action("the dog", "bite", "the man"),
    action("I", "sit", past=True),
    action("they", "sit"),
    action("we", "sit", on("a small tree")),
    action("the woman+", "fall", on("a tree"), past=True),
    action("two child", "play", GAME["chess"], past=True),
    action("I", "buy", grammar.ToEat(phrase("a apple")), past=True),
    because(DOG, DOG.subject, "hungry"),
    because(CHAIRS, grammar.thing_of(CHAIRS.object), "soft"),
]
LINES = BY_HAND.replace("\n    |", " |").strip().splitlines()


@pytest.mark.parametrize(("clause", "line"), [*zip(CLAUSES, LINES, strict=True)])
def test_a_translation_or_alignment_differs_from_that_by_hand(clause, line):
    english, french, places = (part.split() for part in line.split("|"))
    sentence = grammar.realise(clause)
    assert list(sentence.english) == english
    assert list(sentence.french) == french
    assert sentence.alignment == tuple((int(place),) for place in places)


@pytest.mark.parametrize(
    ("clause", "said", "his", "hers"),
    [
        (APPLE, "small", "petit", "petite"),
        (CHAIRS, "big", "grands", "grandes"),
        (action("they", "wash", "the flower+"), "heavy", "lourds", "lourdes"),
    ],
)
def test_a_reason_that_fits_both_nouns_gives_one_translation(clause, said, his, hers):
    of_subject = grammar.realise(because(clause, clause.subject, said))
    of_object = grammar.realise(because(clause, grammar.thing_of(clause.object), said))
    assert of_subject.english == of_object.english
    assert (of_subject.other, of_object.other) == (of_object.french, of_subject.french)
    assert (of_subject.french[-1], of_object.french[-1]) == (his, hers)
    assert of_subject.pairs == of_object.pairs


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        (APPLE, "red"),  # fits objects only
        (APPLE, "hungry"),  # fits subjects only
        (MAT, "wet"),  # the pronoun of both nouns is il
        (action("the man", "see", "a apple"), "wet"),  # different pronouns: he, it
        (action("the dog", "run"), "wet"),  # the action has no object
    ],
)
def test_a_reason_that_fits_one_noun_gives_two_translations(clause, said):
    for of in (clause.subject, grammar.thing_of(clause.object)):
        if of:
            assert grammar.realise(because(clause, of, said)).other == ()


# --- random sentences -----------------------------------------------------------------


@pytest.fixture(scope="module")
def drawn():
    rng = random.Random(5)
    return [draw(rng) for _ in range(5000)]


def test_a_random_sentence_breaks_the_grammar(drawn):
    """Check alignment, lengths, elision, and the right translations of a sentence."""
    readings = {}
    for sentence in drawn:
        assert len(sentence.alignment) == len(sentence.french)
        used = {i for at in sentence.alignment for i in at}
        assert all(sentence.alignment)
        assert used == set(range(len(sentence.english))), sentence.english
        first = readings.setdefault(sentence.english, sentence)
        assert sentence.french in (first.french, first.other), sentence.english
        for word, after in zip(sentence.french, sentence.french[1:], strict=False):
            vowel = after[0] in "aeiouyâéèêîôœ" or after.startswith("homme")
            assert not (vowel and word in ("le", "la", "je", "me", "se", "ne"))
            assert vowel or not word.endswith("'"), grammar.text(sentence.french)
    assert {len(s.english) for s in drawn} == set(range(2, grammar.MAX_WORDS + 1))
    assert max(len(s.french) for s in drawn) == grammar.MAX_FRENCH
    assert {s.kind for s in drawn} == set(grammar.KINDS_OF_SENTENCES)


def test_subject_and_object_are_not_meant_equally_often():
    rng = random.Random(2)
    clauses = [draw_it(rng) for _ in range(1500)]
    either = [c for c in clauses if c.reason.predicate in lexicon.EITHER]
    subject = sum(c.reason.of is c.action.subject for c in either)
    assert abs(2 * subject - len(either)) < 4 * len(either) ** 0.5


# --- the words ------------------------------------------------------------------------


def test_a_french_form_has_another_ending_than_its_kind():
    for noun in lexicon.NOUNS:
        assert noun.mass or noun.french[1][-1] in "sx", noun
    for adjective in (*lexicon.ADJECTIVES, *lexicon.FEELINGS[:3]):
        _, la, les, les_f = adjective.french
        assert la[-1] == "e", adjective
        assert les[-1] in "sx", adjective
        assert les_f == la + "s", adjective
    for verb in VERBS:
        je, il, nous, ils = verb.french
        assert je[-1] in "es"
        assert (nous[-3:], ils[-3:]) == ("ons", "ent"), verb
        stem = je[:-1]
        assert il == (je if je[-1] == "e" else stem if stem[-1] == "d" else stem + "t")
        le, la, les, les_f = verb.participle
        assert le[-1] in "éuis", verb
        agreeing = (le + "e", le + "s" if le[-1] != "s" else le, le + "es")
        assert (la, les, les_f) in (agreeing, (le, le, le)), verb


def test_a_typed_sentence_is_split_or_encoded_wrong():
    words = split("A dog ate  the food, because it was hungry.")
    assert FRENCH.words[0] == ENGLISH.words[0] == PAD
    assert ENGLISH.decode(ENGLISH.encode(words)) == words
    with pytest.raises(ValueError, match=r"got 'catt'; did you mean 'cat'\?"):
        ENGLISH.encode(["the", "catt"])
    rows = FRENCH.batch([["le", "chat"], ["la"]])
    assert rows.tolist() == [FRENCH.encode(["le", "chat"]), [*FRENCH.encode(["la"]), 0]]
    assert FRENCH.decode([1, *FRENCH.encode(["le"]), 2, 5, 6]) == ["le"]


# --- what is held out -----------------------------------------------------------------


def test_pairs_lack_the_pair_of_a_pronoun_or_of_the_other_reading():
    sentence = grammar.realise(because(APPLE, APPLE.object, "red"))
    assert sentence.pairs == {("red", "apple")}
    either = [said.english for said in lexicon.EITHER]
    said = next(said for said in either if (said, "dog") in HELD_OUT_PAIRS)
    thing = next(n for n in ("apple", "pear", "egg") if (said, n) not in HELD_OUT_PAIRS)
    clause = action("the dog", "eat", f"the {thing}")
    for of in (clause.subject, clause.object):
        assert has_held_out_pair(grammar.realise(because(clause, of, said)))


@pytest.fixture(scope="module")
def trained_on():
    return list(islice(training_sentences(0), 20000))


@pytest.mark.more
def test_training_has_a_held_out_sentence_or_pair(trained_on):
    for sentence in trained_on:
        assert not is_held_out(sentence.english)
        assert not HELD_OUT_PAIRS & sentence.pairs


@pytest.mark.more
def test_training_lacks_a_word_or_a_form_of_a_verb(trained_on):
    for vocabulary, name in ((ENGLISH, "english"), (FRENCH, "french")):
        shown = {word for sentence in trained_on for word in getattr(sentence, name)}
        assert shown == {*vocabulary.words} - {PAD, START, END}
    french = {sentence.french for sentence in trained_on}
    for word, verb, past in product(PRONOUN, lexicon.ACTIVITIES, (False, True)):
        clause = action(word, verb.english[0], past=past)
        assert grammar.realise(clause).french in french
    for word, said in product(PRONOUN, lexicon.FEELINGS):
        assert not is_held_out(state(word, said.english, past=True).english())


@pytest.mark.more
@pytest.mark.parametrize("pairs", [False, True])
def test_a_test_sentence_is_shown_twice_or_not_held_out(pairs):
    for ambiguous, count in ((False, 301), (True, 53)):
        sentences = held_out_sentences(count, pairs=pairs, ambiguous=ambiguous)
        assert len({s.english for s in sentences}) == count
        for sentence in sentences:
            assert has_held_out_pair(sentence) == pairs
            assert pairs or is_held_out(sentence.english)
            assert bool(sentence.other) == ambiguous
    again = held_out_sentences(29, pairs=pairs)
    assert again == held_out_sentences(301, pairs=pairs)[:29]


# --- the automaton --------------------------------------------------------------------


@pytest.mark.more
def test_the_automaton_has_more_or_fewer_sentences_than_the_grammar():
    total = sum(number_of_sentences().values())
    assert english().number_of_sentences() == total


def test_a_sentence_of_the_grammar_is_refused():
    for seed in range(1000):
        assert english().accepts(draw(random.Random(seed)).english)


@pytest.mark.parametrize(
    ("words", "fits"),
    [
        ("the black dog ate the red apple because it was hungry", 7),
        ("a apple is red", 1),
        ("the girl ate the apple because he was hungry", 6),
        ("she bought a big red apple to eat", 6),
        ("he sees", 2),  # the beginning of a sentence
    ],
)
def test_follow_does_not_stop_at_the_first_wrong_word(words, fits):
    path = english().follow(split(words))
    assert len(path) == fits + 1
    assert not english().accepts(split(words))


def test_a_state_lists_other_words_than_may_come_next():
    path = english().follow(["he", "sees"])
    assert {*english().states[path[-1]].words} == {"the", "a", "an", "two"}


def test_two_states_are_equal_or_a_word_has_no_kind():
    assert len(set(map(repr, english().states))) == len(english().states)
    kinds = english().kinds()
    assert kinds.keys() == {*ENGLISH.words} - {PAD}
    assert kinds["cat"] == kinds["dog"] != kinds["cats"]
