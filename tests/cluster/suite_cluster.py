"""Campaigns on a Dask cluster: what they store does not depend on who ran what.

`make cluster` runs this with `distributed` installed.
"""

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

import cloudpickle
import pytest
from distributed import Client, LocalCluster

from course import claims
from course.chapters.heads_that_learn import relations
from course.chapters.translation import fetch
from transformer import ablations, executors
from transformer.small import induction, pronouns

# Workers cannot import this file: it travels with what it defines.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

TASKS = [
    pronouns.Task(loss, seed=seed) for loss in pronouns.LOSSES for seed in range(6)
]


def shortened(task):
    """Train a task for a few steps, as long as it takes to be killed in between."""
    plan = replace(pronouns.PLAN, steps=60)
    for progress in pronouns.train(task, plan):
        if progress.step == pronouns.EARLY:
            early = progress.loss
    time.sleep(0.2)
    weights = pronouns.as_stored(progress.weights)
    return pronouns.result(task, weights, early), weights


def stored(found, folder, monkeypatch):
    """Return the bytes of all files that a campaign writes."""
    folder.mkdir()
    monkeypatch.setattr(pronouns, "RUNS", folder)
    monkeypatch.setattr(pronouns, "RESULTS", folder / "pronouns.csv")
    pronouns.store(found)
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def cluster():
    with LocalCluster(2, threads_per_worker=1, dashboard_address=None) as found:
        yield found


def running_worker(client):
    """Wait until a worker computes, and return its process."""
    while True:
        busy = [name for name, keys in client.processing().items() if keys]
        if busy:
            return client.run(os.getpid, workers=busy[:1])[busy[0]]
        time.sleep(0.05)


def test_a_worker_killed_in_mid_run_changes_no_byte(cluster, tmp_path, monkeypatch):
    with executors.executor() as pool:
        alone = executors.gather(shortened, TASKS, pool)
    killed = []

    class Killing:
        """Hand tasks on, and kill a worker once some are done."""

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
    one = stored(alone, tmp_path / "alone", monkeypatch)
    other = stored(together, tmp_path / "together", monkeypatch)
    assert len(one) == 1 + len(pronouns.LOSSES) * 3
    assert one == other


def of_relations(patch, folder):
    patch.setattr(relations, "TASKS", [relations.Task(h) for h in (1, 2)])
    patch.setattr(relations, "CSV", folder / "relations.csv")


def of_induction(patch, folder):
    patch.setattr(induction, "TASKS", [induction.WATCHED])
    for name in ("RESULTS", "MODEL", "SCRUB", "SCRUB_NOTES"):
        patch.setattr(induction, name, folder / getattr(induction, name).name)


def of_fetch(patch, folder):
    patch.setattr(fetch, "TASKS", [fetch.Task(1, h, steps=30) for h in (1, 2)])
    patch.setattr(fetch, "CSV", folder / "fetch.csv")


def of_ablations(patch, folder):
    patch.setattr(ablations, "RUNS", [("full", 24), ("no positions", 24)])
    patch.setattr(ablations, "SEEDS", [0])
    patch.setattr(ablations, "ABLATIONS", folder / "ablations.csv")


def of_claims(patch, folder):
    rows = [row for row in claims.register() if row.function.startswith("why_sqrt_dk")]
    patch.setattr(claims, "register", lambda: rows[:3])


SHORTENED = [
    (relations.main, of_relations, []),
    (induction.main, of_induction, []),
    (fetch.main, of_fetch, []),
    (ablations.main, of_ablations, []),
    (claims.main, of_claims, ["3"]),
]


@pytest.mark.parametrize(
    ("main", "shorten", "more"),
    SHORTENED,
    ids=lambda part: getattr(part, "__name__", ""),
)
def test_a_command_stores_and_says_the_same_on_a_cluster(
    main, shorten, more, cluster, tmp_path, monkeypatch, capsys
):
    found = {}
    for where in ([], ["--cluster", cluster.scheduler_address]):
        folder = tmp_path / f"{len(where)}"
        folder.mkdir()
        shorten(monkeypatch, folder)
        main([*more, *where])
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        found[len(where)] = files, capsys.readouterr().out
    assert found[0] == found[2]
    files, said = found[2]
    assert files or said


def ended(task):
    """Die as a process does that the system kills."""
    if task == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def test_the_pool_of_one_machine_breaks_where_a_worker_is_killed():
    with executors.executor() as pool, pytest.raises(BrokenProcessPool):
        executors.gather(ended, range(6), pool)


def failing(task):
    return 1 / task


def test_an_error_of_a_task_ends_the_campaign(cluster):
    with (
        executors.executor(cluster.scheduler_address) as pool,
        pytest.raises(ZeroDivisionError),
    ):
        executors.gather(failing, [1, 0], pool)


def test_equal_calls_are_two_runs(cluster):
    with executors.executor(cluster.scheduler_address) as pool:
        drawn = executors.gather(os.urandom, [8, 8], pool)
    assert drawn[0] != drawn[1]


def test_one_command_starts_a_cluster_and_another_uses_it(capfd):
    command = [sys.executable, "-m", "transformer.executors", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().strip()
        assert re.fullmatch(r"tcp://[\d.]+:\d+", address)
        with executors.executor(address) as pool:
            found = executors.gather(abs, [-1, 2, -3], pool)
        process.send_signal(signal.SIGINT)
    assert found == [1, 2, 3]
    assert "3 of 3 runs" in capfd.readouterr().err
