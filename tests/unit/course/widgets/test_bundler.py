"""The bundler joins the JavaScript modules of a view into one text."""

import re

import found
import pytest

from course.widgets import Card, bundler
from course.widgets.bundler import Bundle, read_source, sources


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a function that writes modules: `lib__a` is the file ``lib/a.js``."""
    monkeypatch.setattr(bundler, "HERE", tmp_path)

    def write(**files):
        for name, text in files.items():
            path = tmp_path / f"{name.replace('__', '/')}.js"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")

    return write


def test_a_module_comes_before_one_that_it_imports(folder):
    folder(
        view='import { a } from "./lib/a.js";\nimport { b } from "./b.js";\n',
        b='import { a } from "./lib/a.js";\nexport const b = a + 1;\n',
        lib__a="export const a = 1;\n",
    )
    names = [source.name for source in sources("view.js")]
    assert names == ["lib/a.js", "b.js", "view.js"]


def test_an_import_on_several_lines_or_with_another_name_is_misread(folder):
    folder(
        view='import {\n  a as first, b,\n} from "./a.js";\nexport default first;\n',
        a="export const a = 1;\nexport function b() {}\n",
    )
    source = read_source("view.js")
    assert source.imports == {"a.js": ["a as first", "b"]}
    assert re.search(r'const \{\s*a: first, b,\s*\} = need\("a\.js"\);', source.script)
    assert read_source("a.js").exports == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('import a from "./a.js";', "cannot read 'import a from"),
        ('import "./a.js";', "cannot read"),
        ('export { a } from "./a.js";', "cannot read"),
        ('import { c } from "./a.js";', "view.js imports c from a.js, which exports a"),
        ('import { a } from "./nowhere.js";', "nowhere.js"),
        ('import { v } from "./view.js";', "a circle of imports: view.js -> view.js"),
        ("function f() {}\nexport function f() {}", "view.js: declares f twice"),
        ("let f = 1;\nasync function f() {}", "view.js: declares f twice"),
    ],
)
def test_a_view_that_cannot_be_bundled_is_accepted(folder, text, message):
    folder(view=f"{text}\n", a="export const a = 1;\n")
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        Bundle("view.js")


@pytest.mark.parametrize("widget", [Card, *found.cards()], ids=lambda w: w.__name__)
def test_a_widget_needs_a_second_module(widget):
    text = str(widget._esm)
    assert not re.search(r"^import\b", text, re.MULTILINE)
    assert re.findall(r"^export .*$", text, re.MULTILINE) == [
        f'export default need("{widget._esm.entry}").default;'
    ]
    assert "default" in read_source(widget._esm.entry).exports
    assert text.count('\n"card/card.js": (need) =>') == 1
    assert "--abh-query:" in str(widget._css)
    assert widget._css.names[0] == "card/card.css"
