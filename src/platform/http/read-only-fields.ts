import { type Type } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { isDeepStrictEqual } from 'node:util';
import { invalidInput } from '../errors/problem.js';
import { fieldNamesOf } from './field-decorators.js';

interface SentBack {
  readonly answer: Type<object>;
  readonly moving: readonly string[];
}

const answers = new WeakMap<object, SentBack>();

/** The read-only values that a body contained. The key is the DTO that was made of the body. */
const sentWith = new WeakMap<object, Readonly<Record<string, unknown>>>();

/**
 * Lets clients send a record back as they read it. Fields that only the answer has are read-only: the service compares them with
 * the record, by `assertUnchanged`. Those in `moving` are not compared, because the service itself changes them, and a copy is
 * soon stale.
 */
export const SentBackAs =
  (answer: Type<object>, moving: readonly string[] = []): ClassDecorator =>
  (body) => {
    answers.set(body, { answer, moving });
    const writable = fieldNamesOf(body as unknown as Type<unknown>);
    const compared = describedNames(answer).filter((name) => !writable.includes(name) && !moving.includes(name));
    ApiSchema({ description: rules(compared, moving) })(body);
  };

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

const rules = (compared: readonly string[], moving: readonly string[]): string =>
  [
    `The record may be sent back as it was read. Read-only: ${quoted(compared)}; a value that differs from the record is a 400.`,
    ...(moving.length > 0
      ? [`The service itself changes ${quoted(moving)}: any value is accepted and has no effect.`]
      : []),
  ].join(' ');

const none: ReadonlySet<string> = new Set();

export interface ReadOnlyFields {
  readonly names: ReadonlySet<string>;
  readonly moving: readonly string[];
}

/** The names come from the decorators that describe the answer in the API document. */
export const readOnlyFieldsOf = (body: Type<object>): ReadOnlyFields => {
  const sentBack = answers.get(body);
  return sentBack
    ? { names: new Set(describedNames(sentBack.answer)), moving: sentBack.moving }
    : { names: none, moving: [] };
};

const describedNames = ({ prototype }: Type<object>): string[] =>
  ((Reflect.getMetadata('swagger/apiModelPropertiesArray', prototype as object) ?? []) as string[]).map((name) =>
    name.replace(/^:/, ''),
  );

export const copyReadOnly = (body: object, values: Readonly<Record<string, unknown>>): void => {
  sentWith.set(body, values);
};

/** A read-only value as the caller sent it; undefined when it is missing. */
export const readOnlyValue = (body: object, name: string): unknown => sentWith.get(body)?.[name];

/** True if the body has read-only fields to compare: without them, the record need not be read. */
export const hasReadOnly = (body: object): boolean => Object.keys(sentWith.get(body) ?? {}).length > 0;

/**
 * Refuses a body whose read-only fields differ from the record. A record with several forms, such as the one in lists, may
 * be sent back in each of them. Call it under the lock of the record.
 */
export const assertUnchanged = (body: object, ...forms: readonly object[]): void => {
  for (const [name, value] of Object.entries(sentWith.get(body) ?? {})) {
    if (forms.some((form) => isDeepStrictEqual(value, (form as Readonly<Record<string, unknown>>)[name]))) continue;
    throw invalidInput(`${name} is read-only: leave it out, or send it as it was read`, name);
  }
};
