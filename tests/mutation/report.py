"""Say how many changes to the library's code its tests notice.

``python tests/mutation/report.py`` follows ``mutmut run``. It writes `report.csv`, the
counts of each module, and `survivors.csv`, each change that no test noticed with the
reason from `reasons.csv`. It fails if less than 95 % were noticed, or if a change that
was not noticed has no reason there.
"""

import csv
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
LEAST = 0.95


def mutmut(*arguments: str) -> str:
    """Return what mutmut prints."""
    command = [sys.executable, "-m", "mutmut", *arguments]
    utf8 = {**os.environ, "PYTHONUTF8": "1"}  # the names of mutants have letters beyond
    done = subprocess.run(command, capture_output=True, check=True, env=utf8)
    return done.stdout.decode("utf-8")


def outcomes() -> dict[str, str]:
    """Return what became of each mutant, by its name."""
    lines = mutmut("results", "--all", "true").splitlines()
    pairs = (line.strip().split(": ") for line in lines if ": " in line)
    return {name: outcome for name, outcome in pairs if "__mutmut_" in name}


def module(name: str) -> str:
    """Return the module of a mutant."""
    return name.split(".")[1]


def change(name: str) -> tuple[str, str]:
    """Return the lines of a mutant before and after, each joined to one."""
    lines = mutmut("show", name).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("@@"))
    return tuple(
        " ".join(line[1:].strip() for line in lines[start:] if line.startswith(sign))
        for sign in "-+"
    )


def reason(name: str, before: str, after: str) -> str:
    """Return why no test can notice a change, or nothing."""
    with (HERE / "reasons.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            text = f"{name}: {before} -> {after}"
            if re.search(row["pattern"], text):
                return row["reason"]
    return ""


def write(name: str, header: list[str], rows: list[list[object]]) -> None:
    """Write a table beside this file."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([header, *rows])


def main() -> None:
    """Write the report and judge it."""
    found = outcomes()
    tried = {name for name, how in found.items() if how != "not checked"}
    noticed = {name for name, how in found.items() if how in ("killed", "timeout")}
    counts = [Counter(map(module, names)) for names in (found, tried, noticed)]
    rows = [[name, *(count[name] for count in counts)] for name in sorted(counts[0])]
    rows.append(["all", len(found), len(tried), len(noticed)])
    write("report.csv", ["module", "mutants", "tried", "killed"], rows)
    survivors = [[name, *change(name)] for name in sorted(tried - noticed)]
    explained = [[*row, reason(*row)] for row in survivors]
    write("survivors.csv", ["mutant", "before", "after", "why"], explained)
    unexplained = [row[0] for row in explained if not row[-1]]
    print(
        f"{len(noticed)} killed of {len(tried)} tried of {len(found)}; "
        f"{len(unexplained)} survivors not explained"
    )
    if len(noticed) < LEAST * len(found) or unexplained:
        sys.exit("\n".join(unexplained) or "too few were tried or killed")


if __name__ == "__main__":
    main()
