import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from '@nestjs/swagger';
import { field } from '../fields/field.js';
import { QueryParam } from '../http/field-decorators.js';

export const formats = ['json', 'csv'] as const;

export type Format = (typeof formats)[number];

/** The parameter `format` of a query that extends another class than `FormatQuery`. */
export const formatField = field.choice(formats, {
  says: 'must be json or csv',
  fallback: 'json',
  example: 'json',
  description:
    'csv streams every matching record. The 1,000 most frequent properties have columns; all others are in the last column, `properties`, as JSON. A client that reads nothing for half a minute is disconnected.',
});

export class FormatQuery {
  @QueryParam(formatField)
  format: Format = 'json';
}

/**
 * An answer that `format=csv` turns into a table. The document does not list the table as a second media type, because then the
 * type of the answer in generated clients would be "JSON or text".
 */
export const jsonOrCsv = (schema: { readonly $ref: string }) => ({
  description: 'With `format=csv` a table, `text/csv`.',
  content: { 'application/json': { schema } },
  'x-csv': true,
});

/** Documents 200 in either format. */
export const ApiJsonOrCsv = (type: Type<unknown>): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(type),
    ApiOkResponse({
      ...jsonOrCsv({ $ref: getSchemaPath(type) }),
    }),
  );
