"""Figures of chapter 3 show their data under the right names."""

from drawn import named_lines

from course.chapters.multi_head import figures


def test_a_blend_curve_has_wrong_data_or_a_wrong_name():
    share, who, how = [0.0, 0.5, 1.0], [1.0, 0.25, 0.0], [0.0, 0.25, 1.0]
    axes = figures.blend_budget(share, (who, how), [(0.5, 0.2, 0.3)]).axes[0]
    assert [list(line.get_ydata()) for line in axes.lines[:2]] == [who, how]
    names = named_lines(axes)
    assert names["one head: both together"] == [1.0, 0.5, 1.0]
    assert names["two heads: none"] == [0, 0]
    dots = [dot.get_offsets().tolist() for dot in axes.collections]
    assert dots == [[[0.5, 0.2]], [[0.5, 0.3]], [[0.5, 0.5]]]
    at = {t.get_text(): t.get_position() for t in axes.texts}
    assert at["who"][0] < 0.5 < at["how"][0]  # on the side with the larger error


def test_bleu_is_written_at_a_wrong_number_of_heads():
    figure = figures.quality_by_heads({1: 24.9, 4: 25.5, 8: 25.8})
    points = {t.get_text(): t.xy for t in figure.axes[0].texts}
    assert points == {"24.9": (1, 24.9), "25.5": (4, 25.5), "25.8": (8, 25.8)}
