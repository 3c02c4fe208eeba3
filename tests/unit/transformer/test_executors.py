"""Many tasks in processes of this machine."""

import time

import pytest

from transformer import ablations, executors


def slow(task):
    time.sleep(0.05 if task == 0 else 0)
    return 10 * task


def test_results_are_not_in_the_order_of_the_tasks(capsys):
    assert executors.gather(slow, [0, 1, 2]) == [0, 10, 20]
    printed = capsys.readouterr().err.split("\r")
    lines = [line.strip() for line in printed if line]
    assert lines == [f"{done} of 3 runs" for done in (1, 2, 3)]


def fail_or_note(task):
    if task is None:
        raise ZeroDivisionError
    time.sleep(0.2)
    task.touch()


def test_after_an_error_of_a_task_queued_tasks_still_run(tmp_path):
    with pytest.raises(ZeroDivisionError):
        executors.gather(fail_or_note, [None, *(tmp_path / str(i) for i in range(20))])
    assert len([*tmp_path.iterdir()]) < 20


def test_an_unknown_variant_is_refused(capsys):
    with pytest.raises(SystemExit):
        ablations.main(["no such variant"])
    assert "VARIANT must be one of" in capsys.readouterr().err
