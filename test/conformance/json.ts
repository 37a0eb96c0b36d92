export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object, or an empty one where there is none: the comparison then names what is missing. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

export const objectsOf = (value: unknown): readonly JsonObject[] => listOf(value).map(objectOf);

export const textsOf = (value: unknown): readonly string[] => listOf(value).map(textOf);

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** Every value of the tree through `change`, objects before their parts. */
export const mapTree = (value: unknown, change: (object: JsonObject) => JsonObject): unknown => {
  if (Array.isArray(value)) return value.map((part: unknown) => mapTree(part, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(change(value)).map(([key, part]) => [key, mapTree(part, change)]));
};
