import { invalidInput } from '../errors/problem.js';
import { requireDate, type ParsedDate } from '../time/dates.js';
import { type Calendar } from '../time/intervals.js';
import { requireFields } from './fields.js';
import { booleanSchema, integerSchema, listSchema, type Schema } from './schema.js';
import { readBoolean, readChoice, readInteger, readText, readTexts, type Bounds } from './values.js';

/**
 * One declaration of a parameter, which documents and reads it. `Context` is what the reader needs beside the value, such
 * as the moment to which a relative date refers.
 */
export interface Parameter<T, Context extends readonly unknown[] = readonly []> {
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
  /** A list or object: JSON text in a query string, a JSON value in a body. */
  readonly json?: boolean;
  /** Receives undefined when the parameter is missing. Throws a problem that names `attr`. */
  readonly read: (value: unknown, attr: string, ...context: Context) => T;
  /** Questions accept other spellings of a value; this translates them into the one that `read` accepts. */
  readonly respell?: (text: string) => string;
}

export type Parameters = Readonly<Record<string, Parameter<unknown, never>>>;

interface Doc<T> {
  readonly description: string;
  readonly example?: unknown;
  /** The value of a missing parameter. Without a fallback it is null. */
  readonly fallback?: T;
}

type ValueOf<D, T> = D extends { readonly fallback: T } ? T : T | null;

const isMissing = (value: unknown): boolean => value === undefined || value === null;

const parameter = <T, const D extends Doc<T>, Context extends readonly unknown[] = readonly []>(
  { description, example, fallback }: D,
  schema: Schema,
  read: (value: unknown, attr: string, ...context: Context) => T,
): Parameter<ValueOf<D, T>, Context> => ({
  description,
  ...(example === undefined ? {} : { example }),
  schema: fallback === undefined ? schema : { ...schema, default: fallback },
  read: (value, attr, ...context) =>
    (isMissing(value) ? (fallback ?? null) : read(value, attr, ...context)) as ValueOf<D, T>,
});

export const integerParam = <const D extends Doc<number> & Bounds>(doc: D): Parameter<ValueOf<D, number>> => ({
  ...parameter(doc, integerSchema(doc.min, doc.max), (value, attr) => readInteger(value, attr, doc)),
  respell: (text) => text.trim(),
});

/** A position, from 0, in a list of the question; the reader receives the last position. */
export const placeParam = <const D extends Doc<number>>(
  doc: D,
): Parameter<ValueOf<D, number>, readonly [last: number]> => ({
  ...parameter(doc, integerSchema(0), (value, attr, last: number) => readInteger(value, attr, { min: 0, max: last })),
  respell: (text) => text.trim(),
});

export const booleanParam = <const D extends Doc<boolean>>(doc: D): Parameter<ValueOf<D, boolean>> => ({
  ...parameter(doc, booleanSchema, readBoolean),
  respell: (text) => text.toLowerCase(),
});

export const choiceParam = <const T extends string, const D extends Doc<NoInfer<T>>>(
  choices: readonly T[],
  doc: D,
): Parameter<ValueOf<D, T>> =>
  parameter<T, D>(doc, { type: 'string', enum: [...choices] }, (value, attr) => readChoice(value, attr, choices));

interface TextDoc extends Doc<string> {
  readonly maxLength?: number;
}

export const textParam = <const D extends TextDoc>(doc: D): Parameter<ValueOf<D, string>> => {
  const { maxLength = Infinity } = doc as TextDoc;
  const schema: Schema = { type: 'string', ...(maxLength === Infinity ? {} : { maxLength }) };
  return parameter<string, D>(doc, schema, (value, attr) => {
    const text = readText(value, attr);
    if (text.length > maxLength) throw invalidInput(`${attr} must have at most ${maxLength} characters`, attr);
    return text;
  });
};

/** A date or moment, which may be relative to now. */
export const dateParam = <const D extends Doc<ParsedDate>>(
  doc: D,
): Parameter<ParsedDate | null, readonly [now: Date, calendar: Calendar]> =>
  parameter(doc, { type: 'string' }, (value, attr, now: Date, calendar: Calendar) =>
    requireDate(readText(value, attr), attr, now, calendar),
  );

interface JsonDoc {
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

/** A list or object. `read` decides about a missing one. */
export const jsonParam = <T, Context extends readonly unknown[] = readonly []>(
  doc: JsonDoc,
  read: (value: unknown, attr: string, ...context: Context) => T,
): Parameter<T, Context> => ({ ...doc, json: true, read });

const textsSchema = (maxItems: number): Schema => ({
  ...listSchema({ type: 'string' }, maxItems),
  'x-also-accepts': { type: 'string' },
});

interface TextsDoc {
  readonly description: string;
  readonly example: readonly string[];
  readonly maxItems: number;
  readonly maxLength?: number;
}

/** A list of texts, or a single one. */
export const textsParam = ({ description, example, maxItems, maxLength = Infinity }: TextsDoc): Parameter<string[]> =>
  jsonParam({ description, example, schema: textsSchema(maxItems) }, (value, attr) => {
    const list = isMissing(value) ? [] : readTexts(value, attr);
    if (list.length > maxItems) throw invalidInput(`${attr} must have at most ${maxItems} entries`, attr);
    const tooLong = list.findIndex(({ length }) => length > maxLength);
    if (tooLong < 0) return list;
    throw invalidInput(`${attr} must contain texts of at most ${maxLength} characters`, `${attr}.${tooLong}`);
  });

type ObjectOf<Declared extends Parameters> = { readonly [Name in keyof Declared]: ReturnType<Declared[Name]['read']> };

/** An object whose fields are declared like parameters; a missing object gets the fallbacks of its fields. */
export const objectParam = <const Declared extends Readonly<Record<string, Parameter<unknown>>>>(
  fields: Declared,
  { description, example }: Doc<never>,
): Parameter<ObjectOf<Declared>> => {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));
  return jsonParam({ description, example, schema: { type: 'object', properties } }, (value, attr) => {
    const values = isMissing(value) ? {} : requireFields(value, attr, Object.keys(fields));
    const read = Object.entries(fields).map(([name, field]) => [name, field.read(values[name], `${attr}.${name}`)]);
    return Object.fromEntries(read) as ObjectOf<Declared>;
  });
};

/** The parameter as a field of a body. */
export const schemaOf = ({ schema, description, example }: Parameter<unknown, never>): Schema => ({
  ...schema,
  description,
  ...(example === undefined ? {} : { example }),
});
