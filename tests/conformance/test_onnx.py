"""ONNX's node tests: the `onnx` package makes the cases and compares the results."""

import importlib
from collections import Counter

import onnx
import pytest
from adapt_onnx import OPERATORS
from onnx.backend.test.case import node as cases
from onnx.backend.test.runner import Runner
from onnx.helper import get_attribute_value
from table import rows

for module in ("attention", "rotaryembedding", "softmax", "logsoftmax"):
    importlib.import_module(f"{cases.__name__}.{module}")

NODES = cases._existing_names  # the node of each test by the test's name
SUPPORTED = [  # cases for operators that the library has
    case
    for case in cases._NodeTestCases
    if (name := case.name.split("_expanded")[0]) in NODES
    and NODES[name].op_type in OPERATORS
]
# ONNX repeats each test with smaller operators, which the library does not have.
CASES = {case.name: case for case in SUPPORTED if "_expanded" not in case.name}


def present(names, arrays):
    """Return {name: array}. ONNX gives an omitted argument an empty name, no array."""
    return dict(zip(filter(None, names), arrays, strict=True))


@pytest.mark.parametrize("name", CASES)
def test_a_node_differs_from_onnx(name):
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


def test_conformance_table_counts_differ_from_the_onnx_cases():
    groups = Counter(case.model.graph.node[0].op_type for case in CASES.values())
    groups["Attention, opsets 23 to 25"] = groups.pop("Attention")
    expanded = len(SUPPORTED) - len(CASES)
    assert rows(f"ONNX {onnx.__version__}") == {
        **{group: (count, count, 0) for group, count in groups.items()},
        "the same cases spelled out in smaller operators": (expanded, 0, expanded),
    }
