// Numbers: how they are written, how they are read, and the arithmetic that several
// views need.

/** Fixed decimals with a true minus sign; -0.00 is written 0.00. */
export function fixed(value, digits = 2) {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "\u2212");
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The number in a text, its decimals after a point or a comma; NaN where there is none. */
export function readDecimal(text) {
  const plain = text.trim().replace(/[\u2212\u2013]/g, "-").replace(",", ".");
  return DECIMAL.test(plain) ? Number(plain) : NaN;
}

/** The whole number in a text, which may be in groups of three: 1,024; NaN where there is none. */
export function readWhole(text) {
  const plain = text.trim().replace(/(?<=\d)[,\s](?=\d{3}(?!\d))/g, "");
  return /^\d+$/.test(plain) ? Number(plain) : NaN;
}

const GROUPS = new Intl.NumberFormat("en-US"); // slow to make, quick to use

/** A whole number in groups of three: 1,048,576. */
export function grouped(value) {
  return GROUPS.format(value);
}

/** softmax(beta * logits) of one row. */
export function softmax(logits, beta = 1) {
  const scaled = logits.map((logit) => beta * logit);
  const peak = Math.max(...scaled);
  const powers = scaled.map((logit) => Math.exp(logit - peak));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** Entropy of one row of weights, in nats. */
export function entropy(weights) {
  return -weights.reduce((total, p) => total + (p > 0 ? p * Math.log(p) : 0), 0) || 0;
}
