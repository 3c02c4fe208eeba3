"""The ten exercises in code, by name."""

from dataclasses import dataclass

from course.practice.exercises.attention import ATTENTION, CAUSAL, STEP
from course.practice.exercises.heads import MERGE, PROJECTION, SPLIT
from course.practice.exercises.one_pass import ONE_PASS
from course.practice.exercises.positions import POSITIONS
from course.practice.exercises.softmax import BACKWARD, SOFTMAX, STABLE
from course.practice.gallery import WrongFunction
from course.practice.grader import FunctionTask


@dataclass(frozen=True)
class CodeExercise:
    """An exercise in code: one function to write, or several.

    Readers pass their functions to `course.practice.check` in the order of `tasks`.
    `usual` names the three mistakes that the page lists.
    """

    title: str
    tasks: tuple[FunctionTask, ...]
    usual: tuple[str, str, str]

    @property
    def usual_mistakes(self) -> list[WrongFunction]:
        """The three mistakes that a page lists."""
        every = {wrong.name: wrong for task in self.tasks for wrong in task.wrong}
        return [every[name] for name in self.usual]


EXERCISES = {
    "softmax": CodeExercise(
        "Softmax",
        (SOFTMAX,),
        (
            "softmax over the queries",
            "softmax over all entries",
            "row sums used for the columns",
        ),
    ),
    "attention": CodeExercise(
        "Attention in five lines",
        (ATTENTION,),
        ("not divided", "divided by sqrt(m)", "keys not transposed"),
    ),
    "stable-softmax": CodeExercise(
        "Softmax, made stable",
        (STABLE,),
        (
            "the matrix's maximum subtracted",
            "the mean or the minimum subtracted",
            "logits cut off",
        ),
    ),
    "softmax-backward": CodeExercise(
        "The way back through softmax",
        (BACKWARD,),
        ("only the diagonal", "nothing subtracted", "summed over the queries"),
    ),
    "split-and-merge": CodeExercise(
        "Split and merge heads",
        (SPLIT, MERGE),
        ("split by reshape", "every h-th column to a head", "merged by reshape"),
    ),
    "sum-over-heads": CodeExercise(
        "W_O as a sum over heads",
        (PROJECTION,),
        (
            "every head through the first rows of W_O",
            "every h-th row of W_O",
            "only the last head",
        ),
    ),
    "positions": CodeExercise(
        "Positional encoding",
        (POSITIONS,),
        (
            "sine and cosine exchanged",
            "a frequency for each column",
            "places counted from 1",
        ),
    ),
    "causal-mask": CodeExercise(
        "The causal mask",
        (CAUSAL,),
        ("mask after the softmax", "0 in place of -inf", "mask off by one"),
    ),
    "decoding-step": CodeExercise(
        "A decoding step with a cache",
        (STEP,),
        (
            "the new word left out",
            "the cache does not grow",
            "keys prepended, values appended",
        ),
    ),
    "one-pass": CodeExercise(
        "Softmax in one pass",
        (ONE_PASS,),
        (
            "nothing rescaled",
            "only the total rescaled",
            "the maximum begins too high",
        ),
    ),
}


def mistakes(exercise: str) -> str:
    """Return the three usual mistakes of an exercise as folded Markdown."""
    items = "\n".join(
        f"- {wrong.description}" for wrong in EXERCISES[exercise].usual_mistakes
    )
    summary = "<summary><b>Three usual mistakes</b></summary>"
    return f'<details class="fold">{summary}\n\n{items}\n\n</details>'


__all__ = ["EXERCISES", "CodeExercise", "mistakes"]
