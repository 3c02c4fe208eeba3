"""What each part is worth: the machine without it, trained the same way.

``python -m transformer.ablations`` trains from five seeds

- the machine that the course ships and its variants, for a quarter of its steps;
- to see what heads are good for, one of a single layer with four heads and with one,
  for an eighth, three sixteenths, a quarter, half and all of its steps; and half as
  wide, for a quarter.

The rows of the shipped machine itself are those of its stored weights
(`transformer.seeds`). What came out lies in ``runs/ablations.csv``:
exact match and BLEU on 1,000 held-out sentences and on 1,000 sentences with held-out
pairs of words. All numbers are those of the weights as they would be stored, in half
precision. ``--cluster ADDRESS`` runs it on the machines of a cluster
(`transformer.executors`).
"""

import csv
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import product

from transformer import executors
from transformer.decoding import translate
from transformer.evaluation import bleu, exact_match
from transformer.parameters import Config, Tree
from transformer.seeds import Row, store
from transformer.sentences import SETS, held_out_sentences
from transformer.storage import ABLATIONS, SEEDS, as_stored, load, model_of
from transformer.training import Plan, train

VARIANTS = {
    "full": Config(),
    "no positions": Config(positions="none"),
    "no residuals": Config(residuals=False),
    "one head": Config(num_heads=1),
    "mean for cross-attention": Config(cross="mean"),
    "one layer": Config(num_layers=1),
    "one layer, one head": Config(num_layers=1, num_heads=1),
    "narrow": Config(num_layers=1, d_model=16),
    "narrow, one head": Config(num_layers=1, d_model=16, num_heads=1),
}
WHOLE = Plan().steps
HALF, QUARTER, EIGHTH = WHOLE // 2, WHOLE // 4, WHOLE // 8
RUNS = [("full", WHOLE), *((variant, QUARTER) for variant in VARIANTS)]
RUNS += [
    (variant, steps)
    for variant in ("one layer", "one layer, one head")
    for steps in (EIGHTH, 3 * WHOLE // 16, HALF, WHOLE)
]
COUNT, EARLY = 1000, 20


def trained(variant: str, steps: int, seed: int) -> tuple[Tree, float]:
    """Train a variant; return its weights as they would be stored, and an early loss.

    The loss is that of step `EARLY`, by which the run can be known again.
    """
    for progress in train(VARIANTS[variant], Plan(steps=steps, seed=seed)):
        weights = progress.weights
        if progress.step == EARLY:
            early = progress.loss
    return as_stored(weights), early


def measure(asked: tuple[tuple[str, int], int]) -> list[Row]:
    """Train one variant from one seed and return its rows, one a set of sentences."""
    run, seed = asked
    variant, steps = run
    row: Row = {"variant": variant, "steps": steps, "seed": seed, "early": ""}
    if run == ("full", WHOLE):
        weights, _ = load(model_of(seed))
    else:
        weights, early = trained(variant, steps, seed)
        row["early"] = f"{early:.6g}"
    rows = []
    for name, pairs in SETS.items():
        sentences = held_out_sentences(COUNT, pairs=pairs)
        found = translate([s.english for s in sentences], weights, VARIANTS[variant])
        right, score = exact_match(sentences, found), bleu(sentences, found)
        measured = {"exact_match": round(right, 4), "bleu": round(score, 2)}
        rows.append(row | {"set": name} | measured)
    return rows


def stored() -> list[Row]:
    """Return the rows that are stored."""
    if not ABLATIONS.exists():
        return []
    with ABLATIONS.open(newline="") as file:
        return [row | {"steps": int(row["steps"])} for row in csv.DictReader(file)]


def main(arguments: Sequence[str]) -> None:
    """Measure variants, by default all; each replaces its rows of before."""
    parser = executors.parser("Train the translator with parts left out.")
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help=str([*VARIANTS]))
    asked = parser.parse_args(arguments)
    if unknown := set(asked.variants) - set(VARIANTS):
        parser.error(f"VARIANT must be one of {[*VARIANTS]}, got {sorted(unknown)}")
    chosen = [run for run in RUNS if run[0] in (asked.variants or VARIANTS)]
    with executors.executor(asked.cluster) as pool:
        found = executors.gather(measure, list(product(chosen, SEEDS)), pool)
    kept = set(RUNS) - set(chosen)
    rows = [row for row in stored() if (row["variant"], row["steps"]) in kept]
    rows += [row for each in found for row in each]
    store(ABLATIONS, sorted(rows, key=lambda r: RUNS.index((r["variant"], r["steps"]))))


if __name__ == "__main__":
    # By its own name, under which other processes find it too.
    import_module("transformer.ablations").main(sys.argv[1:])
