/** Properties that are already serialised to JSON. */
export class WrittenProperties {
  constructor(readonly json: string) {}

  /** Leaves them out of the row, so that the row need not be copied without them. */
  toJSON(): undefined {
    return undefined;
  }
}

/** Serialises one row of an insert, as the client's `stringify` does. */
export const writeRow = (row: unknown): string => {
  const text = JSON.stringify(row);
  return hasWrittenProperties(row) ? `${text.slice(0, -1)},"properties":${row.properties.json}}` : text;
};

const hasWrittenProperties = (row: unknown): row is { properties: WrittenProperties } =>
  typeof row === 'object' && row !== null && 'properties' in row && row.properties instanceof WrittenProperties;
