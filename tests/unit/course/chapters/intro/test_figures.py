"""The course's first picture shows what attention computes."""

import matplotlib.pyplot as plt

from attention import trace_attention
from course.chapters.intro.figures import weights_times_values
from course.notes import FOOTBALL


def test_first_picture_shows_weights_values_and_output():
    weights = FOOTBALL.W_Q, FOOTBALL.W_K, FOOTBALL.W_V
    trace = trace_attention(*(FOOTBALL.X @ W for W in weights))
    figure = weights_times_values(trace, FOOTBALL.tokens, marked=(1, 2))
    shown = [text.get_text() for text in figure.axes[0].texts]
    plt.close(figure)
    for array in (trace.weights, trace.value, trace.output):
        assert {f"{x:.2f}" for x in array.ravel()} <= set(shown)
