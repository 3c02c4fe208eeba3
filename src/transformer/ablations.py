"""What each part is worth: the machine without it, trained the same way.

``python -m transformer.ablations`` trains from five seeds the machine that the course
ships, and then it and every variant for half as many steps: about 15 minutes on one
core. What came out is stored:

- ``runs/ablations.csv``: exact match and BLEU on 1,000 held-out sentences and on 1,000
  sentences with held-out pairs of words;
- ``runs/alignment.csv``: each head's cross-attention against the grammar's alignment.

All numbers are those of the weights as they would be stored, in half precision.
"""

import csv
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

from transformer.decoding import translate
from transformer.evaluation import alignment, bleu, exact_match
from transformer.parameters import Config
from transformer.sentences import held_out_sentences
from transformer.storage import ABLATIONS, ALIGNMENT, as_stored
from transformer.training import Plan, train

VARIANTS = {
    "full": Config(),
    "no positions": Config(positions="none"),
    "no residuals": Config(residuals=False),
    "one head": Config(num_heads=1),
    "mean for cross-attention": Config(cross="mean"),
}
HALF = Plan().steps // 2
RUNS = [("full", Plan().steps), *((variant, HALF) for variant in VARIANTS)]
SEEDS = range(5)
COUNT = 1000
SETS = {"held-out sentences": False, "held-out pairs": True}

Row = dict[str, str | int | float]


def measure(run: tuple[str, int], seed: int) -> tuple[list[Row], list[Row]]:
    """Train one variant from one seed and return its rows of the two tables."""
    variant, steps = run
    config = VARIANTS[variant]
    for progress in train(config, Plan(steps=steps, seed=seed)):
        weights = progress.weights
    weights = as_stored(weights)
    row: Row = {"variant": variant, "steps": steps, "seed": seed}
    results = []
    for name, pairs in SETS.items():
        sentences = held_out_sentences(COUNT, pairs=pairs)
        found = translate([s.english for s in sentences], weights, config)
        results.append(
            row
            | {
                "set": name,
                "exact_match": round(exact_match(sentences, found), 4),
                "bleu": round(bleu(sentences, found), 2),
            }
        )
    sentences = held_out_sentences(COUNT, pairs=False)
    heads = [
        row | {key: round(value, 4) for key, value in head._asdict().items()}
        for head in alignment(sentences, weights, config)
    ]
    return results, heads


def merge(path: Path, rows: list[Row]) -> None:
    """Put rows in the place of those that a table has for the same runs."""
    new = {(row["variant"], row["steps"]) for row in rows}
    kept: list[Row] = []
    if path.exists():
        with path.open(newline="") as file:
            before = [
                row | {"steps": int(row["steps"])} for row in csv.DictReader(file)
            ]
        kept = [row for row in before if (row["variant"], row["steps"]) not in new]
    both = sorted(
        kept + rows, key=lambda row: RUNS.index((row["variant"], row["steps"]))
    )
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(both)


def main(variants: list[str]) -> None:
    """Measure variants, two runs at a time, and store the tables."""
    chosen = [run for run in RUNS if run[0] in variants]
    with ProcessPoolExecutor(max_workers=2) as pool:
        found = list(pool.map(measure, *zip(*product(chosen, SEEDS), strict=True)))
    for path, part in ((ABLATIONS, 0), (ALIGNMENT, 1)):
        merge(path, [row for tables in found for row in tables[part]])


if __name__ == "__main__":
    main(sys.argv[1:] or list(VARIANTS))
