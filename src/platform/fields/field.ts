import { type Type } from '@nestjs/common';
import { length as hasLength } from 'class-validator';
import { invalidInput, required } from '../errors/problem.js';
import { requireDate, type ParsedDate } from '../time/dates.js';
import { type Calendar } from '../time/intervals.js';
import { assertOnlyKeys, isFields, requireObject, type Fields } from './fields.js';
import { booleanSchema, integerSchema, listSchema, orText, recordSchema, type Schema } from './schema.js';
import { readBoolean, readInteger, readText, readTexts, type Bounds } from './values.js';

/** `says` completes the refusal, after the name of the field. Each rule may rely on those before it. */
export interface Rule<T = never> {
  readonly holds: (value: T) => boolean;
  readonly says: string;
}

/**
 * One declaration of what a client sends, as a field of a body or a parameter, which documents and reads it. `Context` is
 * what the reader needs beside the value, such as the moment to which a relative date refers.
 */
export interface Field<T, Context extends readonly unknown[] = readonly []> {
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly required?: boolean;
  /** True: null is a value of its own, and documented. False: it is refused. Otherwise it means that the field is missing. */
  readonly nullable?: boolean;
  /** A list or object: JSON text in a query string, a JSON value in a body. */
  readonly json?: boolean;
  /** Receives undefined when the field is missing. Throws a problem that names `attr`. */
  readonly read: (value: unknown, attr: string, ...context: Context) => T;
  /** Questions accept other spellings of a value; this translates them into the one that `read` accepts. */
  readonly respell?: (text: string) => string;
  /** The rules that `read` checks, for a list to check of all its entries. */
  readonly rules?: readonly Rule[];
  /** A list of records that have a DTO of their own. */
  readonly listOf?: Type<object>;
  /** The rule of a list that is too long. */
  readonly most?: Rule<readonly unknown[]>;
}

export type Parameters = Readonly<Record<string, Field<unknown, never>>>;

interface Doc<T> {
  readonly description?: string;
  readonly example?: unknown;
  /** The value of a missing field. Without a fallback it is null. */
  readonly fallback?: T | null;
  readonly required?: boolean;
  readonly nullable?: boolean;
}

type ValueOf<D, T> = D extends { readonly fallback: T } | { readonly required: true } ? T : T | null;

const isMissing = (value: unknown): boolean => value === undefined || value === null;

const documented = ({ description, example, required, nullable }: Doc<unknown>) => ({
  ...(description === undefined ? {} : { description }),
  ...(example === undefined ? {} : { example }),
  ...(required === undefined ? {} : { required }),
  ...(nullable === undefined ? {} : { nullable }),
});

const made = <T, const D extends Doc<T>, Context extends readonly unknown[] = readonly []>(
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

/** A field that is taken as it was sent when all rules hold. */
const checked = <T, const D extends Doc<T>>(doc: D, schema: Schema, rules: readonly Rule[]): Field<ValueOf<D, T>> => ({
  ...made<T, D>(doc, schema, (value, attr) => {
    const broken = rules.find(({ holds }) => !holds(value as never));
    if (broken) throw invalidInput(`${attr} ${broken.says}`, attr);
    return value as T;
  }),
  rules,
});

const isText: Rule<unknown>['holds'] = (value) => typeof value === 'string';

/** Only JSON; a parameter of a query string is `integer`. */
const jsonInteger = <const D extends Doc<number> & Bounds & { readonly says?: string }>(
  doc: D,
): Field<ValueOf<D, number>> => {
  const { min, max, says = `must be an integer from ${min} to ${max}` } = doc;
  const holds = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  return checked<number, D>(doc, { type: 'integer', minimum: min, maximum: max }, [{ holds, says }]);
};

/** Only JSON; a parameter of a query string is `boolean`. */
const jsonBoolean = <const D extends Doc<boolean>>(doc: D): Field<ValueOf<D, boolean>> =>
  checked<boolean, D>(doc, { type: 'boolean' }, [
    { holds: (value: unknown) => typeof value === 'boolean', says: 'must be true or false' },
  ]);

/** A number, or its text. */
const integer = <const D extends Doc<number> & Bounds>(doc: D): Field<ValueOf<D, number>> => ({
  ...made(doc, integerSchema(doc.min, doc.max), (value, attr) => readInteger(value, attr, doc)),
  respell: (text) => text.trim(),
});

/** A position, from 0, in a list of the question; the reader receives the last one. */
const position = <const D extends Doc<number>>(doc: D): Field<ValueOf<D, number>, readonly [last: number]> => ({
  ...made(doc, integerSchema(0), (value, attr, last: number) => readInteger(value, attr, { min: 0, max: last })),
  respell: (text) => text.trim(),
});

const boolean = <const D extends Doc<boolean>>(doc: D): Field<ValueOf<D, boolean>> => ({
  ...made(doc, booleanSchema, readBoolean),
  respell: (text) => text.toLowerCase(),
});

const choice = <const T extends string, const D extends Doc<NoInfer<T>> & { readonly says?: string }>(
  choices: readonly T[],
  doc: D,
): Field<ValueOf<D, T>> => {
  const { says = `must be one of ${choices.join(', ')}` } = doc;
  const holds = (value: unknown): boolean => choices.some((known) => known === value);
  return checked<T, D>(doc, { type: 'string', enum: [...choices] }, [{ holds, says }]);
};

interface TextDoc extends Doc<string> {
  readonly min?: number;
  readonly max?: number;
  readonly format?: string;
  /** Refuses what is no text. */
  readonly says?: string;
  /** Refuses a text that is too short or too long. */
  readonly length?: string;
  readonly withoutNul?: boolean;
  readonly rules?: readonly Rule<string>[];
}

/** Refuses a text of a query string that is a list, because it was given twice. */
export const once = 'must be given once';
export const onceAsJson = `${once}, as JSON`;

const text = <const D extends TextDoc>(doc: D): Field<ValueOf<D, string>> => {
  const { min = 0, max, format, says = 'must be text', withoutNul = false, rules = [] }: TextDoc = doc;
  const few = min > 0 ? `${min} to ${max}` : `at most ${max}`;
  const { length = `must have ${few} characters` }: TextDoc = doc;
  const schema: Schema = {
    type: 'string',
    ...(format === undefined ? {} : { format }),
    ...(min > 0 && { minLength: min }),
    ...(max === undefined ? {} : { maxLength: max }),
  };
  return checked<string, D>(doc, schema, [
    { holds: isText, says },
    ...(max === undefined ? [] : [{ holds: (value: string) => hasLength(value, min, max), says: length }]),
    ...(withoutNul
      ? [{ holds: (value: string) => !value.includes('\0'), says: 'must not contain NUL characters' }]
      : []),
    ...rules,
  ]);
};

/** A date or moment, which may be relative to now. */
const date = <const D extends Doc<ParsedDate>>(
  doc: D,
): Field<ParsedDate | null, readonly [now: Date, calendar: Calendar]> =>
  made(doc, { type: 'string' }, (value, attr, now: Date, calendar: Calendar) =>
    requireDate(readText(value, attr), attr, now, calendar),
  );

interface AnyDoc<T> extends Doc<T> {
  readonly schema: Schema;
  readonly rules?: readonly Rule<unknown>[];
}

/** Any value, for the reader of the service. */
const any = <T = unknown>(doc: AnyDoc<T>): Field<T | null> => checked<T, Doc<T>>(doc, doc.schema, doc.rules ?? []);

/** An object of JSON, for the reader of the service. */
const object = <T extends object = Fields>(
  doc: Doc<T> & { readonly schema: Schema; readonly says?: string },
): Field<T | null> => checked<T, Doc<T>>(doc, doc.schema, [{ holds: isFields, says: doc.says ?? 'must be an object' }]);

interface ListDoc<T> extends Doc<readonly T[]> {
  readonly min?: number;
  readonly max?: number;
  /** Refuses what is no list, or has entries of another type. */
  readonly says?: string;
  /** Refuses entries of another type. */
  readonly entries?: string;
  readonly few?: string;
  readonly many?: string;
  /** Refuses a list with an entry twice. */
  readonly unique?: string;
}

/** A rule of one entry must hold for each of them. */
const list = <T>(entry: Field<T>, doc: ListDoc<NonNullable<T>>): Field<NonNullable<T>[] | null> => {
  const { min = 0, max = Infinity, says = 'must be a list', entries = says, few = says, many = says, unique } = doc;
  const most = { holds: (value: readonly unknown[]) => value.length <= max, says: many };
  const schema: Schema = {
    ...listSchema(schemaOf(entry), max === Infinity ? undefined : max),
    ...(min > 0 && { minItems: min }),
    ...(unique === undefined ? {} : { uniqueItems: true }),
  };
  return {
    ...checked<NonNullable<T>[], Doc<NonNullable<T>[]>>(doc as Doc<NonNullable<T>[]>, schema, [
      { holds: (value: unknown) => Array.isArray(value), says },
      { holds: (value: readonly unknown[]) => value.length >= min, says: few },
      most,
      ...(unique === undefined
        ? []
        : [{ holds: (value: readonly unknown[]) => new Set(value).size === value.length, says: unique }]),
      ...(entry.rules ?? []).map((rule, at) => ({
        holds: (value: readonly unknown[]) => value.every((one) => rule.holds(one as never)),
        says: at === 0 ? entries : rule.says,
      })),
    ]),
    most,
  };
};

/** A list of records that have a DTO of their own. */
const listOf = <T extends object>(dto: Type<T>, doc: ListDoc<T>): Field<T[] | null> => ({
  ...list(object<T>({ schema: {} }), doc),
  listOf: dto,
});

interface JsonDoc {
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

/** A list or object. `read` decides about a missing one. */
const json = <T, Context extends readonly unknown[] = readonly []>(
  doc: JsonDoc,
  read: (value: unknown, attr: string, ...context: Context) => T,
): Field<T, Context> => ({ ...doc, json: true, read });

interface TextsDoc {
  readonly description: string;
  readonly example: readonly string[];
  readonly maxItems: number;
  readonly maxLength?: number;
}

/** A list of texts, or a single one. */
const texts = ({ description, example, maxItems, maxLength = Infinity }: TextsDoc): Field<string[]> =>
  json({ description, example, schema: orText(listSchema({ type: 'string' }, maxItems)) }, (value, attr) => {
    const read = isMissing(value) ? [] : readTexts(value, attr);
    if (read.length > maxItems) throw invalidInput(`${attr} must have at most ${maxItems} entries`, attr);
    const tooLong = read.findIndex(({ length }) => length > maxLength);
    if (tooLong < 0) return read;
    throw invalidInput(`${attr} must contain texts of at most ${maxLength} characters`, `${attr}.${tooLong}`);
  });

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
  /** Fields that may be null and nothing else. */
  readonly ignoredNulls?: readonly string[];
  /** A null means that the key is missing: of the declared keys, or of any key. */
  readonly nullIsAbsent?: 'described' | 'all';
}

export interface RecordField<Declared extends Parameters> {
  readonly schema: Schema;
  /** Refuses what is no object of these keys; then reads its fields one by one, where one depends on another. */
  readonly reader: (value: unknown, attr: string) => ReadField<Declared>;
}

export const fieldReader =
  <const Declared extends Parameters>(fields: Declared, sent: Fields, attr: string): ReadField<Declared> =>
  (name, ...context) => {
    const declared = fields[name] as unknown as Field<never, readonly unknown[]>;
    return declared.read(sent[name], `${attr}.${name}`, ...context);
  };

/** An object that has only the declared keys. */
const record = <const Declared extends Parameters>(fields: Declared, doc: RecordDoc): RecordField<Declared> => {
  const { description, rule, ignored = [], ignoredNulls = [], nullIsAbsent = 'described' } = doc;
  const known = Object.keys(fields);
  return {
    schema: recordSchema(propertiesOf(fields), {
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

export const propertiesOf = (fields: Parameters): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.entries(fields).map(([name, declared]) => [name, schemaOf(declared)]));

type ObjectOf<Declared extends Parameters> = { readonly [Name in keyof Declared]: ReadOf<Declared[Name]> };

/** A parameter of several values; a missing one has the fallbacks of its fields. */
const parts = <const Declared extends Readonly<Record<string, Field<unknown>>>>(
  fields: Declared,
  doc: RecordDoc & { readonly description: string },
): Field<ObjectOf<Declared>> => {
  const { schema, reader } = record(fields, {});
  return json({ description: doc.description, example: doc.example, schema }, (value, attr) => {
    const read = reader(value ?? {}, attr);
    const none = [] as unknown as ContextOf<Declared[string]>;
    return Object.fromEntries(Object.keys(fields).map((name) => [name, read(name, ...none)])) as ObjectOf<Declared>;
  });
};

/** The field as a property of an object. */
export const schemaOf = ({ schema, description, example }: Field<unknown, never>): Schema => ({
  ...schema,
  ...(description === undefined ? {} : { description }),
  ...(example === undefined ? {} : { example }),
});

export const field = {
  any,
  boolean,
  choice,
  date,
  integer,
  json,
  jsonBoolean,
  jsonInteger,
  list,
  listOf,
  object,
  parts,
  position,
  record,
  text,
  texts,
};
