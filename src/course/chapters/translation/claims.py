"""What chapter 7 claims to have measured: one number for a seed and sizes."""

from course.chapters.translation import fetch, stored
from course.chapters.translation.fetch import Task


def right_without(seed: int, *, part: str) -> float:
    """Share of held-out sentences that the machine gets right without one part."""
    found = stored.results()[part]
    return float(found["held-out sentences"][seed])


def fetched_by_as_many(seed: int, *, places: int) -> float:
    """Share of words that one query fetches with as many heads as places."""
    return float(fetch.results()[Task(places, num_heads=places)][seed])


def fetched_by_one(seed: int, *, places: int, words: int = 32) -> float:
    """Share of words that one query fetches with one head."""
    return float(fetch.results()[Task(places, 1, words)][seed])
