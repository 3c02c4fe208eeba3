// The models of a page, as anywidget's front end gives them to a view.

import { equal, isObject } from "../../src/course/widgets/card/values.js";

export const models = new Map();

export class Model {
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
    for (const listener of this.#listeners.slice()) {
      if (listener.name === name) listener.callback.call(listener.owner, this, ...values, {});
    }
  }
}

// The model as one view, or `initialize`, sees it: `off()` ends what it began.
export function proxy(model, owner) {
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
