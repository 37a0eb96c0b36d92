import { type Named, type Query } from '../tree.js';
import { walk } from '../compile/walk.js';

/** Names of events and properties in a question. */
export interface NamesInQuery {
  readonly events: readonly string[];
  readonly eventProperties: readonly string[];
  readonly personProperties: readonly string[];
}

const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();

/**
 * Lists each text as a possible event, and each key as a possible property of both events and persons, because only the
 * compiled statement tells which table a column belongs to.
 */
export const namesInQuery = (query: Query): NamesInQuery => {
  const texts: string[] = [];
  const keys: string[] = [];
  walk(query, (node) => {
    if (node.kind === 'text') texts.push(String(node.value));
    if (node.kind === 'name') keys.push(...keysOf(node.parts as readonly Named[]));
    return true;
  });
  return { events: unique(texts), eventProperties: unique(keys), personProperties: unique(keys) };
};

/** Returns the key in a name such as `properties.plan` or `person.properties.plan`. */
const keysOf = (parts: readonly Named[]): string[] => {
  const at = parts.findIndex(({ text }) => text === 'properties');
  const key = at < 0 ? undefined : parts[at + 1];
  return key ? [key.text] : [];
};
