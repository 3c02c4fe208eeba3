// Gives the widgets of a static page their models, with no kernel and no server.
//
// The page holds what Jupyter wrote: the state of each model and a place for each
// view. The code of the course's views are scripts of the site (book/widgets.py),
// named in `_esm`; that of a widget from elsewhere is in its state. A view gets the
// model that anywidget's front end would give it (get, set, on, off,
// save_changes, send, widget_manager) and cannot tell where it runs.
//
// What belongs to the page is done here: a model's `_page` trait names the traits
// to keep in the address (`url`) and on the reader's device (`device`), may
// bound them (`limits`: smallest, largest, whether whole) and may name the model on
// its page (`name`), so that what is kept still fits when others come before it.
// The reader can clear what the device keeps.
(() => {
  const STATE = "application/vnd.jupyter.widget-state+json";
  const VIEW = "application/vnd.jupyter.widget-view+json";

  // --- Values ---------------------------------------------------------------

  const isObject = (value) => typeof value === "object" && value !== null;

  function equal(a, b) {
    if (Object.is(a, b)) return true;
    if (a instanceof DataView || b instanceof DataView) return false;
    if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((n) => n in b && equal(a[n], b[n]));
  }

  // Put each binary buffer of a saved model back at its path, as a DataView.
  function withBuffers({ state, buffers = [] }) {
    for (const { path, data } of buffers) {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const holder = path.slice(0, -1).reduce((place, name) => place[name], state);
      holder[path.at(-1)] = new DataView(bytes.buffer);
    }
    return state;
  }

  // --- Model ----------------------------------------------------------------

  class Model {
    #state;
    #listeners = [];
    #changing = false;
    #pending = false;

    constructor(id, state) {
      this.id = id;
      this.#state = state;
    }

    get(name) {
      return this.#state[name];
    }

    // `set("n", 3)` or `set({n: 3})`: one `change:n` for each value that differs,
    // then one `change`, also where a listener sets more.
    set(name, value) {
      const wanted = isObject(name) ? name : { [name]: value };
      const changed = Object.keys(wanted).filter((n) => !equal(this.#state[n], wanted[n]));
      for (const n of changed) this.#state[n] = wanted[n];
      if (changed.length) this.#pending = true;
      const outermost = !this.#changing;
      this.#changing = true;
      try {
        for (const n of changed) this.#fire(`change:${n}`, this.#state[n]);
        while (outermost && this.#pending) {
          this.#pending = false;
          this.#fire("change");
        }
      } finally {
        if (outermost) this.#changing = false;
      }
      return this;
    }

    save_changes() {}

    send() {}

    on(names, callback, owner) {
      for (const name of names.split(/\s+/)) this.#listeners.push({ name, callback, owner });
    }

    off(names, callback, owner) {
      const off = names?.split(/\s+/);
      this.#listeners = this.#listeners.filter(
        (l) =>
          (off && !off.includes(l.name)) ||
          (callback && callback !== l.callback) ||
          owner !== l.owner,
      );
    }

    #fire(name, ...values) {
      for (const listener of [...this.#listeners]) {
        if (listener.name === name) listener.callback.call(listener.owner, this, ...values, {});
      }
    }
  }

  // The model as one view, or `initialize`, sees it: `off()` ends what it began.
  function proxy(model, owner) {
    return {
      get: (name) => model.get(name),
      set: (name, value) => void model.set(name, value),
      save_changes() {},
      send() {},
      on: (names, callback) => model.on(names, callback, owner),
      off: (names, callback) => model.off(names, callback, owner),
      widget_manager: { get_model: async (id) => proxy(models.get(id.replace("IPY_MODEL_", "")), owner) },
    };
  }

  const experimental = {
    invoke: () => Promise.reject(new Error("this page has no kernel to call")),
  };

  // --- What the page keeps ---------------------------------------------------

  // A kept value counts only if it is of the kind that Python gave the trait.
  function fits(value, initial, limits) {
    if (typeof value !== typeof initial || Array.isArray(value) !== Array.isArray(initial)) return false;
    if (typeof value === "number") {
      const [low, high, whole] = limits ?? [];
      if (whole && !Number.isInteger(value)) return false;
      return Number.isFinite(value) && value >= (low ?? value) && value <= (high ?? value);
    }
    if (!Array.isArray(value)) return isObject(value) === isObject(initial);
    return value.every((item) => fits(item, initial.length ? initial[0] : item, limits));
  }

  const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value));

  function fromText(text, initial) {
    if (typeof initial === "string") return text;
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  // Names of this page and of its widgets that hold from build to build.
  const root = new URL(document.documentElement.dataset.content_root ?? "./", location.href);
  const page = location.pathname.replace(root.pathname, "").replace(/\.html$/, "");
  const seen = new Map();

  function stableName(model) {
    const kind = (model.get("_anywidget_id") ?? "widget").split(".").pop().toLowerCase();
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    return seen.get(kind) === 1 ? kind : `${kind}${seen.get(kind)}`;
  }

  function address(name) {
    const key = (trait) => `${name}.${trait}`;
    return {
      read: (trait) => new URLSearchParams(location.search).get(key(trait)),
      write(trait, text) {
        const url = new URL(location.href);
        if (text === null) url.searchParams.delete(key(trait));
        else url.searchParams.set(key(trait), text);
        try {
          history.replaceState(history.state, "", url);
        } catch {
          // the browser limits how often the address may change
        }
      },
    };
  }

  function device(name) {
    const key = (trait) => `attention-by-hand/${page}/${name}.${trait}`;
    const use = (action) => {
      try {
        return action();
      } catch {
        return null; // storage is closed to this page
      }
    };
    return {
      read: (trait) => use(() => localStorage.getItem(key(trait))),
      write: (trait, text) =>
        use(() =>
          text === null ? localStorage.removeItem(key(trait)) : localStorage.setItem(key(trait), text),
        ),
    };
  }

  // Take a trait's kept value, then keep it: a moment after it last changed, and
  // only where it differs from what the page was built with.
  // Returns what takes it back to that.
  function keep(model, trait, store, limits) {
    const initial = model.get(trait);
    const text = store.read(trait);
    const kept = text === null ? undefined : fromText(text, initial);
    if (kept !== undefined && fits(kept, initial, limits)) model.set(trait, kept);
    let timer;
    const write = () => {
      clearTimeout(timer);
      timer = undefined;
      const value = model.get(trait);
      store.write(trait, equal(value, initial) ? null : asText(value));
    };
    model.on(`change:${trait}`, () => {
      clearTimeout(timer);
      timer = setTimeout(write, 200);
    });
    addEventListener("pagehide", () => timer && write());
    return () => model.set(trait, initial);
  }

  const clearings = [];

  function offerToClear() {
    if (!clearings.length) return;
    const button = document.createElement("button");
    const status = document.createElement("span");
    const control = document.createElement("p");
    control.className = "clear";
    button.type = "button";
    button.className = "quiet";
    button.textContent = "Clear my answers on this device";
    status.setAttribute("role", "status");
    button.addEventListener("click", () => {
      for (const clear of clearings) clear();
      status.textContent = "Cleared on this page.";
    });
    control.append("What you enter on this page stays on this device. ", button, " ", status);
    document.querySelector("article").append(control);
  }

  function keepWhatThePageKeeps(model) {
    const { url = [], device: local = [], limits = {}, name: own } = model.get("_page") ?? {};
    const name = own ?? stableName(model);
    const here = device(name);
    for (const trait of local) clearings.push(keep(model, trait, here, limits[trait]));
    const shared = address(name);
    for (const trait of url) keep(model, trait, shared, limits[trait]);
  }

  // --- Modules, styles, views --------------------------------------------------

  const made = {};

  // The exports of one of the site's sources, which runs when first needed.
  const need = (name) => (made[name] ??= globalThis.abhSources[name](need));

  const modules = new Map();

  function importText(text) {
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    return import(url).finally(() => URL.revokeObjectURL(url));
  }

  async function widgetOf(code) {
    const found = isObject(code) ? need(code.module) : await importText(code);
    const widget = found.default ?? found;
    return typeof widget === "function" ? widget() : widget;
  }

  function load(code) {
    const key = asText(code);
    if (!modules.has(key)) modules.set(key, widgetOf(code));
    return modules.get(key);
  }

  const styled = new Set();

  function style(text) {
    if (!text || styled.has(text)) return;
    styled.add(text);
    const element = document.createElement("style");
    element.textContent = text;
    document.head.append(element);
  }

  const isFunction = (value) => typeof value === "function";
  const ready = new Map();

  // Load a model's module and run its `initialize`, once for all of its views.
  function start(model) {
    if (!ready.has(model)) {
      const begin = async () => {
        keepWhatThePageKeeps(model);
        style(model.get("_css"));
        const widget = await load(model.get("_esm"));
        const ended = new AbortController();
        const context = { model: proxy(model, {}), signal: ended.signal, experimental };
        const cleanup = await widget.initialize?.(context);
        addEventListener("pagehide", ({ persisted }) => {
          if (persisted) return;
          ended.abort();
          if (isFunction(cleanup)) cleanup();
        });
        return widget;
      };
      ready.set(model, begin());
    }
    return ready.get(model);
  }

  const views = new Map();

  async function show(model, place) {
    const widget = await start(model);
    const el = document.createElement("div");
    place.replaceChildren(el);
    const owner = {};
    const ended = new AbortController();
    const context = { model: proxy(model, owner), el, signal: ended.signal, experimental };
    const cleanup = await widget.render?.(context);
    views.set(place, () => {
      ended.abort();
      model.off(null, null, owner);
      if (isFunction(cleanup)) cleanup();
    });
  }

  function endViewsThatLeft() {
    for (const [place, end] of views) {
      if (place.isConnected) continue;
      views.delete(place);
      end();
    }
  }

  const models = new Map();

  function read() {
    for (const script of document.querySelectorAll(`script[type="${STATE}"]`)) {
      const all = JSON.parse(script.textContent).state;
      for (const [id, saved] of Object.entries(all)) {
        models.set(id, new Model(id, withBuffers(saved)));
      }
    }
  }

  function showAll() {
    for (const script of document.querySelectorAll(`script[type="${VIEW}"]`)) {
      const model = models.get(JSON.parse(script.textContent).model_id);
      const place = document.createElement("div");
      place.className = "widget";
      script.after(place);
      show(model, place).catch((error) => {
        place.textContent = "This figure could not start.";
        console.error(error);
      });
    }
  }

  read();
  showAll();
  offerToClear();
  new MutationObserver(endViewsThatLeft).observe(document.body, { childList: true, subtree: true });
})();
