// The machine on one sentence, and what of it there is when so many words are written.

import { cut as withoutParts, largest, translate } from "./forward.js";
import { SUBLAYERS, cut } from "./names.js";

const SHOWN = 8; // words whose logits the matrix shows

/** Numbers 1 to n as labels. */
const counted = (n) => Array.from({ length: n }, (_, i) => String(i + 1));

/** Matrices that follow one word: their rows, each a title and the matrix it is taken from. */
export const FOLLOWED = {
  stream: (side, { num_layers }) => [["in", `${side}.input`],
    ...counted(num_layers).flatMap((layer) => SUBLAYERS[side].map((sublayer) =>
      [`${layer}, ${sublayer.split("_")[0]}`, `${side}.${Number(layer) - 1}.${sublayer}.norm`]))],
  parts: (at, { num_heads }) => [
    ...counted(num_heads).map((head) => [`head ${head}`, `${at}.head.${Number(head) - 1}.added`]),
    ["sum", `${at}.output`]],
};

/**
 * A translation with everything that led to it.
 *
 * off, means: as of `cut` in forward.js; forced, beta, seed: as of `translate`, but with
 * French words, or "", where words are forced; from: an earlier run, of which is kept what holds
 */
export class Run {
  /**
   * @param {any} model
   * @param {any} words
   * @param {string[]} english
   * @param {{ off?: string[], means?: any, forced?: string[], beta?: number, seed?: number, from?: any }} how
   */
  constructor(model, words, english, { off = [], means = null, forced = [], beta = 1, seed = 0, from = null } = {}) {
    const source = english.map((word) => words.english.indexOf(word));
    this.english = english;
    this.cut = JSON.stringify([off, off.length > 0 && means !== null]);
    this.machine = from?.cut === this.cut ? from.machine : off.length ? withoutParts(model, off, means) : model;
    this.words = words;
    this.forced = forced;
    const wanted = forced.map((word) => (word ? words.french.indexOf(word) : undefined));
    this.found = translate(this.machine, source, words, { forced: wanted, beta, seed, from: from?.found });
    const { target, last, matrices } = this.found;
    this.matrices = matrices;
    this.read = target.map((number) => words.french[number]); // by the decoder
    this.hasEnded = last === words.end;
    this.written = [...this.read.slice(1), words.french[last]];
  }

  /** The French words, without the mark of the end. */
  get french() {
    return this.read.slice(1);
  }

  /** Labels of one side of a matrix; the decoder has read so many words. */
  labels(kind, size, seen) {
    if (kind === "english") return this.english;
    return kind === "french" ? this.read.slice(0, seen) : counted(size);
  }

  /** What a row is called: of the decoder the word that was read, and the one that comes. */
  rowLabels(kind, size, seen) {
    const labels = this.labels(kind, size, seen);
    return kind === "french" ? labels.map((word, i) => `${word} → ${this.written[i]}`) : labels;
  }

  /**
   * A matrix as far as it exists by now, with the names of its rows and columns.
   *
   * `of` is the word whose row is followed where a matrix shows one word alone.
   */
  shown(name, seen, of = 0) {
    if (FOLLOWED[cut(name)[1]]) return this.followed(name, of);
    const { values, rows, columns } = this.matrices[name];
    const labels = [this.rowLabels(rows, values.length, seen), this.labels(columns, values[0].length, seen)];
    const nextWord = name === "decoder.logits";
    const chosen = nextWord ? largest(values[seen - 1], SHOWN) : labels[1].map((_, j) => j);
    return {
      values: labels[0].map((_, i) => chosen.map((j) => values[i][j])),
      rows: labels[0],
      columns: nextWord ? chosen.map((j) => this.words.french[j]) : labels[1],
      scale: name.endsWith(".weights") ? "weights" : "signed",
      cell: (i, j) => [name, i, chosen[j]],
    };
  }

  /** All matrices without what belongs to words that are not written yet. */
  known(seen) {
    const sofar = (kind, list) => (kind === "french" ? list.slice(0, seen) : list);
    return Object.fromEntries(Object.entries(this.matrices).map(([name, matrix]) => [name, {
      ...matrix, values: sofar(matrix.rows, matrix.values).map((row) => sofar(matrix.columns, row)),
    }]));
  }

  /** One word's row in several matrices, one below the other. */
  followed(name, of) {
    const [at, last] = cut(name);
    const stations = FOLLOWED[last](at, this.machine.config);
    const values = stations.map(([, station]) => this.matrices[station].values[of]);
    return {
      values, rows: stations.map(([title]) => title), columns: counted(values[0].length), scale: "signed",
      cell: (i, j) => [stations[i][1], of, j],
    };
  }
}
