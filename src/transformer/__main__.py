"""Train the model that the course ships: ``python -m transformer``, about a minute.

Stores its weights in ``runs/model.safetensors`` and the way there in ``runs/log.csv``:
the loss of each of the first 20 steps and of every 20th, and after every 100 the share
of right translations.
"""

import csv

from transformer.evaluation import learning_curve
from transformer.parameters import Config
from transformer.storage import LOG, MODEL, to_bytes
from transformer.training import Plan


def main() -> None:
    """Train, store, and say how it goes."""
    config, plan = Config(), Plan()
    with LOG.open("w", newline="") as file:
        log = csv.writer(file, lineterminator="\n")
        log.writerow(["step", "loss", "held_out", "pairs"])
        for point in learning_curve(config, plan):
            if point.step <= 20 or point.step % 20 == 0:
                log.writerow(
                    [point.step, f"{point.loss:.7g}", point.held_out, point.pairs]
                )
            if point.held_out is not None:
                print(*point[:4])
    notes = {"seed": str(plan.seed), "steps": str(plan.steps)}
    MODEL.write_bytes(to_bytes(point.weights, config, **notes))


if __name__ == "__main__":
    main()
