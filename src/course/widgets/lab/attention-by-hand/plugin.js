// JupyterLab and Notebook 7 load this plugin when they start. With it, links in a notebook's
// text set figures before any cell has run, and folded parts of a text have a triangle.
// Its package.json also turns off Jupyter's question about news, which covers a corner of the
// first page (`disabledExtensions`).
//
// Both programs load a plugin like a webpack container, with `init` and `get`. This container
// is written by hand: one file that imports another needs no webpack.

(() => {
  const NAME = "attention-by-hand"; // as in package.json
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const NO_TARGET = /^No target for internal reference "#[\w-]+\.\w+=/; // a link that sets a figure
  const DRAWN_WITHIN = 5000; // milliseconds: a figure draws itself a little after its cell has run
  const STYLE = `
.jp-Notebook summary:not(.abh-card *) {
  display: list-item;
  list-style: disclosure-closed inside;
  cursor: pointer;
}
.jp-Notebook details[open] > summary:not(.abh-card *) {
  list-style-type: disclosure-open;
}
.jp-Notebook details + details {
  margin-top: 0.5em;
}`;

  /** Wait until the figures in a cell's output have drawn themselves. */
  async function untilDrawn(cell) {
    const end = performance.now() + DRAWN_WITHIN;
    while (cell.querySelector(".jupyter-widgets:not(:has(*))") && performance.now() < end) {
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** Keep jupyterlab-myst's errors about links that set figures out of the console. */
  function hideLinkErrors() {
    const { error } = console;
    console.error = (text, ...more) => {
      const lines = String(text).split("\n");
      const others = lines.filter((line) => !NO_TARGET.test(line));
      if (others.length === lines.length) error.call(console, text, ...more);
      else if (others.length) error.call(console, others.join("\n"), ...more);
    };
  }

  /** Mark folded parts of a text with a triangle. */
  function markFolds() {
    const style = document.createElement("style");
    style.textContent = STYLE;
    document.head.append(style);
  }

  const activate = (app, listenToLinks) => {
    hideLinkErrors();
    markFolds();
    const run = async (notebook, isThere) => {
      const { content } = app.shell.currentWidget;
      for (const [place, { model, node }] of content.widgets.entries()) {
        if (isThere() || !notebook.isConnected) return true;
        if (model.type !== "code") continue;
        content.activeCellIndex = place;
        if (!(await app.commands.execute("notebook:run-cell"))) return false;
        await untilDrawn(node);
      }
      return true;
    };
    listenToLinks({ run });
  };

  const get = async () => {
    const { listenToLinks } = await import(new URL("links.js", src).href);
    return () => ({ id: `${NAME}:words`, autoStart: true, activate: (app) => activate(app, listenToLinks) });
  };
  (globalThis._JUPYTERLAB ??= {})[NAME] = { init() {}, get };
})();
