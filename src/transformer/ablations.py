"""Ablations: the translator trained without one of its parts.

``python -m transformer.ablations`` trains from five seeds

- the shipped translator and its variants, for a quarter of the steps;
- two translators of one layer, with four heads and with one head, for an eighth, three
  sixteenths, a quarter, half and all of the steps;
- the same two translators at half the width, for a quarter of the steps.

The rows of the shipped translator are measured with its stored weights
(`transformer.seeds`). The command stores in ``runs/ablations.csv`` the exact match and
the BLEU score on 1,000 held-out sentences and on 1,000 sentences with held-out pairs of
words, measured with weights in half precision.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from itertools import product

from transformer import executors
from transformer.decoding import translate
from transformer.evaluation import bleu, exact_match
from transformer.parameters import Config
from transformer.sentences import SETS, held_out_sentences
from transformer.storage import ABLATIONS, SEEDS, as_stored, load, model_of
from transformer.stored_files import Row, read_table, write_table
from transformer.training import Plan, train, train_to_end

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
COUNT = 1000


def measure(asked: tuple[tuple[str, int], int]) -> list[Row]:
    """Train one variant from one seed; return a row for each set of sentences."""
    run, seed = asked
    variant, steps = run
    row = {"variant": variant, "steps": steps, "seed": seed, "early": ""}
    if run == ("full", WHOLE):
        weights, _ = load(model_of(seed))
    else:
        plan = Plan(steps=steps, seed=seed)
        weights, row["early"] = train_to_end(train(VARIANTS[variant], plan))
        weights = as_stored(weights)
    rows = []
    for name, pairs in SETS.items():
        sentences = held_out_sentences(COUNT, pairs=pairs)
        found = translate([s.english for s in sentences], weights, VARIANTS[variant])
        right, score = exact_match(sentences, found), bleu(sentences, found)
        measured = {"exact_match": round(right, 4), "bleu": round(score, 2)}
        rows.append(row | {"set": name} | measured)
    return rows


def stored() -> list[Row]:
    """Return the stored rows."""
    return [row | {"steps": int(row["steps"])} for row in read_table(ABLATIONS)]


def main(arguments: Sequence[str]) -> None:
    """Train some variants, by default all, and replace their stored rows."""
    parser = ArgumentParser(description="Train the translator with parts left out.")
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help=str([*VARIANTS]))
    asked = parser.parse_args(arguments)
    if unknown := set(asked.variants) - set(VARIANTS):
        parser.error(f"VARIANT must be one of {[*VARIANTS]}, got {sorted(unknown)}")
    chosen = [run for run in RUNS if run[0] in (asked.variants or VARIANTS)]
    found = executors.gather(measure, list(product(chosen, SEEDS)))
    kept = set(RUNS) - set(chosen)
    rows = [row for row in stored() if (row["variant"], row["steps"]) in kept]
    rows += [row for each in found for row in each]
    write_table(
        ABLATIONS, sorted(rows, key=lambda r: RUNS.index((r["variant"], r["steps"])))
    )


if __name__ == "__main__":
    # Imported by name, so that other processes can import its functions too.
    import_module("transformer.ablations").main(sys.argv[1:])
