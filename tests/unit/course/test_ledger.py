"""The ledger: complete, current, and in agreement with the notes and the library."""

import copy
import csv
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from records import on_record
from repeats import ends_and_weekly

from attention import MultiHeadAttention, trace_attention
from course.ledger import (
    CHECKED,
    COLUMNS,
    NOTES,
    VERDICTS,
    as_csv,
    build,
    counts,
    link,
    margin_note,
    readings,
    rows,
    shown,
)
from course.ledger.__main__ import main as write
from course.ledger.verdicts import is_last_digit_off, is_rounded, judge, judge_copy
from course.notes import APPLE, CAT, EIGHT_TOKENS, FOOTBALL
from course.notes.extract import extract_folder, load, numbers_in

ROOT = Path(__file__).parents[3]
FOLDER = ROOT.parent / "shared" / "notes"


def of(note, quantity):
    """Rows of a note whose quantity is exactly this."""
    return [row for row in rows(note) if row.quantity == quantity]


def values(note, line, attribute="printed"):
    """One attribute of a line's figures, labels left out."""
    found = [row for row in rows(note, line) if row.verdict != "label"]
    return [float(getattr(row, attribute)) for row in found]


# extraction


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("X = [0.2, -0.4]", ["0.2", "-0.4"]),
        ("4 - 2 and 4-2, 0:2", ["4", "2", "4", "2", "0", "2"]),
        (r"1.0 & -1.0 \\", ["1.0", "-1.0"]),
        ("Q₁[0] = e₂×W[1,0]", ["1", "0", "2", "1", "0"]),
        ("b.4101 and 39.1.1.", [".4101", "39.1", "1"]),
        ("STEP 9.10: 12D, 4×4", ["9.10", "12", "4", "4"]),
        ("(8, 2) x (2, 8)", ["8", "2", "2", "8"]),
        ("no number, six encoders", []),
    ],
)
def test_grammar(line, numbers):
    assert numbers_in(line) == numbers


@pytest.mark.skipif(
    not FOLDER.is_dir(),
    reason=f"the notes are not in {FOLDER}: the stored extraction stands unchecked",
)
def test_stored_extraction_is_what_the_notes_print():
    assert extract_folder(FOLDER) == load()


def test_every_extracted_number_belongs_to_exactly_one_row():
    printed = {}
    for row in rows():
        line = printed.setdefault(row.note, {}).setdefault(row.line, [])
        assert row.position == len(line)
        line.append(row.printed)
    assert printed == load()


def test_rows_are_in_reading_order():
    order = [(NOTES.index(r.note), r.line, r.position) for r in rows()]
    assert order == sorted(order)


def test_an_unclaimed_number_is_an_error():
    numbers = copy.deepcopy(load())
    numbers["apple-walkthrough.md"][43].append("1.18")
    with pytest.raises(ValueError, match=r"apple-walkthrough.md:43: 5 of 6"):
        build(numbers)


def test_a_missing_number_is_an_error():
    numbers = copy.deepcopy(load())
    numbers["apple-walkthrough.md"][43].pop()
    with pytest.raises(ValueError, match=r"apple-walkthrough.md:43 has no number 4"):
        build(numbers)


def test_all_that_is_made_is_handed_out():
    made, differing = build(load())
    assert rows() == tuple(made)
    assert readings() == tuple(differing)


# as a file, and on record


def test_as_a_file_it_holds_every_row_and_the_same_floats():
    table = list(csv.DictReader(as_csv(rows()).splitlines()))
    assert tuple(table[0]) == COLUMNS
    assert {line["verdict"] for line in table} == set(VERDICTS)
    for name, attribute in (("chained", "chained"), ("from_source", "source")):
        read = [float(line[name]) if line[name] else None for line in table]
        assert read == [getattr(row, attribute) for row in rows()]
    assert [line["printed"] for line in table] == [row.printed for row in rows()]


def test_a_command_writes_the_file(tmp_path, capsys):
    write(str(tmp_path / "ledger.csv"))
    assert (tmp_path / "ledger.csv").read_text(encoding="utf-8") == as_csv(rows())
    assert f"{len(rows()):,} numbers" in capsys.readouterr().out


RECORDS = Path(__file__).with_name("ledger")
PLAIN = ("right", "copy-faithful", "label", "input")  # verdicts that need no reading


def counted(some):
    """Count rows by note and verdict, a line each."""
    found = Counter((row.note, row.verdict) for row in some)
    return [f"{note}, {verdict}: {n}" for (note, verdict), n in sorted(found.items())]


def remarkable(some):
    """Write each row that is not as it should be, or not known to be."""
    return [
        f"{row.note}:{row.line} {row.quantity}: {row.printed}, chained "
        f"{shown(row.chained) or '-'}, from source {shown(row.source) or '-'}: "
        f"{row.verdict}"
        for row in some
        if row.verdict not in PLAIN
    ]


def test_what_the_ledger_counts_is_on_record(file_regression):
    on_record(file_regression, RECORDS / "counts.txt", counted(rows()))


def test_every_row_that_is_not_right_is_on_record(file_regression):
    on_record(file_regression, RECORDS / "not-right.txt", remarkable(rows()))


@pytest.mark.parametrize(
    "verdict", ends_and_weekly(v for v in VERDICTS if v != "label")
)
def test_any_changed_figure_changes_what_is_on_record(verdict):
    *_, row = (row for row in rows() if row.verdict == verdict)
    numbers = copy.deepcopy(load())
    numbers[row.note][row.line][row.position] = "77.7"
    changed, _ = build(numbers)
    before = counted(rows()), remarkable(rows())
    assert (counted(changed), remarkable(changed)) != before


# verdicts


def test_ties_may_round_either_way():
    assert is_rounded("0.12", 0.125)
    assert is_rounded("0.13", 0.125)
    assert is_rounded("0.14", 0.135)
    assert not is_rounded("0.13", 0.135)


def test_no_tie_is_lost_to_binary_fractions():
    assert is_rounded("1.01", 1.005)  # below 1.005 as a float64
    assert is_rounded("0.31", 0.5 * 0.61)
    assert is_rounded("0.30", 0.5 * 0.61)


@pytest.mark.parametrize(
    ("printed", "chained", "source", "verdict"),
    [
        ("0.79", 0.7949, 0.79, "right"),
        ("0.79", 0.7949, 0.81, "inherited"),
        ("0.80", 0.7949, 0.80, "right"),  # computed before its inputs were rounded
        ("0.80", 0.7949, 0.79, "last digit"),
        ("0.82", 0.7949, 0.82, "wrong"),
        ("18", 19, 19, "wrong"),
    ],
)
def test_verdict_of_a_computed_figure(printed, chained, source, verdict):
    assert judge(printed, chained, source) == verdict


def test_verdict_of_a_copy():
    assert judge_copy("0.20", 0.2) == "copy-faithful"
    assert judge_copy("1.80", 1.3) == "copy-miscopied"
    assert not is_last_digit_off("3", 4)


# against the library and the notes as data


@pytest.mark.parametrize(
    ("example", "name", "line"),
    [
        (FOOTBALL, "Q", 157),
        (FOOTBALL, "scores", 167),
        (FOOTBALL, "weights", 177),
        (FOOTBALL, "output", 193),
    ],
)
def test_notes_as_data_print_what_the_ledger_prints(example, name, line):
    found = values(example.source, line)
    np.testing.assert_array_equal(
        example.printed[name].ravel(), found[-example.printed[name].size :]
    )


IN_THE_LEDGER = {  # what it calls the figures of head 1 of the apple
    **{name: f"{name}1[{{word}}][{{j}}]" for name in "QKV"},
    "scores": "scores1[{word}][{key}]",
    "weights": "weights1[{word}][{key}]",
    "apple_scores": "scores1[apple][{word}] worked out",
    "apple_scaled": "scaled1[apple][{word}]",
    "apple_exp": "exponential1[apple][{word}]",
    "apple_exp_sum": "sum of exponentials1[apple]",
    "apple_weights": "weights1[apple][{word}] in the list",
    "weighted_values": "weighted1[{word}][{j}]",
    "output": "head1[apple][{j}]",
}


@pytest.mark.parametrize("name", IN_THE_LEDGER)
@pytest.mark.parametrize("head", range(3))
def test_the_apple_as_data_is_what_the_ledger_calls_by_its_name(name, head):
    words = APPLE.tokens
    form = IN_THE_LEDGER[name].replace("1", str(head + 1), 1)
    names = dict.fromkeys(
        form.format(word=word, key=key, j=j)
        for word in words
        for key in words
        for j in range(1, 5)
    )
    found = {row.quantity: row.printed for row in reversed(rows(APPLE.source))}
    printed = [found.get(each) or found[f"copy of {each}"] for each in names]
    np.testing.assert_array_equal(
        np.ravel(APPLE.printed[name][head]), np.array(printed, float)
    )


def test_football_from_source_is_what_the_library_gives():
    Q, K, V = (FOOTBALL.X @ W for W in (FOOTBALL.W_Q, FOOTBALL.W_K, FOOTBALL.W_V))
    trace = trace_attention(Q, K, V)
    for line, array in ((167, trace.scores), (177, trace.weights), (193, trace.output)):
        source = values("handwritten-notes", line, "source")
        np.testing.assert_allclose(source, array.ravel(), atol=1e-12)


def test_cat_from_source_is_what_the_library_gives():
    heads = MultiHeadAttention(CAT.W_Q, CAT.W_K, CAT.W_V, CAT.W_O)
    trace = heads.trace(CAT.X)
    for line, array in (
        (487, trace.heads[1].weights[2]),
        (541, trace.concat[2]),
        (561, trace.output[2]),
    ):
        source = values("handwritten-notes", line, "source")
        np.testing.assert_allclose(source, array, atol=1e-12)


def test_apple_from_source_is_what_the_library_gives():
    outputs = []
    for W_Q, W_K, W_V in zip(APPLE.W_Q, APPLE.W_K, APPLE.W_V, strict=True):
        trace = trace_attention(APPLE.X @ W_Q, APPLE.X @ W_K, APPLE.X @ W_V)
        outputs.append(trace.output[2])
    source = values("apple-walkthrough", 656, "source")
    np.testing.assert_allclose(source, np.ravel(outputs), atol=1e-12)


def test_eight_tokens_are_inputs():
    found = [values("multi-head-operation", line) for line in range(36, 44)]
    np.testing.assert_array_equal(found, EIGHT_TOKENS.X)


# what the list of worded inaccuracies says about figures


def table(name):
    words = APPLE.tokens
    quantities = [
        f"{name}{h}[{w}][{j}]" for h in (1, 2, 3) for w in words for j in range(1, 5)
    ]
    start = {"Q": (120, 326, 523), "K": (139, 345, 542), "V": (152, 358, 555)}[name]
    lines = [first + i for first in start for i in range(5)]
    found = [row for line in lines for row in rows("apple-walkthrough", line)]
    assert [row.quantity.removeprefix("copy of ") for row in found] == quantities
    return found


def test_nine_of_180_entries_of_the_apple_tables_are_right():
    found = [row for name in "QKV" for row in table(name)]
    right = [row for row in found if is_rounded(row.printed, row.source)]
    assert len(found) == 180
    assert len(right) == 9
    assert all("[apple]" in row.quantity for row in right)


def test_the_play_percentages_are_a_slip():
    row = rows("handwritten-notes", 183)[2]
    assert (row.printed, row.verdict) == ("28.9", "wrong")
    assert is_rounded("27.5", row.chained)
    assert sum(values("handwritten-notes", 183)) == pytest.approx(101.4)


def test_the_first_sum_of_the_walkthrough():
    for line in (43, 110):
        last = rows("apple-walkthrough", line)[-1]
        assert (last.printed, last.verdict) == ("0.81", "wrong")
        assert last.chained == pytest.approx(1.18)
    chained = [rows("apple-walkthrough", line)[-1].chained for line in range(110, 114)]
    np.testing.assert_allclose(chained, [1.18, 1.02, 0.96, 0.92])


def test_twelve_of_fifteen_rows_do_not_sum_to_one():
    sums = APPLE.printed["weights"].sum(axis=-1)
    assert (abs(sums - 1) > 0.0026).sum() == 12
    assert np.all(abs(sums[:, 2] - 1) < 1e-9)
    assert sums[0, 0] == pytest.approx(0.888)
    assert sums[1, 0] == pytest.approx(1.195)


@pytest.mark.parametrize(
    ("first", "sums", "outputs"),
    [
        (240, [0.593, 0.689, 0.479, 0.558], [1.380, 1.048, 0.980, 0.903]),
        (441, [0.652, 0.474, 0.490, 0.397], [1.120, 1.236, 1.058, 0.956]),
        (639, None, [1.406, 1.498, 1.218, 1.206]),
    ],
)
def test_weighted_sums_of_the_walkthrough(first, sums, outputs):
    last = [rows("apple-walkthrough", first + j)[-1] for j in range(4)]
    if sums is not None:
        np.testing.assert_allclose([row.chained for row in last], sums)
    np.testing.assert_allclose([row.source for row in last], outputs, atol=5e-4)


def test_which_word_wins_in_the_walkthrough():
    for first, chained, source in (
        (220, [0.195, 0.216, 0.257, 0.127, 0.206], [0.140, 0.305, 0.184, 0.102, 0.269]),
        (618, [0.163, 0.272, 0.283, 0.107, 0.176], None),
    ):
        listed = [rows("apple-walkthrough", first + i)[0] for i in range(5)]
        np.testing.assert_allclose([r.chained for r in listed], chained, atol=5e-4)
        if source:
            np.testing.assert_allclose([r.source for r in listed], source, atol=5e-4)


def test_football_is_right_but_for_a_misprint_and_a_percentage():
    off = [
        (row.line, row.printed, row.verdict)
        for row in rows("handwritten-notes")
        if 133 <= row.line <= 193 and row.verdict in CHECKED and row.verdict != "right"
    ]
    assert off == [(157, "0.80", "wrong"), (183, "28.9", "wrong")]


def test_cat_projections_are_all_right():
    found = [
        row
        for row in rows("handwritten-notes")
        if row.step == "queries, keys, values" and 369 <= row.line <= 417
    ]
    checked = Counter(row.verdict for row in found if row.verdict in CHECKED)
    assert checked == {"right": 36}


def test_shapes_that_do_not_multiply():
    miscopied = [
        r for r in rows("multi-head-operation") if r.verdict == "copy-miscopied"
    ]
    assert [(r.line, r.printed, r.chained) for r in miscopied] == [
        (72, "2", 4),
        (74, "2", 4),
        (76, "2", 4),
    ]


def test_the_cleaned_reading_is_consistent_wherever_one_is():
    found = Counter(reading.consistent for reading in readings())
    assert set(found) == {"cleaned", "both", "neither"}
    assert found["cleaned"] > 20


def test_a_legible_figure_with_one_digit_less_is_right_in_both_readings():
    (reading,) = (r for r in readings() if r.consistent == "both")
    assert (reading.raw.line, reading.text, reading.cleaned.printed) == (
        192,
        "0.256",
        "0.2561",
    )
    assert reading.raw.verdict == reading.cleaned.verdict == "right"


def test_figures_with_a_letter_among_their_digits_are_made_out():
    found = {r.text: r.cleaned.printed for r in readings() if r.text != r.raw.printed}
    assert found == {
        "ti.1": "1.1",
        "b.4101": "0.4101",
        "b.1945": "0.1945",
        "b.3182": "0.3182",
        "b.0106": "0.0106",
        "5/12": "512",
    }
    # and what is left as damaged differs from its twin in more than a sign
    damaged = [r for r in rows() if r.quantity.startswith("damaged")]
    assert [(r.line, r.printed) for r in damaged] == [
        (171, ".945"),
        (181, "287951"),
        (355, "0"),
        (583, "0"),
    ]


def test_a_count_of_steps_that_fits_two_ways_is_not_called_wrong():
    (total,) = (r for r in rows("apple-walkthrough", 5) if r.verdict != "label")
    assert (total.printed, total.verdict) == ("18", "not checkable")


# looking up


def test_link_names_a_line_that_has_numbers():
    assert link("apple-walkthrough.md", 185, "3.266") == (
        '<a href="errata.ipynb#apple-walkthrough:185">3.266</a>'
    )
    with pytest.raises(ValueError, match="line 1 of apple-walkthrough has no numbers"):
        link("apple-walkthrough", 1)


def test_a_margin_note_says_what_is_printed_and_where():
    note = margin_note("handwritten-notes", 549, "2.63")
    assert re.sub(r"<[^>]*>", "", note) == " (printed 2.63)"
    assert 'href="errata.ipynb#handwritten-notes:549"' in note
    with pytest.raises(ValueError, match=r"line 43 of apple-walkthrough prints 0.48"):
        margin_note("apple-walkthrough", 43, "1.18")


def test_unknown_note():
    with pytest.raises(ValueError, match="note must be one of"):
        rows("lecture-notes")


def test_counts_add_up():
    assert sum(counts("note", "verdict").values()) == len(rows())
    assert sum(counts("step").values()) == len(rows())


@pytest.mark.parametrize("value", [0.2857149, 0.9999996, -1.2345678, 2.0, 1e-7, -1e-9])
def test_a_recomputed_value_is_shown_rounded(value):
    text = shown(value)
    assert abs(float(text) - value) <= 0.5e-6
    assert not text.endswith((".", "-0"))
