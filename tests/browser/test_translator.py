"""The translator in a real browser: its numbers, its texts and its controls.

The first tests call the JavaScript functions of the page, and compare them with Python.
The other tests use the translator alone on a page, by mouse and keyboard.
"""

import base64
import math
import random
import re
from collections import Counter

import displayed
import numpy as np
import pytest
from acts import enter, reading
from frames import drawn, resize
from modules import load_modules

from course.widgets import Translator
from transformer import automaton
from transformer.decoding import Translation, trace_translation
from transformer.effects import effects, held_out, stored_effects
from transformer.laboratory import cut, heads_of, stored_means, switches, trace_run
from transformer.sentences import draw
from transformer.storage import MEANS, MODEL, load
from transformer.vocabulary import ENGLISH, FRENCH, split

CAT = "the small cat ate a red apple"
DOG = "a dog ate the food because it was hungry"
HORSE = "the horse washed the food because it was small"
WEIGHTS, CONFIG = load()
WORDS = Translator().words
HEADS, SWITCHES = heads_of(CONFIG), switches(CONFIG)
HEAD = "decoder.1.cross_attention.head.1"
SUBLAYER = HEAD.rpartition(".head.")[0]
READ = """([name, file]) => {
  const bytes = Uint8Array.from(atob(file), c => c.charCodeAt(0));
  const { readModel } = need("translator/weights.js");
  globalThis[name] = readModel(new DataView(bytes.buffer));
}"""


@pytest.fixture(scope="module")
def functions(browser):
    """Yield a page that holds the translator's modules and the stored model."""
    page = browser.new_page()
    names = ("forward", "weights", "sentence", "explain")
    load_modules(page, *(f"translator/{name}.js" for name in names))
    for name, file in (("machine", MODEL), ("means", MEANS)):
        page.evaluate(READ, [name, base64.b64encode(file.read_bytes()).decode()])
    yield page
    page.close()


def by_python(english) -> Translation:
    return trace_translation(english, WEIGHTS, CONFIG)


# --- The numbers are Python's -----------------------------------------------------


TRANSLATE = """([source, words, off, mean, forced]) => {
  const { cut, translate } = need("translator/forward.js");
  const part = cut(machine, off, mean ? means.matrices : null);
  const wanted = forced.map(n => n < 0 ? undefined : n);
  const { target, matrices } = translate(part, source, words, wanted);
  const computed = Object.entries(matrices).filter(([, { how }]) =>
    how.by !== "learned");
  return [target, computed.map(([name, { values }]) => [name, values])];
}"""


def test_a_cut_or_forced_translation_differs_from_python(functions):
    rng = random.Random(37)
    for _ in range(50):
        sentence = draw(rng)
        off = rng.sample(SWITCHES, rng.choice([0, 1, 2, 4, len(SWITCHES) - 1]))
        mean = rng.random() < 0.3
        forced = [rng.choice([-1, -1, rng.randrange(2, len(FRENCH))]) for _ in "123456"]
        given = [ENGLISH.encode(sentence.english), WORDS, off, mean, forced]
        target, matrices = displayed.ask(functions, TRANSLATE, given)
        machine = cut(WEIGHTS, CONFIG, off, stored_means() if mean else None)
        chosen = [FRENCH.words[n] if n >= 0 else "" for n in forced]
        expected = trace_run(sentence.english, machine, chosen)
        assert [FRENCH.words[number] for number in target[1:]] == expected.french
        assert len(matrices) > 200
        for name, values in matrices:
            array = expected.arrays["logits" if name == "decoder.logits" else name]
            found = np.array(values, float)
            np.testing.assert_allclose(found, array, rtol=0, atol=1e-9, err_msg=name)


EXPLAIN = """([source, words, off]) => {
  const { cut, translate } = need("translator/forward.js");
  const { explain } = need("translator/explain.js");
  const { matrices } = translate(cut(machine, off, null), source, words);
  return Object.keys(matrices).flatMap((name) => {
    const { values, how } = matrices[name];
    const last = [values.length - 1, values[0].length - 1];
    return [[0, 1], last].map(([i, j]) =>
      [how.by, `${name} ${i} ${j}`, values[i][j], explain(matrices, name, i, j)]);
  });
}"""
NUMBER = r"−?\d+\.\d{4}"
PLACE = r": ((sin|cos)\(.*?\^\(.*?\)\)) = \w+ ([\d.]+) = "
SIGNS = str.maketrans({"÷": "/", "×": "*", "−": "-", "^": "**"})
HOW = {"learned", "product", "compare", "sum", "norm", "lookup", "scale", "softmax"}
HOW |= {"concat", "place"}


@pytest.mark.parametrize(
    ("off", "more"),
    [([], set()), (["encoder.positions", "encoder.residuals"], {"lacking", "alone"})],
)
def test_an_explanation_computes_another_number_than_its_cell(functions, off, more):
    found = functions.evaluate(EXPLAIN, [ENGLISH.encode(split(CAT)), WORDS, off])
    assert {by for by, *_ in found} == HOW | more
    for by, name, value, said in found:
        text = " ".join(said["lines"])
        numbers = [displayed.shown(each)[0] for each in re.findall(NUMBER, text)]
        if by == "place":
            formula, wave, angle = re.search(PLACE, text).groups()
            assert abs(eval(f"math.{formula.translate(SIGNS)}") - value) < 1e-9, name
            assert abs(getattr(math, wave)(float(angle)) - value) < 1e-4, name
        if by == "concat":
            head, column = divmod(int(name.split()[-1]), CONFIG.d_model // 4)
            assert f"Copied from head {head + 1}, column {column + 1}:" in text
            assert said["sources"][0].endswith(f".head.{head}.output")
        equations = re.findall(rf"([^:=a-z]+) = ({NUMBER})", text)
        for left, right in equations if by != "place" else ():
            expected = eval(left.translate(SIGNS))
            assert abs(expected - displayed.shown(right)[0]) < 1e-3, (name, text)
        if value == -np.inf:
            assert "the weight 0" in text
        elif by not in ("learned", "lacking"):
            last = numbers[-1]
            if "ReLU" in text:
                assert ("lets it pass" in text) == (last > 0), (name, text)
                last = max(last, 0)
            assert abs(last - value) < 1e-3, (name, text)
        if by == "norm":
            *_, hat, gain, shift, _ = numbers
            assert abs(hat * gain + shift - value) < 1e-3, (name, text)
        if terms := said["terms"]:
            shift = re.search(rf"Plus the shift \(?({NUMBER})", text)
            total = sum(a * b for a, b in terms)
            total += displayed.shown(shift[1])[0] if shift else 0
            total = max(total, 0) if "ReLU" in text else total
            assert abs(total - value) < 1e-3, (name, text)


# Chooses random words of random kinds of sentences; a choice may exclude earlier ones.
CHOOSE = """([words, randoms]) => {
  const { PATTERNS, choiceOf, compose, firstChoice, places } =
    need("translator/sentence.js");
  const any = (list) => list[Math.floor(randoms.pop() * list.length)];
  const choice = firstChoice();
  return Array.from({ length: 500 }, () => {
    choice.pattern = any(PATTERNS);
    for (let at = 0; at < places(words, choice).length; at++) {
      const place = places(words, choice)[at];
      const holder = place.at.length > 1 ? choice[place.at[0]] : choice;
      holder[place.at.at(-1)] = any(place.options);
    }
    places(words, choice);
    const made = compose(words, choice);
    return [made, compose(words, choiceOf(words, made))];
  });
}"""


def test_a_chosen_sentence_breaks_the_grammar_or_is_not_found_again(functions):
    randoms = np.random.default_rng(0).random(500 * 20).tolist()
    made = functions.evaluate(CHOOSE, [WORDS, randoms])
    assert {"because", "on", "to", "play"} < {word for each, _ in made for word in each}
    for english, again in made:
        assert automaton.english().accepts(english), english
        assert again == english


# --- What the reader sees ---------------------------------------------------------


@pytest.fixture
def open_page(open_page):
    """Open the translator alone on a page."""

    def open_(widget, **options):
        page = open_page(widget, **options)
        page.wait_for_selector(".abh-arc-row button")
        settle(page)
        return page

    return open_


def settle(page):
    """Wait until the page has drawn all changes."""
    busy = ".abh-card[aria-busy], .abh-card [aria-busy]"
    page.wait_for_selector(busy, state="detached")


def french_of(page):
    """Return the French words of the translation, read from their buttons."""
    return page.locator(".abh-tr-chip").all_inner_texts()[:-1]


def type_sentence(page, text):
    enter(page.get_by_label("or type one"), text)
    settle(page)


def press(page, name):
    page.get_by_role("button", name=name, exact=isinstance(name, str)).click()
    settle(page)


def undo(page, name="Undo"):
    page.locator(f"button:text-is('{name}')").dispatch_event("click")
    settle(page)


def lists_of(page):
    selects = page.locator(".abh-tr-choices select")
    return selects.evaluate_all("all => all.map((s) => s.selectedOptions[0].text)")


def test_the_lists_do_not_follow_the_sentence(open_page):
    page = open_page(Translator(sentence=CAT))
    before = lists_of(page)
    page.get_by_label("subject: adjective").focus()
    page.get_by_label("subject: adjective").select_option("pretty")
    settle(page)
    assert lists_of(page) != before
    page.keyboard.press("Control+z")
    settle(page)
    assert lists_of(page) == before
    focused = "document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(focused) == "subject: adjective"
    type_sentence(page, "The small women were not tired.")
    assert lists_of(page)[:4] == ["something is so", "the (several)", "small", "women"]
    undo(page)
    assert lists_of(page) == before


UNKNOWN = {
    "the banana ate": "Words that it knows at this place: ",
    "the dgo ate": "Did you mean “dog”",
    "the \U0001f408cat ate": "Did you mean “cat”",
    "the \U0001f408 cat ate": "that this model knows.",  # and no “a” is offered
    "the " * 13: "at most 12 words here; this one has 13",
    "  ": "Write a sentence.",
}


def test_a_sentence_that_the_model_cannot_read_is_not_refused_or_explained(open_page):
    page = open_page(Translator())
    shown = page.locator(".abh-tr-stage, .abh-tr-next")
    answer, field = page.locator(".abh-tr-answer"), page.get_by_label("or type one")
    for typed, said in UNKNOWN.items():
        type_sentence(page, typed)
        assert said in answer.inner_text()
        assert ("Did you mean" in answer.inner_text()) == ("Did you mean" in said)
        assert field.get_attribute("aria-invalid") == "true", typed
        assert not any(each.is_visible() for each in shown.all()), typed
    press(page, "Heads")
    assert page.locator(".abh-tr-stage").is_visible(), "the last sentence has heads"
    press(page, "Sentence")
    assert not any(each.is_visible() for each in shown.all())
    type_sentence(page, "A dog ate the food, because it was hungry.")
    assert answer.inner_text() == ""
    french = by_python(split(DOG)).french
    assert french_of(page) == french
    assert " ".join(french) in reading(page)
    assert all(each.is_visible() for each in shown.all())


OUTSIDE = {
    "the black dog ate the red apple because it was hungry": (
        "Word 8, “because”, is the first that does not fit the grammar. After “the "
        "black dog ate the red apple”, every sentence ends."
    ),
    "he sees": "no whole sentence of the grammar. After “he sees”, the next word can",
    "the the cat": "After “the”, the next word can be “apple”",
    "she dances on": "“she dances on”, the next word can be “a”, “an”, “the”, “two”.",
}


def test_a_sentence_outside_the_grammar_is_not_translated_or_marked(open_page):
    page = open_page(Translator())
    strange = page.locator(".abh-tr-strange")
    lists = page.locator(".abh-tr-choices select")
    assert not strange.is_visible()
    for typed, said in OUTSIDE.items():
        type_sentence(page, typed)
        assert said in strange.inner_text(), typed
        assert french_of(page) == by_python(split(typed)).french
        assert lists.first.input_value() == "as typed"
        assert all(each.is_disabled() for each in lists.all()[1:])
    page.get_by_label("kind of sentence").select_option("something is so")
    settle(page)
    assert not strange.is_visible()
    assert all(each.is_enabled() for each in lists.all())


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("sentence=gibberish", "sentence = “gibberish”; “gibberish” is not among the"),
        ("matrix=no", "matrix = “no”; the model has none of that name"),
    ],
)
def test_an_address_with_wrong_values_is_not_refused(open_page, query, words):
    page = open_page(Translator(), query=f"?translator.{query}")
    assert french_of(page)[:2] == ["un", "chien"]
    assert words in page.locator(".refused").inner_text()


# --- The laboratory ---------------------------------------------------------------

SWITCH = re.compile("^Switch .* off$")


def cut_by_python(english, off, means=None, forced=()):
    machine = cut(WEIGHTS, CONFIG, off, means)
    return trace_run(split(english), machine, forced).french


def test_switching_a_part_off_does_not_mark_the_words_that_change(open_page):
    page = open_page(Translator(sentence=DOG, level="heads"))
    names = ["decoder.0.feed_forward", "encoder.positions"]
    for part in (f"{names[0]}.hidden", "encoder.embedded"):
        page.locator(f"[data-part='{part}']").click()
        press(page, SWITCH)
    expected = cut_by_python(DOG, names)
    assert french_of(page) == expected
    assert not page.get_by_label("A head that is off adds").is_visible()
    status = page.locator(".abh-tr-status").inner_text()
    assert status == "Off: Encoder, positions; Decoder, layer 1, feed-forward."
    before = page.locator(".abh-tr-was :is(del, span)").all_inner_texts()
    gone = page.locator(".abh-tr-was del").all_inner_texts()
    new = page.locator(".abh-tr-new").all_inner_texts()
    assert before == by_python(split(DOG)).french
    assert Counter(before) + Counter(new) == Counter(expected) + Counter(gone)
    undo(page)
    assert french_of(page) == cut_by_python(DOG, names[:1])
    press(page, "All on")
    assert french_of(page) == before
    assert page.locator(".abh-tr-off").count() == 0


def test_a_button_of_a_head_or_sublayer_switches_other_heads(open_page):
    off = ["decoder.1.feed_forward"]
    card = Translator(sentence=DOG, level="heads", matrix=f"{HEAD}.weights", off=off)
    page = open_page(card)
    press(page, "Only this head")
    others = [name for name in HEADS if name != HEAD]
    before = french_of(page)
    assert before == cut_by_python(DOG, [*off, *others])
    assert page.locator(".abh-tr-heads .abh-tr-off:has(svg)").count() == len(others)
    said = page.locator(".abh-tr-status").inner_text()
    heads = "Decoder, layer 2, cross-attention, head 1, 3, 4"
    assert said.endswith(f"{heads}; Decoder, layer 2, feed-forward.")
    page.get_by_label("A head that is off adds").select_option(index=1)
    with_means = cut_by_python(DOG, [*off, *others], stored_means())
    assert french_of(page) == with_means != before
    page.locator(f"[data-part='{SUBLAYER}.concat']").click()
    own = page.locator(f"[data-part^='{SUBLAYER}.head.'].abh-tr-off")
    for act, count in (("off", CONFIG.num_heads), ("on", 0)):
        press(page, f"Switch all its heads {act}")
        assert own.count() == count


def forced_of(page):
    """Return the shown translation and its forced words."""
    settle(page)
    return french_of(page), page.locator(".abh-tr-forced").all_inner_texts()


def test_undo_a_link_or_a_second_press_gets_forced_words_wrong(open_page):
    page = open_page(Translator(sentence=HORSE, step=8))
    states = [forced_of(page)]
    page.locator(".abh-tr-line", has_text="others").locator("span").first.click()
    assert forced_of(page) == states[0]
    for word in ("elle", "ils"):
        page.get_by_role("button", name=word, exact=True).first.click()
        states.append(forced_of(page))
        assert states[-1] != states[-2]
    forced = cut_by_python(HORSE, (), forced=[*[""] * 7, "elle"])
    assert forced[-1] == "petite"
    assert states[1] == (forced, ["elle"])
    page.wait_for_function("location.search.includes('ils')")
    address = page.url
    for name, past in (("Undo", states[-2::-1]), ("Redo", states[1:])):
        for expected in past:
            undo(page, name)
            assert forced_of(page) == expected
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(".abh-tr-forced")
    assert forced_of(page) == states[-1]
    page.locator(".abh-tr-word[aria-pressed=true]").click()
    assert forced_of(page) == states[0]
    page = open_page(Translator(sentence=CAT, step=3, forced=["", "", "oignons"]))
    pressed = page.locator(".abh-tr-word[aria-pressed=true]")
    assert pressed.all_inner_texts() == ["oignons"], "also an unlikely word has a bar"
    type_sentence(page, DOG)
    assert forced_of(page) == (by_python(split(DOG)).french, [])


# Returns how far the ends of the thickest arc are from the middles of the chosen word
# and of the word at `place`.
MISSED = """place => {
  const middle = (word) => {
    const { left, width } = word.getBoundingClientRect();
    return left + width / 2;
  };
  const width = (arc) => Number(arc.getAttribute("stroke-width"));
  const [arc] = [...document.querySelectorAll(".abh-arcs path")]
    .sort((a, b) => width(b) - width(a));
  const { left } = arc.ownerSVGElement.getBoundingClientRect();
  const x = (along) => left + arc.getPointAtLength(along).x * ZOOM;
  const chosen = document.querySelector(".abh-tr-chip[aria-pressed=true]");
  const [upper] = document.querySelectorAll(".abh-arc-row");
  return [x(0) - middle(chosen),
    x(arc.getTotalLength()) - middle(upper.children[place])];
}"""


def check_widths(widths, row):
    """Check that each weight w above 0.02 has an arc of thickness 9 w."""
    np.testing.assert_allclose(widths, 9 * row[row > 0.02], atol=0.01)


def test_an_arc_misses_the_next_word_or_the_word_it_attends_to(open_page):
    arrays = by_python(split(DOG)).arrays
    rows = [arrays[f"{SUBLAYER}.head.{h}.weights"][7] for h in range(CONFIG.num_heads)]
    shown = {f"{SUBLAYER}.output": np.mean(rows, axis=0), f"{HEAD}.weights": rows[1]}
    for matrix, row in shown.items():
        page = open_page(Translator(sentence=DOG, step=8, matrix=matrix))
        arcs = page.locator(".abh-arcs path[d]:not([d=''])")
        width = "all => all.map((path) => Number(path.getAttribute('stroke-width')))"
        check_widths(arcs.evaluate_all(width), row)
    for zoom in ("1", "1.25"):  # 1.25: full screen
        page.locator(".abh-card").evaluate("(card, z) => (card.style.zoom = z)", zoom)
        drawn(page)
        missed = page.evaluate(MISSED.replace("ZOOM", zoom), int(rows[1].argmax()))
        np.testing.assert_allclose(missed, 0, atol=1, err_msg=zoom)


# Returns, for each word, the widths of the arcs while the pointer is on it, and whether
# all arcs are as before when the pointer has left.
POINTED = """() => {
  const drawn = () => [...document.querySelectorAll(".abh-arcs path")]
    .map((arc) => [arc.getAttribute("d"), Number(arc.getAttribute("stroke-width"))]);
  const before = JSON.stringify(drawn());
  return [".abh-tr-english", ".abh-tr-chip"].map((words) =>
    [...document.querySelectorAll(words)].map((word) => {
      word.dispatchEvent(new PointerEvent("pointerenter"));
      const widths = drawn().map(([, width]) => width);
      word.dispatchEvent(new PointerEvent("pointerleave"));
      return [widths, JSON.stringify(drawn()) === before];
    }));
}"""


def test_a_word_under_the_pointer_shows_arcs_of_another(open_page):
    page = open_page(Translator(sentence=DOG, step=0, matrix=f"{HEAD}.weights"))
    weights = by_python(split(DOG)).arrays[f"{HEAD}.weights"]
    english, french = displayed.ask(page, POINTED)
    for found, expected in ((english, weights.T), (french, weights)):
        for (widths, is_back), row in zip(found, expected, strict=True):
            check_widths(widths, row)
            assert is_back


def test_the_next_word_is_written_too_early_or_not_at_all(open_page):
    page = open_page(Translator(sentence="I am good", level="cell", step=1))
    rows = page.locator(".abh-tr-sheet tbody th")
    expected = ["<start> → je", "je → vais", "vais → bien", "bien → <end>"]
    for seen in range(1, len(expected)):
        assert rows.all_inner_texts() == expected[:seen]
        press(page, "Next word")
    assert rows.all_inner_texts() == expected
    assert french_of(page) == ["je", "vais", "bien"]
    # Step 0 is the whole translation, also if the next sentence is longer.
    page.wait_for_url("**translator.step=0**", timeout=2000)


PICTURES = """heads => heads.map((head) => [head.dataset.part,
  head.querySelector("svg").getAttribute("viewBox").split(" ").slice(2).map(Number),
  [...head.querySelectorAll("polygon")].flatMap((shade) =>
    figures.pieces(shade).map((corners) =>
      [...corners, Number(shade.getAttribute("fill-opacity"))]))])"""


def test_the_small_pictures_do_not_follow_the_written_words(open_page):
    page = open_page(Translator(sentence="I am good", level="heads", step=0))
    arrays = by_python(split("I am good")).arrays
    heads = page.locator(".abh-tr-heads button:has(svg)")
    tops = [heads.nth(at).bounding_box()["y"] for at in (0, CONFIG.num_heads)]
    assert heads.nth(0).get_attribute("data-part").startswith("encoder.1")
    assert tops[0] < tops[1], "the input is at the bottom"
    for seen in (4, 3):
        pictures = heads.evaluate_all(PICTURES)
        assert len(pictures) == len(HEADS)
        for part, size, cells in pictures:
            weights = arrays[part]
            height = seen if part.startswith("decoder") else len(weights)
            width = weights.shape[1] if "cross" in part else height
            assert size == [width, height], part
            shades = np.zeros(weights.shape)
            for (left, row), (right, _), opacity in cells:
                shades[row, left:right] = opacity
            np.testing.assert_allclose(shades, weights, atol=0.0626, err_msg=part)
        press(page, "Back")


def test_the_shares_of_the_next_word_do_not_follow_the_sharpness(open_page):
    page = open_page(Translator(sentence=CAT, step=3, beta=0.3))
    logits = by_python(split(CAT)).arrays["logits"][2]
    powers = np.exp(0.3 * (logits - logits.max()))
    shares = powers / powers.sum()
    order = np.argsort(-logits)[:5]  # the model writes the first
    words = page.locator(".abh-tr-word").all_inner_texts()
    assert words == [FRENCH.words[i] for i in order]
    shown = page.locator(".abh-tr-line .abh-number").all_inner_texts()
    expected = [*shares[order], 1 - shares[order].sum()]
    for text, value in zip(shown, expected, strict=True):
        assert displayed.agrees(text, value)


@pytest.mark.parametrize("step", [3, 0], ids=["third", "last"])
def test_a_cell_shows_other_products_or_words_that_are_not_written(open_page, step):
    at = "decoder.0.self_attention.head.1"
    page = open_page(Translator(level="cell", matrix=f"{at}.output", step=step))
    written = page.locator(".abh-tr-sheet tbody th").count()
    cell = page.locator(".abh-tr-sheet td[data-row='1'][data-column='0']")
    said = page.locator(".abh-tr-explained > p")
    cell.click()
    words = f"Row 2 of weights A times column 1 of V: {written} products"
    assert said.nth(1).inner_text().startswith(words)
    page.locator(".abh-tr-terms summary").click()
    terms = [
        [displayed.shown(n)[0] for n in re.findall(r"\u2212?\d+\.\d+", item)]
        for item in page.locator(".abh-tr-terms li").all_inner_texts()
    ]
    assert len(terms) == written
    left, right, products = np.transpose(terms)
    np.testing.assert_allclose(left * right, products, atol=1e-3)
    value = float(cell.get_attribute("data-value"))
    assert abs(sum(products) - value) < 2e-3
    assert displayed.agrees(page.locator(".abh-tr-cell strong").inner_text(), value)
    page.get_by_label("Matrix").select_option("weights A")
    cell.click()
    powers = said.nth(1).inner_text().partition(": ")[2].split(", ")
    assert len(powers) == written


def test_a_reader_cannot_go_from_a_head_to_its_matrices_and_their_sources(open_page):
    page = open_page(Translator(level="heads"))
    press(page, "Encoder, layer 1, self-attention, head 3")
    press(page, "Its numbers")
    place = page.locator(".abh-tr-place")
    assert place.inner_text() == "Encoder, layer 1, self-attention, head 3"
    source = page.locator(".abh-tr-sources button").first
    for matrix in ("logits", "scores QKᵀ", "Q"):
        source.click()
        chosen = "select => select.selectedOptions[0].text"
        assert page.get_by_label("Matrix").evaluate(chosen) == matrix
    assert source.inner_text().endswith("of Encoder")  # it names where it leads
    source.click()
    assert place.inner_text() == "Encoder"


def test_the_parts_of_the_heads_do_not_add_up_to_the_output(open_page):
    page = open_page(Translator(level="cell", matrix=f"{SUBLAYER}.parts"))
    cells = page.locator(".abh-tr-sheet tbody td")
    labels = cells.evaluate_all("all => all.map((td) => td.ariaLabel)")
    values = [displayed.shown(label)[0] for label in labels]
    *parts, total = np.reshape(values, (-1, CONFIG.d_model))
    assert page.locator(".abh-tr-sheet tbody th").all_inner_texts()[-1] == "sum"
    np.testing.assert_allclose(np.sum(parts, axis=0), total, atol=3e-4)


def test_a_cell_cannot_be_reached_with_the_arrow_keys(open_page):
    matrix = "encoder.0.self_attention.head.0.weights"
    page = open_page(Translator(sentence=CAT, level="cell", matrix=matrix))
    page.locator(".abh-tr-sheet td[tabindex='0']").focus()
    cell = page.locator(".abh-tr-cell")
    for key in ["ArrowUp", "ArrowLeft"] * 20:
        page.keyboard.press(key)
    assert cell.inner_text().startswith("“the”, the:")
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert cell.inner_text().startswith("“small”, cat:")
    for chosen in ("[tabindex='0']", "[aria-selected=true]"):
        assert page.locator(f".abh-tr-sheet td{chosen}").count() == 1


LONGEST = "two turtles carried two tomatoes because they were strange"
SCROLLS = """width => {
  document.querySelector(".abh-card").style.width = `${width}px`;
  return [".abh-arc-words", ".abh-tr-sheet"].map((part) => {
    const { scrollWidth, clientWidth } = document.querySelector(part);
    return scrollWidth > clientWidth;
  });
}"""
IN_VIEW = """() => {
  scrollTo(0, 600);
  const stage = document.querySelector(".abh-tr-stage").getBoundingClientRect();
  const chosen = document.querySelector(".abh-arc-row > [aria-pressed=true]");
  const { left, right } = chosen.getBoundingClientRect();
  return [stage.top, stage.height <= 90, left >= 0 && right <= innerWidth];
}"""
LOWEST = """() => Math.max(...[...document.querySelector(".abh-drawing").children]
  .map((part) => part.getBoundingClientRect().bottom))"""


@pytest.mark.slow
def test_a_phone_hides_the_chosen_word_or_a_laptop_part_of_a_level(open_page):
    page = open_page(Translator(sentence=LONGEST, level="cell", step=0))
    resize(page, 390, 844)
    page.evaluate(SCROLLS, 358)  # width of a card on the site
    settle(page)
    assert page.evaluate(IN_VIEW) == [0, True, True], "on a phone"
    resize(page, 1280, 720)
    assert page.evaluate(SCROLLS, 936) == [False, False]
    page.evaluate("scrollTo(0, 0)")
    for level in ("Sentence", "Heads", "A cell"):
        press(page, level)
        assert page.evaluate(LOWEST) <= 720, level


COST = """() => [...document.querySelectorAll(".abh-tr-effects .abh-number")]
  .map((shown) => shown.dataset.value)"""


# Makes two changes, and returns how many workers started.
CHANGED_BACK = """async (menu) => {
  const wait = (time) => new Promise((done) => setTimeout(done, time));
  const Started = Worker;
  let workers = 0;
  globalThis.Worker = function (address) {
    workers += 1;
    return new Started(address);
  };
  for (const index of [1, 0]) {
    menu.selectedIndex = index;
    menu.dispatchEvent(new Event("change"));
    await wait(60);
  }
  await wait(400); // a worker starts after 250 ms without a change
  globalThis.Worker = Started;
  return workers;
}"""


def stored_share(*off):
    row = next(row for row in stored_effects() if row.off == off)
    return sum(row.right.values()) / 1000


@pytest.mark.slow
def test_the_cost_of_a_cut_is_wrong_or_counted_for_a_setting_that_is_gone(open_page):
    off = [HEADS[3], HEADS[9], HEADS[17]]
    page = open_page(Translator(level="heads", off=off[:1]))
    title = page.locator(".abh-tr-effects .abh-caption")
    instead = page.get_by_label("A head that is off adds")
    for index, count in ((None, "1,000"), (1, "100"), (0, "1,000")):
        if index is not None:
            instead.select_option(index=index)
        title.get_by_text(f"of {count} held-out sentences").wait_for()
    assert float(page.evaluate(COST)[-1]) == stored_share(off[0])
    assert instead.evaluate(CHANGED_BACK) == 0, "nobody waits for this count"
    for name in off[1:]:
        page.locator(f"[data-part='{name}.weights']").click()
        press(page, SWITCH)
        if name == off[1]:  # drawn in a later frame
            share = stored_share(*off[:2])
            page.wait_for_function(f"Number(({COST})().at(-1)) === {share}")
    title.get_by_text("of 100 held-out sentences").wait_for()
    page.wait_for_function(f"({COST})().at(-1) !== undefined")
    [(_, counts)] = effects(held_out()[:100], WEIGHTS, CONFIG, [off])
    assert float(page.evaluate(COST)[-1]) == counts.total() / 100
