import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDefined, IsOptional, ValidateBy, ValidateIf, ValidateNested, getMetadataStorage } from 'class-validator';
import { Problem } from '../errors/problem.js';
import { type Field } from '../fields/declaration.js';
import { asProperty } from '../fields/schema.js';
import { type Type } from '@nestjs/common';

/**
 * Takes the place of a value that was refused, until the faults of all fields are collected: the answer names the first in the
 * order of declaration.
 */
class RefusedValue {
  constructor(readonly detail: string) {}
}

/** A decorator that compiles only on a property whose type includes all values of the field. */
type DecoratorOf<T> = <Target extends object, Key extends keyof Target & string>(
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

const readOrRefuse = (field: Field<unknown>, value: unknown, name: string): unknown => {
  try {
    return field.read(value, name);
  } catch (error) {
    if (error instanceof Problem) return new RefusedValue(error.detail);
    throw error;
  }
};

const refusalIn = (read: unknown): string | null => (read instanceof RefusedValue ? read.detail : null);

/**
 * The `context` for class-validator's decorators. `PartialType`, `PickType` and the like copy it, so derived classes find the
 * field.
 */
interface FieldContext {
  readonly field: Field<unknown>;
}

export const fieldIn = (context: unknown): Field<unknown> | null =>
  (context as Partial<FieldContext> | undefined)?.field ?? null;

/** Documents and checks a field of a body. The property gets the JSON as it was sent. */
export const BodyField =
  <T>(field: Field<T>): DecoratorOf<T> =>
  (target, name: string) => {
    const context: FieldContext = { field };
    const refusalOf = (value: unknown): string | null => refusalIn(readOrRefuse(field, value, name));
    const decorators = [
      ApiProperty(propertyOf(field)),
      ...(field.listOf ? [ValidateNested({ each: true })] : []),
      ValidateBy(
        {
          name: 'isReadable',
          validator: {
            validate: (value) => refusalOf(value) === null,
            defaultMessage: (fault) => refusalOf(fault?.value) ?? '',
          },
        },
        { context },
      ),
      whenMissing(name, field),
    ];
    for (const decorate of decorators) decorate(target, name);
  };

const propertyOf = ({ schema, description, example, required = false, nullable, listOf }: Field<unknown>) => {
  const { items, ...ofList } = asProperty(schema, { description, example }) as { items?: unknown };
  return {
    ...ofList,
    ...(listOf ? { type: [listOf] } : items === undefined ? {} : { items }),
    ...(nullable && { nullable }),
    required,
  } as ApiPropertyOptions;
};

const whenMissing = (name: string, { required, nullable }: Field<unknown>): PropertyDecorator => {
  if (required) return IsDefined();
  return nullable === false
    ? ValidateIf((body: Readonly<Record<string, unknown>>) => body[name] !== undefined)
    : IsOptional();
};

/** The names that a DTO declares: validation drops or refuses all others. */
export const fieldNamesOf = (dto: Type<unknown>): readonly string[] => [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(dto, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];
