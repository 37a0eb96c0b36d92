import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IsIn } from 'class-validator';

export const formats = ['json', 'csv'] as const;

export type Format = (typeof formats)[number];

/** The parameter `format` of a query that extends another class than `FormatQuery`. */
export const FormatParam = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      enum: formats,
      default: 'json',
      example: 'json',
      description:
        'csv streams every matching record. Of properties the 1,000 most frequent have columns; any others stand in the last column, `properties`, as JSON. A client that takes nothing for half a minute is cut off.',
    }),
    IsIn(formats, { message: 'format must be json or csv' }),
  );

export class FormatQuery {
  @FormatParam()
  format: Format = 'json';
}

/** Documents 200 in either format. */
export const ApiJsonOrCsv = (type: Type<unknown>): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(type),
    ApiOkResponse({
      description: 'As asked by `format`.',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(type) } },
        'text/csv': { schema: { type: 'string' } },
      },
    }),
  );
