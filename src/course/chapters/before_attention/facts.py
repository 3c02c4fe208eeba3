"""What *Before attention* says of its experiments, and there is no spread in."""

from course.chapters.before_attention import experiments


def networks() -> tuple[int, int]:
    """Count the recurrent networks that take part, and the heads of attention."""
    attention = sum(kind == "attention" for kind in experiments.KINDS)
    return len(experiments.KINDS) - attention, attention
