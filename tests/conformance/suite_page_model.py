"""Compare chapter 9's model in the page with the model in NumPy, with real weights.

`make model-conformance` runs this file in about ten minutes. Without the model it is
skipped. `tests/browser/test_real_model.py` compares them with tiny random weights.
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import sync_playwright
from table import HARD

from book.browser import FLAGS, find_browser
from course.chapters.a_real_model.texts import TEXTS
from language_model import Knobs, fetch, load
from language_model.model import Layer

pytest.importorskip("gguf")
if not fetch.place().is_file():
    pytest.skip(fetch.MISSING, allow_module_level=True)

BROWSER = Path(__file__).resolve().parents[1] / "browser"
sys.path.insert(0, str(BROWSER))
from page_model import page_model  # noqa: E402

LOGITS = 1e-3
OF_TEXT, OF_ANY_TOKENS = 1e-5, 5e-5  # error bounds of the maps
SENTENCES, STRINGS, LONGEST = 200, 300, 32
BETAS = (0.125, 0.5, 1, 1, 1, 2)


@pytest.fixture(scope="module")
def ours():
    """Return the model in double precision, in which the page adds too."""
    model, pieces = load()
    layers = [Layer(*(each.astype(float) for each in of)) for of in model.layers]
    embedding, norm = model.embedding.astype(float), model.last_norm.astype(float)
    model = replace(model, embedding=embedding, layers=layers, last_norm=norm)
    return model, pieces


@pytest.fixture(scope="module")
def in_page():
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_browser(), args=FLAGS)
        with page_model(browser, fetch.place()) as found:
            yield found
        browser.close()


def random_tokens(rng, pieces):
    """Return tokens of a text or random tokens, and the error bound of their maps."""
    n = int(rng.integers(1, LONGEST + 1))
    if rng.random() < 0.25:
        return rng.integers(0, len(pieces), n).tolist(), OF_ANY_TOKENS
    tokens = pieces.tokens(TEXTS[str(rng.choice(list(TEXTS)))])
    begin = int(rng.integers(0, len(tokens) - n))
    return tokens[begin : begin + n], OF_TEXT


def test_scores_or_maps_differ_from_numpy(ours, in_page):
    model, pieces = ours
    rng, errors = np.random.default_rng(0), []
    for _ in range(SENTENCES):
        tokens, bound = random_tokens(rng, pieces)
        beta = float(rng.choice(BETAS))
        # Up to two heads are switched off, of 30 layers with 9 heads each.
        off = rng.choice(270, int(rng.integers(0, 3)), replace=False).tolist()
        knobs = Knobs(beta, outputs={divmod(head, 9): 0.0 for head in off})
        reading = model.read(tokens, knobs, keep=["weights"])
        expected = model.scores_of_words(reading.last[-1])
        weights, scores = in_page.read(tokens, beta, off)
        apart = float(np.abs(scores - expected).max())
        maps = float(np.abs(weights - np.stack(reading.weights)).max())
        errors.append((apart, maps))
        assert apart < LOGITS, (tokens, beta, off)
        assert maps < bound, (tokens, beta, off)
        second, first = np.sort(expected)[-2:]
        if first - second > LOGITS:
            assert scores.argmax() == expected.argmax()
    print("largest errors of scores and maps:", *np.max(errors, axis=0))


def test_scores_token_by_token_differ_from_scores_of_the_whole_text(ours, in_page):
    model, pieces = ours
    tokens = pieces.tokens("The keeper of the lighthouse wrote one line into a blue")
    in_page.read(tokens[:4])
    for n in range(5, len(tokens) + 1):
        _, scores = in_page.read(tokens[:n])
        expected = model.scores_of_words(model.read(tokens[:n]).last[-1])
        assert np.abs(scores - expected).max() < LOGITS


LETTERS = "aeinrstAZ .,!'\n\t09½²éßøжд語🙂\u0301\u00a0\u2028_-<|>"


def test_a_text_is_cut_otherwise_than_by_the_tokenizers_package(ours, in_page):
    _, pieces = ours
    rng = np.random.default_rng(1)
    whole = " ".join(TEXTS.values())
    texts = [*HARD, *TEXTS.values()]
    while len(texts) < STRINGS:
        size = int(rng.integers(1, 40))
        if rng.random() < 0.5:
            texts.append("".join(rng.choice(list(LETTERS), size)))
        else:
            begin = int(rng.integers(0, len(whole) - size))
            texts.append(whole[begin : begin + size])
    found = zip(texts, in_page.encode(texts), strict=True)
    assert [text for text, tokens in found if tokens != pieces.tokens(text)] == []
