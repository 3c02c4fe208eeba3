"""The course's material: the notes as data, experiments, figures and widgets."""

import gc

# Imports and drawings create many objects that stay alive. With Python's default, the
# search for objects to free takes a tenth of a chapter's time.
gc.set_threshold(50_000, 20, 20)
