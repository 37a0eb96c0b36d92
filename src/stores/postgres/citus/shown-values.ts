import { isOnCitus } from './on-citus.js';

/** A value that a statement hides from the planner, whose statistics may be older than the project. */
const hidden = /\(SELECT (\$\d+::\w+(?:\[\])?)\)/g;

const shown = new Map<string, string>();

/**
 * The text as it is sent: Citus finds the node of a project by its id, which it must see. There are few texts, because values are
 * no part of them.
 */
export const textToSend = (text: string): string => {
  if (!isOnCitus() || !text.includes('(SELECT $')) return text;
  const known = shown.get(text);
  if (known !== undefined) return known;
  const made = text.replace(hidden, '$1');
  shown.set(text, made);
  return made;
};
