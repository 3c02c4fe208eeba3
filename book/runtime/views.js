// The code and the style of views, and their places on the page.

import { figures } from "./figure.js";
import { proxy } from "./model.js";
import { needed } from "./sources.js";
import { asText, isFunction, isObject } from "../../src/course/widgets/card/values.js";

const experimental = {
  invoke: () => Promise.reject(new Error("this page has no kernel to call")),
};

function importText(text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return import(url).finally(() => URL.revokeObjectURL(url));
}

async function widgetOf(code) {
  const found = isObject(code) ? needed(code.module) : await importText(code);
  const widget = found.default ?? found;
  return isFunction(widget) ? widget() : widget;
}

const modules = new Map();

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

const ready = new Map();

// Load a model's module and run its `initialize`, once for all of its views.
function start(model, prepare) {
  if (!ready.has(model)) {
    const begin = async () => {
      style(model.get("_css"));
      const widget = await load(model.get("_esm"));
      prepare(model, widget);
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

/** Show a model in its place; `prepare` is called once, before anything runs. */
export async function show(model, place, prepare) {
  const widget = await start(model, prepare);
  const el = document.createElement("div");
  const notes = figures.has(model) ? [figures.get(model).notes()] : [];
  place.replaceChildren(...notes, el);
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

export function endViewsThatLeft() {
  for (const [place, end] of views) {
    if (place.isConnected) continue;
    views.delete(place);
    end();
  }
}
