"""The figure `Swing` (hungry or cold): its numbers match the stored model."""

import numpy as np

from course.widgets import Swing
from course.widgets.swing import DOG, ENDINGS, FOOD, HEADS
from transformer.laboratory import cut, trace_run
from transformer.storage import load
from transformer.vocabulary import FRENCH

BEGUN = ["a", "dog", "ate", "the", "food", "because", "it", "was"]


def test_weights_or_probabilities_are_not_those_of_a_translation():
    machine = cut(*load(), ())
    for ending, word in enumerate(ENDINGS):
        run = trace_run([*BEGUN, word], machine)
        row = run.target.index("car")
        for head in (0, 8, 15):
            swing = Swing(ending=ending, head=head)
            query = 6 if HEADS[head].startswith("encoder") else row
            weights = run.arrays[f"{HEADS[head]}.weights"][query]
            facts = swing.facts()
            assert np.isclose(facts["dog"], weights[DOG])
            assert np.isclose(facts["food"], weights[FOOD])
            assert facts["most"] == [*BEGUN, word][weights.argmax()]
            assert np.isclose(facts["share"], weights.max())
            chosen = run.arrays["next"][row][FRENCH.encode(["il", "elle"])]
            np.testing.assert_allclose(swing.numbers()["whole"], chosen)
            assert facts["pronoun"] == run.french[row]
