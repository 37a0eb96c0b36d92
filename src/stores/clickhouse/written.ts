/** Properties that are already serialised to JSON. */
export class WrittenProperties {
  constructor(readonly json: string) {}
}

/** Serialises one row of an insert, as the client's `stringify` does. */
export const writeRow = (row: unknown): string => {
  if (!hasWrittenProperties(row)) return JSON.stringify(row);
  const { properties, ...rest } = row;
  return `${JSON.stringify(rest).slice(0, -1)},"properties":${properties.json}}`;
};

const hasWrittenProperties = (row: unknown): row is { properties: WrittenProperties } =>
  typeof row === 'object' && row !== null && 'properties' in row && row.properties instanceof WrittenProperties;
