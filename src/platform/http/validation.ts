import { type ArgumentMetadata, type Type, type ValidationError, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage, validate } from 'class-validator';
import { type Problem, invalidInput, required } from '../errors/problem.js';
import { nearestName, unknownName } from '../errors/nearest-name.js';
import { type Field } from '../fields/declaration.js';
import { fieldIn, fieldNamesOf } from './field-decorators.js';
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
const bodyDto = (dto: Type<object>, sent: Sent, path: readonly string[] = []): object => {
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

type Parameters = Readonly<Record<string, unknown>>;

/** Turns bodies and queries into their DTO, and answers with the first fault. An unknown field of a body is a fault. */
export const validationPipe = (): ValidationPipe =>
  new RequestValidation({
    transform: true,
    whitelist: true,
    exceptionFactory: (errors) => firstFault(errors, []),
  });

/** A query without parameters always gives the same DTO, so the most frequent query is validated only once. */
class RequestValidation extends ValidationPipe {
  private readonly withoutParameters = new Map<Type<unknown>, object>();
  private readonly parametersOf = new Map<Type<unknown>, ReadonlySet<string>>();

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    // Path parameters stay text: Nest would turn a wrong number into NaN before the pipe of the parameter sees it.
    if (type === 'param') return value;
    if (!metatype || !this.toValidate(metadata)) return super.transform(value, metadata) as Promise<unknown>;
    if (type === 'body') return validBody(metatype as Type<object>, (value ?? {}) as Parameters);
    if (type !== 'query') return super.transform(value, metadata) as Promise<unknown>;
    const query = (value ?? {}) as Parameters;
    return Object.keys(query).length > 0
      ? (super.transform(this.knownOf(query, metatype), metadata) as Promise<unknown>)
      : this.emptyQuery(query, metadata, metatype);
  }

  private async emptyQuery(query: object, metadata: ArgumentMetadata, metatype: Type<unknown>): Promise<unknown> {
    const known = this.withoutParameters.get(metatype);
    if (known) return Object.assign(Object.create(metatype.prototype as object) as object, known);
    const made: unknown = await super.transform(query, metadata);
    if (typeof made === 'object' && made !== null) this.withoutParameters.set(metatype, { ...made });
    return made;
  }

  /** Transforms only the names that the DTO declares: class-transformer takes time quadratic in the number of names. */
  private knownOf(query: Parameters, metatype: Type<unknown>): Parameters {
    const names = this.parametersOf.get(metatype) ?? new Set(fieldNamesOf(metatype));
    this.parametersOf.set(metatype, names);
    return Object.fromEntries(Object.entries(query).filter(([name]) => names.has(name)));
  }
}

/** Reads values like a body of the API: throws a Problem that names the field if it is unknown or invalid. */
export const validBody = async (dto: Type<object>, sent: Parameters): Promise<object> => {
  const made = bodyDto(dto, sent);
  const errors = await validate(made, { forbidUnknownValues: false, validationError: { target: false } });
  if (errors.length > 0) throw firstFault(errors, []);
  return made;
};

const firstFault = (errors: readonly ValidationError[], path: readonly string[]): Problem => {
  const [error] = errors;
  if (!error) return invalidInput('The request is not valid');
  const attr = [...path, error.property].join('.');
  if (!error.constraints && error.children?.length) return firstFault(error.children, [...path, error.property]);
  if (error.value === undefined || error.value === null) {
    if (error.constraints?.isDefined !== undefined || error.constraints?.isNotEmpty !== undefined)
      return required(attr);
  }
  // Decorators register from the last to the first; the first one in the source is the most basic rule.
  const message = Object.values(error.constraints ?? {}).at(-1);
  return invalidInput(message ?? `${attr} is not valid`, attr);
};
