"""Measured claims of chapter 1: functions from a seed and sizes to a number."""

from course.chapters.self_attention import experiments


def one_matrix(seed: int, *, n: int, d_k: int, width: int) -> float:
    """Return the share of words whose highest score is with themselves; one matrix."""
    return experiments.self_attending_share(n, d_k, matrices=1, width=width, seed=seed)


def two_matrices(seed: int, *, n: int, d_k: int, width: int) -> float:
    """Return n times the share of `one_matrix`, with two matrices; chance gives 1."""
    share = experiments.self_attending_share(n, d_k, matrices=2, width=width, seed=seed)
    return n * share
