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
        'csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected.',
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
      description: 'In the requested `format`.',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(type) } },
        'text/csv': { schema: { type: 'string' } },
      },
    }),
  );
