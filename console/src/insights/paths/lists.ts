/** A list of texts in the address, where a single one may be alone. */
export const textsOf = (value: unknown): string[] => {
  if (value === undefined || value === '') return [];
  return (Array.isArray(value) ? value : [value]).map(String);
};

export const listField = (texts: readonly string[]): readonly string[] | undefined =>
  texts.length === 0 ? undefined : texts;
