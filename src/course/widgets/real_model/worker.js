// The worker that runs the model of chapter 9 in the page. book/model writes its script.
//
// In:  { id, load: { base, store, sha256, pieces } } fetches the file;
//      { id, text, added, beta, off } reads a text and the tokens that were added to it;
//      { id } stops. A newer message ends the work of an older message.
// Out: { id, fetched }, { id, isLoaded }, { id, layer }, { id, broken }, or
//      { id, words, maps, next: [[token, text, probability]] }.

import { likeliest, modelOf, packed } from "./language_model.js";

const LONGEST = 32; // tokens
const PAUSE = 50; // milliseconds of work after which newer messages may arrive

let model;
let newest = 0;
let lastPause = 0;

/** Let newer messages arrive, then return whether this message is still the newest. */
async function isNewest(id) {
  if (performance.now() - lastPause > PAUSE) {
    await new Promise((go) => setTimeout(go));
    lastPause = performance.now();
  }
  return id === newest;
}

/** Open the browser's cache of this name: { match, put }. */
async function openCache(store) {
  try {
    return await caches.open(store);
  } catch {
    return { match: async () => undefined, put: async () => {} }; // this browser keeps nothing
  }
}

/** Return the file, fetched or from the cache; undefined after a newer message. */
async function fetchFile(id, { base, store, sha256, pieces }) {
  const whole = new Uint8Array(pieces.reduce((sum, { size }) => sum + size, 0));
  const kept = await openCache(store);
  let at = 0;
  for (const { name } of pieces) {
    const address = new URL(name, base).href;
    const found = await kept.match(address);
    const response = found ?? (await fetch(address));
    if (!response.ok) throw new Error(`${name} is not there (${response.status})`);
    const begin = at;
    for (const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      whole.set(value, at);
      at += value.length;
      postMessage({ id, fetched: at });
      if (!(await isNewest(id))) return void reader.cancel();
    }
    // A full cache is no error: the next visit fetches the piece again.
    if (!found) await kept.put(address, new Response(whole.slice(begin, at))).catch(() => {});
  }
  if (globalThis.crypto?.subtle) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
    if (Array.from(digest, (b) => b.toString(16).padStart(2, "0")).join("") !== sha256) {
      await caches.delete(store).catch(() => {});
      throw new Error("the model arrived with errors. Fetch the model again");
    }
  }
  return whole.buffer;
}

async function answer({ id, load, text, added, beta, off }) {
  if (load) {
    const buffer = await fetchFile(id, load);
    if (!buffer) return;
    model = modelOf(buffer);
    postMessage({ id, isLoaded: true });
  } else if (text !== undefined) {
    const tokens = [...model.encode(text), ...added];
    if (tokens.length > LONGEST) throw new Error(`a sentence must have at most ${LONGEST} tokens, this one has ${tokens.length}`);
    const found = await model.read(tokens, { beta, off }, (number) => {
      postMessage({ id, layer: number });
      return isNewest(id);
    });
    if (!found) return;
    const next = likeliest(found.scores).map(([token, chance]) => [token, model.decode(token), chance]);
    postMessage({ id, words: tokens.map(model.decode), maps: packed(found.rows, model.sizes.heads), next });
  }
}

onmessage = ({ data }) => {
  newest = data.id;
  answer(data).catch((error) => postMessage({ id: data.id, broken: error.message }));
};
