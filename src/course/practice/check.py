"""Check an exercise in code."""

from typing import Any

import numpy as np

from course.practice.exercises import EXERCISES
from course.practice.grader import Verdict, judge


def check(exercise: str, *functions: Any) -> Verdict:
    """Return the verdict on the functions that a reader wrote for an exercise.

    Parameters
    ----------
    exercise : str
        Name of the exercise, a key of ``EXERCISES``.
    *functions : callable
        The reader's functions, as many as the exercise asks for.

    Returns
    -------
    Verdict
        It displays as its text. The inputs are the printed ones and random ones, so
        that no function passes by known answers.

    Raises
    ------
    ValueError
        If there is no such exercise, or it takes another number of functions.
    """
    if exercise not in EXERCISES:
        raise ValueError(
            f"there is no exercise {exercise!r}; there are {', '.join(EXERCISES)}"
        )
    tasks = EXERCISES[exercise].tasks
    if len(functions) != len(tasks):
        raise ValueError(
            f"{exercise!r} takes {len(tasks)} function{'s' * (len(tasks) > 1)}, "
            f"got {len(functions)}"
        )
    rng = np.random.default_rng()
    verdicts = [
        judge(exercise, task, function, [*task.printed, *task.fresh(rng)])
        for task, function in zip(tasks, functions, strict=True)
    ]
    failed = [verdict for verdict in verdicts if not verdict.passed]
    return Verdict(
        exercise,
        not failed,
        "\n\n".join(verdict.text for verdict in verdicts),
        tuple(name for verdict in failed for name in verdict.mistakes),
        failed[0].inputs if failed else {},
    )
