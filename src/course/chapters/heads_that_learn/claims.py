"""Measured claims of chapter 8: functions from a seed and sizes to a number."""

from course.chapters.heads_that_learn import experiments, relations
from course.chapters.heads_that_learn.relations import RelationTask
from transformer.small import induction, pronouns
from transformer.small.pronouns import Loss


def _sentence(seed: int, loss: Loss, **sizes: object) -> pronouns.PronounResult:
    return pronouns.results(loss=loss, **sizes)[seed]


def _sequence(
    seed: int, d_model: int, num_layers: int, fixed: str
) -> induction.InductionResult:
    sizes = {"d_model": d_model, "num_layers": num_layers}
    return induction.results(**sizes, fixed=fixed == "yes")[seed]


def right(seed: int, *, d_model: int, num_layers: int = 2) -> float:
    """Share of right answers of a model that was trained with the answer loss only."""
    return _sentence(seed, "answer", d_model=d_model, num_layers=num_layers).right


def mass(
    seed: int, *, d_model: int, num_layers: int = 2, loss: Loss = "answer"
) -> float:
    """Attention weight of *it* on the noun that *it* means, in the last layer."""
    return _sentence(seed, loss, d_model=d_model, num_layers=num_layers).mass


def mass_when_told(seed: int, *, d_model: int, num_layers: int = 2) -> float:
    """Return `mass` for models that were trained with the pointer loss."""
    return mass(seed, d_model=d_model, num_layers=num_layers, loss="pointer")


def right_without_best(seed: int, *, d_model: int, num_layers: int = 2) -> float:
    """Share of right answers among two nouns without the head `PronounResult.best`."""
    sizes = {"d_model": d_model, "num_layers": num_layers}
    return _sentence(seed, "answer", **sizes).without_best


def right_of_all(seed: int, *, pairs: int) -> float:
    """Return `Answers.of_all` of shown model `seed`: right answers without a head."""
    return experiments.without_best(pairs)[seed].of_all


def new_nouns(seed: int, *, d_model: int, shared: str = "yes") -> float:
    """Share of right answers among two nouns that training never showed."""
    result = _sentence(seed, "answer", d_model=d_model, shared=shared == "yes")
    return result.new_of_two


def steps_until_learnt(seed: int, *, d_model: int, num_layers: int = 2) -> float:
    """Return the step at which 95% of the letters are right, or the last step."""
    result = _sequence(seed, d_model, num_layers, "no")
    return result.reached or induction.PLAN.steps


def right_by_period(
    seed: int, *, d_model: int, num_layers: int = 1, fixed: str = "yes"
) -> float:
    """Share of letters right after training, with a fixed or a random period."""
    return _sequence(seed, d_model, num_layers, fixed).right


def right_by_place(
    seed: int, *, d_model: int, num_layers: int = 1, fixed: str = "yes"
) -> float:
    """Share of letters right if the last layer's heads ignore the letters."""
    return _sequence(seed, d_model, num_layers, fixed).by_place


def without_named(seed: int, *, d_model: int, other: str = "even") -> float:
    """Share right without the induction head; the other head is unchanged or even.

    *Even*: the other head has equal weights on all letters so far.
    """
    result = _sequence(seed, d_model, 2, "no")
    return result.other_even if other == "even" else result.without_induction


def second_answer(seed: int, *, tokens: int, num_heads: int = 1) -> float:
    """Share of right answers to the question that is answered worse."""
    return experiments.smaller_right(RelationTask(num_heads, tokens, seed=seed))


def foreign(seed: int, *, tokens: int, num_heads: int = 2, relations: int = 2) -> float:
    """Loss increase of the other question when one group of heads is off."""
    task = RelationTask(num_heads, tokens, twice=relations == 1, seed=seed)
    return experiments.split(task).foreign


def loss_of_output(seed: int, *, output: relations.Output, frozen: str = "no") -> float:
    """Mean loss of both questions with one kind of W^O."""
    return experiments.loss(
        RelationTask(output=output, frozen=frozen == "yes", seed=seed)
    )
