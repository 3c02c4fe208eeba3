"""The command ``course``: what the installed package does, with or without a checkout.

A checkout is a copy of the repository from which the package was installed with
``pip install --editable .``. There ``course VERB`` is ``python run.py VERB``.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
SET_UP = "run.py"  # in the root of a checkout
OF_A_CHECKOUT = {
    "book": "build the site",
    "serve": "build the site, serve it and keep it up to date",
    "lab": "open the chapters in JupyterLab",
    "handout": "write the chapters without their answers",
    "key": "write the answers alone",
    "tidy": "take out of the notebooks what running and saving put in",
    "test": "test everything",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status."""
    parser = argparse.ArgumentParser(prog="course", description=_first_line(__doc__))
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    ledger = verbs.add_parser("ledger", help="recompute every number of the notes")
    ledger.add_argument("file", nargs="?", default="ledger.csv", help="file to write")
    ledger.set_defaults(run=_ledger)
    claims = verbs.add_parser("claims", help="measure every claim of the course again")
    claims.add_argument("seeds", type=int, help="number of seeds")
    claims.set_defaults(run=_claims)
    model = verbs.add_parser("model", help="fetch the model of chapter 9, 98 MB")
    model.set_defaults(run=_model)
    for verb, what in OF_A_CHECKOUT.items():
        of_a_checkout = verbs.add_parser(verb, help=f"{what} (needs the repository)")
        of_a_checkout.set_defaults(run=_of_a_checkout)
    asked, further = parser.parse_known_args(arguments)
    asked.further = further
    if further and asked.verb not in OF_A_CHECKOUT:
        parser.error(f"unrecognized arguments: {' '.join(further)}")
    return asked.run(asked)


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


def _ledger(asked: argparse.Namespace) -> int:
    # Imported here, because the import is slow and other verbs do not need it.
    from course.ledger.__main__ import main as write

    write(asked.file)
    return 0


def _claims(asked: argparse.Namespace) -> int:
    from course.claims import main as measure

    return measure([str(asked.seeds)])


def _model(asked: argparse.Namespace) -> int:
    from language_model.fetch import main as fetch

    return fetch()


def _of_a_checkout(asked: argparse.Namespace) -> int:
    if not (CHECKOUT / SET_UP).is_file():
        print(
            f"`course {asked.verb}` needs the course's repository, and this package "
            f"is installed without it: clone the repository and type "
            f"`python {SET_UP} {asked.verb}` in it.",
            file=sys.stderr,
        )
        return 2
    return subprocess.call(
        [sys.executable, CHECKOUT / SET_UP, asked.verb, *asked.further]
    )


if __name__ == "__main__":
    sys.exit(main())
