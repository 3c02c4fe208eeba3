"""Many tasks on an executor; `tests/cluster` tests a Dask cluster."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from transformer import ablations, executors


def test_results_are_in_the_order_of_the_tasks(capsys):
    def slow(task):
        time.sleep(0.05 if task == 0 else 0)
        return 10 * task

    with ThreadPoolExecutor(3) as pool:
        assert executors.gather(slow, [0, 1, 2], pool) == [0, 10, 20]
    printed = capsys.readouterr().err.split("\r")
    lines = [line.strip() for line in printed if line]
    assert lines == [f"{done} of 3 runs" for done in (1, 2, 3)]


def test_an_error_names_dask_if_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ModuleNotFoundError, match=r"--cluster needs Dask: pip install"):
        executors.run_command("Test.", ["--cluster", "tcp://127.0.0.1:1"], abs, [1])


def test_an_unknown_variant_is_refused(capsys):
    with pytest.raises(SystemExit):
        ablations.main(["no such variant"])
    assert "VARIANT must be one of" in capsys.readouterr().err
