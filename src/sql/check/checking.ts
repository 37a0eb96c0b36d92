import { fault, quoted, type SourcePosition } from '../fault.js';
import { nearestName } from '../../platform/errors/nearest-name.js';
import { keyOf, type Marker, type Markers } from '../parse/markers.js';
import { type Token } from '../parse/tokens.js';
import { type Expression, type Literal, type Query } from '../tree.js';

/** The values of placeholders, as the client sent them. */
export type PlaceholderValues = Readonly<Record<string, unknown>>;

/** A value of a placeholder that the service itself makes: an expression. */
export class FilledIn {
  constructor(readonly expression: (at: SourcePosition) => Expression) {}
}

/** Shared by the readers of nodes. Expressions contain queries, and queries contain expressions. */
export interface Checking {
  readonly markers: Markers;
  readonly values: PlaceholderValues;
  /** The positions of the placeholders whose values were read. */
  readonly read: Set<string>;
  readonly tokens: readonly Token[];
  readonly text: string;
  readonly expression: (node: unknown, at: SourcePosition) => Expression;
  readonly query: (node: unknown, at: SourcePosition) => Query;
}

export const markerAt = ({ markers }: Checking, at: SourcePosition): Marker | undefined => markers.get(keyOf(at));

/** Returns the value of a placeholder as a literal, as a list of literals or, where one may stand, as an expression. */
export const placeholderExpression = (checking: Checking, name: string, at: SourcePosition): Expression => {
  const { values, read } = checking;
  const own = Object.hasOwn(values, name) ? values[name] : undefined;
  if (own instanceof FilledIn) {
    read.add(keyOf(at));
    return own.expression(at);
  }
  const value = placeholderValue(checking, name, at);
  return Array.isArray(value) ? { kind: 'array', items: value as Literal[], at } : (value as Literal);
};

/** Returns the value of a placeholder as a literal, or as a list of literals. */
export const placeholderValue = (
  { values, read }: Checking,
  name: string,
  at: SourcePosition,
): Literal | readonly Literal[] => {
  read.add(keyOf(at));
  if (!Object.hasOwn(values, name)) {
    const nearest = nearestName(name, Object.keys(values));
    throw fault(
      `{${quoted(name)}} has no value: add it to "values"${nearest === null ? '' : `, or did you mean {${nearest}}?`}`,
      at,
    );
  }
  const value = values[name];
  return Array.isArray(value) ? value.map((one) => literalOf(one, name, at)) : literalOf(value, name, at);
};

const literalOf = (value: unknown, name: string, at: SourcePosition): Literal => {
  if (typeof value === 'string') return { kind: 'text', value, at };
  if (typeof value === 'number') return { kind: 'number', digits: String(value), at };
  if (typeof value === 'boolean' || value === null) return { kind: 'constant', value, at };
  throw fault(`The value of {${quoted(name)}} must be a text, a number, a boolean, null or a list of these`, at);
};

/**
 * Reads a literal in single quotes as ClickHouse does: a backslash that begins no known escape stays, because patterns need
 * it. The parser would drop this backslash.
 */
export const textOfToken = ({ text }: Token): string =>
  text
    .slice(1, -1)
    .replace(/''|\\x([0-9a-fA-F]{2})|\\([\s\S])/gu, (match, code: string | undefined, escaped: string | undefined) => {
      if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
      return escaped === undefined ? "'" : (escapes[escaped] ?? match);
    });

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '0': '\0',
  a: '\x07',
  v: '\v',
  e: '\x1b',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '/': '/',
};

export const literalOfToken = (token: Token, isNegative: boolean): Literal =>
  token.kind === 'text'
    ? { kind: 'text', value: textOfToken(token), at: token }
    : { kind: 'number', digits: `${isNegative ? '-' : ''}${token.text}`, at: token };
