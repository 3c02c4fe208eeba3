"""The command `course`, with and without a checkout of the repository."""

import pytest

from course import __main__ as command


@pytest.fixture
def no_checkout(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "CHECKOUT", tmp_path)


@pytest.mark.parametrize("verb", command.OF_A_CHECKOUT)
def test_without_a_checkout_one_sentence_says_what_to_type(verb, no_checkout, capsys):
    assert command.main([verb, "--verbose"]) != 0
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"`python run.py {verb}`" in said


def test_the_ledger_needs_no_checkout(no_checkout, tmp_path, capsys):
    file = tmp_path / "rows.csv"
    assert command.main(["ledger", str(file)]) == 0
    assert file.read_text(encoding="utf-8").startswith("note,line,quantity")


def test_a_checkout_runs_the_verb_with_its_arguments(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "CHECKOUT", tmp_path)
    (tmp_path / "run.py").write_text("import sys; sys.exit(len(sys.argv))")
    assert command.main(["book", "--verbose"]) == 3


def test_the_model_is_fetched_without_a_checkout(no_checkout, monkeypatch):
    monkeypatch.setattr("language_model.fetch.main", lambda: 7)
    assert command.main(["model"]) == 7
