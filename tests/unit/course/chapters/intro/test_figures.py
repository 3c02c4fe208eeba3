"""The first picture of the course shows what attention computes."""

from attention import trace_attention
from course.chapters.intro.figures import weights_times_values
from course.notes import FOOTBALL


def test_the_first_picture_shows_other_numbers(shows):
    weights = FOOTBALL.W_Q, FOOTBALL.W_K, FOOTBALL.W_V
    trace = trace_attention(*(FOOTBALL.X @ W for W in weights))
    figure = weights_times_values(trace, FOOTBALL.tokens, marked=(1, 2))
    shows(
        figure,
        ("weights", trace.weights, FOOTBALL.tokens),
        ("values", trace.value),
        ("output", trace.output),
    )
