"""What chapter 6 claims to have measured: one number for a seed and sizes."""

from course.chapters.transformer import experiments


def word_difference(
    seed: int, *, d: int, layers: int, around: str = "attention alone"
) -> float:
    """Words' distance from their mean after layers of random attention."""
    run = experiments.through_layers_once(around, d, seed, layers)
    return float(run["difference"][-1])
