// JupyterLab and Notebook 7 load this when they start, so that words of a notebook's text
// set its figures before any cell has run, and for a mode in which a notebook is read
// (reading.js). It also turns off the question whether Jupyter's news are wanted, which
// covers a corner of the first page (`disabledExtensions` in package.json).
//
// They ask every plugin for its module in the form of webpack's containers, `init` and
// `get`. This one is written by hand: one file that imports two needs no webpack.

(() => {
  const NAME = "attention-by-hand"; // as in package.json
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const NO_TARGET = /^No target for internal reference "#[\w-]+\.\w+=/; // no heading of the text
  const DRAWN_WITHIN = 5000; // milliseconds: a figure draws itself a little after its cell has run

  /** Wait until the figures in a cell's output have drawn themselves. */
  async function drawn(cell) {
    const end = performance.now() + DRAWN_WITHIN;
    while (cell.querySelector(".jupyter-widgets:not(:has(*))") && performance.now() < end) {
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** Leave out of the console what jupyterlab-myst says of each link that sets a figure. */
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
