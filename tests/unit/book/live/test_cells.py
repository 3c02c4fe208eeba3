"""Names that a cell reads and binds, and the cells above that it depends on."""

import pytest

from book.live.in_page.cells import links_of, names_of, needed


@pytest.mark.parametrize(
    ("source", "reads", "binds"),
    [
        ("x = x + y", "x y", "x"),
        ("x += 1", "x", "x"),
        ("for a in b:\n    c = a", "b", "a c"),
        ("[a for a in b if a > c]", "b c", ""),
        ("{k: v for k, v in d}", "d", ""),
        ("a = 1\nb = [a for a in c]\na", "c", "a b"),
        ("def f(a, *b, c=d, **e):\n    return a + b + c + e + g", "d g", "f"),
        ("def f():\n    return x\nx = 1", "", "f x"),
        ("def f():\n    global x\n    x = 1", "x", "f x"),
        ("f = lambda q: q + r", "r", "f"),
        ("class A(B):\n    c = d\n    e = c", "B d", "A"),
        ("import a.b\nfrom c import d as e\nd", "d", "a e"),
        ("x.a.b[0].c = y", "x y", "x"),
        ("x.append(y)", "x y", "x"),
        ("x.mean(y)", "x y", ""),
        ("with open(p) as file:\n    file.read()", "p", "file"),
        ("try:\n    a\nexcept B as error:\n    error", "a B", "error"),
        ("(n := 3) + n", "", "n"),
        ("match a:\n    case [b, *c]:\n        d = b", "a", "b c d"),
        ("print(len('x'))", "", ""),
        ("a: T = b", "T b", "a"),
        ("def f(x: T) -> U:\n    return x", "T U", "f"),
        ("del x", "x", "x"),
        ("x = [0]\nx[0] = 1", "", "x"),
        ("np.sort(x)", "np x", ""),
        ("np.fill_diagonal(x, 0)", "np x", "x"),
        ("shuffle(x)", "shuffle x", "x"),
        ("[y := x for x in z]", "z", "y"),
        ("class A:\n    def f(self):\n        return f(self)", "f", "A"),
        ("match a:\n    case {'k': b, **c}:\n        b", "a", "b c"),
        ("def f():\n    import os\n    return [os.x for _ in z]", "z", "f"),
        ("if a:\n    x = 1\nx", "a x", "x"),
        ("if a:\n    x = 1\nelse:\n    x = 2\nx", "a", "x"),
        ("def (", "", ""),
    ],
)
def test_a_cell_reads_or_binds_other_names_than_in_python(source, reads, binds):
    names = names_of(source)
    assert names.reads == set(reads.split())
    assert names.binds == set(binds.split())


NEW, DRAW = "rng = default_rng(0)", "x = rng.normal()"
NUMPY = "import numpy as np"
NEEDED = {
    "the nearest binding, and what it needs": (
        ["a = 1", "a = 2", "b = a", "c = 0", "b"],
        [1, 2, 4],
    ),
    "a cell that binds the name of a builtin": (["sum = 3", "print(sum)"], [0, 1]),
    "the cell above a branch that binds the name": (
        ["a = 1", "if b:\n    a = 2", "a"],
        [0, 1, 2],
    ),
    "a cell that changes an object": (
        ["a = []", "a.append(1)", "b = 1", "a"],
        [0, 1, 3],
    ),
    "an earlier draw from a generator": ([NEW, DRAW, "rng.normal()"], [0, 1, 2]),
    "no draw before a new generator": ([NEW, DRAW, NEW, "rng.normal()"], [2, 3]),
    "no cell that repeats an import": (
        [NUMPY, f"{NUMPY}\nboom", "np.eye(2)"],
        [0, 2],
    ),
    "another import of the name": ([NUMPY, "import other as np", "np.eye(2)"], [1, 2]),
    "an import after another value": ([NUMPY, "np = 3", NUMPY, "np.eye(2)"], [2, 3]),
}


@pytest.mark.parametrize(("cells", "found"), NEEDED.values(), ids=NEEDED)
def test_a_cell_does_not_depend_on(cells, found):
    assert needed(links_of(cells), len(cells) - 1) == found
