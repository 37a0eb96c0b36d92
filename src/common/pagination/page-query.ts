import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

interface IntegerRange {
  readonly min: number;
  readonly max: number;
  /** Without one the parameter may be missing. */
  readonly fallback?: number;
  readonly example?: number;
  readonly description: string;
}

/** An integer of the query string. `Number()` alone would take "", "1e2" and "0x10". */
export const IntegerParam = (name: string, { fallback, ...range }: IntegerRange): PropertyDecorator => {
  const { min, max, description, example } = range;
  const message = `${name} must be an integer from ${min} to ${max}`;
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: min, maximum: max, default: fallback, description, example }),
    Transform(({ value }) =>
      typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value === undefined ? fallback : NaN,
    ),
    ...(fallback === undefined ? [IsOptional()] : []),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
};

export const maxOffset = 2 ** 31 - 1;

export class PageQuery {
  @IntegerParam('limit', { min: 1, max: 1000, fallback: 100, description: 'Records per page.' })
  limit: number = 100;

  @IntegerParam('offset', { min: 0, max: maxOffset, fallback: 0, description: 'Records to skip.' })
  offset: number = 0;
}
