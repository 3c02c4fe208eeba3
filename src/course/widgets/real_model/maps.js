// Maps of the stored sentences. A page fetches the maps of a sentence when it shows them.

import { bytesOf } from "../card/values.js";

const FOLDER = "_static/maps/"; // one script for each sentence, written by book/widgets.py

/** Whether this is a page of the site, and not a notebook. */
export const isInSite = () => document.documentElement.dataset.content_root !== undefined;

/** The address of a file of the site. */
export const inSite = (path) => new URL(path, new URL(document.documentElement.dataset.content_root ?? "./", location.href)).href;

/**
 * Fetch the maps of a sentence by its file's name, as a script: a page that was opened from
 * a file may load only scripts.
 */
function fetchMaps(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.onload = () => resolve(new DataView(bytesOf(globalThis.abhMaps[name]).buffer));
    script.onerror = reject;
    script.src = inSite(`${FOLDER}${name}.js`);
    document.head.append(script);
  });
}

/**
 * Return mapsOf(sentence), which returns a DataView of all maps, or undefined until they arrive.
 *
 * arrived(): called when the maps of a sentence have arrived
 * failed(sentence): called when they cannot be fetched; the next call of mapsOf fetches again
 */
export function storedMaps({ model, watch }, arrived, failed) {
  const found = new Map();
  const asked = new Set();
  watch(["maps"], () => found.set(model.get("mapped"), model.get("maps")));
  return (sentence) => {
    if (!found.has(sentence) && !asked.has(sentence) && isInSite()) {
      asked.add(sentence);
      const keep = (maps) => {
        found.set(sentence, maps);
        arrived();
      };
      fetchMaps(model.get("files")[sentence]).then(keep, () => {
        asked.delete(sentence);
        failed(sentence);
      });
    }
    return found.get(sentence);
  };
}
