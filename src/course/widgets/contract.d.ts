// Types of the data that Python, pages and views exchange. `tsc --checkJs` checks the
// JavaScript against them; contract.py explains the fields.

/** The values that a trait may have: the part of JSON Schema that contract.py uses. */
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
  choices: number[]; // checksums of the choices; empty if any text may be an answer
}

export interface Trait {
  schema: Schema;
  link?: true;
  undo?: true;
  device?: true;
  visited?: true;
  asked?: Asked;
  called?: [string] | [string, string];
}

/** The value of a card's trait `_page`. */
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

/** One fact, and all facts by name, for the sentences of a card (card/sentences.js). */
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
}

/** The task that a machine sets the reader (machine/goal.py). */
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

/** A question with the reader's answer: an entry of what `results(get)` of `asked.by` returns. */
export interface Result {
  prompt: string;
  how: string; // words before the answer: "You predicted"
  given: string;
  right?: string; // text of the right choice, for multiple choice
  isData?: boolean; // whether `given` is data for code, which no page shows
  judge(text: string): Verdict;
}

/** A result with its verdict and the reader's first answer. */
export interface JudgedResult extends Omit<Result, "judge"> {
  verdict: Verdict;
  first: string;
  wasRight: boolean; // whether the first answer was right
}

/** The value of a trait, by its name. */
export type Get = (trait: string) => any;

/** The model that anywidget passes to a view. */
export interface Model {
  get(name: "_page"): Page;
  get(name: string): any;
  set(values: Record<string, unknown>): void;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(name: string, act: (...values: any[]) => void): void;
  off(name: string, act: (...values: any[]) => void): void;
}

/** What a view receives: its model, its element, and the signal that ends the view. */
export interface Host {
  model: Model;
  el: HTMLElement;
  signal: AbortSignal;
}

/** What a view may add to a trait's schema, for addresses (book/runtime/figures.js). */
export interface Codec {
  toText?(get: Get, first: any): string | null;
  fromText?(text: string, get: Get): unknown;
  unnamed?(get: Get, now: any, first: any): unknown;
  isSound?(value: any, get: Get): boolean;
}

/** What a view may export besides `render` (book/runtime/figures.js). */
export interface View {
  codecs?: Record<string, Codec>;
  refuses?(get: Get, named?: Record<string, any>): string;
}

/** The inputs of a machine (machine/inputs.py). */
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

/** Everything that determines the numbers of a machine (machine/arithmetic.js). */
export interface MachineState extends MachineInputs {
  order: number[];
  beta: number;
  off: number[];
  residual: boolean;
}

/** Every number of a machine, with the names of the package `attention`. */
export interface MachineResults {
  places: number[];
  divisor: number;
  heads: Record<"query" | "key" | "value" | "scores" | "logits" | "weights" | "head", number[][]>[];
  concat: number[][];
  output: number[][];
  sum: number[][] | null;
}
