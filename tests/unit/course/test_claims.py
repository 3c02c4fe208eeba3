"""The register of claims: each claim is measured again, also at its `fails_at`."""

import re
from functools import cache

import pytest
from repeats import first_and_weekly

from course import claims
from course.chapters.why_sqrt_dk import experiments
from course.claims import Claim, Measurement

ROWS = claims.register()
MEASURED = [row for row in ROWS if row.measured]
ANEW = "store the results anew: type `python -m course.claims`"
EMPTY = Claim(**dict.fromkeys(Claim._fields, ""))


@pytest.fixture(autouse=True, scope="module")
def _measured_once():
    """Cache the gradients that two claims share."""
    with pytest.MonkeyPatch.context() as patch:
        gradients = cache(experiments.query_gradients)
        patch.setattr(experiments, "query_gradients", gradients)
        yield


def name(row):
    return f"{row.page}-{row.function}-{row.anchor}"


def at_each_size(field):
    """Parametrize by claim and by each combination of the sizes in a field."""
    cases = []
    for row in MEASURED:
        sizes = getattr(row, field)
        settings = claims.settings(sizes) if sizes else []
        combinations = [
            (row, "; ".join(f"{size} = {value}" for size, value in setting.items()))
            for setting in settings
        ]
        cases += first_and_weekly(combinations)
    ids = lambda part: part if isinstance(part, str) else name(part)  # noqa: E731
    return pytest.mark.parametrize(("row", "sizes"), cases, ids=ids)


@pytest.mark.more
@at_each_size("sizes")
def test_a_claim_does_not_hold_at_a_size_that_it_names(row, sizes):
    [found] = claims.recompute(row, sizes)
    assert claims.keeps(found, row.holds), found
    least, largest = claims.result_of(row)
    # Six digits are stored. Rounding errors and trained models differ between
    # processors, but by less than between seeds.
    slack = found.doubt + 1e-5 * abs(largest)
    assert least - slack <= found.mean <= largest + slack, ANEW


def test_the_stored_results_are_not_those_of_the_claims():
    keys = {(row.function, row.sizes, row.seeds) for row in MEASURED}
    assert set(claims.results()) == keys, ANEW


@pytest.mark.more
@at_each_size("fails_at")
def test_a_claim_holds_where_it_says_that_it_fails(row, sizes):
    low, high = claims.limits(row.holds)
    [found] = claims.recompute(row, sizes)
    assert not low <= found.mean <= high, found


@pytest.mark.parametrize("row", MEASURED, ids=name)
def test_a_claim_has_a_lax_bound_or_too_few_sizes(row):
    for value in row.denies.split(","):
        denied = Measurement({}, [float(value)] * row.count)
        assert not claims.keeps(denied, row.holds), f"the bound accepts {value}"
    for setting in row.sizes.split(";"):
        size, values = setting.split("=")
        assert len(set(values.split(","))) >= 3, f"fewer than three values of {size}"
    assert row.count >= 3
    assert re.fullmatch(r"\d+( [a-z ]+)?( stored)?", row.seeds)
    for field in ("page", "anchor", "words", "quantity", "fails"):
        assert getattr(row, field).strip(), f"{field} is empty"


def test_two_rows_belong_to_one_sentence():
    pairs = [(row.page, row.words) for row in ROWS]
    assert sorted({p for p in pairs if pairs.count(p) > 1}) == []


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Each row tends to saturate. It holds.", ["Each row tends to saturate."]),
        ("Play attends most to football. Nearly all rows do.", ["Nearly all rows do."]),
        ("Usually\n  so: Often not.", ["Usually so:", "Often not."]),
        ("At most two rows. It is often said. The parts are normally distributed.", []),
    ],
)
def test_a_sentence_that_needs_a_row_is_missed(text, sentences):
    assert claims.flagged(text) == sentences


@pytest.mark.parametrize(
    ("values", "bound", "kept"),
    [
        ([1.0, 1.0, 1.0], "> 1.1", False),
        ([1.0, 1.2, 0.8], "< 1.2", False),  # less than two standard errors away
        ([1.0, 1.2, 0.8], "0.7 to 1.3", True),
        ([1.0, 1.2, 0.8], "> 0.7", True),
        ([-3.0, -3.0], "-4 to -2", True),
    ],
)
def test_a_bound_ignores_the_spread_over_the_seeds(values, bound, kept):
    assert claims.keeps(Measurement({}, values), bound) is kept
    with pytest.raises(ValueError, match="got 'small'"):
        claims.limits("small")


@pytest.fixture
def measure(monkeypatch, tmp_path):
    """Return a function that measures one claim: m + seed / 9 for m = 1, 9."""
    row = EMPTY._replace(function="a.b", sizes="m = 1, 9", seeds="3")
    monkeypatch.setattr(claims, "function_of", lambda _: lambda seed, m: m + seed / 9)
    monkeypatch.setattr(claims.executors, "gather", lambda f, tasks: [*map(f, tasks)])
    monkeypatch.setattr(claims, "RESULTS", tmp_path / "results.csv")

    def run(bound, *seeds):
        rows = [row._replace(holds=bound)]
        monkeypatch.setattr(claims, "register", lambda: rows)
        return claims.main([*seeds]), rows[0]

    return run


def test_the_weekly_run_passes_although_a_claim_fails(measure, capsys):
    for bound, held, broken in (("< 5", 1, 9), ("> 5", 9, 1)):
        assert measure(bound, "5")[0] == 1
        shown = capsys.readouterr().out
        assert f"held  a.b {{'m': {held}}}" in shown
        assert f"BROKEN a.b {{'m': {broken}}}" in shown
    assert measure("< 11", "5")[0] == 0


def test_a_stored_result_is_not_the_range_of_the_means(measure):
    status, row = measure("< 11")
    assert status == 0
    assert claims.result_of(row) == (1.11111, 9.11111)
    with pytest.raises(LookupError, match=r"type `python -m course\.claims`"):
        claims.result_of(row._replace(seeds="4"))


def test_stored_runs_are_measured_with_more_seeds_than_there_are(monkeypatch):
    monkeypatch.setattr(claims, "function_of", lambda _: lambda seed, m: seed)
    for seeds, found in (("3", 40), ("3 stored", 3), ("3 texts stored", 3)):
        row = EMPTY._replace(function="a.b", sizes="m = 1, 2", seeds=seeds)
        assert [len(m.values) for m in claims.recompute(row, seeds=40)] == [found] * 2


def test_words_of_no_row_or_of_two_rows_give_a_fold():
    rows = [row for row in ROWS if row.page == MEASURED[0].page]
    assert len(rows) > 1
    for words, count in ((" ", len(rows)), ("no such words", 0)):
        with pytest.raises(ValueError, match=f"{count} rows of {rows[0].page} .*not 1"):
            claims.swept(rows[0].page, words)
