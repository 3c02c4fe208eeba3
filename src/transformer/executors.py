"""Run one function on many tasks: on this machine's cores or on a Dask cluster.

Each task has its own seed, so neither the order nor the machine changes its result.
Commands that train many models take ``--cluster ADDRESS`` of a Dask scheduler; this
needs ``pip install distributed``.

``python -m transformer.executors 4`` starts a Dask cluster of four processes on this
machine, prints its address, and runs until it is interrupted.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import contextmanager
from threading import Event
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

WORKERS = 2
RETRIES = 3
"""How often a cluster repeats a task whose worker died."""


def parser(description: str) -> ArgumentParser:
    """Return a parser of a command line with ``--cluster``."""
    arguments = ArgumentParser(description=description)
    arguments.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="run on this Dask cluster, as tcp://127.0.0.1:8786; else on this machine",
    )
    return arguments


def one_thread() -> None:
    """Let BLAS use one thread here: threads of several processes wait for each other.

    Two processes with two threads each took several times as long on two cores.
    """
    from threadpoolctl import threadpool_limits

    threadpool_limits(1, user_api="blas")


@contextmanager
def executor(cluster: str | None = None) -> Iterator[Executor]:
    """Yield an executor of processes on this machine, or one of a cluster.

    Parameters
    ----------
    cluster : str, optional
        The address of a Dask scheduler. If a worker of the cluster dies, another
        worker repeats its task; if a process of this machine dies, the pool breaks.

    Yields
    ------
    concurrent.futures.Executor

    Raises
    ------
    ModuleNotFoundError
        If a cluster is named and ``distributed`` is not installed.
    """
    if cluster is None:
        # Imported here because Python in a web page has no processes.
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(WORKERS, initializer=one_thread) as pool:
            yield pool
        return
    try:
        from distributed import Client
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            "--cluster needs Dask: pip install 'attention-by-hand[cluster]'"
        ) from missing
    with Client(cluster) as client:
        # pure=False: Dask would return the first result for two equal calls.
        yield client.get_executor(pure=False, retries=RETRIES)


def gather(function: Callable[[T], R], tasks: Sequence[T], pool: Executor) -> list[R]:
    """Return the results of a function on every task, in the order of the tasks.

    The number of finished tasks is printed meanwhile.

    Parameters
    ----------
    function : callable
        From a module that the workers can import.
    tasks : sequence
    pool : concurrent.futures.Executor

    Returns
    -------
    list
    """
    futures = [pool.submit(function, task) for task in tasks]
    for done, future in enumerate(as_completed(futures), start=1):
        future.result()  # raises the first error at once
        print(f"\r{done} of {len(tasks)} runs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return [future.result() for future in futures]


def run_command(
    description: str,
    arguments: Sequence[str],
    function: Callable[[T], R],
    tasks: Sequence[T],
) -> list[R]:
    """Return the results of a function on every task, run on ``--cluster`` if given."""
    cluster = parser(description).parse_args(arguments).cluster
    with executor(cluster) as pool:
        return gather(function, tasks, pool)


def main(arguments: Sequence[str]) -> None:
    """Start a cluster of processes on this machine and wait."""
    from distributed import LocalCluster

    workers = int(arguments[0]) if arguments else WORKERS
    with LocalCluster(workers, threads_per_worker=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        Event().wait()


if __name__ == "__main__":
    main(sys.argv[1:])
