"""What each part is worth: the machine without it, trained the same way.

``python -m transformer.ablations`` trains the machine and its variants from five seeds,
for a quarter of the steps of the one that the course ships. What came out lies in
``runs/ablations.csv``: exact match and BLEU on 1,000 held-out sentences and on 1,000
sentences with held-out pairs of words. All numbers are those of the weights as they
would be stored, in half precision.

The rows that are stored were trained on a smaller form of the grammar: without games,
activities and food to eat, and without reasons that may be of either noun.
"""

from concurrent.futures import ProcessPoolExecutor
from itertools import product

from transformer.decoding import translate
from transformer.evaluation import bleu, exact_match
from transformer.parameters import Config
from transformer.seeds import Row, store
from transformer.sentences import SETS, held_out_sentences
from transformer.storage import ABLATIONS, as_stored
from transformer.training import Plan, train

VARIANTS = {
    "full": Config(),
    "no positions": Config(positions="none"),
    "no residuals": Config(residuals=False),
    "one head": Config(num_heads=1),
    "mean for cross-attention": Config(cross="mean"),
}
STEPS = Plan().steps // 4
SEEDS = range(5)
COUNT = 1000


def measure(variant: str, seed: int) -> list[Row]:
    """Train one variant from one seed and return its rows, one a set of sentences."""
    for progress in train(VARIANTS[variant], Plan(steps=STEPS, seed=seed)):
        live = progress.weights
    weights = as_stored(live)
    row: Row = {"variant": variant, "steps": STEPS, "seed": seed}
    rows = []
    for name, pairs in SETS.items():
        sentences = held_out_sentences(COUNT, pairs=pairs)
        found = translate([s.english for s in sentences], weights, VARIANTS[variant])
        right, score = exact_match(sentences, found), bleu(sentences, found)
        measured = {"exact_match": round(right, 4), "bleu": round(score, 2)}
        rows.append(row | {"set": name} | measured)
    return rows


def main() -> None:
    """Measure all variants, two runs at a time, and store the rows."""
    with ProcessPoolExecutor(max_workers=2) as pool:
        found = list(pool.map(measure, *zip(*product(VARIANTS, SEEDS), strict=True)))
    store(ABLATIONS, [row for rows in found for row in rows])


if __name__ == "__main__":
    main()
