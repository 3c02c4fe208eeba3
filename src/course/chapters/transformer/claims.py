"""What chapter 6 claims to have measured: one number for a seed and sizes."""

from course.chapters.transformer import experiments


def word_difference(
    seed: int,
    *,
    d: int,
    layers: int,
    around: str = "attention alone",
    n: int = 8,
    deviation: float = 1,
) -> float:
    """Words' distance from their mean after layers of random attention."""
    run = experiments.through_layers_once(d, seed, layers, n, deviation, [around])
    return float(run[around]["difference"][-1])
