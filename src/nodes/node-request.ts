import { presentationNames } from '../platform/http/presentation-names.js';
import { ignoring, type Schema } from '../platform/fields/schema.js';

/** Parameters that clients send beside a query or a node, and that change no answer. */
export const sentBesideNodes = {
  properties: {
    name: { type: 'string', description: 'The name that the client has for the query.', example: 'paid orders' },
    async: { type: 'boolean', description: 'Has no effect: every answer comes at once.', example: false },
    limit_context: { type: 'string', nullable: true, description: 'Has no effect.', example: 'posthog_ai' },
  },
  unsupported: {
    filters_override: 'write dates, filters and breakdowns into the node',
    variables_override: 'write the values into the variables of the node',
  },
} as const satisfies {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly unsupported: Readonly<Record<string, string>>;
};

export const nodeExample = {
  query: {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'order paid' }],
    dateRange: { date_from: '-30d' },
  },
};

export const nodeRequest: Schema = ignoring(
  {
    type: 'object',
    required: ['query'],
    properties: {
      query: {
        type: 'object',
        additionalProperties: true,
        required: ['kind'],
        properties: { kind: { type: 'string', example: 'TrendsQuery' } },
        description: 'The node.',
        example: nodeExample.query,
      },
      ...sentBesideNodes.properties,
    },
  },
  presentationNames,
);
