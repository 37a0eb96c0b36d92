const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

export interface JsonLimits {
  /** Levels of objects and lists; the outermost is the first. */
  readonly depth: number;
  /** Values of any kind: members of objects, elements of lists, and the objects and lists themselves. */
  readonly nodes: number;
  /** Keys of objects: one costs as much as ten elements of a list. */
  readonly keys?: number;
}

/**
 * Finds the limit that a JSON text exceeds in one pass over its bytes, before it is parsed: JSON.parse, and any walk of
 * its result, takes seconds for some megabytes of brackets, and overflows the stack when they are nested.
 */
export const exceededLimit = (json: Uint8Array, limits: JsonLimits): keyof JsonLimits | null => {
  let depth = 0;
  let nodes = 1;
  let keys = 0;
  const { keys: mostKeys = Infinity } = limits;
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at]) {
      case quote:
        at = endOfString(json, at);
        break;
      case openingBracket:
      case openingBrace:
        depth += 1;
        nodes += 1;
        if (depth > limits.depth) return 'depth';
        if (nodes > limits.nodes) return 'nodes';
        break;
      case closingBracket:
      case closingBrace:
        depth -= 1;
        break;
      case comma:
        nodes += 1;
        if (nodes > limits.nodes) return 'nodes';
        break;
      case colon:
        keys += 1;
        if (keys > mostKeys) return 'keys';
    }
  }
  return null;
};

/** The position of the closing quote, or the end of a truncated text. */
export const endOfString = (json: Uint8Array, openingQuote: number): number => {
  let at = openingQuote + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
};
