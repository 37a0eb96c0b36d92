import { applyDecorators } from '@nestjs/common';
import { ApiBadRequestResponse, ApiBody, ApiConsumes, ApiOkResponse, ApiQuery } from '@nestjs/swagger';
import { problemResponse } from '../../platform/errors/problem.dto.js';
import { type Schema } from '../../platform/fields/schema.js';
import { TokenErrors } from './token-errors.openapi.js';

const open = { type: 'object', additionalProperties: true } as const;

const askedSchema: Schema = {
  type: 'object',
  properties: {
    token: { type: 'string', description: 'The project token; also as `api_key`, or as bearer.' },
    distinct_id: { type: 'string', description: 'The person. Percentages depend on it.' },
    person_properties: { ...open, description: 'Properties that take the place of what is stored.' },
    groups: { ...open, description: 'The keys of groups, by the names of their types.' },
    group_properties: { ...open, description: 'Properties of groups, by the names of their types.' },
    flag_keys_to_evaluate: { type: 'array', items: {}, description: 'Only these flags.' },
  },
  additionalProperties: true,
};

const answerSchema: Schema = {
  type: 'object',
  properties: {
    flags: {
      type: 'object',
      description: 'The flags that are active, by key.',
      additionalProperties: {
        type: 'object',
        properties: {
          key: { type: 'string' },
          enabled: { type: 'boolean' },
          variant: { type: 'string', nullable: true },
          reason: {
            type: 'object',
            properties: {
              code: { type: 'string', example: 'condition_match' },
              condition_index: { type: 'integer', nullable: true },
              description: { type: 'string' },
            },
            required: ['code', 'condition_index', 'description'],
          },
          metadata: {
            type: 'object',
            properties: {
              id: { type: 'integer' },
              version: { type: 'integer', description: 'The version of the flag.' },
              description: { type: 'string' },
              payload: { type: 'string', nullable: true, description: 'JSON as text.' },
              has_experiment: { type: 'boolean' },
              cohorts: {
                type: 'array',
                description: 'The cohorts that its conditions name, each with the version of the members that decided.',
                items: {
                  type: 'object',
                  properties: { id: { type: 'integer' }, version: { type: 'integer', nullable: true } },
                  required: ['id', 'version'],
                },
              },
            },
            required: ['id', 'version', 'description', 'payload', 'has_experiment'],
          },
        },
        required: ['key', 'enabled', 'variant', 'reason', 'metadata'],
      },
    },
    featureFlags: {
      description: 'The same in short, for older clients: true, false or the variant by key, or a list.',
      anyOf: [open, { type: 'array', items: { type: 'string' } }],
    },
    featureFlagPayloads: { type: 'object', additionalProperties: { type: 'string' } },
    errorsWhileComputingFlags: { type: 'boolean', enum: [false] },
    requestId: { type: 'string' },
    evaluatedAt: { type: 'integer', description: 'In milliseconds.' },
  },
  required: ['flags', 'featureFlags', 'featureFlagPayloads', 'errorsWhileComputingFlags', 'requestId', 'evaluatedAt'],
  additionalProperties: true,
};

const Answers = (): MethodDecorator =>
  applyDecorators(
    TokenErrors(),
    ApiQuery({ name: 'v', required: false, description: 'The version of the protocol.', schema: { type: 'string' } }),
    ApiBadRequestResponse(problemResponse('The body cannot be read, or has no distinct id.')),
    ApiOkResponse({ content: { 'application/json': { schema: answerSchema } } }),
  );

export const FlagRequestBody = (): MethodDecorator =>
  applyDecorators(
    Answers(),
    ApiConsumes('application/json'),
    ApiBody({
      description: 'Plain, gzip, base64 or a form field `data`, as for `/batch`. What is not known has no effect.',
      schema: {
        ...askedSchema,
        example: { token: 'phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj', distinct_id: 'ada' },
      },
    }),
  );

export const FlagRequestQuery = (): MethodDecorator =>
  applyDecorators(
    Answers(),
    ...['token', 'distinct_id', 'data'].map((name) =>
      ApiQuery({
        name,
        required: false,
        schema: { type: 'string' },
        ...(name === 'data' && { description: 'The body as base64, in place of the others.' }),
      }),
    ),
  );
