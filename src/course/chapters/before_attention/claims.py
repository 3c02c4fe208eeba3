"""What *Before attention* claims to have measured: one number for a seed and sizes."""

from course.chapters.before_attention import experiments


def simple_gradient(seed: int, *, d: int, k: int, start: str = "uniform") -> float:
    """Gradient by a word k back in a simple network, by the neighbour's share."""
    kind = "simple" if start == "uniform" else f"simple, {start}"
    return float(experiments.reach_once(kind, d, seed, n=k + 1).gradient[-1])


def gated_gradient(seed: int, *, d: int, k: int, forget_bias: int = 3) -> float:
    """Gradient by a word k back in a gated network, by the neighbour's share."""
    kind = f"gated, forget bias {forget_bias}" if forget_bias else "gated"
    return float(experiments.reach_once(kind, d, seed, n=k + 1).gradient[-1])
