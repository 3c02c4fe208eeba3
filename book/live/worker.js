// The worker: Python, NumPy and the course's own code. It runs as a blob, for only so does
// it stand under the page's policy; engine.js writes before it where the files lie:
//   const BASE = "<address of the folder>";
//   const FILES = { "<name>": { at: "<address in it>", size: <bytes>, packed: <true if gzipped> } };
// It is sent { cells, built, place, figures } and sends { fetched }, { started }, { place,
// text } for what a cell prints, { progress }, and { told } or { broken } at the end.

const LARGEST = 512 * 2 ** 20; // bytes of memory, which never becomes less
const fetchAnything = self.fetch.bind(self);
let fetched = 0;
let toldOf = 0;

function count(bytes) {
  fetched += bytes;
  const now = performance.now();
  if (now - toldOf < 100) return;
  toldOf = now;
  postMessage({ fetched });
}

// What was once fetched is not asked for again: an address holds a digest of its file.
async function download({ at, packed }) {
  const response = await fetchAnything(new URL(at, BASE), { cache: "force-cache" });
  if (!response.ok) throw new Error(`${at} is not there (${response.status})`);
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, rest) {
      count(chunk.byteLength);
      rest.enqueue(chunk);
    },
  }));
  const whole = packed ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  return new Response(whole).arrayBuffer();
}

const contents = Object.fromEntries(Object.entries(FILES).map(([name, file]) => [name, download(file)]));

async function imported(name) {
  const url = URL.createObjectURL(new Blob([await contents[name]], { type: "text/javascript" }));
  return import(url).finally(() => URL.revokeObjectURL(url));
}

// Pyodide fetches its parts by their names.
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
    (place, text) => postMessage({ place, text }),
    (progress) => postMessage({ progress }),
  );
  for (const name of Object.keys(contents)) delete contents[name];
  self.fetch = fetchAnything;
  postMessage({ started: true });
  return { python, session };
}

const engine = start();
engine.catch((error) => postMessage({ broken: `Python could not start: ${error.message}.` }));

self.onmessage = async ({ data: { cells, built, place, figures } }) => {
  const { python, session } = await engine;
  try {
    const told = session.run(python.toPy(cells), place, python.toPy(built), python.toPy(figures)).toJs({ dict_converter: Object.fromEntries });
    const large = python._module.HEAPU8.length > LARGEST;
    postMessage({ told: { ...told, large } });
  } catch (error) {
    postMessage({ broken: `Python broke down (${String(error.message ?? error).trim().split("\n").pop()}).` });
  }
};
