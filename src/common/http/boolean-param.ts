import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';

const values = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
  [undefined, false],
]);

/** A boolean of the query string; false when missing. */
export const BooleanParam = (name: string, description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: 'boolean', default: false, description }),
    Transform(({ obj }: { obj: Record<string, unknown> }) => values.get(obj[name]) ?? null),
    IsBoolean({ message: `${name} must be true or false` }),
  );
