import { textOf } from '../../kernel/projection/search-text.js';

/**
 * Five groups of lower-case letters and digits: the shape of every UUID, and of the ids that SDKs generate for unknown
 * visitors.
 */
const generated = /^[a-z0-9]+(-[a-z0-9]+){4}$/;

export const looksGenerated = (distinctId: string): boolean => generated.test(distinctId);

/** Puts ids that a human may have chosen first; otherwise keeps the order. */
export const humanFirst = (distinctIds: readonly string[]): string[] => [
  ...distinctIds.filter((id) => !looksGenerated(id)),
  ...distinctIds.filter(looksGenerated),
];

interface Nameable {
  readonly id: number;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The ids that a human may have chosen come first. */
  readonly distinctIds: readonly string[];
}

export const personName = (displayProperties: readonly string[], person: Nameable): string => {
  for (const key of displayProperties) {
    const name = textOf(Object.hasOwn(person.properties, key) ? person.properties[key] : null).trim();
    if (name !== '') return name;
  }
  return person.distinctIds[0] ?? String(person.id);
};
