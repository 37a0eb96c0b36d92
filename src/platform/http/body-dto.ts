import { type Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { invalidInput, required } from '../errors/problem.js';
import { listedDto } from './list-of.js';
import { nearestName, unknownName } from '../errors/nearest-name.js';
import { copyReadOnly, readOnlyFieldsOf } from './read-only-fields.js';

type Sent = Readonly<Record<string, unknown>>;

interface Field {
  readonly isRequired: boolean;
  /** An update inherits the rules of a creation, and makes them conditional. */
  readonly isOptional: boolean;
  readonly maxLength: { readonly length: number; readonly message: string } | null;
  /** The class for each element of a list; null for a field that is taken as it was sent. */
  readonly listOf: Type<object> | null;
}

/**
 * Reads the body as its DTO. Only the fields and lists of DTOs are checked; everything below is the parsed JSON itself,
 * not a copy: class-transformer copies each node, and takes time quadratic in the keys of an object.
 */
export const bodyDto = (dto: Type<object>, sent: Sent, path: readonly string[] = []): object => {
  const fields = fieldsOf(dto);
  const readOnly = readOnlyFieldsOf(dto);
  const made = new dto() as Record<string, unknown>;
  const readOnlyValues: Record<string, unknown> = {};
  for (const name of Object.keys(sent)) {
    const field = fields.get(name);
    if (field) made[name] = fieldOf(field, sent[name], [...path, name]);
    else if (!readOnly.names.has(name)) throw unknownField(name, fields, sent, path);
    else if (!readOnly.moving.includes(name)) readOnlyValues[name] = sent[name];
  }
  copyReadOnly(made, readOnlyValues);
  return made;
};

const fieldOf = ({ maxLength, listOf }: Field, value: unknown, path: readonly string[]): unknown => {
  if (!Array.isArray(value)) return value;
  // Runs before class-validator, which checks every element even of a list that is too long.
  if (maxLength && value.length > maxLength.length) throw invalidInput(maxLength.message, path.join('.'));
  if (!listOf) return value;
  return value.map((element: unknown, at) =>
    isRecord(element) ? bodyDto(listOf, element, [...path, String(at)]) : element,
  );
};

const isRecord = (value: unknown): value is Sent =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A name that resembles no field gives no hint at the intended one, so a missing required field is reported instead. */
const unknownField = (name: string, fields: ReadonlyMap<string, Field>, sent: Sent, path: readonly string[]) => {
  const known = [...fields.keys()];
  const missing = known.find((field) => isMissing(fields.get(field), sent[field]));
  return missing !== undefined && nearestName(name, known) === null
    ? required([...path, missing].join('.'))
    : unknownName(name, known, path);
};

const isMissing = (field: Field | undefined, value: unknown): boolean =>
  field !== undefined && field.isRequired && !field.isOptional && (value ?? null) === null;

const none: Field = { isRequired: false, isOptional: false, maxLength: null, listOf: null };

const known = new WeakMap<Type<object>, ReadonlyMap<string, Field>>();

/** The rules that class-validator's decorators declare for a DTO. */
const fieldsOf = (dto: Type<object>): ReadonlyMap<string, Field> => {
  const before = known.get(dto);
  if (before) return before;
  const fields = new Map<string, Field>();
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false)) {
    const field = fields.get(rule.propertyName) ?? none;
    const [length] = (rule.constraints ?? []) as unknown[];
    const maxLength =
      rule.name === 'arrayMaxSize' && typeof length === 'number' ? { length, message: String(rule.message) } : null;
    fields.set(rule.propertyName, {
      isRequired: field.isRequired || rule.name === 'isDefined',
      isOptional: field.isOptional || rule.type === 'conditionalValidation',
      maxLength: maxLength ?? field.maxLength,
      listOf: listedDto(rule.context) ?? field.listOf,
    });
  }
  known.set(dto, fields);
  return fields;
};
