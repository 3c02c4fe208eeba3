"""The small modules of the kit: progress, one thread, the toy, recomputing."""

import sys

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from attention import scaled_dot_product_attention
from course.kit import live
from course.kit.recompute import follow
from course.kit.threads import one_thread
from course.kit.toy import LOAN, RIVER, toy_sentence
from course.notes import CAT


def counted(capsys):
    """Return the progress text at each of two runs, and the whole text."""
    shown, whole = [], ""
    for item in live.counted("ab", "runs"):
        now = capsys.readouterr().out
        whole += now
        shown.append((item, now.rpartition("\r")[2][: len("0 of 2 runs |")]))
    return shown, whole + capsys.readouterr().out


def test_a_notebook_shows_no_progress_or_leaves_text(capsys, monkeypatch):
    monkeypatch.setenv(live.SERVED, "a.ipynb")
    shown, whole = counted(capsys)
    assert shown == [("a", "0 of 2 runs |"), ("b", "1 of 2 runs |")]
    assert [part.strip() for part in whole.split("\r")[-2:]] == ["", ""]
    assert counted(capsys) == (shown, whole)  # two runs write the same bytes


def test_a_build_of_the_site_shows_progress(capsys, monkeypatch):
    monkeypatch.delenv(live.SERVED, raising=False)
    assert counted(capsys) == ([("a", ""), ("b", "")], "")


def threads():
    np.eye(2) @ np.eye(2)
    return {each["num_threads"] for each in threadpool_info()}


def test_blas_uses_several_threads_inside_or_one_thread_after(monkeypatch):
    before = threads()
    assert one_thread()(threads)() == {1}
    assert threads() == before
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    with one_thread():  # without the library nothing is limited, and nothing fails
        assert threads() == before


def test_both_banks_of_the_toy_have_one_meaning():
    river, loan = toy_sentence(RIVER), toy_sentence(LOAN)
    np.testing.assert_array_equal(river.X[1], loan.X[1])
    np.testing.assert_allclose(river.weights.sum(axis=1), 1)
    money, water = 0, 1
    assert river.context[1, water] > river.context[1, money]
    assert loan.context[1, money] > loan.context[1, water]
    with pytest.raises(KeyError, match="piano"):
        toy_sentence("the piano")


def test_a_step_is_recomputed_from_the_wrong_figures():
    steps = follow(CAT)
    assert list(steps) == ["scaled", "weights", "heads", "concat", "output"]
    heads = scaled_dot_product_attention(
        *(CAT.X @ getattr(CAT, f"W_{n}") for n in "QKV")
    )
    np.testing.assert_allclose(steps["heads"].from_inputs, heads)
    concat = np.hstack(list(heads))
    np.testing.assert_allclose(steps["output"].from_inputs, concat @ CAT.W_O)
    expected = CAT.printed["concat"] @ CAT.W_O
    np.testing.assert_allclose(steps["output"].from_printed, expected)
    for name, step in steps.items():
        assert step.printed is CAT.printed[name]
        assert step.printed.shape == step.from_inputs.shape == step.from_printed.shape
