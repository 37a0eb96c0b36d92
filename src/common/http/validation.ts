import { ValidationPipe, type ArgumentMetadata, type Type, type ValidationError } from '@nestjs/common';
import { invalidInput, required, type Problem } from '../errors/problem.js';

/** Bodies and queries become their DTO; what the DTO does not know is dropped; the first fault is the answer. */
export const validationPipe = (): ValidationPipe =>
  new RequestValidation({
    transform: true,
    whitelist: true,
    exceptionFactory: (errors) => firstFault(errors, []),
  });

/** A query without parameters becomes the same each time: what is mostly asked need not be judged again. */
class RequestValidation extends ValidationPipe {
  private readonly withoutParameters = new Map<Type<unknown>, object>();

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (type !== 'query' || !metatype || Object.keys(value ?? {}).length > 0) {
      return super.transform(value, metadata) as Promise<unknown>;
    }
    const known = this.withoutParameters.get(metatype);
    if (known) return Object.assign(Object.create(metatype.prototype as object) as object, known);
    const made: unknown = await super.transform(value, metadata);
    if (typeof made === 'object' && made !== null) this.withoutParameters.set(metatype, { ...made });
    return made;
  }
}

const firstFault = (errors: readonly ValidationError[], path: readonly string[]): Problem => {
  const [error] = errors;
  if (!error) return invalidInput('The request is not valid');
  const attr = [...path, error.property].join('.');
  if (!error.constraints && error.children?.length) return firstFault(error.children, [...path, error.property]);
  if (error.value === undefined || error.value === null) {
    if (error.constraints?.isDefined !== undefined || error.constraints?.isNotEmpty !== undefined)
      return required(attr);
  }
  // Decorators register from the last to the first; the first one written is the most basic demand.
  const message = Object.values(error.constraints ?? {}).at(-1);
  return invalidInput(message ?? `${attr} is not valid`, attr);
};
