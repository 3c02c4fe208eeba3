// Runs Python in the page: one worker, one cell at a time.

import { root } from "../runtime/storage.js";

const { folder, files, worker: text } = globalThis.abhLive;

const totalSize = Object.values(files).reduce((sum, { size }) => sum + size, 0);

const inMegabytes = (bytes) => (bytes / 1e6).toFixed(1);

let worker;
let isReady = false;
let isFetched = false;
let task; // the run that waits for the worker's result: { print, say, settle, began }

function start() {
  const head = `const BASE = ${JSON.stringify(new URL(folder, root).href)};\nconst FILES = ${JSON.stringify(files)};\n`;
  const url = URL.createObjectURL(new Blob([head, text], { type: "text/javascript" }));
  worker = new Worker(url, { type: "module" });
  worker.onmessage = hear;
  worker.onerror = (event) => end(`Python could not start: ${event.message ?? "this browser refused the worker"}.`);
}

function close() {
  worker?.terminate();
  worker = undefined;
  isReady = false;
}

function settle(result) {
  const ended = task;
  task = undefined;
  ended?.settle({ time: performance.now() - ended.began, ...result });
}

function end(broken) {
  close();
  settle({ broken });
}

function hear({ data }) {
  if (data.broken) end(data.broken);
  else if (data.result) {
    if (data.result.large) close();
    settle(data.result);
  } else if (data.started) {
    isReady = true;
    if (task) task.began = performance.now(); // do not count the time that Python took to start
    task?.say("Running");
  } else if (data.progress) task?.say(`Running: ${data.progress}`);
  else if (data.whole) {
    isFetched = true;
    task?.say("Starting Python");
  } else if (data.fetched && !isFetched) task?.say(`Fetching Python: ${inMegabytes(data.fetched)} of ${inMegabytes(totalSize)} MB`);
  else if (typeof data.text === "string") task?.print(data.index, data.text);
}

/** Return whether a cell runs. */
export const isBusy = () => Boolean(task);

/** Return whether Python was fetched, so that the next run downloads nothing. */
export const hasPython = () => isFetched;

/**
 * Run a cell; return a promise of an object. It has the fields of `RunResult` (session.py), or
 * `stopped` after `stop`, or `broken`: why Python ended. It also has `time`, in milliseconds.
 *
 * @param {{ cells: string[], index: number, figures: object }} asked The current sources of
 *   all cells; the index of the cell to run; the values of the page's figures (runtime/figures.js).
 * @param {{ print: (index: number, text: string) => void, say: (text: string) => void }} report
 */
export function run(asked, { print, say }) {
  return new Promise((done) => {
    task = { print, say, settle: done, began: performance.now() };
    if (!worker) start();
    say(isReady ? "Running" : "Starting Python");
    worker.postMessage(asked);
  });
}

/**
 * End the run and Python's worker: nothing else stops a cell in an endless loop. A new Python
 * starts at once, while the reader edits. It starts with the next run on phones, which have
 * little memory, and if Python was not fetched yet: Stop also ends the download.
 */
export function stop() {
  close();
  settle({ stopped: true });
  if (isFetched && !matchMedia("(pointer: coarse)").matches) start();
}
