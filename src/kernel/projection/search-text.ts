/** Properties whose values a search finds in every project. */
export const searchedProperties: readonly string[] = ['email', 'name', 'username'];

/** A search finds parts of this many distinct ids of a person, as many as lists show; the others are found only as a whole. */
export const searchedDistinctIds = 100;

/** Only this many first characters of a value are searched. */
const maxLength = 1000;

/** PostgreSQL stores no text with this character, so no term that reaches ClickHouse contains it. */
const separator = '\0';

/** Removes the difference between upper and lower case. A sigma has another lower-case form at the end of a word. */
export const foldCase = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

/** The texts of a person that a search reads. */
export const searchText = (properties: Readonly<Record<string, unknown>>, distinctIds: readonly string[]): string => {
  const values = searchedProperties.map((key) => textOf(Object.hasOwn(properties, key) ? properties[key] : null));
  const texts = [...values.map((text) => text.slice(0, maxLength)), ...distinctIds];
  return foldCase(texts.filter((text) => text !== '').join(separator));
};

/** A property as text, as names show it. */
export const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
