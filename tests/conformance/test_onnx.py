"""ONNX's own node tests, made by the `onnx` package and compared by its own runner."""

import importlib
from collections import Counter

import pytest
from adapt_onnx import OPERATORS
from onnx.backend.test.case import node as cases
from onnx.backend.test.runner import Runner
from onnx.helper import get_attribute_value

for module in ("attention", "rotaryembedding", "softmax", "logsoftmax"):
    importlib.import_module(f"{cases.__name__}.{module}")

# Each test comes a second time, expanded into more primitive operators: not ours.
CASES = {
    case.name: case
    for case in cases._NodeTestCases
    if "_expanded" not in case.name and case.model.graph.node[0].op_type in OPERATORS
}


def present(names, arrays):
    """Name arrays as the operator's schema does; those left out have no name."""
    return dict(zip(filter(None, names), arrays, strict=True))


@pytest.mark.parametrize("name", CASES)
def test_node(name):
    case = CASES[name]
    (node,) = case.model.graph.node
    ((inputs, outputs),) = case.data_sets
    attributes = {a.name: get_attribute_value(a) for a in node.attribute}
    computed = OPERATORS[node.op_type](present(node.input, inputs), attributes)
    expected = present(node.output, outputs)
    Runner.assert_similar_outputs(
        list(expected.values()),
        [computed[name] for name in expected],
        rtol=case.rtol,
        atol=case.atol,
    )


def test_these_are_all_of_them():
    operators = Counter(case.model.graph.node[0].op_type for case in CASES.values())
    assert operators == {
        "Attention": 93,
        "RotaryEmbedding": 8,
        "Softmax": 7,
        "LogSoftmax": 7,
    }
    several = [case for case in CASES.values() if len(case.data_sets[0][1]) > 1]
    assert len(several) == 29
