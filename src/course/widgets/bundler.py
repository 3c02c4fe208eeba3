"""Widget sources as modules: who imports what, and one text of them all.

Each view is an ES module that imports what it needs (``import { card } from
"./card/card.js"``). Two places run it, and neither can load a module from a file:

* JupyterLab takes a widget's code as one text: `Bundle` holds it.
* A page opened from disk may load scripts but no modules: the book writes each
  source once, as a script (`Source.script`), and a page names those it needs.

In both, a source becomes a function of its own scope that is run once, when first
needed; so names of two sources never meet.

A card's ``_esm`` and ``_css`` are such texts; anywidget takes ``str()`` of them. The
hot reload of anywidget follows one file a widget, so `follow` reloads these.
"""

import os
import posixpath
import re
import threading
import warnings
from collections import Counter
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

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
_COMMENT = re.compile(
    r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*$", re.MULTILINE | re.DOTALL
)
_REMARK = re.compile(r"/\*.*?\*/", re.DOTALL)
_INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


def bare(code: str) -> str:
    """Take comments that fill their lines, and indents, from what every reader loads.

    Lines keep their numbers, so that an error names the one in the repository.
    """
    return _INDENT.sub("", _COMMENT.sub(lambda it: "\n" * it[0].count("\n"), code))


def bare_style(style: str) -> str:
    """Take the same from a stylesheet; its lines keep their numbers too."""
    return _INDENT.sub("", _REMARK.sub(lambda it: "\n" * it[0].count("\n"), style))


@cache
def _text_of(path: Path) -> str:
    """Return a file's text; each is read once, until `reload`."""
    return path.read_text("utf-8")


class Source:
    """One JavaScript file: what it imports and exports, and its text as a function.

    Parameters
    ----------
    name : str
        The file, from its folder: ``"card/card.js"``.
    text : str
        What it holds.

    Raises
    ------
    ValueError
        If it has an import or an export of a form that is not read: only
        ``import { a, b as c } from "./x.js";`` and ``export`` before a declaration
        or ``default``. If it declares a name twice: in a function, which it becomes,
        the second of two functions would win without a word.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.imports = {
            self._beside(path): re.findall(r"\w[\w ]*\w|\w", names)
            for names, path in _IMPORT.findall(text)
        }
        self.exports = _EXPORT.findall(text)
        body = _IMPORT.sub(self._required, text)
        body, defaults = _DEFAULT.subn("const $default = ", _EXPORT.sub("", body))
        if defaults:
            self.exports.append("default")
        if left := _OTHER.search(body):
            raise ValueError(f"{name}: cannot read {left[0]!r} as an import or export")
        self._body = body
        names = Counter(_DECLARED.findall(text))
        if twice := [name for name, times in names.items() if times > 1]:
            raise ValueError(f"{name}: declares {', '.join(twice)} twice")

    def _beside(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.name), path))

    def _required(self, found: re.Match[str]) -> str:
        names, path = found[1].replace(" as ", ": "), found[2]
        return f'const {{{names}}} = need("{self._beside(path)}");'

    @property
    def function(self) -> str:
        """The file as a function from `need` (a name's exports) to its exports."""
        given = ", ".join(
            "default: $default" if name == "default" else name for name in self.exports
        )
        return f'(need) => {{\n"use strict";\n{self._body}\nreturn {{ {given} }};\n}}'

    @property
    def script(self) -> str:
        """The file as a script that hands its function to the page's runtime."""
        made = bare(self.function)
        return f'(globalThis.abhSources ??= {{}})["{self.name}"] = {made};\n'


# Many views import the same files: each is taken apart once, until its text changes.
_parsed = lru_cache(maxsize=256)(Source)


def read_source(name: str, folder: Path | None = None) -> Source:
    """Read one JavaScript file.

    Parameters
    ----------
    name : str
        The file, from its folder.
    folder : Path, optional
        Where the files lie; by default the folder of the widgets.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        As `Source` does.
    """
    return _parsed(name, _text_of((folder or HERE) / name))


def sources(entry: str, folder: Path | None = None) -> list[Source]:
    """Find a module and all that it imports, each once, whoever is needed first.

    Parameters
    ----------
    entry : str
        The module's file, from its folder.
    folder : Path, optional
        Where the files lie; by default the folder of the widgets.

    Returns
    -------
    list of Source
        `entry` is the last.

    Raises
    ------
    ValueError
        If modules import each other in a circle, or one imports a name that
        another does not export.
    """
    found: dict[str, Source] = {}
    _collect(entry, folder, found, ())
    return list(found.values())


def _collect(
    name: str,
    folder: Path | None,
    found: dict[str, Source],
    path: tuple[str, ...],
) -> None:
    if name in path:
        raise ValueError(f"a circle of imports: {' -> '.join((*path, name))}")
    if name in found:
        return
    source = read_source(name, folder)
    for other, names in source.imports.items():
        _collect(other, folder, found, (*path, name))
        for wanted in (part.split(" as ")[0] for part in names):
            if wanted not in found[other].exports:
                raise ValueError(
                    f"{name} imports {wanted} from {other}, "
                    f"which exports {', '.join(found[other].exports)}"
                )
    found[name] = source


def joined(files: list[Source]) -> str:
    """Write sources as one text, in which ``need(name)`` gives the exports of one."""
    functions = [f'"{source.name}": {source.function},' for source in files]
    return "\n".join(
        [
            "const sources = {",
            *functions,
            "};",
            "const made = {};",
            "const need = (name) => (made[name] ??= sources[name](need));",
            "",
        ]
    )


class _Made:
    """A text made of files."""

    def __init__(self) -> None:
        self._made = self._text()

    names: list[str]

    def __str__(self) -> str:
        return self._made

    def _text(self) -> str:
        raise NotImplementedError

    def renew(self) -> None:
        """Make the text again from files that may have changed."""
        try:
            self._made = self._text()
        except (OSError, ValueError) as error:  # a file in the middle of an edit
            warnings.warn(f"not reloaded: {error}", stacklevel=2)


class Bundle(_Made):
    """The code of a widget as one self-contained ES module.

    Parameters
    ----------
    entry : str
        The view's file; its default export is the widget's.
    """

    def __init__(self, entry: str) -> None:
        self.entry = entry
        super().__init__()

    @property
    def names(self) -> list[str]:
        """The files it is made of, each after those that it imports."""
        return [source.name for source in sources(self.entry)]

    def _text(self) -> str:
        text = joined(sources(self.entry))
        return f'{text}export default need("{self.entry}").default;\n'


class Stylesheet(_Made):
    """The course's colours and a widget's stylesheets as one text.

    Parameters
    ----------
    *names : str
        CSS files, from the folder of the widgets, in their order.
    """

    def __init__(self, *names: str) -> None:
        self.names = list(names)
        super().__init__()

    def _text(self) -> str:
        files = (bare_style(_text_of(HERE / name)) for name in self.names)
        return "\n".join((look.css(), *files))


@cache
def bundle(entry: str) -> Bundle:
    """Give the code of a widget: ``_esm = bundle("heads.js")``. See `Bundle`."""
    return Bundle(entry)


@cache
def stylesheet(*names: str) -> Stylesheet:
    """Give the style of a widget, after the card's: ``stylesheet("heads.css")``."""
    return Stylesheet("card/card.css", *names)


# --- Hot reload -----------------------------------------------------------------------

_SHOWN: WeakKeyDictionary[Any, dict[str, _Made]] = WeakKeyDictionary()


def follow(widget: Any, **texts: _Made) -> None:
    """Set a widget's traits anew whenever a file of their texts changes.

    Does nothing unless the environment variable ``ANYWIDGET_HMR`` is 1. Needs
    ``watchfiles``.

    Parameters
    ----------
    widget : Widget
    **texts : Bundle or Stylesheet
        By the trait that holds it.
    """
    if os.environ.get("ANYWIDGET_HMR") == "1":
        _SHOWN[widget] = texts
        _watch_in_background()


def reload() -> None:
    """Read all files again and give the widgets that `follow` knows their new texts."""
    _text_of.cache_clear()
    shown = list(_SHOWN.items())
    for text in {text for _, texts in shown for text in texts.values()}:
        text.renew()
    for widget, texts in shown:
        for trait, text in texts.items():
            setattr(widget, trait, str(text))


@cache
def _watch_in_background() -> None:
    try:
        from watchfiles import watch
    except ImportError:
        warnings.warn("to reload figures, install `watchfiles`", stacklevel=2)
        return

    def reload_after_each_change() -> None:
        for _ in watch(HERE):
            reload()

    threading.Thread(target=reload_after_each_change, daemon=True).start()
