"""Measured claims of chapter 1: functions from a seed and sizes to a number."""

from course.chapters.self_attention import experiments


def one_matrix(seed: int, *, n: int, d_k: int, width: int) -> float:
    """Return the share of words that score highest with themselves, with one matrix."""
    return experiments.looks_at_itself(n, d_k, matrices=1, width=width, seed=seed)


def two_matrices(seed: int, *, n: int, d_k: int, width: int) -> float:
    """Return n times the share of `one_matrix`, with two matrices; chance gives 1."""
    return n * experiments.looks_at_itself(n, d_k, matrices=2, width=width, seed=seed)
