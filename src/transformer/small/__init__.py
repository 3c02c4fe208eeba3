"""Small stacks of layers; each learns one task, and the course shows how it learns.

`stack` is the model: embedding, layers, and a logit for each word at every position.
In `pronouns` the stack learns which noun *it* means, in `induction` how to continue a
repeated sequence. `sweep` stores the results of many runs.
"""
