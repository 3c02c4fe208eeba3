"""Campaigns on any executor; `tests/cluster` runs them on a Dask cluster."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from transformer import ablations, executors


def test_results_stand_in_the_order_of_the_tasks_whoever_was_done_first(capsys):
    def slow(task):
        time.sleep(0.05 if task == 0 else 0)
        return 10 * task

    with ThreadPoolExecutor(3) as pool:
        assert executors.gather(slow, [0, 1, 2], pool) == [0, 10, 20]
    told = capsys.readouterr().err.split("\r")
    assert [line.strip() for line in told if line] == [
        f"{done} of 3 runs" for done in (1, 2, 3)
    ]


def test_an_error_of_one_task_ends_the_campaign():
    with ThreadPoolExecutor(1) as pool, pytest.raises(ZeroDivisionError):
        executors.gather(lambda task: 1 / task, [1, 0, 2], pool)


def test_on_this_machine_processes_run_the_tasks():
    with executors.executor() as pool:
        assert executors.gather(abs, [-2, 1], pool) == [2, 1]


def test_without_dask_a_cluster_is_told_to_need_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(ModuleNotFoundError, match=r"--cluster needs Dask: pip install"),
        executors.executor("tcp://127.0.0.1:1"),
    ):
        pass


def test_a_variant_that_there_is_not_is_named(capsys):
    with pytest.raises(SystemExit):
        ablations.main(["no such variant"])
    assert "VARIANT must be one of" in capsys.readouterr().err
