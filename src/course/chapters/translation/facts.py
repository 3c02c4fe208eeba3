"""What chapter 7 says of grammar, data and stored runs, and there is no spread in."""

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
    log = stored.log()
    right = dict(zip(log["step"], log["held_out"], strict=True))
    return bool(right[200] < 0.02 and right[800] > 0.9)


def twofold_left_out() -> bool:
    """Tell whether sentences with two right translations are not asked for."""
    return not any(s.other for s in held_out_sentences(500, pairs=False))
