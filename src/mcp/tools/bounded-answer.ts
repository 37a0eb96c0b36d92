/** About 5,000 tokens. A longer answer would push what a model knows already out of its window. */
export const maxAnswerLength = 20_000;

const maxTextLength = 2_000;
const mostNotes = 12;

/** A part of an answer of which only the beginning is shown. */
export interface ShortenedPart {
  /** The path of the part, such as `results.0.properties`. */
  readonly at: string;
  readonly shown: number;
  readonly of: number;
}

export interface Bounded {
  readonly value: unknown;
  readonly leftOut: readonly ShortenedPart[];
}

type Json = Record<string, unknown>;

/** Shortens long texts and then the largest lists, until the answer is short enough. */
export const bounded = (value: unknown, most = maxAnswerLength): Bounded => {
  const leftOut: ShortenedPart[] = [];
  let answer = shortTexts(value, [], leftOut);
  for (let round = 0; round < 40; round += 1) {
    const length = JSON.stringify(answer).length;
    if (length <= most) return { value: answer, leftOut: leftOut.slice(0, mostNotes) };
    const part = largestPart(answer, []);
    if (!part) break;
    // A little less than its share, because the entries differ and the notes come on top.
    const share = (0.95 * (part.length - (length - most))) / part.length;
    const keep = Math.min(part.entries - 1, Math.max(1, Math.floor(part.entries * share)));
    answer = shortened(answer, part.path, keep);
    note(leftOut, { at: part.path.join('.'), shown: keep, of: part.entries });
  }
  const text = JSON.stringify(answer);
  return {
    value: text.slice(0, most),
    leftOut: [...leftOut, { at: '', shown: most, of: text.length }].slice(-mostNotes),
  };
};

/** A part that is shortened twice has one note, with its whole length. */
const note = (leftOut: ShortenedPart[], found: ShortenedPart): void => {
  const at = leftOut.findIndex((known) => known.at === found.at);
  if (at < 0) leftOut.unshift(found);
  else leftOut[at] = { ...found, of: leftOut[at]?.of ?? found.of };
};

const shortTexts = (value: unknown, path: readonly string[], leftOut: ShortenedPart[]): unknown => {
  if (typeof value === 'string') {
    if (value.length <= maxTextLength) return value;
    leftOut.push({ at: path.join('.'), shown: maxTextLength, of: value.length });
    return `${value.slice(0, maxTextLength)}…`;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, at) => shortTexts(item, [...path, String(at)], leftOut));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, shortTexts(item, [...path, key], leftOut)]),
  );
};

interface Part {
  readonly path: readonly string[];
  readonly entries: number;
  readonly length: number;
}

/** Objects with fewer keys are records; those with more are tables of names. */
const fewKeys = 20;

/** The longest list, or object with many keys, from which entries can be taken away: the outermost of the long ones. */
const largestPart = (value: unknown, path: readonly string[]): Part | null => {
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value);
  const canShrink = Array.isArray(value) ? entries.length > 1 : entries.length > fewKeys;
  if (canShrink) return { path, entries: entries.length, length: JSON.stringify(value).length };
  const parts = entries.flatMap(([key, item]) => largestPart(item, [...path, key]) ?? []);
  return parts.sort((a, b) => b.length - a.length)[0] ?? null;
};

const shortened = (value: unknown, [key, ...path]: readonly string[], keep: number): unknown => {
  if (key === undefined)
    return Array.isArray(value)
      ? value.slice(0, keep)
      : Object.fromEntries(Object.entries(value as Json).slice(0, keep));
  if (Array.isArray(value))
    return value.map((item, at) => (String(at) === key ? shortened(item, path, keep) : (item as unknown)));
  return { ...(value as Json), [key]: shortened((value as Json)[key], path, keep) };
};
