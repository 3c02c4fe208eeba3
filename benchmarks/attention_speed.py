"""Time attention against PyTorch, in common shapes, and measure its peak memory.

    python benchmarks/attention_speed.py [words of a case's name ...]

The library and PyTorch alternate on the same float32 calls. The program prints the
median and the quartiles of the ratio of their times. Without PyTorch, the two matrix
products of attention take its place. Each call is measured with one thread, with all
cores, and with all cores as if `threadpoolctl` were missing. For one query with one key
the program gives no verdict on the ratio: its target is a time, 0.040 ms. At the end
the program prints the largest memory that NumPy allocates at one time in a call, beside
the bytes that the call returns.
"""

import argparse
import math
import os
import platform
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from attention import (
    _threads,
    scaled_dot_product_attention,
    scaled_dot_product_attention_gradients,
)

try:
    import torch
except ImportError:
    torch = None

BUDGET = 4.0  # seconds for the turns of a case
TURNS = (7, 101)  # least and most turns of a case
TURN_SECONDS = 0.004  # about; a turn repeats a short call, by the slowest contender
TARGETS = {"geometric mean": 1.2, "worst": 2.0, "worst of one query": 3.0}

PYTORCH, PRODUCTS = "PyTorch", "two bare products"
OURS, WITHOUT = "ours", "ours without threadpoolctl"


class Case(NamedTuple):
    """A call to measure: the shape of the queries, the shape of the keys, options."""

    name: str
    query: tuple[int, ...]
    key: tuple[int, ...]
    options: dict[str, Any]
    back: bool = False


def cases() -> Iterator[Case]:
    for n in (1, 8, 32, 128, 200, 256, 512, 1024):
        yield self_attention(1, 8, n)
    for h, key_heads in ((8, 8), (32, 32), (32, 8)):
        for m in (1024, 4096):
            yield decoding(1, h, key_heads, m)
        yield decoding(8, h, key_heads, 1024)
    yield self_attention(64, 8, 128)
    yield self_attention(64, 8, 128, "causal", is_causal=True)
    lengths = np.random.default_rng(0).integers(32, 129, size=(64, 1))
    yield self_attention(64, 8, 128, "with lengths", key_value_seq_lengths=lengths)
    yield self_attention(64, 8, 128, "gradients")
    yield self_attention(16, 12, 197)
    yield self_attention(16, 8, 256)
    yield self_attention(16, 8, 256, "gradients")
    yield self_attention(256, 8, 256)
    yield self_attention(2, 8, 2048, "causal", is_causal=True)


def long_cases() -> Iterator[Case]:
    for n in (2048, 4096, 8192):
        yield self_attention(1, 8, n)
        yield self_attention(1, 8, n, "causal", is_causal=True)


def self_attention(b: int, h: int, n: int, word: str = "", **options: Any) -> Case:
    shape = (b, h, n, 64)
    name = f"({b}, {h}, {n}, 64) {word}".rstrip()
    return Case(name, shape, shape, options, back=word == "gradients")


def decoding(b: int, h: int, key_heads: int, m: int) -> Case:
    heads = f"{h} heads" if h == key_heads else f"{h} over {key_heads} heads"
    batch = "" if b == 1 else f"batch of {b}, "
    name = f"decoding, {batch}{heads}, m = {m}"
    options = {} if h == key_heads else {"enable_gqa": True}
    return Case(name, (b, h, 1, 64), (b, key_heads, m, 64), options)


def inputs(case: Case) -> list[NDArray]:
    rng = np.random.default_rng(1)
    shapes = (case.query, case.query, case.key, case.key)
    return [rng.standard_normal(shape, np.float32) for shape in shapes]


def ours(case: Case) -> Callable[[], Any]:
    d_output, *arrays = inputs(case)
    if case.back:
        return lambda: scaled_dot_product_attention_gradients(
            d_output, *arrays, **case.options
        )
    return lambda: scaled_dot_product_attention(*arrays, **case.options)


def without_control(function: Callable[[], Any]) -> Callable[[], Any]:
    """Return a call that works as if `threadpoolctl` were not installed.

    `mock.patch` is not used: it takes four times as long as a small call.
    """

    def call() -> None:
        found, _threads.blas_controller = _threads.blas_controller, lambda: None
        try:
            function()
        finally:
            _threads.blas_controller = found

    return call


def pytorchs(case: Case) -> Callable[[], Any]:
    d_output, *tensors = (torch.from_numpy(array) for array in inputs(case))
    options = dict(case.options)
    lengths = options.pop("key_value_seq_lengths", None)
    if lengths is not None:
        seen = np.arange(case.key[-2]) < lengths[..., None, None]
        options["attn_mask"] = torch.from_numpy(seen)
    function = torch.nn.functional.scaled_dot_product_attention
    if not case.back:
        return lambda: function(*tensors, **options)
    tensors = [tensor.requires_grad_() for tensor in tensors]

    def both_ways() -> None:
        for tensor in tensors:
            tensor.grad = None
        function(*tensors, **options).backward(d_output)

    return both_ways


def products(case: Case) -> Callable[[], Any]:
    """Return a call of the two matrix products alone, by blocks of 512 queries."""
    _, query, key, value = inputs(case)
    groups = query.shape[1] // key.shape[1]

    def call() -> None:
        for at in np.ndindex(query.shape[:2]):
            own = (at[0], at[1] // groups)
            for i in range(0, query.shape[2], 512):
                scores = query[at][i : i + 512] @ key[own].T
                scores @ value[own]

    return call


def contenders(case: Case, threads: int) -> dict[str, Callable[[], Any]]:
    peer = {PRODUCTS: products(case)} if torch is None else {PYTORCH: pytorchs(case)}
    found = {**peer, OURS: ours(case)}
    return {**found, WITHOUT: without_control(found[OURS])} if threads > 1 else found


@contextmanager
def threads_of_all(threads: int) -> Iterator[None]:
    """Limit the library, PyTorch and BLAS to this number of threads."""
    if torch is not None:
        torch.set_num_threads(threads)
    controller = _threads.blas_controller()
    with mock.patch.dict(os.environ, {_threads.LIMIT: str(threads)}):
        if controller is None:
            yield
        else:
            with controller.limit(limits=threads, user_api="blas"):
                yield


def timed(function: Callable[[], Any], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        function()
    return (time.perf_counter() - start) / times


def race(functions: dict[str, Callable[[], Any]]) -> dict[str, NDArray]:
    """Return the seconds of a call in each turn; the contenders' order rotates."""
    first = {name: timed(function, 2) for name, function in functions.items()}
    slowest = max(first.values())
    times = max(1, round(TURN_SECONDS / slowest))
    turns = int(np.clip(BUDGET / (slowest * times * len(functions)), *TURNS))
    seconds = {name: [] for name in functions}
    names = list(functions)
    for turn in range(turns):
        shift = turn % len(names)
        for name in names[shift:] + names[:shift]:
            seconds[name].append(timed(functions[name], times))
    return {name: np.array(values) for name, values in seconds.items()}


def table(rows: list[Case], threads: int) -> dict[str, dict[str, float]]:
    """Print the ratios of all cases; return the medians if m > 1, by contender."""
    medians: dict[str, dict[str, float]] = {}
    for case in rows:
        (peer, theirs), *rest = race(contenders(case, threads)).items()
        row = f"{case.name:48s}{peer} {1e3 * np.median(theirs):9.3f} ms"
        for name, mine in rest:
            low, median, high = np.percentile(mine / theirs, [25, 50, 75])
            if case.key[-2] > 1:
                medians.setdefault(name, {})[case.name] = median
            row += f";  {name} {1e3 * np.median(mine):9.3f} ms, times "
            row += f"{median:5.2f} ({low:.2f} to {high:.2f})"
        print(row, flush=True)
    return medians


def summarise(medians: dict[str, dict[str, float]], rows: list[Case]) -> None:
    """Print the mean and the worst ratios, beside their targets."""
    queries = {case.name: case.query[-2] for case in rows}
    for name, ratios in medians.items():
        mean = math.exp(np.mean(np.log(list(ratios.values()))))
        found = {"geometric mean": [mean], "worst": [], "worst of one query": []}
        for case, ratio in ratios.items():
            one = queries[case] == 1
            found["worst of one query" if one else "worst"].append(ratio)
        figures = (
            f"{kind} {max(found[kind]):.2f} (target {target})"
            for kind, target in TARGETS.items()
            if found[kind]
        )
        print(f"{name}, {'; '.join(figures)}")


def memory(rows: list[Case]) -> None:
    """Print the largest memory that NumPy allocates at one time in a call."""
    print("\npeak memory of a call (target: 1.5 times the returned bytes plus 4 MB)")
    with mock.patch.dict(os.environ, {_threads.LIMIT: "1"}):
        for case in rows:
            call = ours(case)
            tracemalloc.start()
            result = call()
            peak = tracemalloc.get_traced_memory()[1] / 2**20
            tracemalloc.stop()
            arrays = result if isinstance(result, tuple) else (result,)
            found = sum(array.nbytes for array in arrays if array is not None) / 2**20
            print(
                f"{case.name:48s}{peak:8.1f} MB beside {found:8.1f} MB returned, "
                f"allowed {1.5 * found + 4:8.1f}"
            )


def machine() -> str:
    """Describe the machine and the versions on which the benchmark runs."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text("utf-8").splitlines()
        model = next((s.split(": ")[1] for s in lines if "model name" in s), model)
    controller = _threads.blas_controller()
    blas = "BLAS unknown (no threadpoolctl)"
    if controller is not None:
        found = next((i for i in controller.info() if i["user_api"] == "blas"), {})
        parts = (found.get(key) for key in ("internal_api", "version", "architecture"))
        blas = " ".join(str(part) for part in parts if part) or "BLAS unknown"
    peer = "no PyTorch" if torch is None else f"PyTorch {torch.__version__}"
    return (
        f"{model}, {_threads.cores()} cores, Python {platform.python_version()}, NumPy "
        f"{np.__version__}, {blas}, {peer}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "words", nargs="*", help="parts of the names of the cases to run"
    )
    words = parser.parse_args().words or [""]

    def asked(rows: Iterable[Case]) -> list[Case]:
        return [case for case in rows if any(word in case.name for word in words)]

    print(machine())
    for threads in sorted({1, _threads.cores()}):
        for kind, found in (("", cases()), (", long", long_cases())):
            if rows := asked(found):
                print(f"\n{threads} thread{'s' * (threads > 1)} each{kind}")
                with threads_of_all(threads):
                    summarise(table(rows, threads), rows)
    memory(asked([*cases(), *long_cases()]))


if __name__ == "__main__":
    main()
