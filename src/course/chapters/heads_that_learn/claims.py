"""What chapter 8 claims to have measured: one number for a seed and sizes."""

from course.chapters.heads_that_learn import experiments, relations
from course.chapters.heads_that_learn.relations import Task
from transformer.small import induction, pronouns
from transformer.small.pronouns import Loss


def _sentence(seed: int, loss: Loss, **sizes: object) -> pronouns.Result:
    return pronouns.results(loss=loss, **sizes)[seed]


def _sequence(seed: int, d_model: int, num_layers: int, fixed: str) -> induction.Result:
    sizes = {"d_model": d_model, "num_layers": num_layers}
    return induction.results(**sizes, fixed=fixed == "yes")[seed]


def right(seed: int, *, d_model: int, num_layers: int = 2) -> float:
    """Share of right answers of a machine that was trained on answers alone."""
    return _sentence(seed, "answer", d_model=d_model, num_layers=num_layers).right


def mass(
    seed: int, *, d_model: int, num_layers: int = 2, loss: Loss = "answer"
) -> float:
    """Weight of *it* on the noun it stands for, in the last layer."""
    return _sentence(seed, loss, d_model=d_model, num_layers=num_layers).mass


def mass_when_told(seed: int, *, d_model: int, num_layers: int = 2) -> float:
    """Weigh what *it* gives that noun where the loss asks for it."""
    return mass(seed, d_model=d_model, num_layers=num_layers, loss="pointer")


def right_without_best(seed: int, *, d_model: int, num_layers: int = 2) -> float:
    """Share right of two without the head that looks at the referent most."""
    sizes = {"d_model": d_model, "num_layers": num_layers}
    return _sentence(seed, "answer", **sizes).without_best


def new_nouns(seed: int, *, d_model: int, shared: str = "yes") -> float:
    """Share right of two with nouns that were never trained."""
    asked = _sentence(seed, "answer", d_model=d_model, shared=shared == "yes")
    return asked.new_of_two


def steps_until_learnt(seed: int, *, d_model: int, num_layers: int = 2) -> float:
    """Count steps until 95 % of the letters are right; all, if they never are."""
    result = _sequence(seed, d_model, num_layers, "no")
    return result.reached or induction.PLAN.steps


def right_by_period(
    seed: int, *, d_model: int, num_layers: int = 1, fixed: str = "yes"
) -> float:
    """Share of letters right in the end, with one period or with drawn ones."""
    return _sequence(seed, d_model, num_layers, fixed).right


def right_by_place(
    seed: int, *, d_model: int, num_layers: int = 1, fixed: str = "yes"
) -> float:
    """Share of letters right where the last layer's heads look by place alone."""
    return _sequence(seed, d_model, num_layers, fixed).by_place


def without_named(seed: int, *, d_model: int, other: str = "even") -> float:
    """Share right without the induction head, and with the other one as it is or even.

    *Even*: it looks at all letters so far alike.
    """
    result = _sequence(seed, d_model, 2, "no")
    return result.other_even if other == "even" else result.without_induction


def second_answer(seed: int, *, tokens: int, num_heads: int = 1) -> float:
    """Share right of the question that is answered worse."""
    return experiments.both_right(Task(num_heads, tokens, seed=seed))


def own(seed: int, *, tokens: int) -> float:
    """By how much switching a head off raises the loss of its own question."""
    return experiments.split(Task(2, tokens, seed=seed)).own


def foreign(seed: int, *, tokens: int, num_heads: int = 2, relations: int = 2) -> float:
    """By how much it raises the loss of the other question."""
    task = Task(num_heads, tokens, twice=relations == 1, seed=seed)
    return experiments.split(task).foreign


def loss_of_output(seed: int, *, output: relations.Output, frozen: str = "no") -> float:
    """Loss with one kind of W^O."""
    return experiments.loss(Task(output=output, frozen=frozen == "yes", seed=seed))
