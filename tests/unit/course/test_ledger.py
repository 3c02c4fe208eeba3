"""The ledger: complete, stable, and in agreement with the library."""

import copy
import hashlib
import re
from pathlib import Path

import numpy as np
import pytest

from attention import MultiHeadAttention, trace_attention
from course import __main__ as command
from course.ledger import CHECKED, NOTES, build, link, rows
from course.ledger.verdicts import is_rounded, judge
from course.notes import APPLE, CAT, EIGHT_TOKENS, FOOTBALL
from course.notes.extract import extract_folder, load, numbers_in

FOLDER = Path(__file__).parents[4] / "shared" / "notes"


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        (r"X = [0.2, -0.4], 1.0 & -1.0 \\", ["0.2", "-0.4", "1.0", "-1.0"]),
        ("4 - 2 and 4-2, 0:2", ["4", "2", "4", "2", "0", "2"]),
        ("Q₁[0] = e₂×W[1,0]", ["1", "0", "2", "1", "0"]),
        ("b.4101 and 39.1.1. STEP 9.10: 12D", [".4101", "39.1", "1", "9.10", "12"]),
    ],
)
def test_numbers_of_a_line_are_misread(line, numbers):
    assert numbers_in(line) == numbers


@pytest.mark.skipif(not FOLDER.is_dir(), reason=f"the notes are not in {FOLDER}")
def test_the_stored_extraction_is_not_what_the_notes_print():
    assert extract_folder(FOLDER) == load()


def test_a_number_has_no_row_or_two_or_rows_are_out_of_order():
    printed = {}
    for row in rows():
        line = printed.setdefault(row.note, {}).setdefault(row.line, [])
        assert row.position == len(line)
        line.append(row.printed)
    assert printed == load()
    order = [(NOTES.index(r.note), r.line, r.position) for r in rows()]
    assert order == sorted(order)


def test_a_number_that_is_not_declared_or_is_missing_raises_no_error():
    numbers = copy.deepcopy(load())
    numbers["apple-walkthrough.md"][43].append("1.18")
    with pytest.raises(ValueError, match=r"apple-walkthrough.md:43: 5 of 6"):
        build(numbers)
    del numbers["apple-walkthrough.md"][43][-2:]
    with pytest.raises(ValueError, match=r"apple-walkthrough.md:43 has no number 4"):
        build(numbers)


DIGESTS = {
    "handwritten-notes.md": "931fbe40aec2",
    "handwritten-notes-raw-ocr.md": "e003d08feb8a",
    "apple-walkthrough.md": "c801a0c55dea",
    "multi-head-operation.md": "515410702145",
    "transformer-self-attention.md": "b835974d2ff8",
}


def test_a_verdict_has_changed():
    """Run `make ledger` before and after a change, and compare the two files.

    If the new verdicts or names are right, put the new digests above.
    """
    digests = {}
    for note in NOTES:
        lines = [f"{r.line} {r.quantity} {r.printed} {r.verdict}" for r in rows(note)]
        digests[note] = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]
    assert digests == DIGESTS


@pytest.mark.parametrize(
    ("printed", "value", "rounded"),
    [
        ("0.12", 0.125, True),  # a tie may be rounded up, or to an even digit
        ("0.13", 0.125, True),
        ("0.13", 0.135, False),
        ("1.01", 1.005, True),  # as a float64, 1.005 lies below the tie
        ("0.30", 0.5 * 0.61, True),
    ],
)
def test_a_tie_is_rounded_wrongly(printed, value, rounded):
    assert is_rounded(printed, value) is rounded


@pytest.mark.parametrize(
    ("printed", "chained", "source", "verdict"),
    [
        ("0.79", 0.7949, 0.79, "right"),
        ("0.79", 0.7949, 0.81, "inherited"),
        ("0.80", 0.7949, 0.80, "right"),  # computed before its inputs were rounded
        ("0.80", 0.7949, 0.79, "last digit"),
        ("0.82", 0.7949, 0.82, "wrong"),
        ("18", 19, 19, "wrong"),  # a whole number has no last digit
    ],
)
def test_a_computed_number_is_judged_wrongly(printed, chained, source, verdict):
    assert judge(printed, chained, source) == verdict


def source_of(note, *lines):
    """Return the values of some lines' numbers, computed from the notes' inputs."""
    every = [row.source for line in lines for row in rows(note, line)]
    return np.array([source for source in every if source is not None])


def test_values_from_source_are_not_those_of_the_library():
    notes, page = "handwritten-notes", "apple-walkthrough"
    play = trace_attention(*(FOOTBALL.X @ getattr(FOOTBALL, f"W_{n}") for n in "QKV"))
    cat = MultiHeadAttention(CAT.W_Q, CAT.W_K, CAT.W_V, CAT.W_O).trace(CAT.X)
    apple = [
        trace_attention(*(APPLE.X @ W[head] for W in (APPLE.W_Q, APPLE.W_K, APPLE.W_V)))
        for head in range(3)
    ]
    for note, lines, array in (
        (notes, [167], play.scores),
        (notes, [193], play.output),
        (notes, [439], cat.heads[0].scores[2]),
        (notes, [451], cat.heads[1].scaled[0]),
        (notes, [487], cat.heads[1].weights[2]),
        (notes, [561], cat.output[2]),
        (page, [656], [head.output[2] for head in apple]),
        (page, range(220, 225), apple[0].weights[2]),
    ):
        found = source_of(note, *lines)
        np.testing.assert_allclose(found, np.ravel(array), atol=1e-12)


def test_the_eight_tokens_have_other_inputs_than_the_ledger():
    for token, x in enumerate(EIGHT_TOKENS.X, start=1):
        _, *numbers = (row.printed for row in rows("multi-head-operation", 35 + token))
        np.testing.assert_array_equal(x, np.array(numbers, float))


OF_WORDS = {name: f"{name}[{{word}}][{{j}}]" for name in ("Q", "K", "V", "output")}
OF_HEADS = {name: f"{name}{{h}}[{{word}}][{{j}}]" for name in ("Q", "K", "V")}
OF_PAIRS = ("scores", "scaled", "weights")
IN_THE_LEDGER = {  # for each array of an example, the ledger's name of an entry
    "football": (
        FOOTBALL,
        OF_WORDS
        | {name: f"{name}[{{word}}][{{key}}]" for name in (*OF_PAIRS, "percent")}
        | {"Q_copied": "Q (restated)[{word}][{j}]"},
    ),
    "cat": (
        CAT,
        OF_HEADS
        | {name: f"{name}{{h}}[{{word}}][{{key}}]" for name in OF_PAIRS}
        | {"heads": "head{h}[{word}][{j}]", "output": OF_WORDS["output"]},
    ),
    "apple": (
        APPLE,
        OF_HEADS
        | {name: f"{name}{{h}}[{{word}}][{{key}}]" for name in ("scores", "weights")}
        | {
            "apple_scores": "scores{h}[apple][{word}] worked out",
            "apple_scaled": "scaled{h}[apple][{word}]",
            "apple_exp": "exponential{h}[apple][{word}]",
            "apple_exp_sum": "sum of exponentials{h}[apple]",
            "apple_weights": "weights{h}[apple][{word}] in the list",
            "weighted_values": "weighted{h}[{word}][{j}]",
            "output": "head{h}[apple][{j}]",
        },
    ),
}


@pytest.mark.parametrize("example", IN_THE_LEDGER)
def test_the_notes_as_data_differ_from_the_ledger(example):
    notes, names = IN_THE_LEDGER[example]
    first = {row.quantity: row.printed for row in reversed(rows(notes.source))}
    assert set(names) == set(notes.printed) - {"concat"}
    for name, form in names.items():
        axes = re.findall(r"{(\w+)}", form)
        for index, printed in np.ndenumerate(notes.printed[name]):
            labels = {
                axis: notes.tokens[i] if axis in ("word", "key") else i + 1
                for axis, i in zip(axes, index, strict=True)
            }
            quantity = form.format(**labels)
            found = first.get(quantity) or first[f"copy of {quantity}"]
            assert float(found) == printed, quantity
    if "concat" in notes.printed:
        joined = notes.printed["heads" if example == "cat" else "output"]
        side_by_side = np.hstack(list(joined))
        np.testing.assert_array_equal(notes.printed["concat"], side_by_side)


def test_a_line_without_numbers_or_an_unknown_note_is_accepted():
    with pytest.raises(ValueError, match="line 1 of apple-walkthrough has no numbers"):
        link("apple-walkthrough", 1)
    with pytest.raises(ValueError, match="note must be one of"):
        rows("lecture-notes")


def test_the_command_writes_no_ledger_or_miscounts_its_numbers(tmp_path, capsys):
    file = tmp_path / "ledger.csv"
    assert command.main(["ledger", str(file)]) == 0
    assert file.read_text(encoding="utf-8").startswith("note,line,quantity")
    checked = [row for row in rows() if row.verdict in CHECKED]
    counts = f"{len(rows()):,} numbers, {len(checked):,} of them recomputed"
    assert counts in capsys.readouterr().out


def test_the_command_does_not_fetch_the_model(monkeypatch):
    monkeypatch.setattr("language_model.fetch.main", lambda: 7)
    assert command.main(["model"]) == 7
