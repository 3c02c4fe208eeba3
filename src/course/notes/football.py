"""The one-head example "I play football" of ``handwritten-notes.md``.

Inputs: X from lines 133-141, W_Q 147, W_K 149-151, W_V 153. The matrix with the damaged
name WLV is W_V.

Printed figures, by name:

=========== ========= ======= ==========================================
name        shape     lines   what
=========== ========= ======= ==========================================
Q           (3, 2)    157     queries; one entry, 0.80, is a misprint
Q_copied    (3, 2)    165     the copy from which the scores follow
K, V        (3, 2)    159-161 keys and values
scores      (3, 3)    167     Q K^T
scaled      (3, 3)    173     scores / sqrt(2)
weights     (3, 3)    177     softmax of each row
percent     (3, 3)    181-185 the weights in the prose, in percent
output      (3, 2)    193     weights V
=========== ========= ======= ==========================================
"""

from course.notes.worked_example import WorkedExample, printed_figures, read_only

FOOTBALL = WorkedExample(
    source="handwritten-notes.md",
    tokens=("I", "play", "football"),
    X=read_only([[0.2, 0.4, 0.6], [0.8, 0.3, 0.3], [0.1, 0.2, 0.5]]),
    W_Q=read_only([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]]),
    W_K=read_only([[0.5, -0.5], [1.0, 0.0], [0.0, 1.0]]),
    W_V=read_only([[1.0, 1.0], [0.5, -0.5], [1.0, 0.0]]),
    W_O=None,
    printed=printed_figures(
        Q=[[0.8, -0.2], [1.1, 0.80], [0.6, -0.3]],
        Q_copied=[[0.8, -0.2], [1.1, 0.0], [0.6, -0.3]],
        K=[[0.50, 0.50], [0.70, -0.10], [0.25, 0.45]],
        V=[[1.00, 0.00], [1.25, 0.65], [0.70, 0.00]],
        scores=[[0.300, 0.580, 0.110], [0.550, 0.770, 0.275], [0.150, 0.450, 0.015]],
        scaled=[
            [0.2121, 0.4101, 0.0778],
            [0.3889, 0.5445, 0.1945],
            [0.1061, 0.3182, 0.0106],
        ],
        weights=[
            [0.3233, 0.3941, 0.2826],
            [0.3343, 0.3905, 0.2752],
            [0.3179, 0.3931, 0.2890],
        ],
        percent=[[32.3, 39.4, 28.3], [33.4, 39.1, 28.9], [31.8, 39.3, 28.9]],
        output=[[1.0137, 0.2561], [1.0151, 0.2538], [1.0116, 0.2555]],
    ),
)
