import doctest
import inspect
import re
from functools import partial
from operator import attrgetter

import numpy as np
import pytest
from public import public

import attention

STATED = re.compile(r"^ *(\w+) : .*\bdefault (.+)$", re.MULTILINE)


def test_a_docstring_states_another_default_than_the_signature():
    stated = 0
    for thing in public():
        for name, default in STATED.findall(inspect.getdoc(thing) or ""):
            argument = inspect.signature(thing).parameters[name]
            assert repr(argument.default) == default.replace('"', "'"), (thing, name)
            stated += 1
    assert stated > 10


def conventions():
    """Return the arguments whose meaning is a convention: all flags, and the mask."""
    found = {"attn_mask"}
    for thing in public():
        arguments = inspect.signature(thing).parameters.values()
        found |= {a.name for a in arguments if isinstance(a.default, bool)}
    return sorted(found)


@pytest.mark.parametrize("argument", conventions())
def test_a_flag_or_the_mask_has_no_example(argument):
    parser = doctest.DocTestParser()
    texts = [inspect.getdoc(thing) or "" for thing in public()]
    examples = [each.source for text in texts for each in parser.get_examples(text)]
    shown = any(f"{argument}=" in source for source in examples)
    assert shown, f"add an example with {argument}= to a docstring"


def documented(thing):
    """Return the arguments, or the fields, that a docstring describes."""
    sections = re.split(r"\n\n([A-Z][a-z]+)\n-+\n", inspect.getdoc(thing) or "")
    texts = dict(zip(sections[1::2], sections[2::2], strict=True))
    text = texts.get("Parameters", texts.get("Attributes", ""))
    lines = re.findall(r"^(\S.*?) ?(?::.*)?$", text, re.MULTILINE)
    return {name.strip(" *") for line in lines for name in line.split(",")} - {""}


@pytest.mark.parametrize("thing", public(), ids=lambda each: each.__qualname__)
def test_an_argument_is_not_documented(thing):
    described = documented(thing)
    arguments = set(inspect.signature(thing).parameters) - {"self", "cls"}
    missing, unknown = arguments - described, described - arguments
    assert not missing, f"describe {missing} in the docstring of {thing.__qualname__}"
    assert not unknown, f"{thing.__qualname__} has no argument {unknown}"


# Each function below, up to `SENTENCES`, measures what the library does. It returns the
# sentence that a docstring must contain.


def only(found):
    """Return the only key whose value is true."""
    (key,) = [key for key, holds in found.items() if holds]
    return key


def temperature():
    logits, beta = np.array([0.0, 1.0]), 0.25
    weights = attention.softmax(logits, beta=beta)
    meanings = {"1 / beta": 1 / beta, "beta": beta}
    tried = {
        name: np.allclose(weights, attention.softmax(logits / value))
        for name, value in meanings.items()
    }
    return f"the temperature is ``{only(tried)}``"


def pairs(interleaved):
    x, cos, sin = [[1.0, 0.0, 0.0, 0.0]], [[0.0, 1.0]], [[1.0, 0.0]]
    rotated = attention.rotary_embedding(x, cos, sin, interleaved=interleaved)
    found = {
        1: "``2 * i`` and ``2 * i + 1`` (RoFormer, GPT-J)",
        2: "``i`` and ``i + w / 2`` (GPT-NeoX, Llama)",
    }
    return f"{interleaved}: {found[np.flatnonzero(rotated).item()]}"


def visible_keys(query=0, n=1, m=3, **options):
    """Return the keys that a query sees; key j has the value 10 ** j and score 0."""
    value = 10.0 ** np.arange(m)[:, None]
    output, lse = attention.scaled_dot_product_attention(
        np.zeros((n, 1)), np.zeros((m, 1)), value, return_lse=True, **options
    )
    # the sum of the visible values: its decimal digits show which keys are visible
    total = round((output[query] * np.exp(lse[query])).item())
    return [j for j in range(m) if total // 10**j % 10]


def mask():
    flags = {flag: visible_keys(attn_mask=[[flag] * 3]) for flag in (True, False)}
    return f"Of booleans: {only(flags)} takes part"


def alignment():
    stands = {0: "first query stands at the first key", 2: "last query at the last key"}
    [default] = visible_keys(local_window_size=0)
    [other] = visible_keys(local_window_size=0, alignment="bottom-right")
    return f"The {stands[default]}, as in PyTorch, or the {stands[other]}"


def place_at_the_bottom_right():
    (n, m), i = (2, 5), 1
    [key] = visible_keys(i, n, m, local_window_size=0, alignment="bottom-right")
    places = {"m - n + i": m - n + i, "n - m + i": n - m + i}
    place = only({name: at == key for name, at in places.items()})
    return f"query ``i`` stands at key ``{place}``"


def window():
    keys = visible_keys(1, 3, local_window_size=(1, 0))
    first = only({"left": keys == [0, 1], "right": keys == [1, 2]})
    return f"({first}, {'right' if first == 'left' else 'left'}), optional"


def columns():
    heads = attention.split_heads(np.arange(6.0)[None], 2)  # 2 heads of 3 columns
    contiguous = heads[1, 0].tolist() == [3, 4, 5]
    return "columns ``i * d`` to ``(i + 1) * d - 1``" if contiguous else "?"


def row_sum():
    keys = [[0.0], [2.0]]
    _, lse = attention.scaled_dot_product_attention([[1]], keys, keys, return_lse=True)
    powers = np.exp([0.0, 2.0])
    found = only({f.__name__: np.isclose(np.exp(lse), f(powers)) for f in (sum, max)})
    return f"``log({found}(exp(logits)))`` of each row"


def default_scale():
    scale = attention.trace_attention(*np.ones((3, 1, 4))).scale  # d_k = 4
    return f"``{only({'1 / sqrt(d_k)': scale == 0.5, 'sqrt(d_k)': scale == 2})}``"


def forgotten():
    cache = attention.KeyValueCache(max_length=1)
    cache.append([[1.0]], [[1.0]])
    (last,) = cache.append([[2.0]], [[2.0]])[0]
    return f"the {only({'oldest': last == 2, 'newest': last == 1})} ones are forgotten"


def place_of_the_last_query():
    bias = attention.alibi(1, 1, 3)[0, 0]  # 0 at the key of the query's own place
    at = only({"last query": bias[2] == 0, "first query": bias[0] == 0})
    return f"The {at} stands at the {at.split()[0]} key"


def lengths_of_sequences():
    arrays = np.ones((3, 2, 2, 4, 5))  # query, key, value; 2 sequences, 2 heads
    arrays[2, :, :, 1:] = 7  # the first sequence sees none of these
    lengths = np.array([1, 4])
    found = {}
    for index, axes in (("[:, None]", np.s_[:, None]), ("[None, :]", np.s_[None, :])):
        output = attention.scaled_dot_product_attention(
            *arrays, key_value_seq_lengths=lengths[axes]
        )
        found[index] = (output[0] == 1).all() and (output[1] > 1).all()
    return f"one number for each sequence as ``lengths{only(found)}``"


def effect_of_temperature_2():
    weights = attention.softmax([2.0, 0.0], beta=0.5)
    factors = {"half": 0.5, "double": 2.0}
    count = {
        name: np.allclose(weights, attention.softmax([2.0 * factor, 0.0]))
        for name, factor in factors.items()
    }
    return f"Temperature 2 is sharpness 0.5: the logits count {only(count)}"


def mask_of_sequences():
    layer = attention.MultiHeadAttention(*np.ones((3, 2, 3, 4)), np.ones((8, 3)))
    mask = np.tri(6, dtype=bool)[:5, None].repeat(6, axis=1)  # (b, n, m)
    found = {}
    for index, axes in (("[:, None]", np.s_[:, None]), ("[None]", np.s_[None])):
        try:
            weights = layer.trace(np.ones((5, 6, 3)), attn_mask=mask[axes])
        except ValueError:
            found[index] = False
        else:
            seen = np.array([head.weights for head in weights.heads]) > 0
            found[index] = (seen == mask).all()
    return f"needs an axis for the heads: ``mask{only(found)}``"


ALIGNED = alignment, place_at_the_bottom_right
OF_A_CALL = *ALIGNED, mask, window, row_sum, lengths_of_sequences
SENTENCES = {
    "alibi": [place_of_the_last_query],
    "AttentionTrace": [lambda: default_scale() + " unless another was given"],
    "KeyValueCache": [forgotten],
    "MultiHeadAttention.__call__": [mask_of_sequences],
    "softmax": [temperature, effect_of_temperature_2],
    "rotary_embedding": [partial(pairs, False), partial(pairs, True)],
    "scaled_dot_product_attention": [*OF_A_CALL, lambda: f"Default: {default_scale()}"],
    "split_heads": [columns],
    "merge_heads": [columns],
}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_docstring_lacks_a_sentence_on_what_the_function_does(name):
    called = attrgetter(name)(attention)
    text = " ".join(inspect.getdoc(called).split())
    for computed in SENTENCES[name]:
        sentence = computed()
        assert sentence in text, f"computed, and not in the docstring: {sentence!r}"


# There are also two axes of batches, 11 and 13.
ATTRIBUTES = r"^(\w[\w, ]*) : (?:ndarray|array_like), shape (\(.*?\))"
SIZES = {"n": 3, "m": 5, "h": 2, "d": 14, "d_v": 7, "width": 34}


def drawn(*shape):
    return np.ones((11, 13, *shape))


@pytest.mark.parametrize(
    ("function", "results"),
    [
        (attention.alibi, lambda call: call(2, 3, 5)),
        (attention.split_heads, lambda call: call(drawn(3, 28), 2)),
        (attention.merge_heads, lambda call: call(drawn(2, 3, 14))),
        (attention.rotary_embedding, lambda call: call(drawn(3, 14), *np.ones((2, 7)))),
        (attention.rotary_table, lambda call: call(drawn(), 34)[0]),
        (
            attention.scaled_dot_product_attention,
            lambda call: call(drawn(3, 4), drawn(5, 4), drawn(5, 7), return_lse=True),
        ),
    ],
)
def test_a_result_has_another_shape_than_documented(function, results):
    returned = inspect.getdoc(function).split("Returns\n")[1].split("\n\n")[0]
    found = results(function)
    shapes = [each.shape for each in (found if isinstance(found, tuple) else (found,))]
    said = [
        text.replace("...", "*(11, 13)")
        for text in re.findall(r"ndarray, shape (\(.*?\))$", returned, re.MULTILINE)
    ]
    assert [eval(text, dict(SIZES)) for text in said] == shapes


def steps_of_a_layer():
    """Return the results of a layer whose sizes all differ."""
    W_Q, W_K, W_V = np.ones((2, 34, 14)), np.ones((2, 6, 14)), np.ones((2, 8, 7))
    layer = attention.MultiHeadAttention(W_Q, W_K, W_V, np.ones((14, 34)))
    x, context, values = drawn(3, 34), drawn(5, 6), drawn(5, 8)
    trace = layer.trace(x, context, values)
    return [layer, trace, trace.heads[0], layer.gradients(x, x, context, values)]


@pytest.mark.parametrize(
    "steps", steps_of_a_layer(), ids=lambda each: type(each).__name__
)
def test_an_attribute_has_another_shape_than_documented(steps):
    sizes = SIZES | {"d_k": 14, "d_model": 34, "d_key": 6, "d_value": 8}
    said = re.findall(ATTRIBUTES, inspect.getdoc(type(steps)), re.MULTILINE)
    assert len(said) >= 2
    for names, text in said:
        expected = eval(text.replace("...", "*(11, 13)"), dict(sizes))
        arrays = [getattr(steps, name) for name in names.split(", ")]
        assert {a.shape for a in arrays if a is not None} <= {expected}, names
