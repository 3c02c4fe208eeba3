"""The one-head example "I play football" of ``handwritten-notes.md``.

This module holds line numbers only: the figures come from the extraction of the notes
(`course.notes.extract`). The matrix with the damaged name WLV is W_V.

Printed figures, by name:

=========== ========= ==================================================
name        shape     what
=========== ========= ==================================================
Q           (3, 2)    queries; one entry, 0.80, is a misprint
Q_copied    (3, 2)    the copy from which the scores follow
K, V        (3, 2)    keys and values
scores      (3, 3)    Q K^T
scaled      (3, 3)    scores / sqrt(2)
weights     (3, 3)    softmax of each row
percent     (3, 3)    the weights in the prose, in percent
output      (3, 2)    weights V
=========== ========= ==================================================
"""

from functools import partial

import numpy as np

from course.notes.worked_example import (
    WorkedExample,
    last_figures,
    printed_figures,
    read_only,
)

SOURCE = "handwritten-notes.md"
_last = partial(last_figures, SOURCE)

FOOTBALL = WorkedExample(
    source=SOURCE,
    tokens=("I", "play", "football"),
    X=_last((3, 3), 133, 135, 137),
    W_Q=_last((3, 2), 147),
    W_K=read_only(np.vstack([_last((2, 2), 149), _last((1, 2), 151)])),
    W_V=_last((3, 2), 153),
    W_O=None,
    printed=printed_figures(
        Q=_last((3, 2), 157),
        Q_copied=_last((2, 3, 2), 165)[0],  # the line goes on with K
        K=_last((3, 2), 159),
        V=_last((3, 2), 161),
        scores=_last((3, 3), 167),
        scaled=_last((3, 3), 173),
        weights=_last((3, 3), 177),
        percent=_last((3, 3), 181, 183, 185),
        output=_last((3, 2), 193),
    ),
)
