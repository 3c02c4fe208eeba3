"""Small stacks of layers that learn one task each; the course shows how they learn it.

`stack` is the model: embedding, layers, and a logit for each word at every position.
In `pronouns` it learns which noun *it* means, in `induction` it learns to continue a
repeated sequence. `sweep` keeps the results of many runs.
"""
