// JupyterLab and Notebook 7 load this plugin when they start. With it, links in a notebook's
// text set figures before any cell has run, and a notebook has a reading mode (reading.js).
// Its package.json also turns off Jupyter's question about news, which covers a corner of the
// first page (`disabledExtensions`).
//
// Both programs load a plugin like a webpack container, with `init` and `get`. This container
// is written by hand: one file that imports two files needs no webpack.

(() => {
  const NAME = "attention-by-hand"; // as in package.json
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const NO_TARGET = /^No target for internal reference "#[\w-]+\.\w+=/; // a link that sets a figure
  const DRAWN_WITHIN = 5000; // milliseconds: a figure draws itself a little after its cell has run

  /** Wait until the figures in a cell's output have drawn themselves. */
  async function drawn(cell) {
    const end = performance.now() + DRAWN_WITHIN;
    while (cell.querySelector(".jupyter-widgets:not(:has(*))") && performance.now() < end) {
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** Remove jupyterlab-myst's errors about links that set figures from the console. */
  function silenceMisses() {
    const { error } = console;
    console.error = (text, ...more) => {
      const lines = String(text).split("\n");
      const others = lines.filter((line) => !NO_TARGET.test(line));
      if (others.length === lines.length) error.call(console, text, ...more);
      else if (others.length) error.call(console, others.join("\n"), ...more);
    };
  }

  const activate = (app, { listenToLinks, offerReading }) => {
    silenceMisses();
    offerReading(app);
    const run = async (notebook, isThere) => {
      const { content } = app.shell.currentWidget;
      for (const [place, { model, node }] of content.widgets.entries()) {
        if (isThere() || !notebook.isConnected) return true;
        if (model.type !== "code") continue;
        content.activeCellIndex = place;
        if (!(await app.commands.execute("notebook:run-cell"))) return false;
        await drawn(node);
      }
      return true;
    };
    listenToLinks({ run });
  };

  const get = async () => {
    const files = await Promise.all(["links.js", "reading.js"].map((file) => import(new URL(file, src).href)));
    const parts = Object.assign({}, ...files);
    return () => ({ id: `${NAME}:words`, autoStart: true, activate: (app) => activate(app, parts) });
  };
  (globalThis._JUPYTERLAB ??= {})[NAME] = { init() {}, get };
})();
