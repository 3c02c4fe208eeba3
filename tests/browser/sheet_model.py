"""A worksheet without a browser: what each act of a reader makes of the inputs.

Acts are what `sheet.act` of worksheet.js does inside a page.
"""

import copy
from typing import Any

import numpy as np

from course.widgets.worksheet.inputs import LIMITS, WIDTH_LIMIT, WorksheetInputs
from course.widgets.worksheet.presets import Preset

MOST = 200  # steps that Undo keeps
SMALL = 4  # sizes that random acts stay below, so that many fit into a second
Act = tuple[Any, ...]


def fitted(matrix: list, rows: int, columns: int) -> list:
    """Cut a matrix, or fill it up with zeros."""
    whole = np.zeros((rows, columns))
    part = np.array(matrix, dtype=float).reshape(len(matrix), -1)[:rows, :columns]
    whole[: part.shape[0], : part.shape[1]] = part
    return whole.tolist()


def resized(inputs: dict, **change: int) -> dict:
    old = WorksheetInputs.from_json(inputs).sizes
    size = {**old, **change}
    d_model, heads = size["d_model"], size["heads"]
    result = {**inputs, "X": fitted(inputs["X"], old["tokens"], d_model)}
    for name, width in (("W_Q", "d_k"), ("W_K", "d_k"), ("W_V", "d_v")):
        stack = [*inputs[name], *([[[0.0]]] * heads)][:heads]
        result[name] = [fitted(each, d_model, size[width]) for each in stack]
    if inputs["W_O"] is not None:
        d_v = old["d_v"]
        rows = [inputs["W_O"][h * d_v : (h + 1) * d_v] for h in range(old["heads"])]
        rows = [*rows, *([[[0.0]]] * heads)][:heads]
        blocks = [fitted(each, size["d_v"], d_model) for each in rows]
        result["W_O"] = [row for block in blocks for row in block]
    return result


class SheetModel:
    """The inputs by preset, and the steps that can be taken back and again."""

    def __init__(self, presets: dict[str, Preset]) -> None:
        self.presets = {name: p.inputs.to_json() for name, p in presets.items()}
        self.present = (next(iter(presets)), {})
        self.past: list[tuple] = []
        self.future: list[tuple] = []

    @property
    def inputs(self) -> dict:
        example, edits = self.present
        return edits.get(example, self.presets[example])

    def do(self, act: Act) -> None:
        kind, *how = act
        if kind == "undo" and self.past:
            self.future.append(self.present)
            self.present = self.past.pop()
        elif kind == "redo" and self.future:
            self.past.append(self.present)
            self.present = self.future.pop()
        elif kind == "example":
            self._step((how[0], self.present[1]))
        elif kind == "type":
            self._type(*how)
        elif kind not in ("undo", "redo"):
            self._step(self._with(getattr(self, f"_{kind}")(*how)))

    def _with(self, inputs: dict) -> tuple:
        example, edits = self.present
        others = {name: own for name, own in edits.items() if name != example}
        if inputs == self.presets[example]:
            return example, others
        return example, {**others, example: inputs}

    def _step(self, state: tuple) -> None:
        if state != self.present:
            self.past = [*self.past, self.present][-MOST:]
            self.future = []
            self.present = state

    def _type(self, place: tuple, texts: list[str]) -> None:
        """Several texts in one visit of a field are one step."""
        before = self.present
        states = [self._with(self._paste(place, [[float(text)]])) for text in texts]
        if any(state != before for state in states):
            self.future = []
        future = self.future
        self._step(states[-1])
        self.future = future

    def _paste(self, place: tuple, block: list[list[float]]) -> dict:
        kind, head, row, column = place
        inputs = copy.deepcopy(self.inputs)
        matrix = inputs[kind] if head is None else inputs[kind][head]
        for i, line in enumerate(block):
            matrix[row + i][column : column + len(line)] = line
        return inputs

    def _reset(self) -> dict:
        return self.presets[self.present[0]]

    def _size(self, name: str, by: int) -> dict:
        size = WorksheetInputs.from_json(self.inputs).sizes
        wanted = {**size, name: size[name] + by}
        width = wanted["heads"] * wanted["d_v"]
        if not 1 <= wanted[name] <= LIMITS[name] or width > WIDTH_LIMIT:
            return self.inputs
        return resized(self.inputs, **{name: wanted[name]})

    def _add(self) -> dict:
        inputs = copy.deepcopy(self.inputs)
        inputs["tokens"].append(f"token {len(inputs['tokens']) + 1}")
        inputs["padding"].append(False)
        inputs["X"].append([0.0] * len(inputs["X"][0]))
        return inputs

    def _remove(self, index: int) -> dict:
        inputs = copy.deepcopy(self.inputs)
        for part in ("tokens", "padding", "X"):
            del inputs[part][index]
        return inputs

    def _rename(self, index: int, name: str) -> dict:
        inputs = copy.deepcopy(self.inputs)
        inputs["tokens"][index] = name.strip() or f"token {index + 1}"
        return inputs

    def _pad(self, index: int) -> dict:
        inputs = copy.deepcopy(self.inputs)
        inputs["padding"][index] = not inputs["padding"][index]
        return inputs

    def _causal(self) -> dict:
        return {**self.inputs, "causal": not self.inputs["causal"]}

    def _projection(self) -> dict:
        if self.inputs["W_O"] is not None:
            return {**self.inputs, "W_O": None}
        size = WorksheetInputs.from_json(self.inputs).sizes
        width = size["heads"] * size["d_v"]
        return {**self.inputs, "W_O": np.eye(width, size["d_model"]).tolist()}

    # --- Acts at random

    def random_act(self, rng: np.random.Generator) -> Act:
        """Choose something that a reader can do now."""
        acts = (
            *(["type", "paste", "size", "undo", "undo", "redo"] * 2),
            *("reset", "add", "remove", "rename", "pad", "causal", "projection"),
            "example",
        )
        kind = str(rng.choice(acts))
        n = len(self.inputs["tokens"])
        index = int(rng.integers(n))
        if kind in ("undo", "redo"):
            return kind, bool(rng.integers(2))
        if kind == "type":
            texts = [random_text(rng) for _ in range(rng.integers(1, 4))]
            return kind, self._place(rng), texts
        if kind == "paste":
            place = self._place(rng)
            rows, columns = np.shape(self._matrix(place))
            sides = (rng.integers(1, s + 1) for s in (rows, columns))
            block = np.round(rng.normal(size=tuple(sides)), 3).tolist()
            if np.size(block) == 1:  # is its field's own to paste: as if typed
                return "type", (*place[:2], 0, 0), [repr(block[0][0])]
            return kind, (*place[:2], 0, 0), block
        if kind == "size":
            size = WorksheetInputs.from_json(self.inputs).sizes
            name = str(rng.choice(["d_model", "d_k", "d_v", "heads"]))
            return kind, name, -1 if size[name] >= SMALL else int(rng.choice([-1, 1]))
        if kind == "example":
            return kind, str(rng.choice(list(self.presets)))
        if (kind == "remove" and n == 1) or (kind == "add" and n >= SMALL):
            return ("causal",)
        if kind == "rename":
            return kind, index, str(rng.choice(["a", "be", " c ", "", "über"]))
        return (kind, index) if kind in ("remove", "pad") else (kind,)

    def _matrix(self, place: tuple) -> list:
        kind, head, *_ = place
        return self.inputs[kind] if head is None else self.inputs[kind][head]

    def _place(self, rng: np.random.Generator) -> tuple:
        """A cell of an input: its matrix, its head, its row and column."""
        kinds = ["X", "W_Q", "W_K", "W_V"]
        kinds += ["W_O"] if self.inputs["W_O"] is not None else []
        kind = str(rng.choice(kinds))
        heads = len(self.inputs["W_Q"])
        head = None if kind in ("X", "W_O") else int(rng.integers(heads))
        rows, columns = np.shape(self._matrix((kind, head)))
        return kind, head, int(rng.integers(rows)), int(rng.integers(columns))


def random_text(rng: np.random.Generator) -> str:
    return repr(float(np.round(rng.normal() * 10.0 ** rng.integers(-1, 3), 3)))
