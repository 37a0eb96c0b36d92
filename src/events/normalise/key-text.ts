/** Whether a value reads as a project token or personal key, and so must never be kept as a property. */
export const isKey = (value: unknown): value is string =>
  typeof value === 'string' && (value.startsWith('phc_') || value.startsWith('phx_'));
