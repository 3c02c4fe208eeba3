"""A copied link, opened where nothing is kept, shows the state that was copied."""

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import displayed
import numpy as np
import pytest
from alone import answer_with, page_of
from found import from_texts, settable, with_links
from repeats import first_and_weekly
from sheet_text import LETTERS
from test_what_figures_show import check_texts
from test_worksheet import (
    cell,
    check_matrices,
    matrices,
    opened,
    preset,
    random_moves,
    random_number,
    reopen,
)

from course.widgets import Translator, Worksheet, WorksheetInputs
from course.widgets.worksheet.presets import PRESETS

__all__ = ["opened"]

HERE = Path(__file__).parent
HELPERS = displayed.FIGURES + (HERE / "worksheet.js").read_text("utf-8")
LINKED = [cls for cls in with_links() if cls is not Worksheet]

# The clipboard of a test: it needs no permission, and tells what it was given.
CLIPBOARD = """() => Object.defineProperty(navigator, "clipboard", { configurable: true,
  value: { writeText: async (text) => { globalThis.copied = text; } } })"""


def copied_link(page, card=None):
    """Press "Copy link" and give the link."""
    page.evaluate(CLIPBOARD)
    (card or page).get_by_role("button", name="Copy link").click()
    return page.evaluate("globalThis.copied")


def asked(link):
    """What a link asks for, by figure and trait."""
    return dict(parse_qsl(urlsplit(link).query))


# --- The text of a sheet ----------------------------------------------------------


def random_sheet(rng, numbers):
    n, d_model, d_k, d_v, h = rng.integers(1, 7, 5)
    shapes = [(n, d_model), (h, d_model, d_k), (h, d_model, d_k), (h, d_model, d_v)]
    if rng.random() < 0.6:
        shapes.append((h * d_v, d_model))
    names = ["the", "über", "猫", "", "token 12 of 12"]
    return WorksheetInputs(
        [str(rng.choice(names)) for _ in range(n)],
        *(numbers(shape) for shape in shapes),
        causal=bool(rng.integers(2)),
        padding=[bool(rng.integers(2)) for _ in range(n)],
    )


def flat(plain):
    matrices = [plain[name] for name in ("X", "W_Q", "W_K", "W_V", "W_O")]
    return np.concatenate([np.ravel(m) for m in matrices if m is not None])


NUMBERS = {
    "four decimals": lambda rng: lambda s: np.round(rng.normal(size=s), 4),
    "any": lambda rng: lambda s: rng.normal(size=s) * 10.0 ** rng.integers(-300, 5),
    "whole": lambda rng: lambda s: rng.integers(-3, 4, s).astype(float),
    "0": lambda rng: lambda s: np.zeros(s),
    "-0": lambda rng: lambda s: -np.zeros(s),
    "of all sizes": lambda rng: (
        lambda s: np.reshape([random_number(rng) for _ in range(np.prod(s))], s)
    ),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_every_number_of_a_sheet_comes_back_as_the_same_float(sheet_texts, kind):
    rng = np.random.default_rng(5)
    given = [random_sheet(rng, NUMBERS[kind](rng)) for _ in range(40)]
    texts = sheet_texts.written(*given)
    assert all(re.fullmatch(r"[\w-]+", text) for text in texts), "as an address has it"
    for each, back in zip(given, sheet_texts.read(*texts), strict=True):
        plain, again = each.to_json(), back.to_json()
        assert again == plain
        signs = [np.signbit(flat(sheet)) for sheet in (plain, again)]
        np.testing.assert_array_equal(*signs)


def test_a_text_that_was_cut_or_changed_is_refused(sheet_texts):
    [text] = sheet_texts.written(PRESETS["cat"].inputs)
    rng = np.random.default_rng(0)
    wrong = [text[:at] for at in range(len(text))]
    for at in range(1, len(text)):
        letter = str(rng.choice(list(set(LETTERS) - {text[at]})))
        wrong.append(text[:at] + letter + text[at + 1 :])
    wrong += ["2" + text[1:], text + "A", text.replace("1", "é", 1), "1" * 4000]
    assert set(sheet_texts.refusals(*wrong)) <= {
        "this version of the course cannot read it",
        "the sheet that it holds is not whole, or has been changed on the way",
    }
    assert sheet_texts.refusals(text) == [""]


@pytest.mark.parametrize(("d_k", "largest"), [(4, 100), (8, 4), (8, 10)])
def test_a_usual_sheet_fits_into_2000_characters(opened, sheet_texts, d_k, largest):
    """Eight tokens of width 8, two heads, W_O, four decimals."""
    rng = np.random.default_rng(2)

    def numbers(*shape):
        return np.round(rng.uniform(-largest, largest, shape), 4)

    sheet = Worksheet(PRESETS, step="output", head=2)
    words = ["Attention", "lets", "every", "word", "look", "at", "all", "others"]
    own = WorksheetInputs(
        words,
        numbers(8, 8),
        *(numbers(2, 8, d_k) for _ in range(3)),
        numbers(2 * d_k, 8),
    )
    [text] = sheet_texts.written(own)
    query = f"?worksheet.step={sheet.step}&worksheet.edits={text}"
    page = opened(Worksheet(PRESETS), query=query)
    link = copied_link(page)
    place = urlsplit(link)
    usual = "https://somebody.github.io/attention-by-hand/chapters/03-multi-head.html"
    whole = link.replace(f"{place.scheme}://{place.netloc}{place.path}", usual)
    assert len(whole) <= 2000, "with such an address before it"
    [back] = sheet_texts.read(asked(link)["worksheet.edits"])
    assert back.to_json() == own.to_json()
    said = page.locator(".abh-foot [role=status]")
    assert said.inner_text() == "Copied: a link to this figure as it is now."


def test_a_longer_link_works_and_says_how_long_it_is(opened, wait_until):
    rng = np.random.default_rng(2)
    own = WorksheetInputs(
        [f"t{i}" for i in range(12)],
        rng.normal(size=(12, 6)),
        *(rng.normal(size=(8, 6, 6)) for _ in range(3)),
    )
    page = opened(Worksheet.of(own, step="input"))
    cell(page, "X", 0, 0).locator("input").fill("0.5")
    link = copied_link(page)
    assert len(link) > 8000
    assert len(urlsplit(link).path + urlsplit(link).query) < 100, "sent to a server"
    said = page.locator(".abh-foot [role=status]").inner_text()
    assert f"It is {len(link):,} characters long; some programs cut" in said
    fresh = page.context.new_page()
    fresh.goto(link.replace("127.0.0.1", "localhost").partition("#")[0])
    fresh.wait_for_selector(".abh-foot")
    first = "document.querySelector('td[data-row] input').closest('td').dataset.value"
    assert fresh.evaluate(first) != "0.5"
    goes = "hash => { setTimeout(() => { location.hash = hash; }); }"
    fresh.evaluate(goes, urlsplit(link).fragment)
    fresh.wait_for_function(f"document.querySelector('.abh-foot') && {first} === '0.5'")
    assert fresh.evaluate("localStorage.length") == 0
    cell(fresh, "X", 0, 0).locator("input").fill("0.25")
    wait_until(fresh, "hash => location.hash !== hash", f"#{urlsplit(link).fragment}")
    fresh.reload()
    fresh.wait_for_selector(".abh-foot")
    assert fresh.evaluate(first) == "0.25"
    assert fresh.locator(".refused").count() == 0
    fresh.close()


# --- Two profiles -----------------------------------------------------------------


@pytest.fixture
def profiles(watch):
    """Pages of two profiles that have nothing in common."""
    watched = [watch(reduced_motion="reduce") for _ in ("reader", "fresh")]

    def show(widgets):
        """Give both profiles the same page; gives what opens it for each."""
        body = page_of(widgets)

        def opens(each, address):
            answer_with(each.page, address, body)

            def open_(query=""):
                page = each.open(f"{address}{query}")
                page.evaluate(HELPERS)
                return page

            return open_

        names = ("http://reader.test/", "http://fresh.test/")
        return [opens(each, name) for each, name in zip(watched, names, strict=True)]

    yield show
    assert [complaint for each in watched for complaint in each.complaints] == []


COPY_ALL = """async () => {
  const links = [];
  for (const card of document.querySelectorAll(".abh-card")) {
    [...card.querySelectorAll(".abh-foot button")].at(-1).click();
    await null;
    links.push(globalThis.copied);
  }
  return links;
}"""


def in_one(links):
    """What the links of several figures of a page ask for, as one link asks."""
    return "&".join(urlsplit(link).query for link in links)


# --- Worksheets -------------------------------------------------------------------

WORKSHEETS = 10
MOVE_SHEETS = "states => sheet.ofEach((_, i) => states[i].forEach(sheet.make))"
SHOWN = """() => {
  document.activeElement.blur();
  return sheet.ofEach(() => [sheet.grids(),
    sheet.all("table.abh-ws-grid").map(displayed.numbers)
      .map((cells) => cells.map(displayed.text).join(" ")),
    sheet.all(".abh-ws-step")[0].innerText]);
}"""


def a_state(rng):
    """What a reader does: some moves, another head, other decimals."""
    moves = random_moves(rng, 5)
    return [*moves, ("tab", rng.random()), ("decimals", rng.random())]


def inputs_of(state, sheet_texts):
    """The inputs that a link asks for."""
    if "edits" in state:
        return sheet_texts.read(state["edits"])[0]
    return PRESETS[state.get("example", next(iter(PRESETS)))].inputs


@pytest.mark.parametrize("seed", first_and_weekly(range(50, 55)))
def test_ten_worksheets_are_the_same_in_a_fresh_profile(profiles, sheet_texts, seed):
    open_reader, open_fresh = profiles([Worksheet() for _ in range(WORKSHEETS)])
    page = open_reader()
    page.evaluate(CLIPBOARD)
    rng = np.random.default_rng(seed)
    displayed.ask(page, MOVE_SHEETS, [a_state(rng) for _ in range(WORKSHEETS)])
    shown = displayed.ask(page, SHOWN)
    links = page.evaluate(COPY_ALL)
    fresh = open_fresh(f"?{in_one(links)}")
    assert fresh.evaluate("localStorage.length") == 0
    assert fresh.locator(".refused").count() == 0
    there = displayed.ask(fresh, SHOWN)
    steps, heads = set(), set()
    for seen, wanted, link in zip(there, shown, links, strict=True):
        assert seen == wanted, link
        state = {key.partition(".")[2]: text for key, text in asked(link).items()}
        check_matrices(seen[0], matrices(inputs_of(state, sheet_texts)))
        steps.add(state.get("step", "sheet"))
        heads.add(state.get("head", "1"))
    assert len(steps) > 2
    assert len(heads) > 1


# --- The other figures --------------------------------------------------------------

# The lists that a sentence is composed with stay, as where one is typed.
LOOKS = """async () => {
  while (document.querySelector("[aria-busy]")) {
    await new Promise(requestAnimationFrame);
  }
  return [...document.querySelectorAll(".abh-card")].map((card) =>
  [...card.querySelectorAll(".abh-drawing, .abh-reading")].map((node) => node.innerText)
    .concat([...card.querySelectorAll(".abh-body :is(input, select)")]
      .filter((input) => input.checkVisibility() && !input.closest(".abh-tr-choices"))
      .map((input) => `${input.value} ${input.checked}`)));
}"""
MOVE = """moves => document.querySelectorAll(".abh-card").forEach((card, i) =>
  moves[i].forEach(([where, how]) => figures.moveOne(where, how, card)))"""
NAMED = """which => {
  const cards = document.querySelectorAll(".abh-card");
  return which.map((i) =>
    [displayed.named(cards[i]), cards[i].querySelector(".abh-reading").innerText]);
}"""


@pytest.mark.parametrize("seed", first_and_weekly(range(20, 30)))
def test_links_of_every_figure_are_the_same_in_a_fresh_profile(profiles, seed):
    """Two of each kind, all on one page, and one address that asks for them all."""
    kinds = [kind for kind in LINKED for _ in range(2)]
    open_reader, open_fresh = profiles([kind() for kind in kinds])
    rng = np.random.default_rng(seed)
    counts = [6 if kind.sentences else 2 for kind in kinds]  # the others are large
    page = open_reader()
    page.evaluate(CLIPBOARD)
    page.evaluate(MOVE, [rng.random((count, 2)).tolist() for count in counts])
    looks = page.evaluate(LOOKS)
    links = page.evaluate(COPY_ALL)
    assert len(set(links)) == len(kinds)
    asks = [asked(link) for link in links]
    unmoved = [kind for kind, ask in zip(kinds, asks, strict=True) if not ask]
    assert len(set(unmoved)) == len(unmoved), "of each kind one, at least, is moved"
    fresh = open_fresh(f"?{in_one(links)}")
    assert fresh.evaluate("localStorage.length") == 0
    assert fresh.locator(".refused").count() == 0
    for seen, wanted, link in zip(fresh.evaluate(LOOKS), looks, links, strict=True):
        assert seen == wanted, link
    with_numbers = [i for i, kind in enumerate(kinds) if kind.sentences]
    for i, shown in zip(with_numbers, fresh.evaluate(NAMED, with_numbers), strict=True):
        check_with_python(kinds[i], asks[i], *shown)


def check_with_python(figure, state, named, said):
    """A card shows the numbers and the sentence that Python has for this state."""
    traits = {key.partition(".")[2]: text for key, text in state.items()}
    widget = figure(**from_texts(figure(), traits))
    check_texts(widget, named)
    assert said == widget.reading()


TRANSLATOR = {
    "sentence": "I am good",
    "off": '["decoder.1.feed_forward"]',
    "instead": "1",
    "forced": '["","vais"]',
    "chosen": "1",
    "seed": "7",
    "width": "3",
    "step": "2",
    "matrix": "encoder.stream",
    "word": "1",
    "beta": "0.5",
}


def test_a_link_of_the_translator_says_all_that_can_be_set(profiles):
    assert TRANSLATOR.keys() == set(settable(Translator()))
    state = {f"translator.{trait}": text for trait, text in TRANSLATOR.items()}
    open_reader, _ = profiles([Translator()])
    assert asked(copied_link(open_reader(f"?{urlencode(state)}"))) == state


# --- Garbage ----------------------------------------------------------------------


GARBAGE = {
    "head=3": "head = “3”; there is 1 head in this sheet",
    "example=cat&worksheet.head=4": "head = “4”; there are 2 heads in this sheet",
    "edits=1AAAA": "edits = “1AAAA”; the sheet that it holds is not whole",
    "edits={}": "this version of the course cannot read it",
    "decimals=9": "decimals = “9”; it should be a whole number from 2 to 6",
}


def test_garbage_is_refused_in_words_with_the_first_state(opened):
    page = opened(Worksheet())
    first = page.evaluate("sheet.grids()")
    for query, words in GARBAGE.items():
        reopen(page, f"?worksheet.{query}")
        said = page.locator(".refused").inner_text()
        assert words in said
        assert said.endswith("This is the figure’s first state.")
        assert page.evaluate("sheet.grids()") == first, query


def test_a_refusal_says_where_the_figure_is_as_it_was_left(opened, wait_until):
    page = opened(preset("football"))
    cell(page, "X", 0, 0).locator("input").fill("7")
    wait_until(page, "() => localStorage.length")
    page.goto(page.url.split("?")[0] + "?worksheet.edits=garbage")
    page.wait_for_selector(".abh-foot")
    said = page.locator(".refused").inner_text()
    assert said.endswith("This is the figure as you left it.")
    assert cell(page, "X", 0, 0).get_attribute("data-value") == "7"
