"""Sphinx extension of the book: its theme, its figures, its assets.

Jupyter Book loads a dozen extensions that each add scripts and styles to every
page. The theme in `book/theme` prints only the scripts and styles that this module
lists, so no page loads a file that it does not use.

A build writes only the pages that changed. Some files list the contents of all pages:
the search, the page of all figures, the questions of *Your progress*. The data that a
page contributes to these files are kept from build to build (`book.registers`).
"""

import base64
import json
import os
import re
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from book import (
    addresses,
    colours,
    figures,
    french,
    live,
    paths,
    plain,
    progress,
    prose_controls,
    report,
    search,
    widgets,
)
from book.formulas import FONT, kept_together, views
from book.formulas import pages as formulas
from book.formulas.words import in_words, plain_formula
from book.problems import Collector
from book.reading_time import factor_of, is_second_page, minutes, section_times
from book.registers import Registers, known_elsewhere
from book.repository import Repository
from book.search.places import Place, places_in
from book.vendor import vendored
from course import ledger
from course.kit import look
from course.widgets.bundler import bare_style, program
from course.widgets.ledger_table import address_of

LOGGER = logging.getLogger(__name__)
HERE = Path(__file__).parent
ASSETS = HERE / "assets"
THEME = "attention-by-hand"

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        # blob: for widgets in a notebook and Pyodide's scripts; WebAssembly for Python
        "script-src 'self' blob: 'wasm-unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",  # for the colours of letters in formulas
        "img-src 'self' data:",
        "font-src data:",  # the stylesheet contains the fonts
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        # for Python's worker: a worker with an address would not obey this policy
        "worker-src blob:",
    ]
)

THEBE = re.compile(
    r"<script type=\"text/x-thebe-config\">.*?</script>\s*"
    r"<script>kernelName = '[^']*'</script>\s*",
    re.DOTALL,
)

HOME = "Introduction"  # name of the home page in a list of pages
# What the links to the notebook and to the ledger say when the reader points at them.
NEEDS = "The chapter as a notebook. It runs where the course is installed."
LEDGER = ("chapters/errata", "ledger.csv")  # the page with the link, the file
HOLDS = "Every printed number of the notes, recomputed: a table as a CSV file."
REGISTERS = Registers()
LIVE: dict[str, live.Cells] = {}  # by chapter: the cells that run in the page


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the extension; called by Sphinx."""
    app.add_html_theme(THEME, str(HERE / "theme"))
    app.add_node(
        nodes.image,
        override=True,
        html=(figures.visit_image, figures.depart_image),
    )
    formulas.setup(app)
    app.add_transform(plain.Notes)
    app.add_transform(french.FrenchWords)
    app.add_transform(prose_controls.ProseControls)
    app.add_post_transform(prose_controls.FigureLinks)
    app.connect("config-inited", _configure, priority=900)
    app.connect("env-before-read-docs", _warn_of_missing_chapters)
    app.connect("source-read", _colour_formulas)
    app.connect("builder-inited", _prepare, priority=900)
    app.connect("env-purge-doc", lambda app, env, name: REGISTERS.purge(name))
    app.connect("env-updated", _pages_to_write)
    app.connect("doctree-resolved", _mark_live_cells)
    app.connect("doctree-resolved", _collect_places, priority=900)
    app.connect("html-collect-pages", _further_pages)
    app.connect("html-page-context", _page, priority=900)
    app.connect("build-finished", _finish, priority=900)
    app.connect("build-finished", partial(_note_problems, Collector(app)), 999)
    # `_page` collects data of each page for the files that `_finish` writes. These data
    # would be lost if another process wrote the page.
    return {"parallel_read_safe": True, "parallel_write_safe": False}


def _configure(app: Sphinx, config: Config) -> None:
    """Replace Jupyter Book's theme and its settings by the book's own."""
    config.html_theme = THEME
    config.release = version("attention-by-hand")
    config.html_theme_options = {}
    config.html_use_index = False
    config.html_math_renderer = formulas.RENDERER
    config.html_sourcelink_suffix = ""
    config.html_static_path.append(str(ASSETS))
    config.templates_path = []


def _warn_of_missing_chapters(
    app: Sphinx, env: BuildEnvironment, names: list[str]
) -> None:
    """Warn of each notebook that is missing from the contents."""
    for path in sorted((Path(app.srcdir) / "chapters").glob("*.ipynb")):
        page = path.relative_to(app.srcdir).with_suffix("")
        if page.as_posix() not in env.found_docs:
            LOGGER.warning("%s.ipynb is not in _toc.yml", page.as_posix())


def _colour_formulas(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace colour values in formulas by names of roles (see `book.colours`)."""
    stated = colours.named_in(source[0])
    source[0] = colours.recoloured(source[0], stated, colours.ROLES)


def _prepare(app: Sphinx) -> None:
    """Find the live cells, load the registers, and turn off parts of Sphinx.

    `book.build` has already run the cells, and lists the pages whose cells failed in
    `BROKEN_PAGES`. Sphinx does not run these pages, but checks their links.
    """
    source = Path(app.srcdir)
    LIVE.clear()
    LIVE.update(live.of_chapters(source / "chapters"))
    REGISTERS.load(Path(app.doctreedir))
    app.builder.search = False  # no search index and no search page of Sphinx
    broken = json.loads(os.environ.get(report.BROKEN_PAGES, "[]"))
    excluded = [str(source / page) for page in broken]
    app.env.mystnb_config.execution_excludepatterns = excluded


def _mark_live_cells(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Give each live cell a class and an id, by which the page's script finds it."""
    names = LIVE.get(name, {})
    for node in doctree.findall(nodes.container):
        if node.get("nb_element") == "cell_code" and node["cell_index"] in names:
            node["classes"].append("live")
            node["ids"].append(f"cell-{names[node['cell_index']].name}")


def _collect_places(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Collect the places of a page that the search can find (see `book.search`)."""
    REGISTERS.places[name] = list(places_in(doctree))


def _pages_to_write(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """List the pages to write in addition to the pages that changed."""
    known = known_elsewhere(env)
    if known != REGISTERS.elsewhere:
        REGISTERS.elsewhere = known
        return sorted(env.found_docs)
    listing = {app.config.root_doc, widgets.ALL_FIGURES, progress.PAGE}
    changed = {
        name for name, classes in REGISTERS.views.items() if widgets.changed(classes)
    }
    return sorted((listing | changed) & env.found_docs)


def _note_problems(
    collector: Collector, app: Sphinx, exception: Exception | None
) -> None:
    """Save Sphinx's warnings to a file, unless an error ended the build."""
    if exception is None:
        collector.write(Path(app.outdir).parent / report.FILE)


def _further_pages(app: Sphinx) -> list[tuple[str, dict[str, Any], str]]:
    """Return further pages: an index.html that opens the introduction, and the search.

    A published site also gets the page that its host shows for unknown addresses.
    """
    pages: list[tuple[str, dict[str, Any], str]] = [
        ("index", {"title": app.config.project}, "redirect.html"),
        ("search", {"title": "Search"}, "search.html"),
    ]
    home = _canonical(app.config.root_doc)
    return [*pages, ("404", {"home": home}, "missing.html")] if home else pages


def _search_places(app: Sphinx) -> str:
    """Return the script with the places of all pages, in the order of the contents."""
    trees = app.env.tocs[app.config.root_doc].findall(addnodes.toctree)
    later = search.later_pages(
        {tree["caption"]: tree["includefiles"] for tree in trees}
    )
    return search.places_script(
        (
            name,
            _called(app, name),
            name in later,
            [*REGISTERS.places[name], *_figure_places(name)],
        )
        for name in app.env.collect_relations()
    )


def _called(app: Sphinx, name: str) -> str:
    """Return a page's number, if it has one, and its title in plain words."""
    title = HOME if name == app.config.root_doc else REGISTERS.places[name][0].title
    return ". ".join(filter(None, (_number(name), title)))


def _figure_places(name: str) -> list[Place]:
    _, stills = REGISTERS.figures[name]
    return [search.figure_place(s.anchor, s.title, s.reading) for s in stills]


def _page(
    app: Sphinx,
    name: str,
    template: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Fill in what `book/theme/layout.html` prints on one page."""
    body = _tidy(context.get("body") or "")
    used = widgets.page_widgets(context["script_files"])
    placed = used.place(body)
    title, number = _strip(context.get("title") or ""), _number(name)
    REGISTERS.figures[name] = (title, used.figures)
    REGISTERS.minutes[name] = section_times(body, used.models, factor_of(name))
    REGISTERS.views[name] = used.classes
    if progress.counts_for_progress(name, app.config.root_doc):
        REGISTERS.read[name] = progress.CountedPage(
            name,
            HOME if name == app.config.root_doc else title,
            number,
            used.states,
            list(LIVE.get(name, {}).values()),
        )
    for problem in prose_controls.problems(placed, used.states):
        LOGGER.warning(problem, location=name)
    context.update(
        body=placed + used.state,
        content_security_policy=CONTENT_SECURITY_POLICY,
        asset=lambda file: _address(context, file),
        logo=(ASSETS / "logo.svg").read_text(encoding="utf-8"),
        page_title=_title(app, title),
        canonical=_canonical(name),
        description=_description(doctree),
        chapter=f"Chapter {number}" if number else "",
        asks=bool(progress.questions(used.states)),
        offers=used.offers,
        shows_figures=bool(used.models),
        reading_time=minutes(REGISTERS.minutes[name][""]) if doctree else "",
        course_contents=_course_contents(app, name, context),
        page_contents=_page_contents(context),
        page_links=_page_links(app, name, context),
        stylesheets=_stylesheets(body, used),
        scripts=_scripts(app, name, body, used),
    )


def _address(context: dict[str, Any], file: str) -> str:
    """Return the address of an asset; `addresses.fill_in` later adds the digest."""
    path = context["pathto"](f"{addresses.FOLDER}/{file}", 1)
    return f"{path}?{addresses.UNKNOWN}"


def _stylesheets(body: str, used: widgets.PageWidgets) -> list[str]:
    """List the stylesheets that a page needs."""
    design = ["sphinx-design.min.css"] if "sd-" in body else []
    views = (f"{widgets.FOLDER}/{name}" for name in used.styles)
    runs = ["live.css"] if live.MARK in body else []
    return [*design, "book.css", *views, *runs]


def _saved(app: Sphinx, name: str) -> list[str]:
    """List the texts in which myst-nb saved the widgets of a page."""
    # Imported here, where Sphinx has loaded myst-nb already. An import at the top would
    # slow down every test of this module, because myst-nb's cache loads SQLAlchemy.
    from myst_nb.sphinx_ import NbMetadataCollector

    files = NbMetadataCollector.get_js_files(app.env, name).values()
    return [options.get("body", "") for _, options in files]


def _scripts(app: Sphinx, name: str, body: str, used: widgets.PageWidgets) -> list[str]:
    """List the scripts that a page needs in addition to those of every page."""
    views, runtime = list(used.scripts), "progress.js"
    if used.models:
        runtime = "widget-runtime.js"
    elif name == progress.PAGE:
        saved = [
            text for page in sorted(app.env.found_docs) for text in _saved(app, page)
        ]
        views, runtime = widgets.judges(saved), "review.js"
    asked = [progress.QUESTIONS] if runtime == "review.js" else []
    runs = ["live.js"] if live.MARK in body else []
    files = [f"{widgets.FOLDER}/{view}" for view in views]
    return [*files, progress.COURSE, *asked, runtime, *runs]


_TIDY = [
    (THEBE, ""),
    # folded code: its visible words are label enough
    (re.compile(' aria-label="Toggle hidden content"'), ""),
    # classes for MathJax, which no page loads
    (re.compile(r'(?<=")tex2jax_ignore mathjax_ignore ?'), ""),
    # a role that ARIA has deprecated
    (re.compile('role="doc-biblioentry"'), 'role="listitem"'),
    # a table's header cell without words would label nothing
    (re.compile(r'<th class="head[^>]*>(?:<p></p>)?\s*</th>'), "<td></td>"),
    # a link to a line of the ledger; in JupyterLab this link opens the notebook
    (
        re.compile(r'(href="[^"]*errata)\.ipynb#([\w-]+:\d+)"'),
        lambda found: f'{found[1]}.html?{address_of(found[2])}"',
    ),
    # a wide table scrolls in its own box
    (re.compile(r"(<table\b.*?</table>)", re.DOTALL), r'<div class="table">\1</div>'),
]


def _tidy(body: str) -> str:
    """Correct the HTML that Jupyter Book's other extensions write into a page."""
    for pattern, replacement in _TIDY:
        body = pattern.sub(replacement, body)
    return kept_together(body)


def _strip(title: str) -> str:
    return re.sub("<[^>]+>", "", in_words(title))


def _title(app: Sphinx, page: str) -> str:
    site = app.config.project
    return site if not page or page == site else f"{page} · {site}"


def _canonical(name: str) -> str:
    """Return a page's address on the published site; "" if the site is unknown."""
    site = Repository.site_from_environment()
    return f"{site}{name}.html" if site else ""


def _description(doctree: nodes.document | None) -> str:
    """Return a page's first paragraph, cut between words to at most 200 characters."""
    paragraphs = doctree.findall(nodes.paragraph) if doctree else iter(())
    paragraph = next(paragraphs, nodes.paragraph()).deepcopy()
    for math in list(paragraph.findall(nodes.math)):
        math.parent.replace(math, nodes.Text(plain_formula(math.astext())))
    text = " ".join(paragraph.astext().split())
    if len(text) <= 200:
        return text
    return text[:200].rsplit(" ", 1)[0] + " …"


def _number(name: str) -> str:
    found = re.match(r"(?:.*/)?(\d\d)[a-z]?-", name)
    return str(int(found[1])) if found else ""


def _course_contents(app: Sphinx, name: str, context: dict[str, Any]) -> str:
    """Return the course's table of contents, with the numbers of chapters."""
    tree = context["toctree"](
        includehidden=True, maxdepth=2, titles_only=True, collapse=False
    )
    tree = tree.replace('<p class="caption" role="heading">', '<p class="caption">')

    def numbered(link: re.Match[str]) -> str:
        target = name if link[1] == "#" else link[1]
        number = "" if is_second_page(target) else _number(target)
        here = ' aria-current="page"' if link[1] == "#" else ""
        nth = f'<span class="nth">{number}</span> ' if number else ""
        return f'<a href="{link[1]}"{here}>{nth}'

    tree = re.sub(r'<a class="[^"]*" href="([^"]*)">', numbered, tree)
    root = app.config.root_doc
    here = ' aria-current="page"' if name == root else ""
    home = f'<a href="{context["pathto"](root)}"{here}>{HOME}</a>'
    return f"<ul><li>{home}</li></ul>{tree}"


def _page_contents(context: dict[str, Any]) -> str:
    """Return the page's table of contents, without the page's title."""
    toc = context.get("toc") or ""
    inner = re.search(r"</a>\s*(<ul>.*</ul>)\s*</li>", toc, re.DOTALL)
    return inner[1] if inner else ""


def _page_links(
    app: Sphinx, name: str, context: dict[str, Any]
) -> list[dict[str, str | bool]]:
    """List the links that download or run a chapter, or show its source or ledger."""
    if context.get("page_source_suffix") != ".ipynb":
        return []
    file = f"{name}.ipynb"
    download = context["pathto"](f"_sources/{file}", 1)
    links = [{"text": "Notebook", "url": download, "download": True, "says": NEEDS}]
    repository = Repository.from_environment()
    if repository:
        links.append({"text": "Binder", "url": repository.binder(file)})
        if repository.on_github:
            links.append({"text": "Colab", "url": repository.colab(file)})
        links.append({"text": "Source", "url": repository.source(file)})
    page, table = LEDGER
    if name == page:
        url = context["pathto"](f"_static/{table}", 1)
        links.append({"text": "Ledger", "url": url, "download": True, "says": HOLDS})
    return links


def _stylesheet() -> str:
    """Return the site's stylesheet with its colours and the font of formulas.

    The stylesheet contains the font: a separate font would come late and move lines.
    """
    rules = bare_style((ASSETS / "book.css").read_text(encoding="utf-8"))
    font = base64.b64encode(FONT.read_bytes()).decode()
    return look.css() + rules.replace(FONT.name, f"data:font/woff2;base64,{font}")


def _favicon() -> str:
    """Return the icon with its colours, because a page's stylesheet does not apply."""
    drawing = (ASSETS / "favicon.svg").read_text(encoding="utf-8")
    return drawing.replace("<style>", f"<style>{look.css()}", 1)


MADE = {  # by name: functions that return the files of `_static`
    LEDGER[1]: lambda: ledger.as_csv(ledger.rows()),
    "book.css": _stylesheet,
    "favicon.svg": _favicon,
    "page.js": lambda: program("page.js", ASSETS),
    "widget-runtime.js": lambda: views.script() + widgets.runtime("main.js"),
    "minisearch.js": lambda: vendored("minisearch/minisearch.js").decode(),
    "search.js": search.script,
    "live.css": lambda: (live.HERE / "live.css").read_text(encoding="utf-8"),
    live.EDITOR: live.editor,
    live.CELL_SCRIPT: lambda: live.cell_script(LIVE),
    "live.js": lambda: live.script(LIVE),
    "progress.js": partial(widgets.runtime, "page_without_figures.js"),
    "review.js": lambda: views.script() + widgets.runtime("review.js"),
}

USED = {  # files of `_static` that `_finish` does not delete
    *MADE,
    *("mode.js", "sphinx-design.min.css"),
    *(search.PLACES_FILE, progress.COURSE, progress.QUESTIONS),
}


def _finish(app: Sphinx, exception: Exception | None) -> None:
    """Write the files that the build generates; delete files that no page uses."""
    if exception or app.builder.format != "html":
        return
    site = Path(app.outdir)
    static = site / "_static"
    for file, make in MADE.items():
        (static / file).write_text(make(), encoding="utf-8")
    (static / search.PLACES_FILE).write_text(_search_places(app), encoding="utf-8")
    widgets.write_sources(static)
    live.write(static, LIVE)
    in_order = list(app.env.collect_relations())
    pages = [(name, *REGISTERS.figures[name]) for name in in_order]
    widgets.write_all_figures(site, pages)
    home = site / f"{app.config.root_doc}.html"
    written = home.read_text(encoding="utf-8")
    home.write_text(paths.timed(written, REGISTERS.minutes), encoding="utf-8")
    read = [REGISTERS.read[name] for name in in_order if name in REGISTERS.read]
    progress.write(site, read)
    _write_sitemap(site, in_order)
    addresses.fill_in(site)
    _drop_old_images(app, site)
    REGISTERS.save(Path(app.doctreedir))
    for path in static.iterdir():
        if path.is_file() and path.name not in USED:
            path.unlink()


def _write_sitemap(site: Path, names: list[str]) -> None:
    """Write the list of pages for search engines, if the site's address is known."""
    if _canonical(names[0]):
        lines = "".join(f"{_canonical(name)}\n" for name in names)
        (site / "sitemap.txt").write_text(lines, encoding="utf-8")


def _drop_old_images(app: Sphinx, site: Path) -> None:
    """Delete the pictures that earlier builds wrote and no page shows now."""
    shown = {name for _, name in app.env.images.values()}
    for path in (site / app.builder.imagedir).glob("*"):
        if path.name not in shown:
            path.unlink()
