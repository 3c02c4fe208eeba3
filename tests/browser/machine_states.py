"""Random states of the attention machine, and their results computed in Python."""

from functools import cache
from typing import Any

import numpy as np

from attention import trace_attention
from course.widgets.machine.inputs import LIMITS, WIDTH_LIMIT


def a_state(seed: int) -> dict[str, Any]:
    """Return a random state of the machine, in the form that the view reads."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, LIMITS["tokens"] + 1))
    d_model, d_k, d_v = rng.choice((2, 3, 5, 7, 11), size=3, replace=False).tolist()
    heads = int(rng.integers(1, min(LIMITS["heads"], WIDTH_LIMIT // d_v) + 1))
    W_O = rng.normal(size=(heads * d_v, d_model)).tolist()
    return {
        "tokens": [f"word{i}" for i in range(n)],
        "X": rng.normal(size=(n, d_model)).tolist(),
        "W_Q": rng.normal(size=(heads, d_model, d_k)).tolist(),
        "W_K": rng.normal(size=(heads, d_model, d_k)).tolist(),
        "W_V": rng.normal(size=(heads, d_model, d_v)).tolist(),
        "W_O": W_O if rng.random() < 0.7 else None,
        "causal": bool(rng.random() < 0.5),
        "padding": (rng.random(n) < 0.2).tolist(),
        "order": rng.permutation(n).tolist(),
        "off": [h for h in range(heads) if rng.random() < 0.2],
        "beta": float(2 ** rng.uniform(-4, 4)) if rng.random() < 0.6 else 1.0,
        "residual": bool(rng.random() < 0.3),
    }


def computed(state: dict[str, Any]) -> dict[str, Any]:
    """Return all matrices of a state, computed with the package `attention`.

    The words are put into the order of the state before the masks apply. The rows of
    the results are then put back into the order of ``tokens``.
    """
    order = np.array(state["order"])
    back = np.argsort(order)
    both = np.ix_(back, back)
    X = np.array(state["X"])[order]
    n = len(order)
    mask = np.tile(~np.array(state["padding"])[order], (n, 1))
    mask = np.tril(mask) if state["causal"] else mask
    heads = []
    by_head = zip(state["W_Q"], state["W_K"], state["W_V"], strict=True)
    for h, weights in enumerate(by_head):
        q, k, v = (X @ np.array(W) for W in weights)
        scale = state["beta"] / np.sqrt(q.shape[1])
        trace = trace_attention(q, k, v, attn_mask=mask, scale=scale)
        heads.append(
            {
                "query": q[back],
                "key": k[back],
                "value": v[back],
                "scores": trace.scores[both],
                "logits": trace.logits[both],
                "weights": trace.weights[both],
                "head": trace.output[back] * (h not in state["off"]),
            }
        )
    concat = np.concatenate([head["head"] for head in heads], axis=1)
    output = concat if state["W_O"] is None else concat @ np.array(state["W_O"])
    is_added = state["residual"] and state["W_O"] is not None
    total = X[back] + output if is_added else None
    return {"heads": heads, "concat": concat, "output": output, "sum": total}


@cache
def states_and_results() -> list[tuple[dict, dict]]:
    """Return 300 random states, each with its results."""
    return [(state, computed(state)) for state in map(a_state, range(300))]
