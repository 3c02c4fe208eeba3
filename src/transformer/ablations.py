"""Ablations: the translator trained without one of its parts.

``python -m transformer.ablations`` trains the shipped translator and its variants from
five seeds, for a quarter of the steps. The rows of the shipped translator after all
steps are measured with its stored weights (`transformer.seeds`). The command stores in
``runs/ablations.csv`` the exact match on 1,000 held-out sentences and on 1,000
sentences with held-out pairs of words, measured with weights in half precision.
"""

from importlib import import_module
from itertools import product

from transformer import executors
from transformer.evaluation import accuracy
from transformer.parameters import Config
from transformer.sentences import SETS, held_out_sentences
from transformer.storage import ABLATIONS, SEEDS, as_stored, load, model_of
from transformer.stored_files import Row, write_table
from transformer.training import Plan, train, train_to_end

VARIANTS = {
    "full": Config(),
    "no positions": Config(positions="none"),
    "no residuals": Config(residuals=False),
    "one head": Config(num_heads=1),
    "mean for cross-attention": Config(cross="mean"),
}
WHOLE = Plan().steps
QUARTER = WHOLE // 4
RUNS = [("full", WHOLE), *((variant, QUARTER) for variant in VARIANTS)]
COUNT = 1000  # sentences of each set


def measure(task: tuple[tuple[str, int], int]) -> list[Row]:
    """Train one variant from one seed; return a row for each set of sentences."""
    run, seed = task
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
        right = accuracy(sentences, weights, VARIANTS[variant])
        rows.append(row | {"set": name, "exact_match": round(right, 4)})
    return rows


def main() -> None:
    """Train all variants and store their rows."""
    tasks = list(product(RUNS, SEEDS))
    results = executors.gather(measure, tasks)
    write_table(ABLATIONS, [row for rows in results for row in rows])


if __name__ == "__main__":
    # The import by name lets other processes import the functions of this module.
    import_module("transformer.ablations").main()
