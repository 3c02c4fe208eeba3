"""Time attention beside PyTorch and beside the two products it cannot do without.

    python benchmarks/attention_speed.py [n ...]

Eight heads of 64 in float32, full and causal, queries as they are and times 8. The
contenders take turns within one run; what is printed is the median of the ratios, each
to PyTorch in the same turn (or to the products, where PyTorch is not installed). All
have the same number of threads (`ATTENTION_NUM_THREADS`, or one a core). Before each
turn the run waits for threads of others that still spin. Then the growth of peak
memory, one head, causal, each length in a process of its own. The plot is written to
`_build/benchmarks`.
"""

import argparse
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from attention import _checks, _threads
from attention._blocked import attend_blocked
from attention._dot_product import attend

try:
    import torch
except ImportError:
    torch = None

OUT = Path(__file__).resolve().parents[1] / "_build" / "benchmarks"
LENGTHS = (128, 512, 2048, 4096, 8192)
MEMORY_LENGTHS = (2048, 4096, 8192, 16384)
HEADS, WIDTH = 8, 64
PLAIN_UP_TO = 4096  # beyond, its arrays fill the memory
BUDGET = 8.0  # seconds for each contender and setting
TURNS = (5, 60)
PAUSE = 0.02
TARGETS = {"mean": 1.25, "worst": 1.5, "at 512": 2.0}

PYTORCH = "PyTorch"
PRODUCTS = "two bare products"
PLAIN = "ours, plain"
BLOCKED = "ours, blocked"
WITHOUT = "ours, blocked, without the extra"


def inputs(heads: int, n: int, factor: float) -> list[NDArray]:
    rng = np.random.default_rng(n)
    shape = (heads, n, WIDTH)
    arrays = [rng.standard_normal(shape, np.float32) for _ in range(3)]
    arrays[0] *= np.float32(factor)
    return arrays


def products(query: NDArray, key: NDArray, value: NDArray, causal: bool) -> NDArray:
    """The two products alone, of the keys that count, by blocks of 512 queries."""
    n = query.shape[1]
    output, scores = np.empty_like(query), np.empty((512, n), np.float32)
    for q, k, v, out in zip(query, key, value, output, strict=True):
        for i in range(0, n, 512):
            rows = slice(i, min(i + 512, n))
            seen = slice(0, rows.stop if causal else n)
            block = scores[: rows.stop - i, seen]
            np.matmul(q[rows], k[seen].T, out=block)
            np.matmul(block, v[seen], out=out[rows])
    return output


def contenders(n: int, causal: bool, factor: float) -> dict[str, Callable]:
    query, key, value = arrays = inputs(HEADS, n, factor)

    def ours() -> NDArray:
        return attend_blocked(_checks.attention(*arrays, is_causal=causal))[0]

    def plain() -> NDArray:
        with np.errstate(all="ignore"):
            return attend(_checks.attention(*arrays, is_causal=causal)).output

    def bare() -> NDArray:
        with mock.patch.object(_threads, "blas_controller", return_value=None):
            return ours()

    found = {
        PRODUCTS: lambda: products(query, key, value, causal),
        BLOCKED: ours,
        WITHOUT: bare,
    }
    if n <= PLAIN_UP_TO:
        found[PLAIN] = plain
    if torch is not None:
        tensors = [torch.from_numpy(a)[None] for a in arrays]
        function = torch.nn.functional.scaled_dot_product_attention
        found[PYTORCH] = lambda: function(*tensors, is_causal=causal)
    return found


def timed(function: Callable) -> float:
    time.sleep(PAUSE)
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def race(functions: dict[str, Callable]) -> dict[str, NDArray]:
    """Return the seconds of every turn; the order of the contenders rotates."""
    first = {name: timed(function) for name, function in functions.items()}
    least, most = TURNS
    turns = int(np.clip(BUDGET / max(first.values()), least, most))
    seconds = {name: [] for name in functions}
    names = list(functions)
    for turn in range(turns):
        shift = turn % len(names)
        for name in names[shift:] + names[:shift]:
            seconds[name].append(timed(functions[name]))
    return {name: np.array(values) for name, values in seconds.items()}


def exponent(lengths: list[int], amounts: list[float]) -> float:
    """Return p of the best fit ``amount ~ n ** p``."""
    return float(np.polyfit(np.log(lengths), np.log(amounts), 1)[0])


def growth(kind: str, n: int) -> float:
    """Return by how much one call raises the peak memory of a process, in MB."""
    command = [sys.executable, __file__, "--memory", kind, str(n)]
    return float(subprocess.run(command, capture_output=True, check=True).stdout)


def grow(kind: str, n: int) -> None:
    """Print by how much one call raises the peak memory of this process, in MB."""
    kinds = {
        BLOCKED: lambda a: attend_blocked(_checks.attention(*a, is_causal=True)),
        PLAIN: lambda a: attend(_checks.attention(*a, is_causal=True)),
        PYTORCH: lambda a: torch.nn.functional.scaled_dot_product_attention(
            *(torch.from_numpy(x)[None] for x in a), is_causal=True
        ),
    }
    with np.errstate(all="ignore"):
        kinds[kind](inputs(1, 512, 1))  # threads and their buffers are there already
        arrays = inputs(1, n, 1)
        before = resident()
        kinds[kind](arrays)
    print(peak() - before)


def resident() -> float:
    """Return the memory that this process holds now, in MB, where it can be read."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return peak()
    pages = int(statm.read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def peak() -> float:
    """Return the peak memory of this process in MB.

    What `getrusage` says survives exec: a child of a large process seems as large.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = dict(s.split(":", 1) for s in status.read_text("ascii").splitlines())
        return int(lines["VmHWM"].split()[0]) / 2**10
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def machine(threads: int) -> str:
    """Describe what the figures were measured on."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text("utf-8").splitlines()
        model = next((s.split(": ")[1] for s in lines if "model name" in s), model)
    controller = _threads.blas_controller()
    blas = "BLAS unknown (no threadpoolctl)"
    if controller is not None:
        found = next(i for i in controller.info() if i["user_api"] == "blas")
        parts = (found.get(key) for key in ("internal_api", "version", "architecture"))
        blas = " ".join(str(part) for part in parts if part)
    peer = "no PyTorch" if torch is None else f"PyTorch {torch.__version__}"
    return (
        f"{model}, {threads} threads of {os.cpu_count()} cores, Python "
        f"{platform.python_version()}, NumPy {np.__version__}, {blas}, {peer}"
    )


def run_speed(lengths: list[int]) -> dict:
    """Race all settings and print a table of ratios; return seconds and ratios."""
    base = PYTORCH if torch is not None else PRODUCTS
    seconds, ratios = {}, {}
    for factor in (1, 8):
        for causal in (False, True):
            kind = "causal" if causal else "full"
            print(
                f"\n{kind}, queries times {factor}: times as long as {base}", flush=True
            )
            for n in lengths:
                times = race(contenders(n, causal, factor))
                for name, values in times.items():
                    ratios[factor, causal, n, name] = np.median(values / times[base])
                    seconds[factor, causal, n, name] = np.median(values)
                shown = (
                    f"{name} {ratios[factor, causal, n, name]:.2f}" for name in times
                )
                ms = 1e3 * np.median(times[base])
                row = f"  n = {n:5d}  ({base} {ms:7.1f} ms)  {';  '.join(shown)}"
                print(row, flush=True)
    return {"seconds": seconds, "ratios": ratios, "base": base}


def summarise(speed: dict, lengths: list[int]) -> None:
    """Print the figures that are promised, and the exponents."""
    long = [n for n in lengths if n >= 2048]
    for factor in (1, 8):
        at = [
            speed["ratios"][factor, causal, n, BLOCKED]
            for causal in (False, True)
            for n in long
        ]
        if at:
            print(
                f"\nblocked, queries times {factor}, n = {long}, full and causal: "
                f"geometric mean {np.exp(np.mean(np.log(at))):.2f} (target "
                f"{TARGETS['mean']}), worst {max(at):.2f} (target {TARGETS['worst']})"
            )
        if 512 in lengths:
            short = max(speed["ratios"][factor, c, 512, BLOCKED] for c in (False, True))
            print(f"  n = 512: {short:.2f} (target {TARGETS['at 512']})")
    if len(long) > 1:
        for causal in (False, True):
            amounts = [speed["seconds"][1, causal, n, BLOCKED] for n in long]
            kind = "causal" if causal else "full"
            print(f"time, {kind}: n ** {exponent(long, amounts):.2f}")


def run_memory() -> dict[str, list[float]]:
    """Measure and print the growth of peak memory."""
    print("\ngrowth of peak memory, one head of 64, causal, MB")
    kinds = [BLOCKED, PLAIN] + ([PYTORCH] if torch is not None else [])
    found = {kind: [growth(kind, n) for n in MEMORY_LENGTHS] for kind in kinds}
    for kind, amounts in found.items():
        row = ";  ".join(
            f"n = {n}: {mb:.1f}" for n, mb in zip(MEMORY_LENGTHS, amounts, strict=True)
        )
        power = exponent(list(MEMORY_LENGTHS), [max(mb, 0.1) for mb in amounts])
        print(f"  {kind}: {row};  n ** {power:.2f}")
    n, mb = MEMORY_LENGTHS[-1], found[BLOCKED][-1]
    array = n * n * 4 / 2**20
    print(f"  blocked at n = {n}: 1/{array / max(mb, 0.1):.0f} of one n x n array")
    return found


def plot(speed: dict, memory: dict[str, list[float]], lengths: list[int]) -> Path:
    """Draw ratios and memory against the length."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    for axis, causal in zip(axes, (False, True), strict=False):
        for name in (PRODUCTS, BLOCKED, WITHOUT, PLAIN):
            for factor, style in ((1, "-"), (8, "--")):
                points = {
                    n: speed["ratios"].get((factor, causal, n, name)) for n in lengths
                }
                points = {n: r for n, r in points.items() if r is not None}
                label = f"{name}, queries times 8" if factor == 8 else name
                axis.loglog(points.keys(), points.values(), style, marker="o", ms=3)
                axis.lines[-1].set_label(label)
        axis.axhline(1, color="0.4", lw=1)
        axis.set_title("causal" if causal else "full")
        axis.set_xlabel("length n")
        axis.set_ylabel(f"times as long as {speed['base']}")
    axes[0].legend(fontsize=7)
    for kind, amounts in memory.items():
        axes[2].loglog(MEMORY_LENGTHS, np.maximum(amounts, 0.1), marker="o", ms=3)
        axes[2].lines[-1].set_label(kind)
    array = [n * n * 4 / 2**20 for n in MEMORY_LENGTHS]
    axes[2].loglog(MEMORY_LENGTHS, array, "k:", label="one n x n array")
    axes[2].set_title("growth of peak memory, one head, causal")
    axes[2].set_xlabel("length n")
    axes[2].set_ylabel("MB")
    axes[2].legend(fontsize=7)
    OUT.mkdir(parents=True, exist_ok=True)
    path = OUT / "attention.svg"
    figure.savefig(path)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("lengths", nargs="*", type=int, default=LENGTHS)
    parser.add_argument("--memory", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory:
        kind, n = options.memory
        grow(kind, int(n))
        return
    threads = _threads.thread_limit()
    if torch is not None:
        torch.set_num_threads(threads)
    controller = _threads.blas_controller()
    if controller is not None:
        controller.limit(limits=threads, user_api="blas")
    print(machine(threads))
    lengths = list(options.lengths)
    speed = run_speed(lengths)
    summarise(speed, lengths)
    memory = run_memory()
    print(f"\nplot: {plot(speed, memory, lengths)}")


if __name__ == "__main__":
    main()
