"""What chapter 7 says of grammar, data and stored runs, and there is no spread in."""

import numpy as np

from course.chapters.translation import fetch, stored
from transformer.ablations import QUARTER, VARIANTS
from transformer.effects import COUNT
from transformer.lexicon import EITHER
from transformer.parameters import Config, initial, named
from transformer.sentences import held_out_sentences
from transformer.storage import SEEDS

PAPER = 512  # d_model of the paper's base model


def reasons_for_either() -> int:
    """Count the reasons that may be said of either noun."""
    return len(EITHER)


def layers_and_factor() -> tuple[int, float]:
    """Count the layers of a stack, and divide the paper's width by the model's."""
    config = Config()
    return config.num_layers, PAPER / config.d_model


def seeds() -> int:
    """Count the models that are stored."""
    return len(SEEDS)


def asked() -> tuple[int, int]:
    """Count the stored models, and the sentences that each was asked for."""
    return len(SEEDS), sum(part.sentences for part in stored.accuracy().values())


def asked_for_either() -> int:
    """Count the sentences in which *it* may be either."""
    found = stored.calibration().values()
    return int(sum(part["sentences"][0].sum() for part in found))


def short_run() -> tuple[int, int]:
    """Count the seeds of each variant's runs, and their steps."""
    [seeds] = {len(sets["held-out pairs"]) for sets in stored.results(QUARTER).values()}
    return seeds, QUARTER


def fetched_from() -> tuple[int, int]:
    """Return the words of a sentence from which one query fetches, and of all."""
    return fetch.LENGTH, fetch.Task(1, 1).words


def compared_at() -> tuple[int, int]:
    """Return the first and the last number of steps at which heads are compared."""
    steps = stored.by_heads("held-out sentences")[4]
    return min(steps), max(steps)


def asked_with_cuts() -> int:
    """Count the sentences that are translated with each cut."""
    return COUNT


def as_many_weights() -> bool:
    """Tell whether one head has as many weights as four, in both experiments."""
    sizes = [
        sum(array.size for array in named(initial(VARIANTS[name], 0)).values())
        for name in ("full", "one head")
    ]
    return sizes[0] == sizes[1]


def best_heads_differ() -> bool:
    """Tell whether seeds differ in the head that agrees best with the grammar."""
    return len(set(stored.alignment().heads.argmax(axis=1))) > 1


def as_good_in_the_end() -> bool:
    """Tell whether one head is within a thousandth of four after the last step."""
    shares = stored.by_heads("held-out sentences")
    last = max(shares[4])
    return bool(abs(shares[4][last].mean() - shares[1][last].mean()) < 0.001)


def late_and_at_once() -> bool:
    """Tell whether the share of right sentences is 0 for long, then soon near 1."""
    right = _right_after()
    return bool(right[200] < 0.02 and right[800] > 0.9)


def log_as_drawn() -> bool:
    """Tell whether the log is as its figure's description says."""
    log, right = stored.log(), _right_after()
    last = int(log["step"][-1])
    falls = np.log10(log["loss"][0] / np.median(log["loss"][-50:]))
    return bool(
        (last, right[last]) == (4000, 1)
        and falls > 3
        and right[200] < 0.02
        and right[700] > 0.9
    )


def _right_after() -> dict[int, float]:
    """Give the share of right held-out sentences of the stored log, by steps."""
    log = stored.log()
    return dict(zip(log["step"].astype(int), log["held_out"], strict=True))


def fetched_as_drawn() -> bool:
    """Tell whether fetching is as its figure's description says."""
    found = fetch.results()
    all_right = min(found[fetch.Task(1, heads)].min() for heads in (1, 2, 4, 8))
    one, eight = (found[fetch.Task(8, heads)] for heads in (1, 8))
    return bool(all_right > 0.999 and one.mean() < 0.5 and eight.min() > 0.9)


def by_steps_as_drawn() -> bool:
    """Tell whether four heads lead early, and one comes close in the end."""
    found = stored.by_heads("held-out sentences")
    lead = {n: (found[4][n] - found[1][n]).mean() for n in found[4]}
    return bool(lead[500] > 0.03 and min(x[4000].min() for x in found.values()) > 0.99)


def levels() -> tuple[int, int]:
    """Give the levels of a blind head and of the same place, in percent."""
    found = stored.alignment()
    return round(100 * found.chance), round(100 * found.diagonal)


def alignment_as_drawn() -> bool:
    """Tell whether each layer's heads agree as often as their description says."""
    heads = stored.alignment().heads
    half = heads.shape[1] // 2
    first, second = heads[:, :half], heads[:, half:]
    return bool(
        (abs(first.min() - 1 / 6) < 0.05 and abs(first.max() - 1 / 2) < 0.05)
        and (abs(second.min() - 1 / 3) < 0.05 and abs(second.max() - 0.9) < 0.05)
    )


def twofold_left_out() -> bool:
    """Tell whether sentences with two right translations are not asked for."""
    return not any(s.other for s in held_out_sentences(500, pairs=False))
