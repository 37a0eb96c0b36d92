/** Five runs of lower-case letters and digits: what SDKs make up for visitors they do not know, and every UUID. */
const generated = /^[a-z0-9]+(-[a-z0-9]+){4}$/;

export const looksGenerated = (distinctId: string): boolean => generated.test(distinctId);

/** Ids a human may have given come first; otherwise in the order they came. */
export const humanFirst = (distinctIds: readonly string[]): string[] => [
  ...distinctIds.filter((id) => !looksGenerated(id)),
  ...distinctIds.filter(looksGenerated),
];

interface Nameable {
  readonly id: number;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Human ones first. */
  readonly distinctIds: readonly string[];
}

export const personName = (displayProperties: readonly string[], person: Nameable): string => {
  for (const key of displayProperties) {
    const name = textOf(Object.hasOwn(person.properties, key) ? person.properties[key] : null).trim();
    if (name !== '') return name;
  }
  return person.distinctIds[0] ?? String(person.id);
};

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
