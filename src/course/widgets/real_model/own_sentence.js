// The reader's own sentence: the real model runs in the page, in a worker of the site.

import { bars } from "../card/drawings.js";
import { MAIN, button, html, setHidden, setText } from "../card/elements.js";
import { counted } from "../card/numbers.js";
import { inSite, isInSite } from "./maps.js";

const FOLDER = "_static/model/"; // written by book/model
const [SHOWN, LABEL] = [8, 10]; // number of next tokens, and of characters in a label
const TOO_LITTLE = 1; // gigabytes of memory that are too little; the model takes 0.35
const valueOf = (stop) => stop.split("/").map(Number).reduce((a, b) => a / b); // of a text such as "1/8"

/** Return the reason why the model cannot run here, as a text; "" if it can. */
function obstacle() {
  if (!isInSite()) return "The model runs in the page on the course's site. In a notebook, experiments.read reads a sentence of your own.";
  if (location.protocol === "file:") return "This page was opened from a file. The model needs a web server: make serve starts one.";
  if (/** @type {any} */ (navigator).deviceMemory <= TOO_LITTLE) return "This device has too little memory. The model needs 350 MB.";
  if (typeof Worker === "undefined") return "This browser cannot run the model: it has no workers.";
  return "";
}

/** Fetch the site's description of the model's file: { sha256, store, pieces }. */
async function describedFile() {
  const answer = await fetch(inSite(`${FOLDER}index.json`));
  const file = answer.ok ? await answer.json() : { pieces: [] };
  if (!file.pieces.length) throw new Error("This site was built without the model. In the course's repository, type: course model. Then type: make book.");
  return file;
}

/** Start the worker from a text, so that the security policy of the page applies to it. */
async function startWorker() {
  const answer = await fetch(inSite(`${FOLDER}worker.js`));
  if (!answer.ok) throw new Error(`worker.js is not there (${answer.status})`);
  const address = URL.createObjectURL(new Blob([await answer.text()], { type: "text/javascript" }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  return worker;
}

const inMegabytes = (bytes) => (bytes / 1e6).toFixed(0);

/**
 * Build the part of the card in which the reader gives a sentence to the model.
 *
 * show({ words, maps }): called when the model has read a sentence
 * Returns { node, clear }; clear() removes the result.
 */
export function ownSentence({ model, put, watch, signal }, show) {
  const stops = model.get("stops");
  const heads = model.get("heads");
  const field = html("input", { type: "text", class: "abh-field abh-sentence", maxlength: 200, autocomplete: "off", "aria-label": "Your own sentence" });
  const go = button("Fetch the model: 98 MB, once", () => begin(), MAIN);
  const stop = button("Stop", () => end("Stopped."), MAIN);
  const more = button("Write the next token", () => {
    added = [...added, next[0][0]];
    read();
  }, MAIN);
  setHidden(stop, true);
  setHidden(more, true);
  const without = html("input", { type: "checkbox", onchange: () => put("without", without.checked) });
  const sharpnessList = html("select", { class: "abh-field", onchange: () => put("sharpness", sharpnessList.selectedIndex) }, ...stops.map((each) => html("option", {}, each)));
  const status = html("p", { class: "abh-note", role: "status" }, "The model reads up to 32 tokens here, on this device. The sentence leaves the device only in a link that you copy.");
  const chances = bars({ key: "own", name: "The next token", labels: Array.from({ length: SHOWN }, () => "\u00a0".repeat(LABEL)) });
  const names = [...chances.node.querySelectorAll("[role=rowheader]")];
  const result = html("div", {}); // holds the bars once there are some
  const node = html("details", { class: "abh-own" }, html("summary", {}, "Your own sentence"),
    html("div", { class: "abh-fields" }, field, go, stop),
    html("div", { class: "abh-fields" },
      html("label", { class: "abh-check" }, without, html("span", {}, "Switch the opened head off")),
      html("label", {}, "Sharpness of all heads ", sharpnessList), more),
    status, result);

  /** @type {Promise<Worker> | undefined} */
  let starting;
  /** @type {Worker | undefined} */
  let worker; // defined after the worker has started
  let isLoaded = false;
  let newest = 0; // id of the newest message; answers to older messages are ignored
  let text = ""; // the sentence of the last press of `go`; the field may hold another one
  let added = []; // tokens that the model has written
  let next = []; // [token, text, probability]
  /** Write the status, and show the buttons that fit the status. */
  const say = (words, isBusy) => {
    setText(status, words);
    setHidden(stop, !isBusy);
    setHidden(more, isBusy || !next.length);
    status.ariaBusy = String(isBusy);
  };
  const end = (words) => {
    worker?.postMessage({ id: ++newest });
    say(words, false);
  };
  const offHead = () => heads * model.get("layer") + model.get("head");
  const read = () => {
    if (!isLoaded || !text) return;
    say("Computing", true);
    const off = model.get("without") ? [offHead()] : [];
    worker?.postMessage({ id: ++newest, text, added, beta: valueOf(stops[model.get("sharpness")]), off });
  };
  const receive = ({ data }) => {
    if (data.id !== newest) return;
    if (data.broken) end(`The model stopped: ${data.broken}.`);
    else if (data.fetched) say(`Fetching the model: ${inMegabytes(data.fetched)} of 98 MB`, true);
    else if (data.layer) say(`Computing: layer ${data.layer} of 30`, true);
    else if (data.isLoaded) {
      isLoaded = true;
      setText(go, "Read the sentence");
      end("The model is ready. Write a sentence and press the button.");
      begin();
    } else {
      next = data.next;
      names.forEach((name, i) => setText(name, next[i][1].replace(/\n/g, "⏎") || "·"));
      chances.update(next.map(([, , chance]) => chance));
      result.replaceChildren(chances.node);
      end(`The model has read ${counted(data.words.length, "token")}.`);
      show({ words: data.words.map((word) => word.trim() || "·"), maps: new DataView(data.maps.buffer) });
    }
  };
  const load = async () => {
    const why = obstacle();
    if (why) return void say(why, false);
    const id = ++newest;
    say("Fetching the model", true);
    try {
      const { pieces, store, sha256 } = await describedFile();
      starting ??= startWorker().catch((error) => {
        starting = undefined; // the next press of the button fetches again
        throw error;
      });
      const started = await starting;
      worker = started;
      started.onmessage = receive;
      started.onerror = () => end("The model stopped: this browser did not give it enough memory.");
      if (id === newest) started.postMessage({ id, load: { base: inSite(FOLDER), pieces, store, sha256 } });
    } catch (error) {
      if (id === newest) end(error.message);
    }
    return undefined;
  };
  const begin = () => {
    added = [];
    text = field.value.trim();
    put("own", text);
    return isLoaded ? read() : load();
  };
  field.addEventListener("keydown", ({ key }) => key === "Enter" && begin());
  signal.addEventListener("abort", () => worker?.terminate());
  watch(["own"], () => {
    if (field.value.trim() !== model.get("own")) field.value = model.get("own");
    if (model.get("own")) node.open = true;
  });
  watch(["without", "sharpness"], () => {
    without.checked = model.get("without");
    sharpnessList.selectedIndex = model.get("sharpness");
    if (next.length) read();
  });
  watch(["layer", "head"], () => model.get("without") && next.length && read());
  const clear = () => {
    [added, next] = [[], []];
    result.replaceChildren();
    if (isLoaded) end("The model is ready.");
  };
  return { node, clear };
}
