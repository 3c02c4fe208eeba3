// The shapes that pass between Python, pages and views, for JSDoc: `tsc --checkJs` holds
// the JavaScript to them. What each means is said in contract.py.

/** What a trait may be, in the words of JSON Schema that contract.py uses. */
export interface Schema {
  type?: "boolean" | "integer" | "number" | "string" | "array" | "object";
  minimum?: number;
  maximum?: number;
  enum?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  additionalProperties?: Schema;
}

export interface Slider {
  trait: string;
  kind: "slider";
  label: string;
  symbol?: string;
  stops: number[];
  unless?: string;
}

export interface Choice {
  trait: string;
  kind: "choice";
  label: string;
  options: string[];
  unless?: string;
}

export interface Checkbox {
  trait: string;
  kind: "checkbox";
  label: string;
  unless?: string;
}

export type Control = Slider | Choice | Checkbox;

/** How the answers in a trait are counted and judged. */
export interface Asked {
  by: string;
  count: number;
  needs: string[];
  pattern: string;
  choices: number[]; // their checksums; none where any text may be an answer
}

export interface Trait {
  schema: Schema;
  link?: true;
  undo?: true;
  device?: true;
  visited?: true;
  asked?: Asked;
  called?: [string, string];
}

/** A card's `_page`. */
export interface Page {
  name: string;
  title: string;
  figure: boolean;
  traits: Record<string, Trait>;
  controls: Control[];
  sentences: Record<string, string>;
  opened?: string;
  tries?: string;
}

/** A fact of a sentence (card/sentences.js), by its name. */
export type Fact = string | number | boolean | Fact[];
export type Facts = Record<string, Fact>;

export interface QuestionChoice {
  text: string;
  right: boolean;
  why: string;
}

export interface Question {
  prompt: string;
  choices: QuestionChoice[];
  veil?: boolean;
}

/** What a machine asks for (machine/goal.py). */
export interface Goal {
  prompt: string;
  row: string;
  column: string;
  matrix: "W_Q" | "W_K" | "W_V";
  first: string;
  wrong: string;
  right: string;
  other: string;
  dial: string;
}

export type Verdict = "right" | "wrong" | "";

/** One question with what was given: what the file `asked.by` gives of each, as `results(get)`. */
export interface Result {
  prompt: string;
  how: string; // before what was given: "You predicted"
  given: string;
  right?: string; // of a choice, the text of the right one
  judge(text: string): Verdict;
}

/** A result that was judged, with what was given first. */
export interface JudgedResult extends Omit<Result, "judge"> {
  verdict: Verdict;
  first: string;
  wasRight: boolean; // whether what was given first was right
}

/** The value of a trait, by its name. */
export type Get = (trait: string) => any;

/** A model as anywidget gives it to a view. */
export interface Model {
  get(name: "_page"): Page;
  get(name: string): any;
  set(values: Record<string, unknown>): void;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(name: string, act: (...values: any[]) => void, owner?: object): void;
  off(name: string | null, act: ((...values: any[]) => void) | null, owner?: object): void;
}

/** What a view is given to draw in, until the signal. */
export interface Host {
  model: Model;
  el: HTMLElement;
  signal: AbortSignal;
}

/** What a view may add to a trait's schema for its text in an address (book/runtime/figure.js). */
export interface Codec {
  toText?(get: Get, first: any): string | null;
  fromText?(text: string, get: Get): unknown;
  unnamed?(get: Get, now: any, first: any): unknown;
  isSound?(value: any, get: Get): boolean;
}

/** What a view adds to `render` (book/runtime/figure.js). */
export interface View {
  codecs?: Record<string, Codec>;
  refuses?(get: Get, named?: Record<string, any>): string;
}

/** What a machine computes from (machine/inputs.py). */
export interface MachineInputs {
  tokens: string[];
  padding: boolean[];
  causal: boolean;
  X: number[][];
  W_Q: number[][][];
  W_K: number[][][];
  W_V: number[][][];
  W_O: number[][] | null;
}

/** All that decides the numbers of a machine (machine/arithmetic.js). */
export interface MachineState extends MachineInputs {
  order: number[];
  beta: number;
  off: number[];
  residual: boolean;
}

/** Every number of a machine, under the names of `attention`. */
export interface MachineResults {
  places: number[];
  divisor: number;
  heads: Record<"query" | "key" | "value" | "scores" | "logits" | "weights" | "head", number[][]>[];
  concat: number[][];
  output: number[][];
  sum: number[][] | null;
}
