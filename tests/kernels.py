"""Run the numerical tests under every BLAS kernel that this processor can run.

``python tests/kernels.py`` runs the unit tests, the conformance tests and the notebooks
once for each kernel of OpenBLAS, once with two BLAS threads, and once without the SIMD
instructions that NumPy found. It prints a table, then the tests that failed.
Options go to pytest: ``python tests/kernels.py -k softmax``.

The tests of how the site is made (``tests/unit/book/test_*.py``) are left out. They
call no BLAS: a library that counted all calls of BLAS and LAPACK found none.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
# OpenBLAS takes its default kernel for a name that it does not know.
CORETYPES = (
    *("Prescott", "Nehalem", "Sandybridge", "Haswell", "SkylakeX", "Cooperlake"),
    *("SapphireRapids", "Zen", "ARMV8", "NEOVERSEN1", "NEOVERSEV1", "NEOVERSEN2"),
)
TESTS = ("chapters", "tests/unit", "tests/conformance")
WITHOUT_BLAS = "tests/unit/book/test_*.py"
HOW = (
    *("-q", "--no-header", "-n", "logical", "--dist", "loadfile"),
    *("-m", "not slow and not weekly"),
    f"--ignore-glob={WITHOUT_BLAS}",
)
KERNEL = """
import numpy, threadpoolctl
numpy.ones((64, 64)) @ numpy.ones((64, 64))
blas = [lib for lib in threadpoolctl.threadpool_info() if lib["user_api"] == "blas"]
print(*(lib.get("architecture") for lib in blas))
"""
SIMD = """
import numpy
print(*numpy.show_config(mode="dicts")["SIMD Extensions"]["found"])
"""


def environment(coretype: str = "", *, threads: int = 1, simd_off: str = "") -> dict:
    """Return the environment of a run; an empty text stands for the default."""
    settings = {
        "OPENBLAS_CORETYPE": coretype,
        "NPY_DISABLE_CPU_FEATURES": simd_off,
        "OPENBLAS_NUM_THREADS": str(threads),
    }
    others = {name: v for name, v in os.environ.items() if name not in settings}
    return others | {name: value for name, value in settings.items() if value}


def answer(code: str, env: dict) -> str:
    """Return what Python code prints; an empty text if the processor cannot run it."""
    ran = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True
    )
    if ran.returncode > 0:
        raise RuntimeError(ran.stderr)
    return ran.stdout.strip()


def kernels() -> dict[str, str]:
    """Return a name in OPENBLAS_CORETYPE for each kernel, the default kernel first."""
    found = {}
    for coretype in ("", *CORETYPES):
        kernel = answer(KERNEL, environment(coretype))
        if kernel:  # else an illegal instruction ended the process
            found.setdefault(kernel, coretype)
    return found


def run(env: dict, *options: str) -> tuple[dict[str, int], list[str], float]:
    """Run the tests and return the count of each outcome, the failures, the seconds."""
    start = perf_counter()
    command = [sys.executable, "-m", "pytest", *HOW, *options, *TESTS]
    ran = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True)
    if ran.returncode > 1:  # no test has run, or pytest itself has failed
        raise RuntimeError(ran.stdout + ran.stderr)
    *lines, last = ran.stdout.splitlines()
    counts = {kind: int(n) for n, kind in re.findall(r"(\d+) ([a-z]+)", last)}
    failures = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    return counts, failures, perf_counter() - start


def main(options: list[str]) -> int:
    """Print the table and the failures; return 1 if a test failed."""
    found = kernels()
    default = next(iter(found))
    simd = answer(SIMD, environment())
    runs = [(kernel, "1", "on", environment(name)) for kernel, name in found.items()]
    runs.append((default, "2", "on", environment(threads=2)))
    if simd:
        runs.append((default, "1", "off", environment(simd_off=simd)))
    row = "{:<14} {:>7} {:>5} {:>7} {:>7} {:>8} {:>8}".format
    head = ("kernel", "threads", "SIMD", "passed", "failed", "skipped", "seconds")
    print(row(*head), flush=True)
    failed = []
    for kernel, threads, on, env in runs:
        counts, failures, seconds = run(env, *options)
        bad = counts.get("failed", 0) + counts.get("error", 0)
        numbers = counts.get("passed", 0), bad, counts.get("skipped", 0)
        print(row(kernel, threads, on, *numbers, round(seconds)), flush=True)
        failed += [f"{kernel}, {threads}, {on}: {line}" for line in failures]
    print(*failed, sep="\n")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
