"""The register of claims: every row is recomputed, and fails where it says so."""

import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest
from repeats import MORE, first_and_weekly

from course import claims
from course.chapters.why_sqrt_dk import experiments
from course.claims import Claim, Measurement

ROWS = claims.register()
MEASURED = [row for row in ROWS if row.measured]
SLOW = {"07-translation"}


def name(row):
    return f"{row.page}-{row.function}-{row.anchor}"


@pytest.fixture(autouse=True, scope="module")
def _measured_once():
    """Three claims are about the same gradients, of which each is one figure."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            experiments, "query_gradients", cache(experiments.query_gradients)
        )
        yield


def at_each_size(field):
    """Parametrize by claim and by each combination of the sizes in a field of it.

    Claims of the translator translate hundreds of sentences: `make test` asks them.
    """
    cases = [
        pytest.param(*case.values, marks=[*case.marks, *[MORE] * (row.page in SLOW)])
        for row in MEASURED
        for case in first_and_weekly(combinations(row, getattr(row, field)))
    ]
    return pytest.mark.parametrize(
        ("row", "sizes"),
        cases,
        ids=lambda part: part if isinstance(part, str) else name(part),
    )


def combinations(row, sizes):
    """Write each combination as the register writes all of them."""
    return [
        (row, "; ".join(f"{size} = {value}" for size, value in setting.items()))
        for setting in (claims.settings(sizes) if sizes else [])
    ]


@at_each_size("sizes")
def test_a_claim_holds_at_every_size_it_names(row, sizes):
    (found,) = claims.recompute(row, sizes)
    assert claims.keeps(found, row.holds), found


@at_each_size("fails_at")
def test_a_claim_fails_where_it_says_so(row, sizes):
    low, high = claims.limits(row.holds)
    (found,) = claims.recompute(row, sizes)
    assert not low <= found.mean <= high, found


@pytest.mark.parametrize("row", MEASURED, ids=name)
def test_a_bound_refuses_what_the_sentence_denies(row):
    for value in row.denies.split(","):
        planted = Measurement({}, [float(value)] * row.count)
        assert not claims.keeps(planted, row.holds), f"{value} would be kept"


@pytest.mark.parametrize("row", MEASURED, ids=name)
def test_a_claim_was_swept(row):
    swept = {size.strip(): set() for size in re.findall(r"([^=;]+)=", row.sizes)}
    for setting in claims.settings(row.sizes):
        for size, value in setting.items():
            swept[size].add(value)
    assert swept
    assert {size: v for size, v in swept.items() if len(v) < 3} == {}
    assert row.count >= 3
    for field in ("page", "anchor", "words", "quantity", "fails"):
        assert getattr(row, field).strip(), f"{field} is empty"


def test_no_two_rows_are_for_the_same_sentence():
    pairs = [(row.page, row.words) for row in ROWS]
    assert sorted({p for p in pairs if pairs.count(p) > 1}) == []


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Each row tends to saturate. It holds.", ["Each row tends to saturate."]),
        ("In practice it works (see there). Most rows do.", 2),
        ("It was measured at m = 8.", 1),
        ("At most two rows. The parts are normally distributed.", 0),
        ("Play attends most to football. Nearly all rows do.", ["Nearly all rows do."]),
        ("The most delicate row, which looks at it most.", 0),
        ("It is often said. Such a window is often called so.", 0),
        ("A measure, the foremost, generality, tendency.", 0),
        ("Usually\n  so: Often not.", ["Usually so:", "Often not."]),
    ],
)
def test_sentences_that_owe_a_row_are_found(text, sentences):
    found = claims.flagged(text)
    assert found == sentences or len(found) == sentences


def test_sizes_are_read_in_every_combination():
    assert claims.settings("m = 8, 64; noise = 0.1; start = packed, own") == [
        {"m": m, "noise": 0.1, "start": start}
        for m in (8, 64)
        for start in ("packed", "own")
    ]


@pytest.mark.parametrize(
    ("values", "bound", "kept"),
    [
        ([1.0, 1.0, 1.0], "< 1.1", True),
        ([1.0, 1.0, 1.0], "> 1.1", False),
        ([1.0, 1.2, 0.8], "< 1.1", False),  # within, but not beyond doubt
        ([1.0, 1.2, 0.8], "0.7 to 1.3", True),
        ([1.0, 1.2, 0.8], "> 0.7", True),
        ([-3.0, -3.0], "-4 to -2", True),
    ],
)
def test_a_bound_is_kept_if_the_mean_keeps_it_beyond_the_spread(values, bound, kept):
    assert claims.keeps(Measurement({}, values), bound) is kept


def test_a_bound_that_cannot_be_read_is_refused():
    with pytest.raises(ValueError, match="got 'small'"):
        claims.limits("small")


def test_the_weekly_run_fails_if_a_claim_does(monkeypatch, capsys):
    fields = dict.fromkeys(Claim._fields, "")
    row = Claim(**fields | {"function": "a.b", "sizes": "m = 1, 2", "seeds": "3"})
    monkeypatch.setattr(claims, "function_of", lambda _: lambda seed, m: m + seed / 99)
    monkeypatch.setattr(claims.executors, "executor", lambda _: ThreadPoolExecutor(1))
    monkeypatch.setattr(claims, "register", lambda: [row._replace(holds="< 1.5")])
    assert claims.main(["5"]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("held  a.b {'m': 1}")
    assert "BROKEN a.b {'m': 2}" in shown
    monkeypatch.setattr(claims, "register", lambda: [row._replace(holds="< 2.5")])
    assert claims.main(["5"]) == 0


def test_of_stored_runs_there_are_no_more_seeds_than_it_says(monkeypatch):
    fields = dict.fromkeys(Claim._fields, "") | {"function": "a.b", "sizes": "m = 1, 2"}
    monkeypatch.setattr(claims, "function_of", lambda _: lambda seed, m: seed)
    for seeds, found in (("3", 40), ("3 stored", 3)):
        row = Claim(**fields | {"seeds": seeds})
        assert row.count == 3
        assert [len(f.values) for f in claims.recompute(row, seeds=40)] == [found] * 2


def test_a_fold_holds_sizes_seeds_and_limits_of_the_row_that_is_meant(monkeypatch):
    fields = dict.fromkeys(Claim._fields, "") | {"page": "01-a", "seeds": "3"}
    one = Claim(**fields)._replace(words="the one here", quantity="a share", fails="x.")
    one = one._replace(sizes="m = 8, 64; b = -4, 0")
    rows = [one, one._replace(words="the other"), one._replace(page="02-b")]
    monkeypatch.setattr(claims, "register", lambda: rows)
    fold = claims.swept("01-a", "one")
    assert fold.startswith("<details")
    assert fold.endswith("</details>")
    assert "A share, at m = 8, 64; b = −4, 0; 3 seeds each. Where it fails: x." in fold
    for words, count in (("the", 2), ("none", 0)):
        with pytest.raises(ValueError, match=f"{count} rows of 01-a .*not 1"):
            claims.swept("01-a", words)


def test_what_is_said_of_a_claim_is_what_it_gives(monkeypatch):
    fields = dict.fromkeys(Claim._fields, "") | {"page": "01-a", "seeds": "3"}
    fields |= {"anchor": "there", "holds": "< 9", "fails": "Nowhere."}
    rows = [
        Claim(**fields | {"function": "a.one", "sizes": "m = 1, 3", "quantity": "x"}),
        Claim(**fields | {"function": "a.two", "sizes": "m = 5", "quantity": "the y"}),
    ]
    factors = {"a.one": 2, "a.two": 10}
    measure = {
        name: lambda seed, m, f=f: f * m + seed - 1 for name, f in factors.items()
    }
    monkeypatch.setattr(claims, "function_of", lambda row: measure[row.function])
    monkeypatch.setattr(claims, "register", lambda: rows)
    heading, listed = claims.measured()
    assert heading == "**Chapter 1**"
    first, second = listed.splitlines()
    address = "([“…  …”](chapters/01-a.ipynb#there))"
    assert first.startswith(f"- X {address}: **2 to 6** at m = 1, 3, 3 seeds each.")
    assert second.startswith(f"- The y {address}: **50** at m = 5, 3 seeds each.")
    assert second.endswith("Claimed: < 9. Where it fails: Nowhere.")
