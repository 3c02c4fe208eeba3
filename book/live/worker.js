// Python, NumPy and the course's code. The page starts this worker from a `blob:` URL, because only
// such a worker inherits the page's policy. engine.js writes the files' addresses before this text:
//   const BASE = "<address of the folder>";
//   const FILES = { "<name>": { at: "<address in it>", size: <bytes>, gzipped: <true if gzipped> } };
// The worker receives { cells, index, figures }. It sends { fetched }, with `whole` after the last file,
// and { started }, or { broken } if Python cannot start. For a run it sends { index, text } for
// printed text, { progress }, and at the end { result } or { broken }.

// Bytes. WebAssembly memory never shrinks, so engine.js ends a worker with more after its run.
const LARGEST = 512 * 2 ** 20;
const fetchAnything = self.fetch.bind(self);
let fetched = 0; // bytes
let lastSent = 0; // milliseconds

function count(bytes) {
  fetched += bytes;
  const now = performance.now();
  if (now - lastSent < 100) return;
  lastSent = now;
  postMessage({ fetched });
}

// The browser's store of files between visits. It exists only over https or on localhost. Each
// address ends with a digest, and the worker stores only a file that matches its digest.
const STORE = "attention-by-hand-python";
const store = Promise.resolve().then(() => caches.open(STORE)).catch(() => undefined);
const addressOf = ({ at }) => new URL(at, BASE).href;

async function keep(address, bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const digits = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (digits.startsWith(address.split("?")[1])) await (await store).put(address, new Response(bytes));
}

/** Delete stored files of older versions of this site, which have other addresses. */
async function forgetOld() {
  const current = Object.values(FILES).map(addressOf);
  const files = await store;
  for (const { url } of await files.keys()) if (url.startsWith(BASE) && !current.includes(url)) files.delete(url);
}

async function download(file) {
  const address = addressOf(file);
  const found = await (await store)?.match(address);
  const response = found ?? await fetchAnything(address, { cache: "force-cache" });
  if (!response.ok) throw new Error(`${file.at} is not there (${response.status})`);
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      count(chunk.byteLength);
      controller.enqueue(chunk);
    },
  }));
  const bytes = await new Response(counted).arrayBuffer();
  if (!found && await store) keep(address, bytes).catch(() => {}); // the store may be full
  if (!file.gzipped) return bytes;
  return new Response(new Response(bytes).body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

const contents = Object.fromEntries(Object.entries(FILES).map(([name, file]) => [name, download(file)]));

async function imported(name) {
  const url = URL.createObjectURL(new Blob([await contents[name]], { type: "text/javascript" }));
  return import(url).finally(() => URL.revokeObjectURL(url));
}

// Pyodide fetches its files by name. This replacement of `fetch` takes the files from `contents`.
self.fetch = async (address, options) => {
  const name = String(address.url ?? address).split("/").pop();
  if (!(name in contents)) return fetchAnything(address, options);
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(await contents[name], { headers: { "content-type": type } });
};

async function start() {
  await imported("pyodide.asm.js");
  const { loadPyodide } = await imported("pyodide.mjs");
  await Promise.all(Object.values(contents));
  postMessage({ fetched, whole: true });
  const python = await loadPyodide({ indexURL: BASE, stdout() {}, stderr() {}, stdin: () => null });
  await python.loadPackage("numpy", { checkIntegrity: false, messageCallback() {} });
  python.unpackArchive(await contents["course.zip"], "zip", { extractDir: "/course" });
  python.runPython("import sys; sys.path.insert(0, '/course'); sys.dont_write_bytecode = True");
  const session = python.pyimport("in_page.session").Session(
    (index, text) => postMessage({ index, text }),
    (progress) => postMessage({ progress }),
  );
  for (const name of Object.keys(contents)) delete contents[name];
  self.fetch = fetchAnything;
  postMessage({ started: true });
  forgetOld().catch(() => {});
  return { python, session };
}

const engine = start();
engine.catch((error) => postMessage({ broken: `Python could not start: ${error.message}.` }));

self.onmessage = async ({ data: { cells, index, figures } }) => {
  const { python, session } = await engine;
  try {
    const result = session.run(python.toPy(cells), index, python.toPy(figures)).toJs({ dict_converter: Object.fromEntries });
    const large = python._module.HEAPU8.length > LARGEST;
    postMessage({ result: { ...result, large } });
  } catch (error) {
    postMessage({ broken: `Python broke down (${String(error.message ?? error).trim().split("\n").pop()}).` });
  }
};
