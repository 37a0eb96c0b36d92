import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { invalidInput, required, type Problem } from '../errors/problem.js';

/** Bodies and queries become their DTO; what the DTO does not know is dropped; the first fault is the answer. */
export const validationPipe = (): ValidationPipe =>
  new ValidationPipe({
    transform: true,
    whitelist: true,
    exceptionFactory: (errors) => firstFault(errors, []),
  });

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
