import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDefined, ValidateBy } from 'class-validator';
import { Problem } from '../errors/problem.js';
import { type Field } from '../fields/declaration.js';

/**
 * Takes the place of a value that was refused, until the faults of all fields are collected: the answer names the first in the
 * order of declaration.
 */
class RefusedValue {
  constructor(readonly detail: string) {}
}

/** A decorator that compiles only on a property whose type includes all values of the field. */
export type DecoratorOf<T> = <Target extends object, Key extends keyof Target & string>(
  target: Target,
  key: Key & ([NonNullable<T>] extends [NonNullable<Target[Key]>] ? unknown : never),
) => void;

/** A parameter of the query string in a DTO. A missing one keeps the default value of the DTO. */
export const QueryParam =
  <T>(field: Field<T>): DecoratorOf<T> =>
  (target, name: string) => {
    const { schema, description, example, required = false } = field;
    const decorators = [
      ApiProperty({ ...schema, description, ...(example === undefined ? {} : { example }), required } as object),
      Transform(({ obj }: { obj: Record<string, unknown> }) => readOrRefuse(field, obj[name], name) ?? undefined),
      ValidateBy({
        name: 'isReadable',
        validator: {
          validate: (value) => refusalIn(value) === null,
          defaultMessage: (fault) => refusalIn(fault?.value) ?? '',
        },
      }),
      ...(required ? [IsDefined()] : []),
    ];
    for (const decorate of decorators) decorate(target, name);
  };

export const readOrRefuse = (field: Field<unknown>, value: unknown, name: string): unknown => {
  try {
    return field.read(value, name);
  } catch (error) {
    if (error instanceof Problem) return new RefusedValue(error.detail);
    throw error;
  }
};

export const refusalIn = (read: unknown): string | null => (read instanceof RefusedValue ? read.detail : null);
