import { ValidationPipe, type ArgumentMetadata, type Type, type ValidationError } from '@nestjs/common';
import { validate } from 'class-validator';
import { invalidInput, required, type Problem } from '../errors/problem.js';
import { bodyDto } from './body-dto.js';
import { fieldNamesOf } from './field-names.js';

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
