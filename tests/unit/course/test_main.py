"""The command `course`; `test_ledger.py` tests `course ledger`."""

from course import __main__ as command


def test_the_model_is_not_fetched(monkeypatch):
    monkeypatch.setattr("language_model.fetch.main", lambda: 7)
    assert command.main(["model"]) == 7
