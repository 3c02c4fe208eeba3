"""Compare chapter 9's model with Hugging Face's `transformers`, on the same file.

Both compute in float32. `make model-conformance` installs the packages, fetches the
model and runs this file in some minutes. Without the model or one of the packages all
tests are skipped.
"""

import numpy as np
import pytest
from table import HARD

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("gguf")

from language_model import fetch, load  # noqa: E402

if not fetch.place().is_file():
    pytest.skip(fetch.MISSING, allow_module_level=True)

BOUNDS = {"logits": 5e-4, "maps": 5e-5, "vectors": 1e-4, "cache": 5e-4}
SENTENCES = (
    "The animal didn't cross the street because it was too tired.",
    "I sat on the bank of the river and counted 12 boats.",
    "The capital of France is",
    "Once upon a time, there was a girl who lived in a lighthouse",
    "“No,” she said. “It’s raining — again!”",
    "def add(a, b):\n    return a + b\n\nprint(add(2, 3))",
    "Le petit chat dort sur le canapé près de la fenêtre.",
    "one two three four one two three four one two three",
    "Water boils at 100 degrees, but at 3,000 meters it boils at 90.",
    "<|im_start|>user\nWhat is 7 times 8?<|im_end|>\n<|im_start|>assistant\n",
)


@pytest.fixture(scope="module")
def ours():
    return load()


@pytest.fixture(scope="module")
def theirs():
    path = fetch.place()
    model = transformers.AutoModelForCausalLM.from_pretrained(
        str(path.parent),
        gguf_file=path.name,
        dtype=torch.float32,
        attn_implementation="eager",
    )
    return model.eval()


@pytest.fixture(scope="module")
def tokenizer():
    path = fetch.place()
    return transformers.AutoTokenizer.from_pretrained(
        str(path.parent), gguf_file=path.name
    )


def largest(ours, theirs):
    return float(np.abs(np.asarray(ours) - theirs.detach().numpy()).max())


@pytest.mark.parametrize("sentence", SENTENCES)
def test_scores_maps_or_vectors_differ_from_transformers(ours, theirs, sentence):
    model, pieces = ours
    tokens = pieces.tokens(sentence)
    reading = model.read(tokens, keep=("weights", "vectors"))
    with torch.no_grad():
        there = theirs(
            torch.tensor([tokens]), output_attentions=True, output_hidden_states=True
        )
    maps = max(
        largest(a, b[0]) for a, b in zip(reading.weights, there.attentions, strict=True)
    )
    # Entries of the first token's vectors reach thousands, so errors are relative.
    vectors = max(
        largest(a, b[0]) / np.abs(a).max()
        for a, b in zip(reading.vectors, there.hidden_states[:-1], strict=True)
    )
    logits = largest(model.scores_of_words(reading.last), there.logits[0])
    caches = model.caches()
    one_by_one = [model.read([token], caches=caches).last for token in tokens]
    cache = largest(model.scores_of_words(np.concatenate(one_by_one)), there.logits[0])
    found = {"logits": logits, "maps": maps, "vectors": vectors, "cache": cache}
    print(len(tokens), *(f"{name} {value:.1e}" for name, value in found.items()))
    for name, bound in BOUNDS.items():
        assert found[name] < bound, name


@pytest.mark.parametrize("sentence", SENTENCES)
def test_greedy_text_differs_from_transformers(ours, theirs, sentence):
    model, pieces = ours
    tokens = pieces.tokens(sentence)
    with torch.no_grad():
        there = theirs.generate(
            torch.tensor([tokens]),
            attention_mask=torch.ones(1, len(tokens), dtype=torch.long),
            do_sample=False,
            max_new_tokens=24,
            eos_token_id=None,
            pad_token_id=2,
        )
    assert model.go_on(tokens, 24) == there[0, len(tokens) :].tolist()


@pytest.mark.parametrize("text", [*SENTENCES, *HARD])
def test_word_pieces_differ_from_transformers(ours, tokenizer, text):
    _, pieces = ours
    if any(c.isnumeric() for c in text):
        # The tokenizer that `transformers` reads from the file does not split digits.
        text = "".join("#" if c.isnumeric() else c for c in text)
    assert pieces.tokens(text) == tokenizer(text)["input_ids"]
    assert pieces.text(pieces.tokens(text)) == text


@pytest.mark.parametrize("digits", ["2026", "3.14", "x=22", "100 degrees"])
def test_a_piece_holds_a_digit_and_another_character(ours, digits):
    _, pieces = ours
    words = pieces.words(pieces.tokens(digits))
    assert [w for w in words if len(w) > 1 and any(c.isdigit() for c in w)] == []
