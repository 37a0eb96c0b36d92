import { type Bound } from './values.js';

const escapes: Record<string, string> = {
  '\\': '\\\\',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

const escaped = (text: string): string =>
  text.replace(/[\\\0\b\f\n\r\t]/g, (character) => escapes[character] ?? character);

/** A text as the engine's parser reads it. */
export const literal = (text: string): string => `'${escaped(text).replaceAll("'", "\\'")}'`;

/** The engine reads a parameter's value like a tab-separated field. */
export const parameterText = (value: Bound): string => {
  if (typeof value === 'string') return escaped(value);
  return typeof value === 'object' ? `[${value.map(elementText).join(',')}]` : String(value);
};

const elementText = (value: Bound): string => {
  if (typeof value === 'string') return literal(value);
  return parameterText(value);
};

/**
 * A value as part of the statement: what the engine makes of a bound parameter of the type. A list is a single literal,
 * however long it is.
 */
export const typedLiteral = (type: string, value: Bound): string =>
  type === 'String' && typeof value === 'string'
    ? literal(value)
    : `_CAST(${literal(parameterText(value))}, ${literal(type)})`;
