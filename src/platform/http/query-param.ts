import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { Problem } from '../errors/problem.js';
import { type Parameter } from '../fields/parameter.js';

/**
 * Stays in the field until the faults of all fields are collected: the first one in the order of declaration is the
 * answer.
 */
class RefusedValue {
  constructor(readonly detail: string) {}
}

/** A parameter of the query string in a DTO. A missing one keeps the default value of the DTO. */
export const QueryParam =
  ({ description, schema, example, read }: Parameter<unknown>): PropertyDecorator =>
  (target, property) => {
    const name = String(property);
    const decorators = [
      ApiPropertyOptional({ ...schema, description, ...(example === undefined ? {} : { example }) } as object),
      Transform(({ obj }: { obj: Record<string, unknown> }) => readOrRefuse(() => read(obj[name], name) ?? undefined)),
      ValidateBy({
        name: 'isReadable',
        validator: {
          validate: (value) => !(value instanceof RefusedValue),
          defaultMessage: (fault) => (fault?.value as RefusedValue).detail,
        },
      }),
    ];
    for (const decorate of decorators) decorate(target, property);
  };

const readOrRefuse = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return new RefusedValue(error.detail);
    throw error;
  }
};
