"""The course's material: the notes as data, experiments, figures and widgets."""

import gc

# Most of what is imported and drawn stays: looking through it after every 700 objects
# for some to free takes a tenth of a chapter's imports and drawings.
gc.set_threshold(50_000, 20, 20)
