// A run of the machine on one sentence, and its matrices after each written word.

import { cut, largest, translate } from "./forward.js";
import { SUBLAYERS, splitName } from "./names.js";

const MOST_LOGITS = 8; // number of words whose logits the matrix shows

/** Numbers 1 to n as labels. */
const counted = (n) => Array.from({ length: n }, (_, i) => String(i + 1));

/** Matrices of one word. Each row [title, name] is the word's row in the matrix `name` of a run. */
export const OF_ONE_WORD = {
  stream: (side, { num_layers }) => [["in", `${side}.input`],
    ...counted(num_layers).flatMap((layer) => SUBLAYERS[side].map((sublayer) =>
      [`${layer}, ${sublayer.split("_")[0]}`, `${side}.${Number(layer) - 1}.${sublayer}.norm`]))],
  parts: (at, { num_heads }) => [
    ...counted(num_heads).map((head) => [`head ${head}`, `${at}.head.${Number(head) - 1}.added`]),
    ["sum", `${at}.output`]],
};

/**
 * A translation with all matrices from which it was computed.
 *
 * off, means: see `cut` in forward.js; forced: for each place a French word or ""
 */
export class Run {
  /**
   * @param {any} model
   * @param {any} words
   * @param {string[]} english
   * @param {{ off?: string[], means?: any, forced?: string[] }} how
   */
  constructor(model, words, english, { off = [], means = null, forced = [] } = {}) {
    const source = english.map((word) => words.english.indexOf(word));
    this.english = english;
    this.machine = off.length ? cut(model, off, means) : model;
    this.words = words;
    this.forced = forced;
    const wanted = forced.map((word) => (word ? words.french.indexOf(word) : undefined));
    const { target, last, matrices } = translate(this.machine, source, words, wanted);
    this.matrices = matrices;
    this.read = target.map((number) => words.french[number]); // words that the decoder has read
    this.hasEnded = last === words.end;
    this.written = [...this.read.slice(1), words.french[last]];
  }

  /** The French words, without the mark of the end. */
  get french() {
    return this.read.slice(1);
  }

  /** Return the labels of one side of a matrix after the decoder has read `seen` words. */
  labels(kind, size, seen) {
    if (kind === "english") return this.english;
    return kind === "french" ? this.read.slice(0, seen) : counted(size);
  }

  /** Return the labels of rows. A decoder row has two words: the read word and the next word. */
  rowLabels(kind, size, seen) {
    const labels = this.labels(kind, size, seen);
    return kind === "french" ? labels.map((word, i) => `${word} → ${this.written[i]}`) : labels;
  }

  /**
   * Return a matrix after `seen` words, with the labels of its rows and columns.
   *
   * `of` is the index of the word, for a matrix that shows the rows of one word alone.
   */
  shown(name, seen, of = 0) {
    if (OF_ONE_WORD[splitName(name)[1]]) return this.ofOneWord(name, of);
    const { values, rows, columns } = this.matrices[name];
    const labels = [this.rowLabels(rows, values.length, seen), this.labels(columns, values[0].length, seen)];
    const nextWord = name === "decoder.logits";
    const chosen = nextWord ? largest(values[seen - 1], MOST_LOGITS) : labels[1].map((_, j) => j);
    return {
      values: labels[0].map((_, i) => chosen.map((j) => values[i][j])),
      rows: labels[0],
      columns: nextWord ? chosen.map((j) => this.words.french[j]) : labels[1],
      scale: name.endsWith(".weights") ? "weights" : "signed",
      cell: (i, j) => [name, i, chosen[j]],
    };
  }

  /** Return all matrices without the rows and columns of French words after the first `seen`. */
  matricesAfter(seen) {
    const soFar = (kind, list) => (kind === "french" ? list.slice(0, seen) : list);
    return Object.fromEntries(Object.entries(this.matrices).map(([name, matrix]) => [name, {
      ...matrix, values: soFar(matrix.rows, matrix.values).map((row) => soFar(matrix.columns, row)),
    }]));
  }

  /** Return a matrix made of one word's rows of several matrices. */
  ofOneWord(name, of) {
    const [at, last] = splitName(name);
    const sources = OF_ONE_WORD[last](at, this.machine.config);
    const values = sources.map(([, source]) => this.matrices[source].values[of]);
    return {
      values, rows: sources.map(([title]) => title), columns: counted(values[0].length), scale: "signed",
      cell: (i, j) => [sources[i][1], of, j],
    };
  }
}
