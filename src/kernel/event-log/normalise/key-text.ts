/** True if a value looks like a project token or personal key, and so must never be stored as a property. */
export const isKey = (value: unknown): value is string =>
  typeof value === 'string' && (value.startsWith('phc_') || value.startsWith('phx_'));
