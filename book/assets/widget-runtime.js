// Gives the widgets of a static page their models, with no kernel and no server.
//
// The page holds what Jupyter wrote: the state of each model and a place for each
// view. The code of the course's views are scripts of the site (book/widgets.py),
// named in `_esm`; that of a widget from elsewhere is in its state. A view gets the
// model that anywidget's front end would give it (get, set, on, off,
// save_changes, send, widget_manager) and cannot tell where it runs.
//
// What belongs to the page is done here: a model's `_page` trait names the model on
// its page (`name`) and the traits to keep in the address (`url`) and on the reader's
// device (`device`), and bounds them (`limits`: smallest, largest, whether whole; or
// the texts that there are). An address that sets a figure shows it open; one that
// asks for what cannot be is refused in words. The reader can open every figure at
// once, and clear what the device keeps.
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
    if (typeof value === "string") return limits?.one_of?.includes(value) ?? true;
    if (!Array.isArray(value)) return isObject(value) === isObject(initial);
    if (initial.length && value.length !== initial.length) return false;
    return value.every((item) => fits(item, initial.length ? initial[0] : item, limits));
  }

  // What a value should have been, for a reader.
  function wanted(initial, limits) {
    if (limits?.one_of) return `one of ${limits.one_of.join(", ")}`;
    if (typeof initial === "number") {
      const [low, high, whole] = limits ?? [];
      const range = [low != null && `from ${low}`, high != null && `to ${high}`].filter(Boolean).join(" ");
      return `a ${whole ? "whole " : ""}number ${range}`.trim();
    }
    return `of the form ${asText(initial)}`;
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

  // Where the page lies in the site.
  const root = new URL(document.documentElement.dataset.content_root ?? "./", location.href);
  const page = location.pathname.replace(root.pathname, "").replace(/\.html$/, "");

  function setInAddress(key, text) {
    const url = new URL(location.href);
    if (text === null) url.searchParams.delete(key);
    else url.searchParams.set(key, text);
    try {
      history.replaceState(history.state, "", url);
    } catch {
      // the browser limits how often the address may change
    }
  }

  const use = (action) => {
    try {
      return action();
    } catch {
      return null; // storage is closed to this page
    }
  };
  const stored = (key) => use(() => localStorage.getItem(key));
  const store = (key, text) =>
    use(() => (text === null ? localStorage.removeItem(key) : localStorage.setItem(key, text)));

  // Keep a trait: a moment after it last changed, and only where it differs from what
  // the page was built with.
  function keep(model, trait, initial, write) {
    let timer;
    const writeNow = () => {
      clearTimeout(timer);
      timer = undefined;
      const value = model.get(trait);
      write(equal(value, initial) ? null : asText(value));
    };
    model.on(`change:${trait}`, () => {
      clearTimeout(timer);
      timer = setTimeout(writeNow, 200);
    });
    addEventListener("pagehide", () => timer && writeNow());
  }

  // What the address asks of a figure, or why it cannot have it.
  function askedOf(model, { name, url = [], limits = {} }, search) {
    const asked = {};
    for (const [key, text] of new URLSearchParams(search)) {
      if (!key.startsWith(`${name}.`)) continue;
      const trait = key.slice(name.length + 1);
      if (!url.includes(trait)) return { refused: `\u201c${trait}\u201d, which this figure does not have` };
      const initial = model.get(trait);
      asked[trait] = fromText(text, initial);
      if (asked[trait] !== undefined && fits(asked[trait], initial, limits[trait])) continue;
      return { refused: `${trait} = \u201c${text}\u201d; it should be ${wanted(initial, limits[trait])}` };
    }
    return { asked };
  }

  const clearings = [];
  const refusals = new Map(); // what is said above a figure
  const linked = new Set(); // models that the address has set

  const firsts = new Map(); // what the traits of a model's address were built with

  function setFrom(model, asked) {
    model.set({ ...asked, ...(model.get("opened") === false ? { opened: true } : {}) });
    linked.add(model);
  }

  function takeFromAddress(model, kept) {
    const { asked, refused } = askedOf(model, kept, location.search);
    const initials = kept.url.map((trait) => [trait, model.get(trait)]);
    firsts.set(model, initials);
    if (refused) refusals.set(model, `The address asks for ${refused}. This is the figure\u2019s first state.`);
    else if (Object.keys(asked).length) setFrom(model, asked);
    for (const [trait, initial] of initials) {
      keep(model, trait, initial, (text) => setInAddress(`${kept.name}.${trait}`, text));
    }
  }

  function takeFromDevice(model, { name, device, limits = {} }) {
    for (const trait of device) {
      const key = `attention-by-hand/${page}/${name}.${trait}`;
      const initial = model.get(trait);
      const text = stored(key);
      const value = text === null ? undefined : fromText(text, initial);
      if (value !== undefined && fits(value, initial, limits[trait])) model.set(trait, value);
      keep(model, trait, initial, (written) => store(key, written));
      clearings.push(() => model.set(trait, initial));
    }
  }

  function keepWhatThePageKeeps(model) {
    const kept = { url: [], device: [], ...model.get("_page") };
    if (!kept.name) return;
    takeFromDevice(model, kept);
    takeFromAddress(model, kept);
  }

  // --- What stands on the page beside the figures ---------------------------------

  function paragraph(className, ...content) {
    const node = document.createElement("p");
    node.className = className;
    node.append(...content);
    return node;
  }

  function quietButton(text, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet";
    button.textContent = text;
    button.addEventListener("click", act);
    return button;
  }

  // The address of a figure in its present state.
  function linkTo(model) {
    const { name } = model.get("_page");
    const link = new URL(location.pathname, location.href);
    for (const [trait, first] of firsts.get(model)) {
      const value = model.get(trait);
      if (!equal(value, first)) link.searchParams.set(`${name}.${trait}`, asText(value));
    }
    link.hash = `fig-${name}`;
    return link.href;
  }

  // A card whose state goes into an address says that address.
  function offerLink(model, place) {
    const card = place.querySelector(".abh-card");
    if (!card || !firsts.get(model)?.length) return;
    const status = document.createElement("span");
    status.setAttribute("role", "status");
    const button = quietButton("Copy link", async () => {
      const link = linkTo(model);
      try {
        await navigator.clipboard.writeText(link);
        status.textContent = "Copied: a link to this figure as it is now.";
      } catch {
        status.textContent = link; // no clipboard: to be selected by hand
      }
    });
    card.append(paragraph("link", status, " ", button));
  }

  // A link of the text that sets a figure of this page sets it at once.
  function followLinksInPlace() {
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[href*='?']");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (link.origin + link.pathname !== location.origin + location.pathname) return;
      for (const [model] of firsts) {
        const { asked, refused } = askedOf(model, model.get("_page"), link.search);
        if (refused || !Object.keys(asked).length) continue;
        event.preventDefault();
        setFrom(model, asked);
        const place = document.getElementById(`fig-${model.get("_page").name}`);
        place?.scrollIntoView({ block: "nearest" });
      }
    });
  }

  // An address may name a figure that the page has not.
  function refuseUnknownFigures() {
    const names = new Set([...models.values()].map((model) => model.get("_page")?.name));
    for (const key of new URLSearchParams(location.search).keys()) {
      const [, name] = key.match(/^([\w-]+)\.\w+$/) ?? [];
      if (!name || names.has(name)) continue;
      const said = paragraph("refused", `The address names a figure \u201c${name}\u201d, and this page has none of that name.`);
      said.setAttribute("role", "status");
      document.querySelector("article").prepend(said);
    }
  }

  const OPEN = "attention-by-hand/open";
  const asking = () => [...models.values()].filter((model) => model.get("question")?.prompt);

  // One button skips the question of every figure, here and on the pages to come.
  function offerToOpenEverything() {
    if (!asking().length) return () => {};
    const button = quietButton("Open everything", () => set(button.ariaPressed !== "true"));
    const show = (open) => {
      button.ariaPressed = String(open);
      for (const model of asking()) model.set("opened", open || linked.has(model));
    };
    const set = (open) => {
      store(OPEN, open ? "1" : null);
      setInAddress("open", open ? "everything" : null);
      show(open);
    };
    button.title = "Show every figure of the course without its question";
    button.classList.add("open-everything");
    const strap = document.querySelector(".strap");
    if (strap) strap.append(button);
    else document.querySelector("article").prepend(paragraph("strap", button));
    show(stored(OPEN) !== null || new URLSearchParams(location.search).get("open") === "everything");
    return () => {
      linked.clear();
      set(false);
    };
  }

  function offerToClear(close) {
    if (!clearings.length) return;
    const status = document.createElement("span");
    status.setAttribute("role", "status");
    const button = quietButton("Clear my answers on this device", () => {
      for (const clear of clearings) clear();
      close();
      status.textContent = "Cleared on this page.";
    });
    document.querySelector("article").append(
      paragraph("clear", "What you enter on this page stays on this device. ", button, " ", status));
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
    const refused = refusals.has(model) ? [paragraph("refused", refusals.get(model))] : [];
    for (const said of refused) said.setAttribute("role", "status");
    place.replaceChildren(...refused, el);
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
    const shown = [...document.querySelectorAll(`script[type="${VIEW}"]`)].map((script) => {
      const model = models.get(JSON.parse(script.textContent).model_id);
      const place = script.closest(".widget");
      return show(model, place)
        .catch((error) => {
          place.textContent = "This figure could not start.";
          console.error(error);
        })
        .then(() => {
          offerLink(model, place);
          return [model, place];
        });
    });
    return Promise.all(shown);
  }

  // Figures have their height only now: go again to what the address names, or to the
  // first figure that it sets.
  function goToWhatIsNamed(shown) {
    const [, first] = shown.find(([model]) => linked.has(model)) ?? [];
    const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    (location.hash ? named : first)?.scrollIntoView();
  }

  read();
  const shown = showAll();
  refuseUnknownFigures();
  offerToClear(offerToOpenEverything());
  followLinksInPlace();
  shown.then(goToWhatIsNamed);
  new MutationObserver(endViewsThatLeft).observe(document.body, { childList: true, subtree: true });
})();
