import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiQuery } from '@nestjs/swagger';
import { presentationNames } from '../../platform/http/presentation-names.js';
import { ApiJsonOrCsv } from '../../platform/csv/format.dto.js';
import { Accepts } from '../../kernel/access/known-parameters.guard.js';
import { type Parameters, schemaOf } from '../../platform/fields/declaration.js';
import { ignoring, jsonTextSchema, orElse, schemaNamed, type Schema } from '../../platform/fields/schema.js';
import { InsightPageDto, type InsightForms } from './insight-page.dto.js';

export interface InsightDescription {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: Parameters;
  /** The name of the schema of the question as a body. */
  readonly question?: string;
  readonly insight: InsightForms;
  /** Parameters of other insights that this insight does not take, each with an explanation for the caller. */
  readonly unsupported?: Readonly<Record<string, string>>;
  /** A question that the demo project can answer; "Execute" in the Swagger page sends this question. */
  readonly example: Readonly<Record<string, unknown>>;
}

const described = ({ operationId, summary, insight, parameters, unsupported }: InsightDescription) =>
  applyDecorators(
    ApiOperation({ operationId, summary }),
    ApiJsonOrCsv(InsightPageDto(insight)),
    Accepts({ names: Object.keys(parameters), unsupported: { ...unsupportedParameters, ...unsupported } }),
  );

const unsupportedParameters = {
  include_recordings: 'there are no session recordings here',
  sampling_factor: 'every answer counts all events',
};

/** A query string has a list or an object as JSON text, or as plain text where a single one will do. */
const textOf = ({ schema }: Parameters[string]): Schema => {
  const isPlain = 'anyOf' in schema && schema.anyOf?.some((form) => 'type' in form && form.type === 'string');
  const isOfTexts = 'items' in schema && schema.items && 'type' in schema.items && schema.items.type === 'string';
  if ('type' in schema && schema.type === 'string') return schema;
  return isPlain || isOfTexts ? { type: 'string' } : jsonTextSchema(schema);
};

/** Documents a question in the query string. */
export const QuestionByGet = (description: InsightDescription): MethodDecorator =>
  applyDecorators(
    described(description),
    ...Object.entries(description.parameters).map(([name, parameter]) => {
      const { description: text, schema } = parameter;
      const sent = parameter.json ? textOf(parameter) : schema;
      const isText = sent !== schema;
      const value = description.example[name];
      const example = isText && value !== undefined && typeof value !== 'string' ? JSON.stringify(value) : value;
      return ApiQuery({
        name,
        required: false,
        description: isText ? `${text} JSON text.` : text,
        schema: { ...sent, ...(example === undefined ? {} : { example }) },
      });
    }),
  );

/** Documents the same question as a JSON body. */
export const QuestionByPost = (description: InsightDescription & { readonly question: string }): MethodDecorator =>
  applyDecorators(
    described(description),
    ApiBody({
      required: false,
      schema: schemaNamed(description.question),
      examples: { question: { summary: 'A question that the demo project can answer', value: description.example } },
    }),
  );

const textOrNull: Schema = {
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { nullable: true, enum: [null] }],
};

/** Adds an example to a schema without one: the minimum of a number, or an empty text, which has no effect. */
const withExample = (schema: Schema): Schema =>
  'example' in schema || 'default' in schema || 'enum' in schema
    ? schema
    : { ...schema, example: 'minimum' in schema ? schema.minimum : '' };

/** The question as an object. Every value may also be the text that a query string has. */
export const questionSchema = (parameters: Parameters): Schema =>
  ignoring(
    {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(parameters).map(([name, parameter]) => [
          name,
          orElse(withExample(schemaOf(parameter)), textOrNull),
        ]),
      ),
    },
    presentationNames,
  );
