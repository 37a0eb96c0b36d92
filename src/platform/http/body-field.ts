import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsDefined, IsOptional, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { type Field } from '../fields/declaration.js';
import { asProperty } from '../fields/schema.js';
import { readOrRefuse, refusalIn, type DecoratorOf } from './query-param.js';

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
