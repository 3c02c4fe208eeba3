r"""Every displayed formula is translated from LaTeX to Python, and computed.

`VALUES` has values for the symbols of each page. All sides of an equation must agree. A
formula without an equals sign must equal the entry ``is`` of its values. Vectors are
matrices of one row or one column, so ``*`` can multiply any two symbols that stand side
by side. A part with dots, such as j = 1, ..., 5, is not computed.
"""

import re
from itertools import pairwise

import numpy as np
import pytest
from committed import CHAPTERS, each_chapter, sources

import attention
from attention import rotary_embedding, rotary_table, softmax
from course.chapters.translation.experiments import multiplications

RNG = np.random.default_rng(11)
START = RNG.bit_generator.state


@pytest.fixture(autouse=True)
def _same_numbers_in_any_order():
    RNG.bit_generator.state = START


class Matrix(np.ndarray):
    """``*`` multiplies matrices, because adjacent letters in LaTeX are a product."""

    def __mul__(self, other):
        return self @ other if np.ndim(other) == 2 else super().__mul__(other)

    def __rmul__(self, other):
        return other @ self if np.ndim(other) == 2 else super().__rmul__(other)


class Dot:
    """``a *dot* b``: the dot product of two vectors, whether rows or columns."""

    __array_ufunc__ = None  # so that an array leaves the product to `Dot`

    def __init__(self, left=None):
        self.left = left

    def __rmul__(self, left):
        return Dot(left)

    def __mul__(self, right):
        if np.ndim(self.left) and np.ndim(right):
            return float(np.ravel(self.left) @ np.ravel(right))
        return self.left * right


def matrix(rows):
    return np.asarray(rows).view(Matrix)


def drawn(*shape):
    return matrix(RNG.normal(size=shape))


FUNCTIONS = {
    "softmax": lambda m: matrix(softmax(np.asarray(m))),
    "sqrt": np.sqrt, "exp": np.exp, "sin": np.sin, "cos": np.cos, "tanh": np.tanh,
    "ln": np.log, "max": np.maximum, "mean": np.mean, "var": np.var,
    "cov": lambda a, b: np.mean(a * b) - np.mean(a) * np.mean(b),
    "block": lambda rows: matrix(np.block(rows)),
    "norm": np.linalg.norm, "inner": lambda a, b: float(np.ravel(a) @ np.ravel(b)),
    "LayerNorm": lambda x: (x - x.mean()) / x.std(),
}  # fmt: skip

# --- From LaTeX to Python -------------------------------------------------------------

FIRST = [
    (r"\{\\color\{[^}]*\}\s*([^{}]*)\}", r" \1 "),
    (r"\\(left|right|bigl|bigr|big)(?![a-z])|\\[!,;:]|\\quad|[.,]\s*$", " "),
    (r"\\frac\{\\partial (\w+)\}\{\\partial *(\w+)\s*\}", r"gradient"),
    (r"\\(?:text|operatorname) *\{([\w ]*)\}", lambda m: m[1].replace(" ", "")),
    (r"\\mathsf *T", "T"),
    (r"\bQK\b", "Q K"),
    (r"\\frac(\d)(\d)", r"(\1/\2)"),
    (r"'", "_prime"),
    (r"_\{([^{}]*)\}", lambda m: "_" + re.sub(r"\W", "", m[1])),
    (r"\^([QKVO])(?![A-Za-z])", r"_\1"),
    (r"\^\{ *T\}", ".T"),
    (r"\\(cos|sin) (p\\theta_i)", r"\1(\2)"),
    (r"\\ln (\w+)", r"ln(\1)"),
    (r"\[(.*)\\mid(.*)\]", r"block([[\1, \2]])"),
    (r"\\begin\{bmatrix\}(.*?)\\end\{bmatrix\}", lambda m: _rows(m[1])),
    (r"\\lVert(.*?)\\rVert", r"norm(\1)"),
    (r"\\langle(.*?)\\rangle", r"inner(\1)"),
]
INNERMOST = [
    (r"\\frac *\{([^{}]*)\} *\{([^{}]*)\}", r"((\1)/(\2))"),
    (r"\\sqrt *\{([^{}]*)\}", r"sqrt(\1)"),
    (r"\be\^\{([^{}]*)\}", r"exp(\1)"),
    (r"\^\{([^{}]*)\}", r"**(\1)"),
    (r"\^(\d)", r"**\1"),
]
TOKEN = re.compile(r"[A-Za-z]\w*|\d+(?:\.\d+)?|\.T|\*\*|\S")
# Tokens that may end a factor, and tokens that may begin the next factor
ENDS, BEGINS = r"\w+|[)\]]|\.T", r"\w+|\("


def _rows(text):
    rows = [row.replace("&", ",") for row in text.split(r"\\")]
    return f"block([{', '.join(f'[{row}]' for row in rows)}])"


def python(latex, known):
    """Translate a side of an equation to Python; `known` holds values by name."""
    for pattern, by in FIRST:
        latex = re.sub(pattern, by, latex)
    before = ""
    while before != latex:
        before = latex
        for pattern, by in INNERMOST:
            latex = re.sub(pattern, by, latex)
    if "\\sum_j" in latex:
        latex = re.sub(r"(\w)_j\b", r"\1[j]", latex.replace("\\sum_j", "SUM"))
    tokens = TOKEN.findall(latex.replace("\\cdot", " *dot* ").replace("\\", " "))
    code = tokens[0]
    for one, other in pairwise(tokens):
        called = callable(known.get(one))
        between = re.fullmatch(ENDS, one) and re.fullmatch(BEGINS, other)
        code += ("*" if between and not (called and other == "(") else "") + other
    before, summed, term = code.partition("SUM*")
    return f"{before}sum({term} for j in range(n))" if summed else code


GROUP = r"(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*"
REWRITES = [
    (rf"\\underbrace\{{({GROUP})\}}_\{{{GROUP}\}}", r"(\1)"),
    (r"\\(?:begin|end)\{aligned\}", ""),
    (r"\\\\\s*&=", "="),  # an equation over two lines
    (r"S \\leftarrow", "S' ="),
    (r"\\text\{(that is,|with)\}", r"\\qquad"),
    (r"\\text\{\(a number for each row\)\}", "c"),
]


def equations(latex):
    """Return the equations of a displayed formula, one text each."""
    text = " ".join(latex.split())
    for pattern, by in REWRITES:
        text = re.sub(pattern, by, text)
    if "bmatrix" not in text:
        text = text.replace("&", "").replace(r"\\", r"\qquad")
    parts = re.split(r"[,.]?\s*\\qquad", text)
    return [part for part in parts if part.strip() and "dots" not in part]


def values_of_sides(equation, values):
    known = FUNCTIONS | {"dot": Dot()} | values
    codes = [python(side, known) for side in equation.split("=")]
    return [eval(code, dict(known)) for code in codes] + (
        [values["is"]] if len(codes) == 1 else []
    )


# --- Values for the symbols of each page ----------------------------------------------


def projections():
    X, W_Q, W_K, W_V = drawn(5, 7), drawn(7, 3), drawn(7, 3), drawn(7, 2)
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    A = softmax(np.asarray(Q @ K.T) / 3**0.5)
    c = np.asarray(Q @ K.T) - 3**0.5 * np.log(A)  # a number for each row
    assert np.ptp(c, axis=1).max() < 1e-12
    return locals() | {"d_k": 3.0, "Z": A @ V}


def jacobian():
    """The Jacobian of the softmax of five scores, by finite differences."""
    x, step = RNG.normal(size=5), 1e-6 * np.eye(5)
    p = softmax(x)
    gradient = (softmax(x + step) - softmax(x - step)).T / 2e-6
    return {"p_i": p[:, None], "p_j": p, "delta_ij": np.eye(5)} | {
        "J_ij": gradient, "gradient": gradient
    }  # fmt: skip


def gradient_of_a_query():
    """Gradient of the loss g . weights by finite differences; s scales the scores."""
    q, K, g, s, h = drawn(3, 1), drawn(5, 3), drawn(5, 1), 0.6, 1e-6

    def loss(query):
        return float(np.ravel(g) @ softmax(np.ravel(s * K @ query)))

    steps = [h * np.eye(3)[:, [i]] for i in range(3)]
    gradient = matrix([[(loss(q + e) - loss(q - e)) / 2 / h] for e in steps])
    p = softmax(np.ravel(s * K @ q))
    return locals() | {"J": matrix(np.diag(p) - np.outer(p, p))}


def two_errors():
    """The first entries of u and v are independent and have equal variances."""
    both = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]).T
    u_who, v_who = both.astype(float)
    return {"t": 0.3, "u_who": u_who, "y": 0.3 * u_who + 0.7 * v_who}


def least_error():
    """|W' - W^O W'|^2 / 2, divided by |W'|^2 + |W^O W'|^2."""
    W_prime, W_O = drawn(7, 3), drawn(7, 7)
    b = W_O @ W_prime
    parts = np.square(W_prime).sum() + np.square(b).sum()
    return locals() | {"is": np.square(W_prime - b).sum() / 2 / parts}


def products():
    x, W = RNG.normal(size=4), drawn(4, 4)
    names = {f"x_{i + 1}": x[i] for i in range(4)}
    names |= {f"W_{i + 1}{j + 1}": W[i, j] for i in range(4) for j in range(4)}
    return names | {f"result_{j + 1}": (x @ W)[j] for j in range(4)}


def one_score():
    q, k = drawn(1, 4), drawn(1, 4)
    entries = {f"q_{i + 1}": q[0, i] for i in range(4)}
    return {"q": q, "k": k} | entries | {f"k_{i + 1}": k[0, i] for i in range(4)}


def one_weight():
    scores = RNG.normal(size=5)
    names = {f"ell_{i + 1}": score for i, score in enumerate(scores)}
    return names | {"ell_j": scores[3], "weight_j": softmax(scores)[3]}


def score_from_an_embedding():
    x_j, W_K, q = drawn(1, 7), drawn(7, 3), drawn(3, 1)
    return {"x_j": x_j, "W_K": W_K, "q": q, "k_j": x_j @ W_K, "a": W_K @ q}


def position():
    p, i, d = 5, 2, 12
    cos, sin = rotary_table(p, d)
    return {"p": p, "i": i, "d": d, "P_p2i": sin[i], "P_p2i1": cos[i]}


def feed_forward():
    x, W_1, b_1 = drawn(1, 7), drawn(7, 11), drawn(1, 11)
    W_2, b_2 = drawn(11, 7), drawn(1, 7)
    hidden = np.asarray(x @ W_1 + b_1)
    return locals() | {"FFN": lambda x: np.where(hidden > 0, hidden, 0) @ W_2 + b_2}


def post_norm():
    x, W = drawn(1, 7), drawn(7, 7)
    y = x + x @ W
    return {"x": x, "sublayer": lambda x: x @ W, "is": (y - y.mean()) / y.std()}


def work_of_a_layer():
    counted = multiplications(n=5, d_model=6, d_ff=11)
    return {"n": 5, "d_model": 6, "d_ff": 11, "is": sum(counted.values())}


def ratio_of_weights():
    q, k_c, k_m = drawn(1, 3), drawn(1, 3), drawn(1, 3)
    scores = [float(np.ravel(q) @ np.ravel(k)) / 3**0.5 for k in (k_c, k_m)]
    a_c, a_m = softmax(np.array([*scores, 0.4]))[:2]
    return locals() | {"d_k": 3.0}


def cache_bytes():
    cache = np.zeros((2, 5, 3, 7, 11), np.float16)  # keys and values
    return {"L": 5, "h_k": 3, "n": 7, "d_k": 11, "b": 2, "bytes": cache.nbytes}


def rotated_pair():
    p, i, d_k, base = 5, 2, 12, 100.0
    cosines, sines = rotary_table(p, d_k, base)
    pair = RNG.normal(size=2)
    x = np.zeros((1, d_k))
    x[0, [i, i + d_k // 2]] = pair
    rotated = rotary_embedding(x, cosines[None], sines[None])[0, [i, i + d_k // 2]]
    angle = np.arctan2(sines[i], cosines[i]) % (2 * np.pi) / p
    names = dict(zip(("a", "b", "a_prime", "b_prime"), (*pair, *rotated), strict=True))
    return locals() | names | {"theta_i": angle}


def rotation_by_the_distance():
    def rotation(place):
        cos, sin = rotary_table(place, 6)
        return matrix(rotary_embedding(np.eye(6), *([row] * 6 for row in (cos, sin))).T)

    q, k = drawn(6, 1), drawn(6, 1)
    R_p, R_r, R_rp = rotation(5), rotation(3), rotation(-2)
    return locals()


def without_softmax():
    k, v = [drawn(1, 3) for _ in range(5)], [drawn(1, 2) for _ in range(5)]
    S = sum(np.exp(key).T @ value for key, value in zip(k, v, strict=True))
    return {"k": k, "v": v, "q": drawn(1, 3), "f": np.exp, "n": 5, "S": S}


def delta_rule():
    """If |k| = 1, the updated state maps the key k to the value v."""
    k, v, S = drawn(1, 3), drawn(1, 2), drawn(3, 2)
    k = k / np.linalg.norm(k)
    S_prime = S - np.outer(k, k @ S) + np.outer(k, v)
    assert np.allclose(k @ S_prime, v)
    return locals()


def correction():
    q, W_K, a = drawn(3, 1), drawn(5, 3), drawn(5, 1)
    r = a - W_K @ q
    Delta = np.outer(r, q) / float(np.ravel(q) @ np.ravel(q))
    assert np.allclose((W_K + Delta) @ q, a)
    return locals() | {"is": W_K + Delta}


def row_of_a_correction():
    found = correction()
    q, r = found["q"], found["r"]
    return {"q": q, "r_i": r[2, 0], "delta_i": found["Delta"][2].T}


def logarithm_of_a_weight():
    x, a = [drawn(1, 7) for _ in range(5)], drawn(7, 1)
    scores = np.array([float((each @ a)[0, 0]) for each in x]) / 2
    weights = softmax(scores)
    c = -np.log(np.exp(scores).sum())
    return {"x_j": x[3], "a": a, "c": c, "w_j": weights[3]}


def heads():
    head_1, head_2, W_O_1, W_O_2 = drawn(5, 2), drawn(5, 3), drawn(2, 7), drawn(3, 7)
    return locals()


def adam():
    g = RNG.normal(size=7)
    return {"g": g, "rate": 0.01, "is": -0.01 * g.sum() / np.sqrt(7 * (g @ g))}


def recurrence():
    x_t, W, U, h_t1 = drawn(1, 3), drawn(5, 5), drawn(3, 5), drawn(1, 5)
    h_t = np.tanh(h_t1 @ W + x_t @ U)
    return locals()


def context():
    a, h = softmax(RNG.normal(size=5)), [drawn(1, 3) for _ in range(5)]
    return {"a": a, "h": h, "n": 5, "context": a @ np.vstack(h)}


def cost_of_heads():
    return {"n": 5, "d_model": 6, "h": 3, "d_k": 2, "d_v": 2}


def formula_of_attention():
    return projections() | {"Attention": attention.scaled_dot_product_attention}


VALUES = {
    "01-self-attention": [projections, formula_of_attention],
    "02b-why-sqrt-dk": [jacobian, gradient_of_a_query],
    "03b-multi-head": [cost_of_heads, two_errors],
    "04-output-projection": [heads],
    "04b-output-projection": [least_error],
    "05-walkthrough-apple": [products, one_score, one_weight],
    "05b-walkthrough-apple": [score_from_an_embedding],
    "06-transformer": [feed_forward, post_norm],
    "06b-transformer": [projections, projections, projections, position],
    "07b-translation": [adam, work_of_a_layer],
    "08-heads-that-learn": [ratio_of_weights],
    "10-attention-since-2017": [cache_bytes, rotated_pair, rotation_by_the_distance],
    "10c-attention-since-2017": [without_softmax, delta_rule],
    "before-attention": [recurrence, context],
    "what-the-story-would-need": [
        logarithm_of_a_weight, correction, row_of_a_correction, correction
    ],
}  # fmt: skip


def displayed():
    """Yield each displayed formula of the chapters with its values."""
    for path in CHAPTERS:
        text = "\n".join(sources(path, "markdown"))
        found = re.findall(r"\$\$(.+?)\$\$", text, re.DOTALL)
        values = VALUES.get(path.stem, [])
        assert len(found) == len(values), f"{path.stem} and VALUES differ in formulas"
        for i, (latex, make) in enumerate(zip(found, values, strict=True)):
            yield pytest.param(latex, make, id=f"{path.stem}-{i}-{make.__name__}")


@pytest.mark.parametrize(("latex", "make"), [*displayed()])
def test_the_sides_of_a_formula_are_unequal(latex, make):
    values = make()
    for equation in equations(latex):
        found = [np.squeeze(np.asarray(x)) for x in values_of_sides(equation, values)]
        for a, b in pairwise(found):
            np.testing.assert_allclose(a, b, rtol=1e-7, atol=1e-8, err_msg=equation)


NUMBERS = re.compile(
    r"(?<!\$)\$([\d\s+*/().=-]|\\cdot)+=([\d\s+*/().-]|\\cdot)+\$(?!\$)"
)


@each_chapter
def test_an_equation_of_numbers_in_the_text_is_wrong(path):
    for found in NUMBERS.finditer(path.read_text("utf-8").replace("\\\\", "\\")):
        values = values_of_sides(found[0].strip("$"), {})
        assert values == pytest.approx([values[0]] * len(values)), found[0]
