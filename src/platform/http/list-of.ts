import { type Type } from '@nestjs/common';
import { ValidateNested } from 'class-validator';

interface ListContext {
  readonly listOf: Type<object>;
}

/**
 * The field is a list of records that have a DTO of their own. The rule survives `PartialType` and its kin, as validation
 * does.
 */
export const ListOf = (dto: Type<object>): PropertyDecorator =>
  ValidateNested({ each: true, context: { listOf: dto } satisfies ListContext });

export const listedDto = (context: unknown): Type<object> | null =>
  (context as Partial<ListContext> | undefined)?.listOf ?? null;
