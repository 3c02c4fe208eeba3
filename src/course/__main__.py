"""The command ``course``: what the installed package does without the repository."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status."""
    parser = argparse.ArgumentParser(prog="course", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    ledger = verbs.add_parser("ledger", help="check every number of the notes")
    ledger.add_argument("file", nargs="?", default="ledger.csv", help="file to write")
    ledger.set_defaults(run=_ledger)
    claims = verbs.add_parser("claims", help="measure every claim of the course again")
    claims.add_argument("seeds", type=int, help="number of seeds")
    claims.set_defaults(run=_claims)
    model = verbs.add_parser("model", help="fetch the model of chapter 9, 98 MB")
    model.set_defaults(run=_model)
    asked = parser.parse_args(arguments)
    return asked.run(asked)


def _ledger(asked: argparse.Namespace) -> int:
    # Imported here, because the import is slow and other verbs do not need it.
    from course.ledger import CHECKED, as_csv, rows

    Path(asked.file).write_text(as_csv(rows()), encoding="utf-8")
    checked = sum(row.verdict in CHECKED for row in rows())
    print(f"{len(rows()):,} numbers, {checked:,} of them recomputed: see {asked.file}")
    return 0


def _claims(asked: argparse.Namespace) -> int:
    from course.claims import main as measure

    return measure([str(asked.seeds)])


def _model(_asked: argparse.Namespace) -> int:
    from language_model.fetch import main as fetch

    return fetch()


if __name__ == "__main__":
    sys.exit(main())
