"""Resolve the imports of JavaScript sources, and join the sources into one text.

Each view is an ES module with imports (``import { card } from "./card/card.js"``).
Views run in two places, and neither can load a module from a file:

* JupyterLab takes a widget's code as one text: a `Bundle`.
* A page opened from disk may load scripts but no modules. The book writes each
  source once, as a script (`Source.script`), and a page loads the scripts it needs.

In both places a source becomes a function, which runs once, at its first use. So
equal names in two sources do not collide.

A class of cards names its view: ``class Dial(Card, view="plane/dial")``. From this
name, `Card` sets ``_esm`` to a `Bundle` and ``_css`` to a `Stylesheet`; anywidget calls
``str()`` on both.
"""

import posixpath
import re
from collections import Counter
from functools import cache
from pathlib import Path

from course.kit import look

HERE = Path(__file__).parent

_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(
    r"^export (?=(?:async )?(?:function\*?|const|let|class) (\w+))", re.MULTILINE
)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
_DECLARED = re.compile(
    r"^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE
)
_OTHER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)
_JS_COMMENT = re.compile(
    r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*$", re.MULTILINE | re.DOTALL
)
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


def bare(code: str) -> str:
    """Return JavaScript without indents and without comments that fill whole lines.

    Pages load the result. Lines keep their numbers, because errors report them.
    """
    return _INDENT.sub("", _JS_COMMENT.sub(lambda it: "\n" * it[0].count("\n"), code))


def bare_style(style: str) -> str:
    """Return CSS without indents and comments; lines keep their numbers."""
    return _INDENT.sub("", _CSS_COMMENT.sub(lambda it: "\n" * it[0].count("\n"), style))


@cache
def _text_of(path: Path) -> str:
    """Return a file's text, cached because many widgets share a stylesheet."""
    return path.read_text("utf-8")


class Source:
    """One JavaScript file: its imports, its exports, and its text as a function.

    Its name is its path from the folder of the sources: ``"card/card.js"``.

    Raises
    ------
    ValueError
        If the file has an import or an export of another form than
        ``import { a, b as c } from "./x.js";`` and ``export`` before a declaration
        or ``default``. Or if it declares a name twice: JavaScript would silently use
        the second of two functions with one name.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.imports = {
            self._resolved(path): re.findall(r"\w[\w ]*\w|\w", names)
            for names, path in _IMPORT.findall(text)
        }
        self.exports = _EXPORT.findall(text)
        body = _IMPORT.sub(self._need_call, text)
        body, defaults = _DEFAULT.subn("const $default = ", _EXPORT.sub("", body))
        if defaults:
            self.exports.append("default")
        if left := _OTHER.search(body):
            raise ValueError(f"{name}: cannot read {left[0]!r} as an import or export")
        self._body = body
        names = Counter(_DECLARED.findall(text))
        if twice := [name for name, times in names.items() if times > 1]:
            raise ValueError(f"{name}: declares {', '.join(twice)} twice")

    def _resolved(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.name), path))

    def _need_call(self, found: re.Match[str]) -> str:
        names, path = found[1].replace(" as ", ": "), found[2]
        return f'const {{{names}}} = need("{self._resolved(path)}");'

    @property
    def function(self) -> str:
        """The file as a function that takes `need` and returns the file's exports."""
        exports = ", ".join(
            "default: $default" if name == "default" else name for name in self.exports
        )
        return f'(need) => {{\n"use strict";\n{self._body}\nreturn {{ {exports} }};\n}}'

    @property
    def script(self) -> str:
        """Script that stores `function` where the page's runtime finds it."""
        code = bare(self.function)
        return f'(globalThis.abhSources ??= {{}})["{self.name}"] = {code};\n'


# Many views import the same files. Each file is parsed once.
_parsed = cache(Source)


def read_source(name: str, folder: Path | None = None) -> Source:
    """Read one JavaScript file of a folder, by default that of the widgets."""
    return _parsed(name, _text_of((folder or HERE) / name))


def sources(entry: str, folder: Path | None = None) -> list[Source]:
    """Return a module and all its direct and indirect imports, without repetition.

    Each source comes after its imports, so `entry` is the last.

    Raises
    ------
    ValueError
        If modules import each other in a circle, or a module imports a name that
        the other module does not export.
    """
    found: dict[str, Source] = {}

    def collect(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise ValueError(f"a circle of imports: {' -> '.join((*path, name))}")
        if name in found:
            return
        source = read_source(name, folder)
        for other, names in source.imports.items():
            collect(other, (*path, name))
            for wanted in (part.split(" as ")[0] for part in names):
                if wanted not in found[other].exports:
                    raise ValueError(
                        f"{name} imports {wanted} from {other}, "
                        f"which exports {', '.join(found[other].exports)}"
                    )
        found[name] = source

    collect(entry, ())
    return list(found.values())


def joined(files: list[Source]) -> str:
    """Return one text of all sources; its ``need(name)`` returns a source's exports."""
    functions = "".join(f'"{source.name}": {source.function},\n' for source in files)
    return (
        f"const sources = {{\n{functions}}};\nconst made = {{}};\n"
        "const need = (name) => (made[name] ??= sources[name](need));\n"
    )


def program(entry: str, folder: Path, before: str = "") -> str:
    """Return a script that runs the code `before`, then a file with its imports."""
    text = bare(joined(sources(entry, folder)))
    return f'(() => {{\n"use strict";\n{before}\n{text}need("{entry}");\n}})();\n'


class Bundle:
    """The code of a widget as one self-contained ES module.

    The default export of the view's file `entry` becomes the bundle's default export.
    """

    def __init__(self, entry: str) -> None:
        self.entry = entry
        text = joined(sources(entry))
        self._text = f'{text}export default need("{entry}").default;\n'

    def __str__(self) -> str:
        return self._text

    @property
    def names(self) -> list[str]:
        """The files of the bundle, each after the files that it imports."""
        return [source.name for source in sources(self.entry)]


class Stylesheet:
    """The course's colours and a widget's stylesheets, in this order, as one text."""

    def __init__(self, *names: str) -> None:
        self.names = list(names)
        files = (bare_style(_text_of(HERE / name)) for name in names)
        self._text = "\n".join((look.css(), *files))

    def __str__(self) -> str:
        return self._text


@cache
def bundle(entry: str) -> Bundle:
    """Return the code of a widget: ``_esm = bundle("quiz.js")``. See `Bundle`."""
    return Bundle(entry)


@cache
def stylesheet(*names: str) -> Stylesheet:
    """Return the card's and a widget's stylesheets: ``stylesheet("quiz.css")``."""
    return Stylesheet("card/card.css", *names)


def stylesheet_of(view: str) -> Stylesheet:
    """Return the card's stylesheet, with those of a view and its folder that exist.

    For the view ``plane/dial`` these are ``plane/plane.css`` and ``plane/dial.css``.
    """
    folder = posixpath.dirname(view)
    of_folder = posixpath.join(folder, f"{folder}.css")
    names = dict.fromkeys((of_folder, f"{view}.css"))
    return stylesheet(*(name for name in names if (HERE / name).exists()))
