"""Laws that the numbers of small figures obey, each against independent arithmetic."""

import itertools
from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest
import traitlets as t

from attention import rotary_embedding
from course.widgets import (
    RotaryDial,
    SharedBoard,
    SmallWhoIsIt,
    Swing,
    TileMap,
    Translator,
    TwoHeads,
    WhoIsIt,
    WordOrder,
    swing,
    tiles,
    what_is_left,
    word_order,
)
from course.widgets.cache_bytes import SIZES, WIDTH, CacheBytes
from course.widgets.pieces import MERGES, TEXT, joined, merges
from course.widgets.plane.shared_board import MODES
from course.widgets.plane.two_heads import LEAST, LIMIT, STAR, VALUES, weights_at
from course.widgets.who_is_it.card import FRAME, HEADS, NOUNS, fits
from transformer.laboratory import cut, trace_run
from transformer.small import pronouns
from transformer.storage import from_bytes, load
from transformer.vocabulary import FRENCH


def test_a_cache_has_other_bytes_than_its_arrays():
    for precision, dtype in enumerate((np.float32, np.float16, np.int8)):
        card = CacheBytes(layers=3, heads=16, n=5, precision=precision)
        found = card.numbers()
        assert np.dtype(dtype).itemsize == SIZES[precision]
        for heads, name in ((16, "own"), (2, "grouped"), (1, "single")):
            keys = np.zeros((3, heads, 5, WIDTH), dtype)
            assert found["bytes"][name] == 2 * keys.nbytes
        assert found["shares"] == [1, 1 / 8, 1 / 16]


def test_the_bytes_of_a_code_depend_on_the_heads():
    for heads in (1, 4, 16):
        card = CacheBytes(layers=3, heads=heads, n=5, code=640, without_code=False)
        codes, keys = np.zeros((3, 5, 640), np.float16), heads * 2 * WIDTH
        assert card.numbers()["bytes"]["code"] == codes.nbytes
        assert card.numbers()["shares"][3] == 640 / max(640, keys)


def test_a_merge_loses_letters_or_joins_a_rare_pair():
    states = merges(TEXT, MERGES)
    for (before, _), (after, newest) in pairwise(states):
        assert ["".join(word) for word in after] == TEXT.split()
        counts = Counter(a + b for word in before for a, b in pairwise(word))
        assert counts[newest] == max(counts.values())
        pieces = [sum(map(len, words)) for words in (before, after)]
        assert pieces[0] - pieces[1] == counts[newest]


def test_a_pair_that_overlaps_itself_is_joined_twice():
    assert joined(list("aaa"), ("a", "a")) == ["aa", "a"]


@pytest.mark.parametrize("angle", [3, 30, 90])
def test_the_product_depends_on_more_than_the_distance(angle):
    expected = np.cos(np.deg2rad(2 * angle))
    for key, shift in ((0, 0), (5, 0), (22, 100), (1, 37)):
        card = RotaryDial(query=key + 2, key=key, shift=shift, angle=angle)
        assert card.numbers()["product"] == pytest.approx(expected)


def test_a_pair_is_not_rotated_by_the_angle_of_the_library():
    card = RotaryDial(query=7, key=4, shift=2, angle=33)
    angles = np.deg2rad(33) * np.array([[9], [6]])
    expected = rotary_embedding([[1.0, 0.0]] * 2, np.cos(angles), np.sin(angles))
    np.testing.assert_allclose(card.rotated(), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("block", range(1, tiles.WORDS + 1))
def test_a_tile_with_a_seen_key_is_skipped(block):
    n, side = tiles.WORDS, -(-tiles.WORDS // block)
    mask = np.zeros((side * block,) * 2, bool)
    mask[:n, :n] = np.tri(n)
    seen = mask.reshape(side, block, side, block).any(axis=(1, 3))
    found = TileMap(block=block).numbers()
    assert (found["computed"], found["skipped"]) == (seen.sum(), (~seen).sum())
    assert found["scores"] == np.kron(seen, np.ones((block, block)))[:n, :n].sum()
    everything = TileMap(block=block, causal=False).numbers()
    assert (everything["skipped"], everything["scores"]) == (0, n**2)


@pytest.mark.parametrize("place", what_is_left.OTHERS)
@pytest.mark.parametrize("strength", [0.0, 0.35, 0.8, 1.0])
def test_a_step_multiplies_a_difference_by_more_than_the_strength(place, strength):
    left = what_is_left.left_of(place, strength)
    assert (left[:place] == 0).all()
    assert left[place] == 1
    bound = strength ** np.arange(len(what_is_left.WORDS) - place)
    assert (left[place:] <= bound * (1 + 1e-12)).all()


def test_states_differ_from_the_formula_of_the_page():
    W, words, _ = what_is_left.drawn()
    np.testing.assert_allclose(W @ W.T, np.eye(len(W)), atol=1e-12)
    first, second = what_is_left.states(words[:2], W, 0.5)
    np.testing.assert_allclose(np.arctanh(first), words[0])
    np.testing.assert_allclose(np.arctanh(second) - words[1], 0.5 * first @ W)


@pytest.mark.parametrize("places", [False, True])
def test_reordering_changes_outputs_without_positions(places):
    found = WordOrder(order=1, places=places)
    numbers, order = found.numbers(), list(word_order.ORDERS[1])
    moved = np.abs(numbers["output"] - numbers["written"][order]).max()
    assert (moved > 0.1) == places
    assert found.facts()["change"] == pytest.approx(moved)
    assert found.said().key == ("placed" if places else "blind")


def test_weights_or_probabilities_are_not_those_of_a_translation():
    machine = cut(*load(), ())
    begun = ["a", "dog", "ate", "the", "food", "because", "it", "was"]
    for ending, word in enumerate(swing.ENDINGS):
        run = trace_run([*begun, word], machine)
        row = run.target.index("car")
        for head in (0, 8, 15):
            card = Swing(ending=ending, head=head)
            query = 6 if swing.HEADS[head].startswith("encoder") else row
            weights = run.arrays[f"{swing.HEADS[head]}.weights"][query]
            facts = card.facts()
            assert np.isclose(facts["dog"], weights[swing.DOG])
            assert np.isclose(facts["food"], weights[swing.FOOD])
            assert facts["most"] == [*begun, word][weights.argmax()]
            assert np.isclose(facts["share"], weights.max())
            chosen = run.arrays["next"][row][FRENCH.encode(["il", "elle"])]
            np.testing.assert_allclose(card.numbers()["whole"], chosen)
            assert facts["pronoun"] == run.french[row]


PLACES = np.random.default_rng(0).uniform(-1, 1, size=(200, 2)).round(3)


def test_the_limit_is_not_the_distance_from_the_star_to_the_triangle():
    shares = np.linspace(0, 1, 1001)[:, np.newaxis]
    edge = shares * VALUES[0] + (1 - shares) * VALUES[2]
    assert np.hypot(*(edge - STAR).T).min() == pytest.approx(LIMIT)
    np.testing.assert_allclose(edge @ [4, 3], 1)  # the edge is this line
    assert VALUES[1] @ [4, 3] < 1 < STAR @ [4, 3]  # the star is on its other side


def test_a_weight_leaves_its_range_or_another_mean_lies_nearer():
    rows = np.random.default_rng(1).dirichlet([1, 1, 1], size=2000)
    means = (LEAST + (1 - 3 * LEAST) * rows) @ VALUES
    for place in PLACES:
        weights = weights_at(place)
        assert weights.sum() == pytest.approx(1)
        assert weights.min() >= LEAST * (1 - 1e-9)
        distance = np.hypot(*(weights @ VALUES - place))
        assert distance <= np.hypot(*(means - place).T).min() + 1e-12


def test_two_heads_do_not_reach_the_goal():
    both = TwoHeads(two=True, first=list(VALUES[0]), second=list(VALUES[2]))
    assert both.said().key == "within"
    both.two = False
    assert both.said().key == "one"
    both.first = list(STAR)
    assert both.said().key == "limit"


STRENGTHS = (0, 0.25, 0.5, 0.75, 1)


def most_hits(mode, strengths=STRENGTHS, others=STRENGTHS):
    """Return the largest number of columns at their marks, over all blocks."""
    board = SharedBoard(mode=mode)
    found = []
    blocks = (product(range(1, 4), each) for each in (strengths, others))
    for one, other in product(*blocks):
        board.column_1, board.strength_1 = one
        board.column_2, board.strength_2 = other
        found.append(board.facts()["hits"])
    return max(found)


def test_the_goal_is_reached_without_a_full_projection_or_with_one_head():
    assert [most_hits(mode) for mode in range(len(MODES))] == [0, 2, 4]
    assert most_hits(2, strengths=[0]) == most_hits(2, others=[0]) == 2


def test_the_opening_state_gives_the_answer_away():
    board = SharedBoard()
    assert board.said().key == "full"
    assert not np.any(board.projection()[:2, 0])  # head 1 does not write to column 1


@pytest.mark.parametrize(
    ("trait", "value", "said"),
    [
        ("sentence", "the machine ate", "got 'machine'"),
        ("sentence", "", "1 to 12 words, got 0"),
        ("sentence", " ".join(["the"] * 13), "1 to 12 words, got 13"),
        ("off", ["encoder.9"], "got 'encoder.9'"),
        ("forced", ["dog"], "got 'dog'"),
    ],
)
def test_an_unknown_word_or_part_or_a_wrong_length_is_accepted(trait, value, said):
    with pytest.raises(t.TraitError, match=said):
        Translator(**{trait: value})


def test_the_still_ignores_a_part_that_is_off():
    assert Translator().pictures() != Translator(off=["encoder.positions"]).pictures()


def test_the_frame_lacks_a_sentence_of_the_grammar():
    sentences = pronouns.draw(np.random.default_rng(0), 200)
    for tokens, referent in zip(sentences.tokens, sentences.referent, strict=True):
        words = [pronouns.WORDS[token] for token in tokens]
        options = zip(words, FRAME, strict=True)
        assert all(word in allowed for word, allowed in options)
        fitting = [place for place in (1, 5) if fits(words[place], words[-1])]
        assert fitting == [referent]


def test_stored_models_are_not_in_the_order_of_loss_and_seed():
    files = WhoIsIt().models
    sizes = itertools.product(range(2), range(3))
    for (loss, seed), file in zip(sizes, files, strict=True):
        figure = WhoIsIt(loss=loss, seed=seed, first=3, last=6)
        found = pronouns.reading(figure.sentence(), *from_bytes(file))
        rows = found.attention.reshape(len(HEADS), -1)[:, [1, 5]]
        np.testing.assert_allclose(figure.numbers()["heads"], rows, rtol=0, atol=1e-6)


def test_one_of_two_nouns_of_one_kind_is_the_referent():
    cat, dog, mat, rug = (NOUNS.index(noun) for noun in ("cat", "dog", "mat", "rug"))
    for first, second, last in ((cat, dog, 0), (mat, rug, 7), (cat, cat, 0)):
        figure = WhoIsIt(first=first, second=second, last=last)
        assert figure.said().key == "undetermined"
    assert WhoIsIt(first=rug, second=dog).facts()["noun"] == "dog"
    assert WhoIsIt(first=rug, second=dog, last=7).facts()["noun"] == "rug"


@pytest.mark.parametrize("mat_first", [False, True])
def test_the_small_figure_attends_to_the_wrong_noun(mat_first):
    model = pronouns.shown("pointer", 1)
    for ending, word in enumerate(pronouns.ADJECTIVES):
        figure = SmallWhoIsIt(mat_first=mat_first, ending=ending)
        words = figure.words[mat_first][ending]
        weights = pronouns.reading(words, *model).attention[-1].mean(axis=0)
        np.testing.assert_allclose(figure.weights[mat_first][ending], weights)
        noun = "cat" if word in pronouns.OF_ANIMALS else "mat"
        assert (words[int(weights.argmax())], words[-1]) == (noun, word)
        assert figure.said().key == noun
        assert words.index("mat") == (1 if mat_first else 5)


def test_hungry_or_cold_opens_with_a_head_that_moves_less_than_another():
    def towards_the_dog(ending, head):
        facts = Swing(ending=ending, head=head).facts()
        return facts["dog"] - facts["food"]

    heads = range(len(swing.HEADS))
    moves = [towards_the_dog(0, head) - towards_the_dog(1, head) for head in heads]
    assert moves[Swing().head] == max(moves)
    assert [Swing(ending=i).facts()["pronoun"] for i in range(2)] == ["il", "elle"]
