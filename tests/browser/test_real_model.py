"""The model of chapter 9 in the page: its arithmetic, and the figure that runs it."""

import hashlib
import json
from mimetypes import guess_type
from urllib.parse import urlsplit

import numpy as np
import pytest
from found import SITE
from page_model import page_model
from playwright.sync_api import expect
from tiny_model import HEADS, LETTERS, NUMBERS, TinyModel

from book import model as in_site
from language_model.model import Knobs

pytestmark = pytest.mark.slow

TINY = TinyModel()
TOKENS = [5, 260, 3, 3, 77, 140, 9]
RUNS = {  # in this order: a run may reuse results of the run before
    "as it is": (TOKENS, 1.0, ()),
    "one more token": ([*TOKENS, 12], 1.0, ()),
    "three more tokens": ([*TOKENS, 12, 200, 1], 1.0, ()),
    "a head of layer 20 off": ([*TOKENS, 12, 200, 1], 1.0, (184,)),
    "another head off": ([*TOKENS, 12, 200, 1], 1.0, (100,)),
    "the first head again": ([*TOKENS, 12, 200, 1], 1.0, (184,)),
    "all heads on again": ([*TOKENS, 12, 200, 1], 1.0, ()),
    "the same once more": ([*TOKENS, 12, 200, 1], 1.0, ()),
    "sharper": ([*TOKENS, 12, 200, 1], 2.0, ()),
    "sharper, one more, a head off": ([*TOKENS, 12, 200, 1, 8], 2.0, (3,)),
    "no sharpness": ([*TOKENS, 12], 0.0, ()),
    "another sentence": ([8, 8, 9], 0.0, ()),
    "one token": ([8], 1.0, (0,)),
}


@pytest.fixture(scope="module")
def in_page(browser, tmp_path_factory):
    file = tmp_path_factory.mktemp("model") / "tiny.gguf"
    file.write_bytes(TINY.file())
    with page_model(browser, file) as found:
        yield found


def by_numpy(tokens, beta, off):
    """Return the weights, and the scores of the next token; off: (layer, head)."""
    model, knobs = TINY.model(), Knobs(beta, outputs=dict.fromkeys(off, 0.0))
    reading = model.read(tokens, knobs, keep=["weights"])
    return np.stack(reading.weights), model.scores_of_words(reading.last[-1])


def test_the_page_computes_other_numbers_than_numpy(in_page):
    for name, (tokens, beta, off) in RUNS.items():
        found = in_page.read(tokens, beta, off)
        expected = by_numpy(tokens, beta, [divmod(head, HEADS) for head in off])
        assert np.abs(found[0] - expected[0]).max() < 1e-5, name
        assert np.abs(found[1] - expected[1]).max() < 1e-3, name


def test_the_tokenizer_merges_digits_or_splits_special_tokens(in_page):
    cases = {
        "the cat": ["the", "Ġcat"],
        " the that": ["Ġthe", *"Ġ", "th", "at"],
        "222": [*"222"],
        "x<|end|>the": ["x", "<|end|>", "the"],
        "é\n": [*(LETTERS[b] for b in "é".encode()), LETTERS[10]],
        "": [],
    }
    expected = [[NUMBERS[piece] for piece in pieces] for pieces in cases.values()]
    assert in_page.encode(list(cases)) == expected
    assert in_page.decode([NUMBERS["Ġcat"], NUMBERS["<|end|>"]]) == [" cat", "<|end|>"]


CHAPTER = "chapters/09-a-real-model.html"
PIECE = 400_000


def files_of(file: bytes) -> dict[str, str | bytes]:
    """Return the files of the site by which a page fetches a model, by name."""
    begins = range(0, len(file), PIECE)
    pieces = {f"tiny-{begin}.bin": file[begin : begin + PIECE] for begin in begins}
    sizes = [{"name": name, "size": len(piece)} for name, piece in pieces.items()]
    digest = hashlib.sha256(file).hexdigest()
    index = {"store": "tiny", "sha256": digest, "pieces": sizes}
    return pieces | {"index.json": json.dumps(index), "worker.js": in_site.worker()}


class Reader:
    """A reader of chapter 9 who types a sentence of their own."""

    def __init__(self, watched, address):
        self.watched, self.page = watched, watched.open(address)
        self.own = self.page.locator(".abh-own")
        if self.own.get_attribute("open") is None:
            self.own.locator("summary").click()
        self.field = self.own.get_by_label("Your own sentence")

    def press(self, name):
        self.own.get_by_role("button", name=name).click()

    def hears(self, words):
        expect(self.own.get_by_role("status")).to_contain_text(words, timeout=60_000)

    def asked_for(self, ending):
        return [url for url in self.watched.requests if url.endswith(ending)]

    def shown(self):
        """Return the texts of the next tokens, and the weights of the opened map."""
        rows = self.own.locator(".abh-bars [role=row]").all_inner_texts()
        cells = self.page.locator(".abh-wall-opened td[data-value]")
        values = cells.evaluate_all("all => all.map((td) => Number(td.dataset.value))")
        return rows, np.reshape(values, (int(len(values) ** 0.5),) * 2)


@pytest.fixture
def reader(watch):
    """Return a function that opens the chapter; the page must log nothing.

    The site has the tiny model instead of the real model.
    """
    watched = watch(fresh=True, requests=True)
    files = files_of(TINY.file())

    def answer(route):
        name = urlsplit(route.request.url).path.rpartition("/")[2]
        route.fulfill(body=files[name], content_type=guess_type(name)[0])

    watched.page.context.route(f"**/{in_site.FOLDER}/*", answer)

    def open_chapter(address, init=""):
        watched.page.add_init_script(init)
        return Reader(watched, address)

    yield open_chapter
    assert watched.complaints == []


def expected(pieces, beta=1.0, off=(), head=(13, 8), added=()):
    """Return the weights of a head and the most likely next token, from NumPy."""
    tokens = [NUMBERS[piece] for piece in pieces] + list(added)
    weights, scores = by_numpy(tokens, beta, off)
    return weights[head], int(scores.argmax())


def test_the_model_reads_a_sentence_wrongly_in_the_page(reader, site):
    found = reader(f"{site}/{CHAPTER}")
    assert not found.asked_for(".bin")
    found.field.fill("the cat 2")
    found.press("Fetch the model")
    found.hears("has read 4 tokens")
    sentence = ["the", "Ġcat", "Ġ", "2"]
    weights, best = expected(sentence)
    rows, shown = found.shown()
    assert len(rows) == 8
    np.testing.assert_allclose(shown, weights, atol=0.003)

    found.field.fill("the")  # a new sentence that is not finished
    found.press("Write the next token")
    found.hears("has read 5 tokens")
    weights, _ = expected(sentence, added=[best])
    np.testing.assert_allclose(found.shown()[1], weights, atol=0.003)

    found.own.get_by_label("Switch the opened head off").check()
    found.own.get_by_label("Sharpness of all heads").select_option("2")
    for trait, value in (("layer", "20"), ("head", "4")):
        found.page.locator(f"[data-trait={trait}] input[type=range]").fill(value)
    found.hears("has read 5 tokens")
    weights, _ = expected(sentence, 2.0, [(20, 4)], (20, 4), [best])
    np.testing.assert_allclose(found.shown()[1], weights, atol=0.003)

    found.field.fill("the cat")  # without the token that was written
    found.press("Read the sentence")
    found.hears("has read 2 tokens")

    found.page.get_by_label("Sentence", exact=True).select_option(index=14)
    first_word = found.page.locator(".abh-wall-opened th[scope=row]").first
    expect(first_word).to_have_text("red")
    expect(found.own.locator(".abh-bars")).to_have_count(0)

    found.field.fill("22 " * 20)
    found.press("Read the sentence")
    found.hears("at most 32 tokens, this one has 59")
    assert found.watched.outside("http://127", "blob:") == []

    pieces = len(found.asked_for(".bin"))
    state = "headwall.own=the+cat&headwall.sharpness=5&headwall.layer=20"
    again = reader(f"{site}/{CHAPTER}?{state}")
    again.press("Fetch the model")
    again.hears("has read 2 tokens")
    weights, _ = expected(["the", "Ġcat"], 2.0, head=(20, 8))
    np.testing.assert_allclose(again.shown()[1], weights, atol=0.003)
    assert len(again.asked_for(".bin")) == pieces > 1, "the browser keeps the model"


@pytest.mark.parametrize(
    ("name", "body", "words"),
    [
        ("index.json", b"", "Stopped."),  # no reply until the reader presses "Stop"
        ("tiny-0.bin", b"x" * PIECE, "arrived with errors"),
    ],
)
def test_a_stopped_or_broken_download_goes_on_or_is_not_fetched_again(
    reader, site, name, body, words
):
    found = reader(f"{site}/{CHAPTER}")
    found.field.fill("the cat")
    found.page.route(
        f"**/{name}", lambda route: route.fulfill(body=body) if body else None
    )
    found.press("Fetch the model")
    if not body:
        found.press("Stop")
    found.hears(words)
    expect(found.own.get_by_role("button", name="Stop")).to_be_hidden()
    found.page.unroute(f"**/{name}")
    found.press("Fetch the model")
    found.hears("has read 2 tokens")


@pytest.mark.parametrize(
    ("memory", "words"),
    [("0.5", "too little memory"), ("8", "built without the model")],
)
def test_the_figure_does_not_say_why_there_is_no_model(reader, site, memory, words):
    init = f"Object.defineProperty(navigator, 'deviceMemory', {{ value: {memory} }});"
    found = reader(f"{site}/{CHAPTER}", init)
    none = json.dumps({"pieces": []})
    found.page.route("**/model/index.json", lambda route: route.fulfill(body=none))
    found.press("Fetch the model")
    found.hears(words)
    assert len(found.asked_for("index.json")) == (memory == "8")
    assert not found.asked_for(".bin")


def test_a_page_from_disk_asks_for_no_web_server_or_lacks_a_stored_map(reader):
    found = reader((SITE / CHAPTER).as_uri())
    found.press("Fetch the model")
    found.hears("needs a web server")
    found.page.get_by_label("Sentence", exact=True).select_option(index=14)
    first_word = found.page.locator(".abh-wall-opened th[scope=row]").first
    expect(first_word).to_have_text("red")


def test_a_sentence_whose_maps_do_not_arrive_shows_maps_of_another(watch, site):
    page = watch(width=1280).open(f"{site}/{CHAPTER}")
    page.route("**/maps/list.js", lambda route: route.abort())
    page.get_by_label("Sentence", exact=True).select_option(index=14)
    said = page.locator(".abh-card:has(.abh-wall) .abh-reading")
    expect(said).to_contain_text("maps of this sentence did not arrive")
    page.unroute("**/maps/list.js")
    page.get_by_role("button", name="Layers 0 to 14").press("ArrowLeft")
    expect(page.locator(".abh-wall-opened th[scope=row]").first).to_have_text("red")
    expect(said).to_contain_text("Layer 12, head 8")
