import { type Type } from '@nestjs/common';
import { length as hasLength } from 'class-validator';
import { invalidInput } from '../errors/problem.js';
import { type ParsedDate, requireDate } from '../time/dates.js';
import { type Calendar } from '../time/intervals.js';
import {
  type Doc,
  type Field,
  type Rule,
  type ValueOf,
  checked,
  isMissing,
  made,
  parts,
  record,
  schemaOf,
} from './declaration.js';
import { type Bounds, type Fields, isFields, readBoolean, readInteger, readText, readTexts } from './values.js';
import { booleanSchema, integerSchema, listSchema, orText, type Schema } from './schema.js';

const isText: Rule<unknown>['holds'] = (value) => typeof value === 'string';

/** An integer in JSON; for a parameter of a query string use `integer`. */
const jsonInteger = <const D extends Doc<number> & Bounds & { readonly says?: string }>(
  doc: D,
): Field<ValueOf<D, number>> => {
  const { min, max, says = `must be an integer from ${min} to ${max}` } = doc;
  const holds = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  return checked<number, D>(doc, { type: 'integer', minimum: min, maximum: max }, [{ holds, says }]);
};

/** A boolean in JSON; for a parameter of a query string use `boolean`. */
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
  /** The refusal of a value that is no text. */
  readonly says?: string;
  /** The refusal of a text that is too short or too long. */
  readonly length?: string;
  readonly withoutNul?: boolean;
  readonly rules?: readonly Rule<string>[];
}

/** The refusal of a parameter that was given twice in a query string, so that its value is a list. */
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

/** Any value; the service reads its contents itself. */
const any = <T = unknown>(doc: AnyDoc<T>): Field<T | null> => checked<T, Doc<T>>(doc, doc.schema, doc.rules ?? []);

/** An object of JSON; the service reads its contents itself. */
const object = <T extends object = Fields>(
  doc: Doc<T> & { readonly schema: Schema; readonly says?: string },
): Field<T | null> => checked<T, Doc<T>>(doc, doc.schema, [{ holds: isFields, says: doc.says ?? 'must be an object' }]);

interface ListDoc<T> extends Doc<readonly T[]> {
  readonly min?: number;
  readonly max?: number;
  /** The refusal of a value that is no list; also of wrong entries if `entries` is unset. */
  readonly says?: string;
  /** The refusal of a list that has entries of another type. */
  readonly entries?: string;
  readonly few?: string;
  readonly many?: string;
  /** The refusal of a list that has an entry twice; unset allows it. */
  readonly unique?: string;
}

/** A list. All rules of `entry` must hold for each of its entries. */
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

/** A list or object, sent as JSON. `read` also receives a missing value. */
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
