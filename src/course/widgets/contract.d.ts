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
  solved?: string;
  first?: string;
}
