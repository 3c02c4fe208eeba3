// The translator: compose a sentence, watch it being translated, open any number.

import { card } from "../card/card.js";
import { number, setShare, setValue } from "../card/drawings.js";
import { html, setText, uid } from "../card/elements.js";
import { fixed, softmax } from "../card/numbers.js";
import { composer } from "./composer.js";
import { explain, said } from "./explain.js";
import { translate } from "./forward.js";
import { SUBLAYERS, beside, cut, exists, nameNode, nameText, noteText, placeText } from "./names.js";
import { overview } from "./overview.js";
import { sheet } from "./sheet.js";
import { compose, firstChoice, refusal, split } from "./sentence.js";
import { readHeader, readModel } from "./weights.js";

const LIKELIEST = 5; // words that the distribution shows
const SHOWN = 8; // words whose logits the matrix shows
const OPEN = "decoder.1.cross_attention.head.0.weights";

/** Numbers 1 to n as labels. */
const counted = (n) => Array.from({ length: n }, (_, i) => String(i + 1));

/** The places of the k largest numbers, largest first. */
const largest = (values, k) => values.map((_, i) => i).sort((a, b) => values[b] - values[a]).slice(0, k);

/** Matrices that follow one word: their rows, each a title and the matrix it is taken from. */
const FOLLOWED = {
  stream: (side, { num_layers }) => [["in", `${side}.input`],
    ...counted(num_layers).flatMap((layer) => SUBLAYERS[side].map((sublayer) =>
      [`${layer}, ${sublayer.split("_")[0]}`, `${side}.${Number(layer) - 1}.${sublayer}.norm`]))],
  parts: (at, { num_heads }) => [
    ...counted(num_heads).map((head) => [`head ${head}`, `${at}.head.${Number(head) - 1}.added`]),
    ["sum", `${at}.output`]],
};

/** The machine on one sentence, and how much of the translation has been written. */
class Run {
  constructor(machine, words, english) {
    const source = english.map((word) => words.english.indexOf(word));
    this.english = english;
    this.machine = machine;
    this.words = words;
    const { target, matrices } = translate(machine, source, words);
    this.matrices = matrices;
    this.read = target.map((number) => words.french[number]); // by the decoder
    this.written = [...this.read.slice(1), words.french[words.end]];
  }

  /** Labels of one side of a matrix; the decoder has read so many words. */
  labels(kind, size, seen) {
    if (kind === "english") return this.english;
    return kind === "french" ? this.read.slice(0, seen) : counted(size);
  }

  /**
   * A matrix as far as it exists by now, with the names of its rows and columns.
   *
   * `of` is the word whose row is followed where a matrix shows one word alone.
   */
  shown(name, seen, of = 0) {
    if (FOLLOWED[cut(name)[1]]) return this.followed(name, of);
    const { values, rows, columns } = this.matrices[name];
    const labels = [this.labels(rows, values.length, seen), this.labels(columns, values[0].length, seen)];
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

/** The French words, each a button that leads to the moment in which it was chosen. */
function progress({ put }) {
  const chips = html("div", { class: "abh-tr-chips", role: "group", "aria-label": "Written so far" });
  const back = html("button", { type: "button", class: "abh-button abh-quiet" }, "Back");
  const next = html("button", { type: "button", class: "abh-button abh-quiet" }, "Next word");
  const again = html("button", { type: "button", class: "abh-button abh-quiet" }, "From the start");
  const node = html("div", { class: "abh-tr-progress" }, chips, html("div", { class: "abh-tr-steps" }, again, back, next));
  let [step, steps] = [1, 1];
  again.addEventListener("click", () => put("step", 1));
  back.addEventListener("click", () => step > 1 && put("step", step - 1));
  next.addEventListener("click", () => step < steps && put("step", step + 1 === steps ? 0 : step + 1));
  const update = (written, seen) => {
    [step, steps] = [seen, written.length];
    back.ariaDisabled = String(step === 1);
    next.ariaDisabled = String(step === steps);
    chips.replaceChildren(...written.map((word, i) => {
      const chip = html("button", { type: "button", class: "abh-tr-chip", "aria-pressed": String(i + 1 === seen) }, word);
      chip.classList.toggle("abh-tr-later", i >= seen);
      chip.addEventListener("click", () => put("step", i + 1 === steps ? 0 : i + 1));
      return chip;
    }));
  };
  return { node, update };
}

/** The likeliest next words as bars, and the sharpness that they are drawn with. */
function nextWords({ control }, open) {
  const controls = html("div", { class: "abh-controls" }, control("beta"));
  const title = html("p", { class: "abh-caption" });
  const lines = Array.from({ length: LIKELIEST + 1 }, (_, k) => {
    const word = html(k < LIKELIEST ? "button" : "span", k < LIKELIEST ? { type: "button", class: "abh-tr-word" } : {});
    const [bar, share] = [html("span", { class: "abh-tr-bar", "aria-hidden": "true" }), number({ style: "--abh-characters: 5.6" })];
    word.addEventListener("click", () => open("decoder.logits", k));
    return { word, bar, share, node: html("div", { class: "abh-tr-line" }, word, html("span", {}, bar), share) };
  });
  const update = (logits, french, beta, written) => {
    const shares = softmax(logits, beta);
    const first = largest(logits, LIKELIEST);
    const rest = 1 - first.reduce((sum, i) => sum + shares[i], 0);
    setText(title, written);
    [...first.map((i) => [french[i], shares[i]]), [`${french.length - LIKELIEST} others`, Math.max(rest, 0)]].forEach(([text, share], k) => {
      setText(lines[k].word, text);
      setShare(lines[k].bar, share);
      setValue(lines[k].share, share, fixed(share, 3));
    });
  };
  return { node: html("div", { class: "abh-tr-next" }, title, ...lines.map(({ node }) => node), controls), update };
}

/** What a row or a column is called: a word as it is, a number as one of its kind. */
const called = (kind, name, before = "", after = "") => (/^\d+$/.test(name) ? `${kind} ${name}` : `${before}${name}${after}`);

/** The products of a sum, each on its own. */
function productList(terms) {
  const item = ([a, b]) => html("li", {}, `${said(a)} × ${b < 0 ? `(${said(b)})` : said(b)} = ${said(a * b)}`);
  return html("details", { class: "abh-tr-terms" }, html("summary", {}, `all ${terms.length} products`), html("ol", {}, ...terms.map(item)));
}

/** The matrix that is open, its neighbours, and the arithmetic of the chosen cell. */
function inspector({ model, put }, open) {
  const title = html("p", { class: "abh-tr-place" });
  const tabs = html("div", { class: "abh-tr-tabs", role: "group", "aria-label": "Matrices of this part" });
  const stage = html("div", {});
  const followed = html("select", { class: "abh-field", id: uid("word") });
  const chooser = html("div", { class: "abh-tr-of" }, html("label", { for: followed.id }, "Word"), followed);
  const words = html("div", { class: "abh-tr-explained", "aria-live": "polite" });
  const tab = (one, name) => {
    const node = html("button", { type: "button", "aria-pressed": String(one === name) }, nameNode(one));
    node.addEventListener("click", () => open(one));
    return node;
  };
  const tell = (run, matrix, known) => (i, j) => {
    const [name, row, column] = matrix.cell(i, j);
    const { terms, lines, sources } = explain(known, name, row, column);
    const links = sources.filter((source) => source.includes(".") && exists(source, run.machine.config)).map((source) => {
      const node = html("button", { type: "button", class: "abh-tr-source" }, "open ", nameNode(source));
      if (cut(source)[0] !== cut(name)[0]) node.append(` of ${placeText(source)}`);
      node.addEventListener("click", () => open(source));
      return node;
    });
    words.replaceChildren(
      html("p", { class: "abh-tr-cell" }, `${called("Row", matrix.rows[i], "“", "”")}, ${called("column", matrix.columns[j])}: `, html("strong", {}, said(matrix.values[i][j]))),
      ...lines.map((line) => html("p", {}, line)), ...(terms ? [productList(terms)] : []),
      ...(links.length ? [html("p", { class: "abh-tr-sources" }, ...links)] : []));
  };
  const update = (run, name, seen, column = 0) => {
    const labels = name.startsWith("encoder") ? run.english : run.read.slice(0, seen);
    followed.replaceChildren(...labels.map((word, i) => html("option", { value: i }, word)));
    const of = Math.min(model.get("word"), labels.length - 1);
    followed.value = String(of);
    chooser.hidden = !(cut(name)[1] in FOLLOWED);
    const matrix = run.shown(name, seen, of);
    setText(title, name === "decoder.logits" ? "Decoder, next word" : placeText(name));
    tabs.replaceChildren(...beside(name).map((one) => tab(one, name)));
    const label = `${placeText(name)}: ${nameText(name)}, ${matrix.rows.length} by ${matrix.columns.length}`;
    const shape = html("p", { class: "abh-tr-note" }, nameNode(name), `, ${matrix.rows.length} × ${matrix.columns.length}. ${noteText(name)}`);
    const grid = sheet(matrix, label, tell(run, matrix, run.known(seen)));
    stage.replaceChildren(shape, chooser, grid.node);
    const lastRow = name.endsWith(".weights") || name === "decoder.logits";
    const row = lastRow ? matrix.rows.length - 1 : 0;
    grid.choose(row, name.endsWith(".weights") ? largest(matrix.values[row], 1)[0] : column);
  };
  followed.addEventListener("change", () => {
    put("word", Number(followed.value));
    followed.focus();
  });
  return { node: html("div", { class: "abh-tr-inspector" }, title, tabs, stage, words), update };
}

function render(host) {
  const view = card(host, { lines: [1, 2], codecs, refuses });
  const { model } = view;
  view.root.classList.add("abh-tr-card");
  const machine = readModel(model.get("weights"));
  const words = model.get("words");
  let run;
  let column = 0;
  const accepted = (name) => (exists(name, machine.config) ? name : OPEN);
  const open = (name, at = 0) => {
    column = at;
    view.put("matrix", name);
    draw();
  };
  const written = progress(view);
  const next = nextWords(view, open);
  const map = overview(machine.config, open);
  const inside = inspector(view, open);
  view.controls.append(composer(view, words, words.most).node);
  view.drawing.append(written.node, next.node, map.node, inside.node);

  const seenNow = () => Math.min(model.get("step") || Infinity, run.written.length);
  const distribution = () => {
    const seen = seenNow();
    const before = run.read.slice(0, seen).join(" ");
    next.update(run.matrices["decoder.logits"].values[seen - 1], words.french, model.get("beta"), `Next word after ${before}`);
  };
  let pictured = [];
  const drawHeads = (seen) => {
    if (pictured[0] === run && pictured[1] === seen) return;
    map.draw((head) => run.shown(`${head}.weights`, seen).values);
    pictured = [run, seen];
  };
  const draw = () => {
    const [seen, name] = [seenNow(), accepted(model.get("matrix"))];
    written.update(run.written, seen);
    distribution();
    drawHeads(seen);
    map.mark(name);
    inside.update(run, name, seen, column);
    view.read(`“${run.english.join(" ")}” → “${run.written.slice(0, -1).join(" ").replaceAll("' ", "’")}”`);
  };
  const translateAnew = () => {
    let english = split(model.get("sentence"));
    if (refusal(english, words.english, words.most)) {
      if (run) return;
      english = compose(words, firstChoice()); // an address may hold anything
    }
    if (english.join() !== run?.english.join()) run = new Run(machine, words, english);
  };
  view.watch(["sentence", "step", "matrix", "word"], () => {
    translateAnew();
    draw();
  });
  view.watch(["beta"], distribution);
}

/** What a schema cannot say of an address (book/runtime/figure.js). */
const codecs = {
  sentence: {
    fromText: (text, get) => {
      const { english, most } = get("words");
      const wrong = refusal(split(text), english, most);
      if (wrong) throw new Error(wrong);
      return text;
    },
  },
};

function refuses(get) {
  const matrix = get("matrix");
  const isThere = exists(matrix, readHeader(get("weights")).config);
  return isThere ? "" : `matrix = \u201c${matrix}\u201d; the model has none of that name`;
}

export default { codecs, refuses, render };
