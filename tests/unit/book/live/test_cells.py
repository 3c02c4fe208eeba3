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


def rests_on(*cells):
    return needed(links_of(cells), len(cells) - 1)


def test_a_cell_does_not_depend_on_the_nearest_binding_and_what_it_needs():
    assert rests_on("a = 1", "a = 2", "b = a", "c = 0", "b") == [1, 2, 4]


def test_a_name_of_a_builtin_that_a_cell_binds_is_no_dependency():
    assert rests_on("sum = 3", "print(sum)") == [0, 1]


def test_a_name_that_one_branch_binds_hides_the_cell_above():
    assert rests_on("a = 1", "if b:\n    a = 2", "a") == [0, 1, 2]


def test_a_cell_that_changes_an_object_is_no_dependency():
    assert rests_on("a = []", "a.append(1)", "b = 1", "a") == [0, 1, 3]


def test_drawing_from_a_generator_does_not_change_the_generator():
    draw = "x = rng.normal()"
    assert rests_on("rng = np.random.default_rng(0)", draw, "rng.normal()") == [0, 1, 2]
    new = "rng = np.random.default_rng(1)"
    assert rests_on("rng = default_rng(0)", draw, new, "rng.normal()") == [2, 3]


def test_a_repeated_import_is_a_new_binding():
    first = "import numpy as np"
    assert rests_on(first, "import numpy as np\nboom", "np.eye(2)") == [0, 2]
    assert rests_on(first, "import other as np", "np.eye(2)") == [1, 2]
    assert rests_on(first, "np = 3", first, "np.eye(2)") == [2, 3]
