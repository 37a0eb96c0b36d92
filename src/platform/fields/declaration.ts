import { type Type } from '@nestjs/common';
import { invalidInput, required } from '../errors/problem.js';
import { type Schema } from './schema.js';

/** `says` is the text after the name of the field in a refusal. A rule may assume that all rules before it hold. */
export interface Rule<T = never> {
  readonly holds: (value: T) => boolean;
  readonly says: string;
}

/**
 * Declares a field of a body or a parameter once, to document and to read it. `Context` is what the reader needs in addition to
 * the value, such as the moment to which a relative date refers.
 */
export interface Field<T, Context extends readonly unknown[] = readonly []> {
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly required?: boolean;
  /** True: null is a documented value. False: null is refused. Unset: null means that the field is missing. */
  readonly nullable?: boolean;
  /** A list or object: JSON text in a query string, a JSON value in a body. */
  readonly json?: boolean;
  /** Receives undefined when the field is missing. Throws a problem that names `attr`. */
  readonly read: (value: unknown, attr: string, ...context: Context) => T;
  /** Translates other spellings of a value, which questions accept, into the spelling that `read` accepts. */
  readonly respell?: (text: string) => string;
  /** The rules that `read` checks. A list of such fields checks them for each entry. */
  readonly rules?: readonly Rule[];
  /** The DTO of the entries, in a list of records. */
  readonly listOf?: Type<object>;
  /** The rule of a list that is too long. */
  readonly most?: Rule<readonly unknown[]>;
}

export type Parameters = Readonly<Record<string, Field<unknown, never>>>;

export interface Doc<T> {
  readonly description?: string;
  readonly example?: unknown;
  /** The value of a missing field. Without a fallback it is null. */
  readonly fallback?: T | null;
  readonly required?: boolean;
  readonly nullable?: boolean;
}

export type ValueOf<D, T> = D extends { readonly fallback: T } | { readonly required: true } ? T : T | null;

export const isMissing = (value: unknown): boolean => value === undefined || value === null;

const documented = ({ description, example, required, nullable }: Doc<unknown>) => ({
  ...(description === undefined ? {} : { description }),
  ...(example === undefined ? {} : { example }),
  ...(required === undefined ? {} : { required }),
  ...(nullable === undefined ? {} : { nullable }),
});

export const made = <T, const D extends Doc<T>, Context extends readonly unknown[] = readonly []>(
  doc: D,
  schema: Schema,
  read: (value: unknown, attr: string, ...context: Context) => T,
): Field<ValueOf<D, T>, Context> => ({
  ...documented(doc),
  schema: doc.fallback === undefined ? schema : { ...schema, default: doc.fallback },
  read: (value, attr, ...context) => {
    const isRead = value === null ? doc.nullable === false : value !== undefined;
    if (!isRead && doc.required) throw required(attr);
    return (isRead ? read(value, attr, ...context) : (doc.fallback ?? null)) as ValueOf<D, T>;
  },
});

/** A field whose value is taken unchanged if all rules hold, and is refused otherwise. */
export const checked = <T, const D extends Doc<T>>(
  doc: D,
  schema: Schema,
  rules: readonly Rule[],
): Field<ValueOf<D, T>> => ({
  ...made<T, D>(doc, schema, (value, attr) => {
    const broken = rules.find(({ holds }) => !holds(value as never));
    if (broken) throw invalidInput(`${attr} ${broken.says}`, attr);
    return value as T;
  }),
  rules,
});

/** The field as a property of an object. */
export const schemaOf = ({ schema, description, example }: Field<unknown, never>): Schema => ({
  ...schema,
  ...(description === undefined ? {} : { description }),
  ...(example === undefined ? {} : { example }),
});

export const propertySchemas = (fields: Parameters): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.entries(fields).map(([name, declared]) => [name, schemaOf(declared)]));
