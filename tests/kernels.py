"""Run the numerical tests under every BLAS kernel that this processor can run.

``python tests/kernels.py`` runs the unit tests, the conformance tests and the notebooks
once for each kernel of OpenBLAS, once with two BLAS threads, and once without the SIMD
instructions that NumPy found. It prints a line for each, then the tests that failed.
Options go to pytest: ``python tests/kernels.py -k softmax``.

The tests of how the site is made (``tests/unit/book/test_*.py``) are left out. They
call no BLAS: a library that counted all calls of BLAS and LAPACK found none.
"""

import os
import subprocess
import sys
from pathlib import Path

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


def environment(**settings: str) -> dict:
    """Return the environment of a run; an empty text stands for the default."""
    names = ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", "OPENBLAS_NUM_THREADS")
    others = {name: v for name, v in os.environ.items() if name not in names}
    given = {"OPENBLAS_NUM_THREADS": "1"} | settings
    return others | {name: value for name, value in given.items() if value}


def answer(code: str, env: dict) -> str:
    """Return what Python code prints; an empty text if the processor cannot run it."""
    ran = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True
    )
    if ran.returncode > 0:
        raise RuntimeError(ran.stderr)
    return ran.stdout.strip()


def runs() -> dict[str, dict]:
    """Return the environment of each run: a kernel, two threads, or no SIMD."""
    found = {}
    for coretype in ("", *CORETYPES):  # the default kernel first
        env = environment(OPENBLAS_CORETYPE=coretype)
        if kernel := answer(KERNEL, env):  # else an illegal instruction ended it
            found.setdefault(kernel, env)
    found["two threads"] = environment(OPENBLAS_NUM_THREADS="2")
    if simd := answer(SIMD, environment()):
        found["no SIMD"] = environment(NPY_DISABLE_CPU_FEATURES=simd)
    return found


def run(env: dict, *options: str) -> tuple[str, list[str]]:
    """Run the tests and return pytest's summary, and the failures."""
    command = [sys.executable, "-m", "pytest", *HOW, *options, *TESTS]
    ran = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True)
    if ran.returncode > 1:  # no test has run, or pytest itself has failed
        raise RuntimeError(ran.stdout + ran.stderr)
    *lines, last = ran.stdout.splitlines()
    return last, [line for line in lines if line.startswith(("FAILED", "ERROR"))]


def main(options: list[str]) -> int:
    """Print a line for each run, then the failures; return 1 if a test failed."""
    failed = []
    for name, env in runs().items():
        summary, failures = run(env, *options)
        print(f"{name:<14} {summary}", flush=True)
        failed += [f"{name}: {line}" for line in failures]
    print(*failed, sep="\n")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
