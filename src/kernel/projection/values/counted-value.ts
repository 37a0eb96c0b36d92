import { maxValueCharacters } from './values.sql.js';

/** A row of `propertyValuesSql`. */
export interface CountedValue {
  readonly excerpt: string;
  readonly type: 'text' | 'number' | 'boolean';
  readonly count: number;
  /** The number of all values. */
  readonly total: number;
}

/** The value, typed as stored. A long text is cut. */
export const valueOf = ({ excerpt: value, type }: CountedValue): string | number | boolean => {
  if (type === 'boolean') return value === 'true';
  if (type === 'number') return Number(value);
  const characters = [...value];
  return characters.length > maxValueCharacters ? `${characters.slice(0, maxValueCharacters).join('')}…` : value;
};
