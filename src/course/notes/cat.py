"""The two-head example "the cat sat" of ``handwritten-notes.md``.

This module holds line numbers only: the figures come from the extraction of the notes
(`course.notes.extract`). The notes' names of some matrices are damaged. The ledger
reads line 319 as W_K and line 321 as W_V of head 1, and line 363 as W_O. The printed
figures follow from these readings only.

Printed figures, by name:

=========== ============ ===========================================
name        shape        what
=========== ============ ===========================================
Q, K, V     (2, 3, 2)    queries, keys, values of each head
scores      (1, 3, 3)    Q K^T, printed for head 1 only
scaled      (2, 3, 3)    scores / sqrt(2)
weights     (2, 3, 3)    softmax of each row
heads       (2, 3, 2)    output of each head
concat      (3, 4)       the heads side by side
output      (3, 4)       concat W_O
=========== ============ ===========================================
"""

from functools import partial

from course.notes.worked_example import WorkedExample, last_figures, printed_figures

SOURCE = "handwritten-notes.md"
_last = partial(last_figures, SOURCE)

CAT = WorkedExample(
    source=SOURCE,
    tokens=("the", "cat", "sat"),
    X=_last((3, 4), 307, 309, 311),
    W_Q=_last((2, 4, 2), 317, 325),
    W_K=_last((2, 4, 2), 319, 327),
    W_V=_last((2, 4, 2), 321, 329),
    W_O=_last((4, 4), 363),
    printed=printed_figures(
        Q=_last((2, 3, 2), 369, 377, 389, 401, 407, 413),
        K=_last((2, 3, 2), 371, 381, 393, 403, 409, 415),
        V=_last((2, 3, 2), 373, 385, 397, 405, 411, 417),
        scores=_last((1, 3, 3), 431, 435, 439),
        scaled=_last((2, 3, 3), 443, 445, 447, 451, 453, 455),
        weights=_last((2, 3, 3), 465, 469, 473, 479, 483, 487),
        heads=_last((2, 3, 2), 501, 507, 513, 523, 527, 531),
        concat=_last((3, 4), 537, 539, 541),
        output=_last((3, 4), 549, 555, 561),
    ),
)
