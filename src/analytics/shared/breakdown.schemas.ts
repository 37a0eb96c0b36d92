import { membershipTime } from '../../filters/reading/leaf.schemas.js';
import { integerSchema, listSchema, type Schema, type Schemas } from '../../platform/fields/schema.js';

export const maxBreakdownKeys = 5;
export const maxBreakdownCohorts = 25;
export const bins = { min: 1, max: 100 };

export const textOrTexts: Schema = {
  anyOf: [{ type: 'string' }, listSchema({ type: 'string' })],
  'x-also-accepts': {},
};

const cohort: Schema = {
  anyOf: [{ type: 'integer' }, { type: 'string', enum: ['all'] }],
  'x-also-accepts': { type: 'string' },
};

/** The parameter `breakdown`: keys of properties, or cohorts. */
export const breakdownSchema: Schema = {
  anyOf: [
    { type: 'string' },
    { type: 'integer' },
    listSchema({ anyOf: [{ type: 'string' }, { type: 'integer' }] }, maxBreakdownCohorts),
  ],
};

const entry = (type: string, properties: Readonly<Record<string, Schema>>, required: string[]): Schema => ({
  type: 'object',
  description: `The values of ${type}.`,
  properties: {
    ...properties,
    normalize_url: {
      type: 'boolean',
      description: 'As `breakdown_normalize_url`, for this entry.',
      example: false,
    },
    histogram_bin_count: {
      ...integerSchema(bins.min, bins.max),
      description: 'As `breakdown_histogram_bin_count`, for this entry.',
      example: 10,
    },
  },
  required,
  additionalProperties: false,
  'x-ignored': ['group_type_index'],
  'x-null-is-absent': 'described',
});

const key: Schema = { type: 'string', minLength: 1, maxLength: 400, description: 'A key.', example: '$browser' };

export const breakdownSchemas: Schemas = {
  EventBreakdown: entry('a property of events', { type: { type: 'string', enum: ['event'] }, property: key }, [
    'property',
  ]),
  PersonBreakdown: entry('a property of persons', { type: { type: 'string', enum: ['person'] }, property: key }, [
    'property',
    'type',
  ]),
  CohortBreakdown: entry(
    'the membership in cohorts',
    {
      type: { type: 'string', enum: ['cohort'] },
      property: { anyOf: [cohort, listSchema(cohort, maxBreakdownCohorts)], example: [3, 'all'] },
      at: membershipTime,
    },
    ['property', 'type'],
  ),
  Breakdown: {
    anyOf: ['EventBreakdown', 'PersonBreakdown', 'CohortBreakdown'].map((name) => ({
      $ref: `#/components/schemas/${name}`,
    })),
  },
};
