"""Check that a Dask cluster stores the same bytes as this machine.

`make cluster` runs this file with `distributed` installed.
"""

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from dataclasses import replace

import cloudpickle
import pytest
from distributed import Client, LocalCluster

from course import claims
from course.chapters.heads_that_learn import relations
from transformer import ablations, executors, stored_files
from transformer.small import induction, pronouns
from transformer.small.sweep import Sweep
from transformer.training import train_to_end

# Workers cannot import this file, so its functions are sent by value.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

TASKS = [
    pronouns.PronounTask(loss, seed=seed)
    for loss in pronouns.LOSSES
    for seed in range(6)
]


def shortened(task):
    """Train a task for a few steps; the pause leaves time to kill its worker."""
    steps = pronouns.train(task, replace(pronouns.PLAN, steps=60))
    weights, early = train_to_end(steps)
    time.sleep(0.2)
    weights = pronouns.as_stored(weights)
    return pronouns.measure(task, weights, early), weights


def stored(found, folder):
    """Return the bytes of all files that the results are stored in."""
    folder.mkdir()
    sweep = Sweep(folder / "pronouns.csv", pronouns.PronounResult)
    pronouns.store(found, sweep)
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def cluster():
    with LocalCluster(2, threads_per_worker=1, dashboard_address=None) as found:
        yield found


def running_worker(client):
    """Wait until a worker computes, and return the number of its process."""
    while True:
        busy = [name for name, keys in client.processing().items() if keys]
        if busy:
            return client.run(os.getpid, workers=busy[:1])[busy[0]]
        time.sleep(0.05)


def test_killing_a_worker_changes_a_stored_byte(cluster, tmp_path):
    with executors.executor() as pool:
        alone = executors.gather(shortened, TASKS, pool)
    killed = []

    class Killing:
        """Submits tasks, and kills a worker after the first result."""

        def __init__(self, pool):
            self.pool, self.futures = pool, []

        def submit(self, *call) -> Future:
            future = self.pool.submit(*call)
            self.futures.append(future)
            if len(self.futures) == len(TASKS):
                self.futures[0].result()
                with Client(cluster) as client:
                    killed.append(running_worker(client))
                os.kill(killed[0], signal.SIGKILL)
            return future

    with executors.executor(cluster.scheduler_address) as pool:
        together = executors.gather(shortened, TASKS, Killing(pool))
    with pytest.raises(ProcessLookupError):
        os.kill(killed[0], 0)
    one, other = (
        stored(found, tmp_path / name)
        for name, found in (("alone", alone), ("together", together))
    )
    assert len(one) == 2 + len(pronouns.LOSSES) * 3  # a table and its digests too
    assert one == other


def of_relations(patch, folder):
    patch.setattr(relations, "TASKS", [relations.RelationTask(h) for h in (1, 2)])
    patch.setattr(relations.SWEEP, "path", folder / "relations.csv")


def of_induction(patch, folder):
    patch.setattr(induction, "TASKS", [induction.WATCHED])
    patch.setattr(induction.SWEEP, "path", folder / "induction.csv")


def of_ablations(patch, folder):
    patch.setattr(ablations, "RUNS", [("full", 24), ("no positions", 24)])
    patch.setattr(ablations, "SEEDS", [0])
    patch.setattr(ablations, "ABLATIONS", folder / "ablations.csv")
    patch.setattr(ablations, "stored", list)


def of_claims(patch, folder):
    rows = [row for row in claims.register() if row.function.startswith("why_sqrt_dk")]
    patch.setattr(claims, "register", lambda: rows[:3])


@pytest.mark.parametrize(
    ("main", "shorten", "more"),
    [
        (relations.main, of_relations, []),
        (induction.main, of_induction, []),
        (ablations.main, of_ablations, []),
        (claims.main, of_claims, ["3"]),
    ],
    ids=lambda part: getattr(part, "__module__", ""),
)
def test_a_command_stores_or_prints_something_else_on_a_cluster(
    main, shorten, more, cluster, tmp_path, capsys
):
    found = []
    for where in ([], ["--cluster", cluster.scheduler_address]):
        folder = tmp_path / f"{len(where)}"
        folder.mkdir()
        with pytest.MonkeyPatch.context() as patch:
            shorten(patch, folder)
            main([*more, *where])
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert stored_files.changed_files(folder) == []
        found.append((files, capsys.readouterr().out))
    assert found[0] == found[1]
    assert any(found[0])


def failing(task):
    return 1 / task


def test_an_error_of_a_task_is_lost(cluster):
    with pytest.raises(ZeroDivisionError):
        executors.run_command(
            "Test.", ["--cluster", cluster.scheduler_address], failing, [1, 0]
        )


def test_two_equal_calls_are_one_run(cluster):
    with executors.executor(cluster.scheduler_address) as pool:
        drawn = executors.gather(os.urandom, [8, 8], pool)
    assert drawn[0] != drawn[1]


def test_a_command_cannot_use_the_cluster_of_another(capfd):
    command = [sys.executable, "-m", "transformer.executors", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().strip()
        assert re.fullmatch(r"tcp://[\d.]+:\d+", address)
        found = executors.run_command("Test.", ["--cluster", address], abs, [-1, 2])
        process.send_signal(signal.SIGINT)
    assert found == [1, 2]
    assert "2 of 2 runs" in capfd.readouterr().err
