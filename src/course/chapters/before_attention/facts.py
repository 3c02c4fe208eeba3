"""What *Before attention* says of its experiments, and there is no spread in."""

import numpy as np

from course.chapters.before_attention import experiments


def networks() -> tuple[int, int]:
    """Count the recurrent networks that take part, and the heads of attention."""
    attention = sum(kind == "attention" for kind in experiments.KINDS)
    return len(experiments.KINDS) - attention, attention


def reach_as_drawn() -> bool:
    """Tell whether the networks of width 64 reach as their description says."""
    left = {
        kind: np.median(experiments.reach(kind, 64).gradient, axis=0)
        for kind in experiments.KINDS
    }
    lost = left["simple"][49] < 1e-15
    order = left["simple"][49] < left["gated"][49] < left["simple, orthogonal"][49]
    level = min(left[kind].min() for kind in ("gated, forget bias 3", "attention"))
    return bool(lost and order and level > 0.1)
