"""What chapter 6 says of its experiments, and there is no spread in."""

import numpy as np

from course.chapters.transformer import experiments


def apart_as_drawn() -> bool:
    """Tell whether words come together as the figure's description says."""
    runs = experiments.through_layers(64)
    apart = {name: np.median(run["difference"], axis=0) for name, run in runs.items()}
    slowest = max(apart, key=lambda name: apart[name][-1])
    return bool(apart["attention alone"][4] < 1e-4 and slowest == "norm, then residual")
