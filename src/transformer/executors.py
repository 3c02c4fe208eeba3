"""Runs side by side: on the cores of this machine, or on the machines of a cluster.

A campaign is one function and many tasks, each with its own seed, so that it does not
matter where and in which order they run. Commands that train many times take
``--cluster ADDRESS`` of a Dask scheduler, which needs ``pip install distributed``.

``python -m transformer.executors 4`` starts such a cluster of four processes on this
machine, says its address, and runs until it is interrupted.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import contextmanager
from threading import Event
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

WORKERS = 2
RETRIES = 3
"""How often a cluster tries a task again whose worker went away."""


def parser(description: str) -> ArgumentParser:
    """Return a parser of a command line with ``--cluster``."""
    arguments = ArgumentParser(description=description)
    arguments.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="run on this Dask cluster, as tcp://127.0.0.1:8786; else on this machine",
    )
    return arguments


@contextmanager
def executor(cluster: str | None = None) -> Iterator[Executor]:
    """Give an executor of processes on this machine, or one of a cluster's.

    Parameters
    ----------
    cluster : str, optional
        The address of a Dask scheduler. A task whose worker dies is run again
        elsewhere; on this machine the pool would break.

    Yields
    ------
    concurrent.futures.Executor

    Raises
    ------
    ModuleNotFoundError
        If a cluster is asked for where ``distributed`` is not installed.
    """
    if cluster is None:
        # Only here: a page's Python, which reads stored runs, has no processes.
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(WORKERS) as pool:
            yield pool
        return
    try:
        from distributed import Client
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            "--cluster needs Dask: pip install 'attention-by-hand[cluster]'"
        ) from missing
    with Client(cluster) as client:
        # Not pure: two equal calls are two runs, and none is looked up.
        yield client.get_executor(pure=False, retries=RETRIES)


def gather(
    function: Callable[[Task], Result], tasks: Sequence[Task], pool: Executor
) -> list[Result]:
    """Run a function on every task, and say on the way how many are done.

    Parameters
    ----------
    function : callable
        Of a module that the workers can import, as what it takes and returns.
    tasks : sequence
    pool : concurrent.futures.Executor

    Returns
    -------
    list
        In the order of the tasks, whichever was done first.
    """
    futures = [pool.submit(function, task) for task in tasks]
    for done, future in enumerate(as_completed(futures), start=1):
        future.result()  # the first error ends the campaign, not the last task
        print(f"\r{done} of {len(tasks)} runs", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return [future.result() for future in futures]


def main(arguments: Sequence[str]) -> None:
    """Start a cluster of processes on this machine and wait."""
    from distributed import LocalCluster

    workers = int(arguments[0]) if arguments else WORKERS
    with LocalCluster(workers, threads_per_worker=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        Event().wait()


if __name__ == "__main__":
    main(sys.argv[1:])
