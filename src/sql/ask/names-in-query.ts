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
 * A text may be the name of an event, and a key may be one of an event or of a person: what a column is, only the compiled
 * statement tells.
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

/** `properties.plan`, `person.properties.plan` */
const keysOf = (parts: readonly Named[]): string[] => {
  const at = parts.findIndex(({ text }) => text === 'properties');
  const key = at < 0 ? undefined : parts[at + 1];
  return key ? [key.text] : [];
};
