"""What chapter 6 claims to have measured: one number for a seed and sizes."""

from course.chapters.transformer import before, experiments


def simple_gradient(seed: int, *, d: int, k: int, start: str = "uniform") -> float:
    """Gradient by a word k back in a simple network, by the neighbour's share."""
    kind = "simple" if start == "uniform" else f"simple, {start}"
    return float(before.reach_once(kind, d, seed, n=k + 1).gradient[-1])


def gated_gradient(seed: int, *, d: int, k: int, forget_bias: int = 3) -> float:
    """Gradient by a word k back in a gated network, by the neighbour's share."""
    kind = f"gated, forget bias {forget_bias}" if forget_bias else "gated"
    return float(before.reach_once(kind, d, seed, n=k + 1).gradient[-1])


def word_difference(
    seed: int, *, d: int, layers: int, around: str = "attention alone"
) -> float:
    """Words' distance from their mean after layers of random attention."""
    run = experiments.through_layers_once(around, d, seed, layers)
    return float(run["difference"][-1])
