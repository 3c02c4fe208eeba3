// Cuts a text into the model's tokens: byte-pair encoding, in which each digit is a token.

const PARTS = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;
const DIGIT = /(\p{N})/u;
const SPECIAL = 3; // the file's code for tokens such as <|im_start|>

/** The letter that stands for each byte in the file's tokens. */
function lettersOfBytes() {
  const isPlain = (b) => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
  let others = 0;
  return Array.from({ length: 256 }, (_, b) => String.fromCharCode(isPlain(b) ? b : 256 + others++));
}

/** Join the pieces `one` and `two` wherever they are neighbours. */
function joinPair(pieces, one, two) {
  const joined = [];
  for (let i = 0; i < pieces.length; i++) {
    const isPair = pieces[i] === one && pieces[i + 1] === two;
    joined.push(isPair ? one + two : pieces[i]);
    if (isPair) i++;
  }
  return joined;
}

/**
 * Return encode(text), which returns token numbers, and decode(number), which returns a text.
 *
 * notes: the metadata of the model's file
 */
export function tokenizer(notes) {
  const letters = lettersOfBytes();
  const bytes = new Map(letters.map((letter, b) => [letter, b]));
  const tokens = notes["tokenizer.ggml.tokens"];
  const numbers = new Map(tokens.map((token, i) => [token, i]));
  const ranks = new Map(notes["tokenizer.ggml.merges"].map((pair, i) => [pair, i]));
  const special = tokens.filter((_, i) => notes["tokenizer.ggml.token_type"][i] === SPECIAL);
  const escaped = special.map((token) => token.replace(/[|\\{}()[\]^$+*?.]/g, "\\$&"));
  const specialPattern = new RegExp(`(${escaped.join("|") || "$^"})`, "u");
  const tokensOfPart = (part) => {
    let pieces = Array.from(new TextEncoder().encode(part), (b) => letters[b]);
    for (;;) {
      let [best, rank] = [-1, Infinity];
      for (let i = 0; i + 1 < pieces.length; i++) {
        const found = ranks.get(`${pieces[i]} ${pieces[i + 1]}`) ?? Infinity;
        if (found < rank) [best, rank] = [i, found];
      }
      if (best < 0) return pieces.map((piece) => numbers.get(piece));
      pieces = joinPair(pieces, pieces[best], pieces[best + 1]);
    }
  };
  const tokensOfPlain = (text) => text.split(DIGIT).filter(Boolean).flatMap((each) => (each.match(PARTS) ?? []).flatMap(tokensOfPart));
  const encode = (text) => text.split(specialPattern).filter(Boolean).flatMap((each) => (special.includes(each) ? [numbers.get(each)] : tokensOfPlain(each)));
  const decode = (number) => new TextDecoder().decode(Uint8Array.from(tokens[number], (letter) => bytes.get(letter) ?? 63));
  return { encode, decode };
}
