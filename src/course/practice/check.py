"""Check an exercise in code."""

import builtins
import sys
from dataclasses import replace
from typing import Any

import numpy as np

from course.practice.exercises import EXERCISES
from course.practice.grader import Verdict, judge


def check(exercise: str, *functions: Any) -> Verdict:
    """Return the verdict on the functions that a reader wrote for an exercise.

    There is one function for each task of the exercise. The verdict displays as its
    text, and is true if all functions pass. In a plain script `check` prints the
    verdict, because a script displays nothing. Some inputs are random, so that no
    function passes by answers learnt by heart.

    A ValueError is raised if no exercise has the name (a key of ``EXERCISES``), or if
    the exercise takes another number of functions.
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
        judge(exercise, task, function, [*task.examples, *task.fresh(rng)])
        for task, function in zip(tasks, functions, strict=True)
    ]
    failed = [verdict for verdict in verdicts if not verdict.passed]
    first, *rest = sorted(verdicts, key=lambda verdict: verdict.passed)
    verdict = replace(
        first,
        mistakes=tuple(name for verdict in failed for name in verdict.mistakes),
        rest="\n\n".join(verdict.text for verdict in rest),
    )
    if _is_plain_script():
        print(verdict)
    return verdict


def _is_plain_script() -> bool:
    """Return whether the code is a script, which does not display its last value."""
    main = sys.modules["__main__"]
    return hasattr(main, "__file__") and not hasattr(builtins, "__IPYTHON__")
