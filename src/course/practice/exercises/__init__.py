"""The ten exercises in code, by name."""

from dataclasses import dataclass

from course.practice.exercises.attention import ATTENTION, CAUSAL, STEP
from course.practice.exercises.heads import MERGE, PROJECTION, SPLIT
from course.practice.exercises.positions import POSITIONS
from course.practice.exercises.softmax import BACKWARD, ONE_PASS, SOFTMAX, STABLE
from course.practice.grader import Task


@dataclass(frozen=True)
class Exercise:
    """What the reader writes, one function or several.

    Attributes
    ----------
    title : str
    tasks : tuple of Task
        One for each function, in the order in which `check` takes them.
    """

    title: str
    tasks: tuple[Task, ...]


EXERCISES = {
    "softmax": Exercise("Softmax", (SOFTMAX,)),
    "attention": Exercise("Attention in five lines", (ATTENTION,)),
    "stable-softmax": Exercise("Softmax, made stable", (STABLE,)),
    "softmax-backward": Exercise("The way back through softmax", (BACKWARD,)),
    "split-and-merge": Exercise("Split and merge heads", (SPLIT, MERGE)),
    "sum-over-heads": Exercise("W_O as a sum over heads", (PROJECTION,)),
    "positions": Exercise("Positional encoding", (POSITIONS,)),
    "causal-mask": Exercise("The causal mask", (CAUSAL,)),
    "decoding-step": Exercise("A decoding step with a cache", (STEP,)),
    "one-pass": Exercise("Softmax in one pass", (ONE_PASS,)),
}

__all__ = ["EXERCISES", "Exercise"]
