"""The goal of a machine: make one weight the largest of its row."""

from typing import TypedDict

from course.widgets.machine.inputs import MachineInputs


class Goal(TypedDict):
    """A weight to make the largest of its row, by a change of one matrix only.

    The texts are sentences with facts in braces (`course.widgets.card.sentences`):
    ``row`` and ``column`` of the goal, its ``weight``, the ``largest`` weight of the
    row, and the token ``best`` with the largest weight.
    """

    prompt: str
    row: str  # the token of the query
    column: str  # the token that should get the largest weight
    matrix: str  # the input that may change: "W_K"
    first: str  # verdict on the given inputs
    wrong: str
    right: str
    other: str  # verdict if another input changed
    dial: str  # beside the verdict if the dial is turned


def goal(row: str, column: str, matrix: str, prompt: str) -> Goal:
    """Return the goal that `row` gives `column` most weight, by changing `matrix`."""
    given = "“{row}” takes {weight:.3f} from “{column}”"
    return {
        "prompt": prompt,
        "row": row,
        "column": column,
        "matrix": matrix,
        "first": f"As given, {given}, and {{largest:.3f}} from “{{best}}”.",
        "wrong": f"Not yet: {given}, and {{largest:.3f}} from “{{best}}”.",
        "right": f"Right: {given}, the largest of its row.",
        "other": f"You changed more than {matrix}. Press Undo or Start again, then "
        f"change only {matrix}.",
        "dial": "This counts the weights with the dial at √d_k.",
    }


def verdict(
    asked: Goal, stated: MachineInputs, inputs: MachineInputs
) -> tuple[str, dict[str, float | str]]:
    """Return the key of the verdict on the inputs in use, and facts for its sentence.

    `stated` are the inputs as given.
    """
    before, now = stated.to_json(), inputs.to_json()
    changed = {name for name in before if before[name] != now[name]}
    if changed - {asked["matrix"]}:
        return "other", {}
    row = inputs.tokens.index(asked["row"])
    weights = inputs.trace().heads[0].weights[row]
    column = inputs.tokens.index(asked["column"])
    best = int(weights.argmax())
    is_largest = (weights[column] > weights).sum() == len(weights) - 1
    key = "right" if is_largest else "wrong" if changed else "first"
    largest, weight = float(weights[best]), float(weights[column])
    facts = {"best": inputs.tokens[best], "largest": largest, "weight": weight}
    return key, {**facts, "row": asked["row"], "column": asked["column"]}
