import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt

from course.kit import look, matrices
from course.kit.matrices import Matrix, equation

mpl.use("svg")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def texts(fig):
    return [t.get_text() for t in fig.axes[0].texts]


def test_every_entry_label_name_and_note_is_written():
    matrix = Matrix([[1, -2]], "$q$", ("I",), ("a", "b"), decimals=1, note="1 × 2")
    fig = equation([[matrix, "= q"]])
    assert {"1.0", "\N{MINUS SIGN}2.0", "$q$", "I", "a", "b", "1 × 2", "= q"} == set(
        texts(fig)
    )


def test_everything_lies_inside_the_figure():
    matrix = Matrix(np.eye(3), "$A$", ("I", "play", "football"), decimals=4, note="x")
    fig = equation([[matrix, "×", matrix], [matrix]])
    ax = fig.axes[0]
    fig.canvas.draw()
    for text in ax.texts:
        box = text.get_window_extent().transformed(ax.transData.inverted())
        assert box.x0 > 0
        assert box.y0 > 0
        assert box.x1 < fig.get_figwidth()
        assert box.y1 < fig.get_figheight()


def test_figures_of_one_column_end_at_the_same_place():
    fig = equation([[Matrix([[1.5], [-10.25]])]])
    ends = {t.get_position()[0] for t in fig.axes[0].texts}
    assert len(ends) == 1


def test_weights_fill_and_bar_follow_the_weight():
    matrix = Matrix([[0.25, 0.75]], fill="weights")
    fig, ax = matrices.canvas(3, 2)
    matrices.draw(ax, matrix, 0.1, 0.1, 0.56)
    cells = [p for p in ax.patches if p.get_height() == matrices.CELL_HEIGHT]
    bars = [p for p in ax.patches if p.get_height() == 0.035]
    assert [c.get_facecolor() for c in cells] == [
        look.WEIGHTS(0.25),
        look.WEIGHTS(0.75),
    ]
    assert [b.get_width() for b in bars] == pytest.approx([0.125, 0.375])
    plt.close(fig)


def test_signed_scale_is_centred_on_zero():
    matrix = Matrix([[-1, 0, 4]], fill="signed")
    assert matrix.colour_of(0) == look.SIGNED(0.5)
    assert matrix.colour_of(4) == look.SIGNED(1.0)
    assert matrix.colour_of(-1) == look.SIGNED(0.375)
    assert Matrix([[1]]).colour_of(1) == "none"


def test_only_colours_of_the_course_are_drawn():
    matrix = Matrix([[0.2, 0.8]], "$A$", fill="weights", marked=[(0, 1)])
    fig = equation([[matrix]])
    ramp = {tuple(np.round(look.WEIGHTS(v / 100), 6)) for v in range(101)}
    roles = {
        tuple(np.round(mpl.colors.to_rgba(c.light), 6)) for c in look.ROLES.values()
    }
    for patch in fig.axes[0].patches:
        if patch.get_fill() and patch.get_facecolor()[3] > 0:
            assert tuple(np.round(patch.get_facecolor(), 6)) in ramp | roles


def test_rows_and_columns_are_named_beside_their_entries():
    matrix = Matrix([[1, 2], [3, 4]], rows=("a", "b"), columns=("x", "y"), decimals=0)
    at = {t.get_text(): t.get_position() for t in equation([[matrix]]).axes[0].texts}
    heights = {name: y for name, (_, y) in at.items()}
    assert heights["a"] == pytest.approx(heights["1"]) == pytest.approx(heights["2"])
    assert heights["b"] == pytest.approx(heights["3"]) == pytest.approx(heights["4"])
    assert heights["a"] > heights["b"]
    right = 0.2 * matrices.cell_width([matrix])  # an entry ends right of the middle
    assert 0 <= at["1"][0] - at["x"][0] < right
    assert 0 <= at["2"][0] - at["y"][0] < right
    assert at["x"][0] < at["y"][0]
