"""Compare with PyTorch on its own samples; `make conformance` installs PyTorch.

PyTorch tests itself with these samples (`torch.testing._internal`). It computes the
expected outputs and gradients here, in float64.
"""

import numpy as np
import pytest
import torch
from adapt_torch import array, dot_product, dot_product_gradients, functional, layer
from table import rows
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_modules import module_db

from attention import trace_attention


def operator(name):
    """Return the function of an operator, and its samples."""
    (info,) = (op for op in op_db if op.name == f"nn.functional.{name}")
    torch.manual_seed(0)
    samples = list(info.sample_inputs("cpu", torch.float64, requires_grad=False))
    return info.op, [((s.input, *s.args), dict(s.kwargs)) for s in samples]


def without_dropout(samples):
    """Return the samples without dropout, because dropout is random."""
    return [
        (args, kwargs)
        for args, kwargs in samples
        if not kwargs.get("dropout_p", 0) and not kwargs.get("training", False)
    ]


SDPA, SDPA_SAMPLES = operator("scaled_dot_product_attention")
FORWARD, FORWARD_SAMPLES = operator("multi_head_attention_forward")
(MODULE,) = (m for m in module_db if m.module_cls is torch.nn.MultiheadAttention)
torch.manual_seed(0)
MODULE_SAMPLES = MODULE.module_inputs_func(
    MODULE, "cpu", torch.float64, requires_grad=False, training=False
)


def for_each(samples):
    return pytest.mark.parametrize("sample", samples, ids=range(len(samples)))


def compare(ours, theirs):
    for a, b in zip(ours, map(array, theirs), strict=True):
        largest = max(1, np.abs(b).max())
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-13 * largest)


@for_each(without_dropout(SDPA_SAMPLES))
def test_scaled_dot_product_attention_or_its_gradients_differ_from_torch(sample):
    args, kwargs = sample
    args = [a.detach().clone().requires_grad_() for a in args]
    output = SDPA(*args, **kwargs)
    d_output = torch.randn_like(output)
    output.backward(d_output)
    arrays, options = list(map(array, args)), {k: array(v) for k, v in kwargs.items()}
    compare([dot_product(*arrays, **options)], [output])
    gradients = dot_product_gradients(array(d_output), *arrays, **options)
    compare(gradients, [a.grad for a in args])


@for_each(without_dropout(FORWARD_SAMPLES))
def test_multi_head_attention_forward_differs_from_torch(sample):
    args, kwargs = sample
    ours = functional(*map(array, args), **{k: array(v) for k, v in kwargs.items()})
    compare(ours, FORWARD(*args, **kwargs))


@for_each(MODULE_SAMPLES)
def test_the_multi_head_attention_module_differs_from_torch(sample):
    torch.manual_seed(1)
    made, call = sample.constructor_input, sample.forward_input
    module = torch.nn.MultiheadAttention(**made.kwargs, dtype=torch.float64).eval()
    for parameter in module.parameters():  # zeros would hide faults
        torch.nn.init.normal_(parameter)
    ours = layer(
        module.state_dict(),
        made.kwargs["num_heads"],
        made.kwargs["add_zero_attn"],
        [array(a) for a in call.args],
        **{name: array(a) for name, a in call.kwargs.items()},
        batch_first=made.kwargs["batch_first"],
    )
    compare(ours, module(*call.args, **call.kwargs))


def test_a_plain_tensor_is_refused_or_an_error_does_not_name_a_refused_one():
    x = torch.randn(3, 4)
    np.testing.assert_array_equal(trace_attention(x, x, x).query, x.numpy())
    for value in (x.clone().requires_grad_(), x.bfloat16(), x.to("meta")):
        with pytest.raises(TypeError, match="key must be an array or something"):
            trace_attention(x, value, x)


def test_conformance_table_counts_differ_from_the_torch_cases():
    groups = {
        "scaled_dot_product_attention": SDPA_SAMPLES,
        "multi_head_attention_forward": FORWARD_SAMPLES,
    }
    counts = {"MultiheadAttention, evaluating": (len(MODULE_SAMPLES),) * 2 + (0,)}
    for name, samples in groups.items():
        cases, kept = len(samples), len(without_dropout(samples))
        counts[name] = (cases, kept, cases - kept)
    assert rows(f"PyTorch {torch.__version__.partition('+')[0]}") == counts
