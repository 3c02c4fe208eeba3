import numpy as np
import pytest

from course.kit import prose


def test_numbers_carry_a_true_minus_sign_and_zero_carries_none():
    assert prose.number(-0.25) == "\N{MINUS SIGN}0.25"
    assert prose.number(-0.001) == "0.00"
    assert prose.number(3.14159, 4) == "3.1416"
    assert prose.percent(0.2752) == "27.5%"


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        *[(0.125, 2, "0.13"), (-0.125, 2, "\N{MINUS SIGN}0.13"), (0.375, 2, "0.38")],
        *[
            (0.5, 0, "1"),
            (2.5, 0, "3"),
            (-0.5, 0, "\N{MINUS SIGN}1"),
            (0.0625, 3, "0.063"),
        ],
        *[(1.005, 2, "1.00"), (0.135, 2, "0.14")],  # a binary fraction below, one above
        *[(0.004, 2, "0.00"), (-0.004, 2, "0.00"), (1e15, 1, "1000000000000000.0")],
    ],
)
def test_a_tie_goes_away_from_zero_and_nothing_else_does(value, decimals, text):
    assert prose.number(value, decimals) == text


@pytest.mark.parametrize(
    ("value", "decimals", "least", "most"),
    [
        (3.157, 1, "3.1", "3.2"),
        (0.02405, 3, "0.024", "0.025"),
        (-3.157, 1, "−3.2", "−3.1"),
        (-0.04, 1, "−0.1", "0.0"),
        (28.999999999999996, 0, "29", "29"),  # 100 * 0.29
        (2.5, 1, "2.5", "2.5"),
        (0.0, 2, "0.00", "0.00"),
        (float("inf"), 1, "∞", "∞"),
    ],
)
def test_a_bound_is_rounded_to_the_side_where_it_holds(value, decimals, least, most):
    assert prose.number(value, decimals, bound="least") == least
    assert prose.number(value, decimals, bound="most") == most
    assert prose.percent(value / 100, decimals, bound="least") == f"{least}%"


def test_table_rejects_a_row_of_another_length():
    assert prose.table(["", "a"], [["x", "1"]]).splitlines() == [
        "|  | a |",
        "| :-- | --: |",
        "| x | 1 |",
    ]
    with pytest.raises(ValueError, match="3 cells, header has 2"):
        prose.table(["", "a"], [["x", "1", "2"]])


def test_latex_matrix_writes_rows():
    text = prose.latex_matrix([[1, -2], [0.5, 4]], decimals=1)
    assert text == r"\begin{bmatrix} 1.0 & -2.0 \\ 0.5 & 4.0 \end{bmatrix}"


def test_a_figure_differs_beyond_half_a_unit_of_its_last_decimal():
    computed = [0.31818, 0.125, 0.27523, 0.27523]
    printed = [0.3182, 0.13, 0.2752, 0.289]
    decimals = [4, 2, 4, 3]
    found = [
        bool(prose.differs(p, c, d))
        for p, c, d in zip(printed, computed, decimals, strict=True)
    ]
    assert found == [False, False, False, True]
    with pytest.raises(ValueError, match=r"\(2,\).*\(3,\)"):
        prose.differs(np.zeros(2), np.zeros(3), 2)


def test_compare_shows_both_figures_only_where_they_differ():
    text = prose.compare([[0.25, 0.289]], [[0.25, 0.2752]], ["play"], ["I", "f"], 3)
    assert "| play | 0.250 | 0.289 → **0.275** |" in text


def test_say_joins_paragraphs_and_drops_indentation(monkeypatch):
    shown = []
    monkeypatch.setattr(prose, "display", shown.append)
    prose.say(
        """One
        two.""",
        "Three.",
    )
    assert shown[0].data == "One\ntwo.\n\nThree."


def test_source_is_shown_as_code(monkeypatch):
    shown = []
    monkeypatch.setattr(prose, "display", shown.append)
    prose.show_source(prose.percent)
    assert shown[0].data.startswith("```python\ndef percent(")
    assert shown[0].data.endswith("\n```")


def test_scientific_writes_a_power_of_ten():
    assert prose.scientific(2.14e-5) == r"$2 \times 10^{-5}$"
    assert prose.scientific(3100) == r"$3 \times 10^{3}$"


def test_table_aligns_words_left_and_figures_right():
    lines = prose.table(["a", "b", "c"], [["x", "y", "2 → 3"], ["u", "", ""]])
    assert lines.splitlines()[1] == "| :-- | :-- | --: |"


def test_table_aligns_as_told():
    lines = prose.table(["a", "b"], [["x", "y"]], align="rl").splitlines()
    assert lines[1] == "| --: | :-- |"
    with pytest.raises(ValueError, match="1 cells, header has 2"):
        prose.table(["a", "b"], [["x", "y"]], align="r")


def test_how_it_was_measured_is_folded_and_holds_the_whole_source(monkeypatch):
    shown = []
    monkeypatch.setattr(prose, "display", shown.append)
    prose.how_measured(prose.percent, prose.scientific)
    text = shown[0].data
    summary, code = text.split("</summary>\n\n```python\n")
    assert summary == '<details class="hide">\n<summary>How this was measured'
    code = code.removesuffix("\n```\n\n</details>")
    assert code.startswith("def percent(")
    assert "def scientific(" in code
