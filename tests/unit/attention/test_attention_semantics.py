"""Which keys a query sees; softcap and grouped heads."""

import numpy as np
import pytest
from agreement import assert_as_reference, assert_near, normal, qkv
from reference import pick, seen

from attention import scaled_dot_product_attention as sdpa
from attention import scaled_dot_product_attention_gradients as sdpa_gradients
from attention import trace_attention

pytestmark = pytest.mark.usefixtures("kernel")

INF, NAN = np.inf, np.nan
D_K, D_V = 3, 2  # the widths of `qkv`


@pytest.mark.parametrize(
    ("n", "m"), [(None, 0), (None, 1), (None, 4), (None, 7), (0, 6), (1, 6), (4, 6)]
)
@pytest.mark.parametrize("alignment", ["top-left", "bottom-right"])
@pytest.mark.parametrize(
    ("causal", "window"), [(True, None), (False, None), (False, (1, 2))]
)
def test_padded_queries_or_keys_have_an_output_or_influence(
    n, m, alignment, causal, window
):
    """The first `n` queries and the first `m` keys count."""
    query, key, value = qkv(5, 7)
    how = {"is_causal": causal, "alignment": alignment, "local_window_size": window}
    how |= {"query_seq_lengths": n, "key_value_seq_lengths": m}
    sight = {"causal": causal, "alignment": alignment, "window": window}
    mask = seen(5, 7, **sight, length=m, query_length=n)
    assert_as_reference((query, key, value), mask, **how)
    before, d_output = sdpa(query, key, value, **how), query[:, :D_V].copy()
    end = 5 if n is None else n
    np.testing.assert_array_equal(before[end:], 0)
    d = sdpa_gradients(d_output, query, key, value, **how)
    query[end:], key[m:], value[m:] = NAN, NAN, INF
    assert_near(sdpa(query, key, value, **how), before, atol=1e-14)
    again = sdpa_gradients(d_output, query, key, value, **how)
    for one, other in zip(d[:3], again[:3], strict=True):
        assert_near(other, one, atol=1e-13)


@pytest.mark.parametrize("how", [{}, {"is_causal": True}, {"local_window_size": 1}])
@pytest.mark.parametrize("shape", [(3, 1), (1, 2), (3, 2)])
def test_a_padded_sequence_differs_from_the_sequence_alone(how, shape):
    arrays, rng = qkv(batch=(3, 2)), np.random.default_rng(1)
    queries, keys = (rng.integers(0, size, size=shape) for size in (6, 8))
    lengths = {"query_seq_lengths": queries, "key_value_seq_lengths": keys}
    for alignment in ("top-left", "bottom-right"):
        output = sdpa(*arrays, alignment=alignment, **how, **lengths)
        for at in np.ndindex(3, 2):
            n, m = int(pick(queries, at)), int(pick(keys, at))
            query, key, value = (a[at] for a in arrays)
            alone = query[:n], key[:m], value[:m]
            expected = sdpa(*alone, alignment=alignment, **how)
            assert_near(output[at][:n], expected, atol=1e-14)
            np.testing.assert_array_equal(output[at][n:], 0)


@pytest.mark.parametrize(
    "window", [None, 0, 2, 50, (1, 0), (0, 2), (None, 1), (2, None)]
)
@pytest.mark.parametrize("alignment", ["top-left", "bottom-right"])
@pytest.mark.parametrize("causal", [False, True])
def test_a_window_or_causality_does_not_move_with_the_query(window, alignment, causal):
    sides = window if isinstance(window, tuple) else (window, window)
    sides = tuple(INF if side is None else side for side in sides)
    how = {"is_causal": causal, "alignment": alignment, "local_window_size": window}
    for n, m in [(5, 7), (7, 5), (1, 5)]:
        mask = seen(n, m, window=sides, alignment=alignment, causal=causal)
        assert_as_reference(qkv(n, m), mask, **how)


@pytest.mark.parametrize("as_float", [False, True])
def test_a_mask_does_not_combine_with_window_and_lengths(as_float):
    rng = np.random.default_rng(2)
    mask = rng.random((5, 7)) > 0.3
    both = mask & seen(5, 7, window=(2, 3), length=6)
    if as_float:
        added = rng.normal(size=(5, 7))
        mask, both = np.where(mask, added, -INF), np.where(both, added, -INF)
    how = {"local_window_size": (2, 3), "key_value_seq_lengths": 6}
    assert_as_reference(qkv(5, 7), both, attn_mask=mask, **how)


@pytest.mark.parametrize("softcap", [0.1, 1.0, 30.0, 1e6])
def test_softcap_is_not_applied_before_the_mask(softcap):
    rng = np.random.default_rng(3)
    arrays = [3 * a for a in qkv(5, 7)]
    mask = np.where(rng.random((5, 7)) > 0.3, rng.normal(size=(5, 7)), -INF)
    assert_as_reference(arrays, mask, softcap=softcap, attn_mask=mask)
    trace = trace_attention(*arrays, softcap=softcap)
    assert np.abs(trace.logits).max() <= softcap
    expected = softcap * np.tanh(trace.scaled / softcap)
    np.testing.assert_allclose(trace.logits, expected, rtol=1e-15)


@pytest.mark.parametrize("groups", [(6, 2, 2), (6, 3, 3), (6, 1, 1), (6, 2, 3)])
def test_grouped_heads_do_not_combine_with_all_options(groups):
    h, key_heads, value_heads = groups
    rng = np.random.default_rng(4)
    shapes = (2, h, 5, D_K), (2, key_heads, 7, D_K), (2, value_heads, 7, D_V)
    query, key, value = normal(5, *shapes)
    how = {
        "attn_mask": rng.normal(size=(h, 5, 7)),
        "local_window_size": (3, 1),
        "key_value_seq_lengths": rng.integers(1, 8, size=(2, h)),
        "alignment": "bottom-right",
        "softcap": 2.0,
    }
    repeated = (np.repeat(a, h // a.shape[1], axis=1) for a in (key, value))
    expected = sdpa(query, *repeated, **how)
    output = sdpa(query, key, value, enable_gqa=True, **how)
    assert_near(output, expected, atol=1e-14)
