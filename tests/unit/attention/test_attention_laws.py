"""Properties of every call of attention, on arrays that Hypothesis draws."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attention import scaled_dot_product_attention as sdpa
from attention import scaled_dot_product_attention_gradients as sdpa_gradients
from attention import trace_attention

KINDS = ["none", "bool", "float", "causal", "bottom-right", "window", "lengths"]

SIZES = st.integers(1, 6)
ENTRIES = st.floats(-8, 8, allow_subnormal=False)


def matrices(rows, columns, entries=ENTRIES):
    return arrays(np.float64, (rows, columns), elements=entries)


@st.composite
def calls(draw, square=False, kinds=KINDS):
    """Draw (query, key, value), and options with at most one kind of mask."""
    n, d_k, d_v = draw(SIZES), draw(SIZES), draw(SIZES)
    m = n if square else draw(SIZES)
    triple = (
        draw(matrices(n, d_k)),
        draw(matrices(m, d_k)),
        draw(matrices(m, d_v)),
    )
    kind = draw(st.sampled_from(kinds))
    visible = draw(arrays(bool, (n, m)))
    options = {
        "none": {},
        "bool": {"attn_mask": visible},
        "float": {"attn_mask": np.where(visible, draw(matrices(n, m)), -np.inf)},
        "causal": {"is_causal": True},
        "bottom-right": {"is_causal": True, "alignment": "bottom-right"},
        "window": {"local_window_size": (draw(SIZES), draw(SIZES))},
        "lengths": {"key_value_seq_lengths": draw(st.integers(0, m))},
    }[kind]
    if draw(st.booleans()):
        options["softcap"] = draw(st.floats(0.5, 20))
    return triple, options


def close(a, b, atol=1e-10):
    np.testing.assert_allclose(a, b, rtol=0, atol=atol)


@given(calls())
def test_each_row_of_weights_sums_to_one(call):
    triple, options = call
    weights = trace_attention(*triple, **options).weights
    sums = weights.sum(axis=-1)
    assert (weights >= 0).all()
    empty = (weights == 0).all(axis=-1)
    close(sums, np.where(empty, 0, 1), atol=1e-14)


@given(calls(kinds=["none", "window", "lengths"]), st.floats(-1e3, 1e3))
def test_adding_a_number_to_a_row_of_logits_changes_nothing(call, shift):
    (query, key, value), options = call
    rows = np.full((len(query), 1), shift)
    close(
        sdpa(query, key, value, rows, **options),
        sdpa(query, key, value, **options),
    )


@given(calls(kinds=["none"]), st.randoms(use_true_random=False))
def test_permuting_keys_with_their_values_changes_nothing(call, random):
    (query, key, value), options = call
    order = random.sample(range(len(key)), len(key))
    mask = np.array([[random.random() > 0.3 for _ in key] for _ in query])
    close(
        sdpa(query, key[order], value[order], mask[:, order], **options),
        sdpa(query, key, value, mask, **options),
    )


@given(calls(square=True, kinds=["none"]), st.integers(0, 5), ENTRIES)
def test_causal_outputs_do_not_depend_on_the_future(call, past, change):
    (query, key, value), options = call
    before = sdpa(query, key, value, is_causal=True, **options)
    for array in (query, key, value):
        array[past + 1 :] += change
    after = sdpa(query, key, value, is_causal=True, **options)
    close(after[: past + 1], before[: past + 1])


@given(calls(), st.data())
def test_gradients_are_the_slopes_of_the_output(call, data):
    """Compare with central differences along one random direction of all inputs."""
    triple, options = call
    directions = [data.draw(matrices(*a.shape)) for a in triple]
    d_output = data.draw(matrices(len(triple[0]), triple[2].shape[1]))
    step = 1e-6

    def loss(sign):
        moved = (a + sign * step * d for a, d in zip(triple, directions, strict=True))
        return np.sum(d_output * sdpa(*moved, **options))

    gradients = sdpa_gradients(d_output, *triple, **options)
    slope = sum(np.sum(g * d) for g, d in zip(gradients[:3], directions, strict=True))
    numeric = (loss(1) - loss(-1)) / (2 * step)
    largest_loss = np.abs(d_output).sum() * np.abs(triple[2]).max()
    assert abs(slope - numeric) < 1e-6 * (1 + 100 * largest_loss)
