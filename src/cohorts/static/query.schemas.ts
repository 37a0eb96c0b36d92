import { schemaNamed, type Schema, type Schemas } from '../../platform/fields/schema.js';

const select: Schema = {
  type: 'string',
  description: 'A SELECT.',
  example: "select id from persons where properties.plan = 'pro'",
};

/** The names of schemas for a query that is not plain text. */
export const querySchemas: Schemas = {
  SqlQuery: {
    type: 'object',
    description: 'A question in SQL with values for its placeholders.',
    properties: {
      kind: { type: 'string', enum: ['HogQLQuery'] },
      query: select,
      values: {
        type: 'object',
        additionalProperties: true,
        description: 'Values for the placeholders, such as `{plan}`.',
        example: { plan: 'pro' },
      },
    },
    required: ['kind', 'query'],
    additionalProperties: true,
  },
  SqlQueryNode: {
    type: 'object',
    description: 'A question in SQL inside of what shows its answer.',
    properties: {
      kind: { type: 'string', enum: ['DataTableNode', 'DataVisualizationNode'] },
      source: schemaNamed('SqlQuery'),
    },
    required: ['kind', 'source'],
    additionalProperties: true,
  },
};

/** A question in SQL, in each of its forms. */
export const querySchema: Schema = { anyOf: [select, schemaNamed('SqlQuery'), schemaNamed('SqlQueryNode')] };
