"""The command `course`."""

from course import __main__ as command


def test_the_ledger_is_not_written_to_the_named_file(tmp_path):
    file = tmp_path / "rows.csv"
    assert command.main(["ledger", str(file)]) == 0
    assert file.read_text(encoding="utf-8").startswith("note,line,quantity")


def test_the_model_is_not_fetched(monkeypatch):
    monkeypatch.setattr("language_model.fetch.main", lambda: 7)
    assert command.main(["model"]) == 7
