import { type Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { invalidInput, required } from '../errors/problem.js';
import { nearestName, unknownName } from '../errors/nearest-name.js';
import { type Field } from '../fields/declaration.js';
import { fieldIn } from './body-field.js';
import { copyReadOnly, readOnlyFieldsOf } from './read-only-fields.js';

type Sent = Readonly<Record<string, unknown>>;

interface Known {
  readonly isRequired: boolean;
  /** True if the rules hold only for a field that is sent, as in an update, which inherits the rules of a creation. */
  readonly isOptional: boolean;
  readonly field: Field<unknown> | null;
}

/**
 * Reads the body as its DTO. Only the fields, and lists of DTOs, are checked. Values below them are the parsed JSON itself:
 * class-transformer would copy each node, in a time that is quadratic in the keys of an object.
 */
export const bodyDto = (dto: Type<object>, sent: Sent, path: readonly string[] = []): object => {
  const fields = fieldsOf(dto);
  const readOnly = readOnlyFieldsOf(dto);
  const made = new dto() as Record<string, unknown>;
  const readOnlyValues: Record<string, unknown> = {};
  for (const name of Object.keys(sent)) {
    const known = fields.get(name);
    if (known) made[name] = valueOf(known.field, sent[name], [...path, name]);
    else if (!readOnly.names.has(name)) throw unknownField(name, fields, sent, path);
    else if (!readOnly.moving.includes(name)) readOnlyValues[name] = sent[name];
  }
  copyReadOnly(made, readOnlyValues);
  return made;
};

const valueOf = (field: Field<unknown> | null, value: unknown, path: readonly string[]): unknown => {
  if (!field || !Array.isArray(value)) return value;
  const { most, listOf } = field;
  // Runs before class-validator, which checks every element even of a list that is too long.
  if (most && !most.holds(value)) throw invalidInput(`${path.at(-1)} ${most.says}`, path.join('.'));
  if (!listOf) return value;
  return value.map((element: unknown, at) =>
    isRecord(element) ? bodyDto(listOf, element, [...path, String(at)]) : element,
  );
};

const isRecord = (value: unknown): value is Sent =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reports an unknown name; but if it resembles no field and a required field is missing, reports the missing field. */
const unknownField = (name: string, fields: ReadonlyMap<string, Known>, sent: Sent, path: readonly string[]) => {
  const known = [...fields.keys()];
  const missing = known.find((field) => isMissing(fields.get(field), sent[field]));
  return missing !== undefined && nearestName(name, known) === null
    ? required([...path, missing].join('.'))
    : unknownName(name, known, path);
};

const isMissing = (field: Known | undefined, value: unknown): boolean =>
  field !== undefined && field.isRequired && !field.isOptional && (value ?? null) === null;

const none: Known = { isRequired: false, isOptional: false, field: null };

const known = new WeakMap<Type<object>, ReadonlyMap<string, Known>>();

/** The rules that class-validator's decorators declare for a DTO. */
const fieldsOf = (dto: Type<object>): ReadonlyMap<string, Known> => {
  const found = known.get(dto);
  if (found) return found;
  const fields = new Map<string, Known>();
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false)) {
    const before = fields.get(rule.propertyName) ?? none;
    fields.set(rule.propertyName, {
      isRequired: before.isRequired || rule.name === 'isDefined',
      isOptional: before.isOptional || rule.type === 'conditionalValidation',
      field: fieldIn(rule.context) ?? before.field,
    });
  }
  known.set(dto, fields);
  return fields;
};
