"""Training again gives the stored results, up to rounding on another processor."""

from itertools import islice

import pytest
from repeats import first_and_weekly

from transformer.ablations import QUARTER, VARIANTS
from transformer.small import induction, pronouns
from transformer.small.induction import InductionTask
from transformer.small.pronouns import PronounTask
from transformer.storage import ABLATIONS
from transformer.stored_files import read_table
from transformer.training import EARLY, Plan, train


def loss_after(steps, count=EARLY):
    *_, last = islice(steps, count)
    return last.loss


@pytest.mark.more
@pytest.mark.parametrize("variant", first_and_weekly(sorted(VARIANTS)))
def test_training_a_variant_does_not_repeat_the_loss_of_its_row(variant):
    row = next(
        row
        for row in read_table(ABLATIONS)
        if (row["variant"], int(row["steps"])) == (variant, QUARTER)
    )
    steps = train(VARIANTS[variant], Plan(steps=QUARTER, seed=int(row["seed"])))
    assert loss_after(steps) == pytest.approx(float(row["early"]), rel=1e-3)


SMALL = [
    PronounTask("answer", 1, seed=3),
    PronounTask("pointer", seed=2),
    PronounTask("answer", shared=True, d_model=24, seed=1),
    PronounTask("pointer", shared=True),
    InductionTask(seed=7),
    InductionTask(1, 2, 24, True, seed=1),
]


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.parametrize("task", SMALL, ids=str)
def test_training_a_small_model_does_not_repeat_the_loss_of_its_row(task):
    module = pronouns if isinstance(task, PronounTask) else induction
    [early] = [row.early for row in module.SWEEP.results if row.task == task]
    assert loss_after(module.train(task)) == pytest.approx(early, rel=1e-3)
