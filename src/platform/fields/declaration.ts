import { type Type } from '@nestjs/common';
import { invalidInput, required } from '../errors/problem.js';
import { type Schema, recordSchema } from './schema.js';
import { type Fields, assertOnlyKeys, requireObject } from './values.js';

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

type ReadOf<F> = F extends { readonly read: (...args: never) => infer T } ? T : never;
type ContextOf<F> = F extends Field<unknown, infer Context> ? Context : never;

/** Reads one field of an object by its name. */
type ReadField<Declared extends Parameters> = <Name extends keyof Declared & string>(
  name: Name,
  ...context: ContextOf<Declared[Name]>
) => ReadOf<Declared[Name]>;

interface RecordDoc extends Doc<never> {
  /** Completes the refusal of an unknown key, such as "a group has type and values". */
  readonly rule?: string;
  /** Keys that are accepted and have no effect. */
  readonly ignored?: readonly string[];
  /** Keys that are accepted only with the value null, and have no effect. */
  readonly ignoredNulls?: readonly string[];
  /** The keys for which null means that the key is missing: the declared ones, or all keys. */
  readonly nullIsAbsent?: 'described' | 'all';
}

interface RecordField<Declared extends Parameters> {
  readonly schema: Schema;
  /** Refuses a value that is no object of these keys. The returned function reads one field, as fields may depend on others. */
  readonly reader: (value: unknown, attr: string) => ReadField<Declared>;
}

export const fieldReader =
  <const Declared extends Parameters>(fields: Declared, sent: Fields, attr: string): ReadField<Declared> =>
  (name, ...context) => {
    const declared = fields[name] as unknown as Field<never, readonly unknown[]>;
    return declared.read(sent[name], `${attr}.${name}`, ...context);
  };

/** An object that has only the declared keys. */
export const record = <const Declared extends Parameters>(fields: Declared, doc: RecordDoc): RecordField<Declared> => {
  const { description, rule, ignored = [], ignoredNulls = [], nullIsAbsent = 'described' } = doc;
  const known = Object.keys(fields);
  return {
    schema: recordSchema(propertySchemas(fields), {
      description,
      required: known.filter((name) => fields[name]?.required),
      ignored: [...ignored, ...ignoredNulls],
      nullIsAbsent,
    }),
    reader: (value, attr) => {
      const sent = requireObject(value, attr);
      assertOnlyKeys(sent, attr, {
        known,
        rule,
        isIgnored: (key, one) =>
          ignored.includes(key) || (one === null && (nullIsAbsent === 'all' || ignoredNulls.includes(key))),
      });
      return fieldReader(fields, sent, attr);
    },
  };
};

type ObjectOf<Declared extends Parameters> = { readonly [Name in keyof Declared]: ReadOf<Declared[Name]> };

/** A parameter that is an object of several values. If it is missing, each value is its fallback. */
export const parts = <const Declared extends Readonly<Record<string, Field<unknown>>>>(
  fields: Declared,
  { description, example }: { readonly description: string; readonly example?: unknown },
): Field<ObjectOf<Declared>> => {
  const { schema, reader } = record(fields, {});
  return {
    ...{ description, example, schema, json: true },
    read: (value, attr) => {
      const read = reader(value ?? {}, attr);
      const none = [] as unknown as ContextOf<Declared[string]>;
      return Object.fromEntries(Object.keys(fields).map((name) => [name, read(name, ...none)])) as ObjectOf<Declared>;
    },
  };
};
