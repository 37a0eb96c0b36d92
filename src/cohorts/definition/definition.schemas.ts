import { listSchema, schemaNamed, type Schema, type Schemas } from '../../platform/fields/schema.js';
import { eventFilters, groupSchema, personFilters } from '../../filters/reading/filter-fields.js';
import { criterionSchemas } from './criterion.schemas.js';
import { countOperators } from './definition.js';
import { type legacyGroupFields } from './legacy-groups.js';
import { ignoredGroupKeys, maxCriteria } from './read-definition.js';

const exampleCriterion = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] };

export const exampleDefinition = {
  properties: {
    type: 'AND',
    values: [exampleCriterion],
  },
};

const orNull = (schema: Schema): Schema => ({ ...schema, nullable: true });

const legacyFields: Readonly<Record<(typeof legacyGroupFields)[number], Schema>> = {
  properties: {
    ...personFilters.schema,
    // Old clients write the type of all their filters as `event`; the reader takes it for `person`.
    'x-also-accepts': eventFilters.schema,
    description: 'Filters on the person; the type `event`, which old clients write, means `person` here.',
  },
  event_id: orNull({ type: 'string', 'x-also-accepts': { type: 'number' }, description: 'The name of an event.' }),
  action_id: orNull({ type: 'integer', 'x-also-accepts': { type: 'string' }, description: 'The id of an action.' }),
  days: orNull({
    type: 'integer',
    'x-also-accepts': { type: 'string' },
    description: 'The last days; 365 by default.',
  }),
  count: orNull({ type: 'integer', 'x-also-accepts': { type: 'string' }, description: 'How often; once by default.' }),
  count_operator: { type: 'string', enum: [...countOperators], description: 'How `count` is compared.' },
  start_date: orNull({ type: 'string', description: 'In place of `days`: the beginning.' }),
  end_date: orNull({ type: 'string', description: 'With `start_date`: the end.' }),
  label: {},
  id: {},
  name: {},
};

const withoutEffect = ['label', 'id', 'name'];

const examples: Readonly<Record<string, unknown>> = {
  event_id: 'signed up',
  action_id: null,
  days: 30,
  count: 1,
  count_operator: 'gte',
  start_date: null,
  end_date: null,
};

const legacyGroup: Schema = {
  type: 'object',
  description: 'A group of the oldest form of a definition.',
  properties: Object.fromEntries(
    Object.entries(legacyFields)
      .filter(([name]) => !withoutEffect.includes(name))
      .map(([name, schema]) => [name, name in examples ? { ...schema, example: examples[name] } : schema]),
  ),
  'x-ignored': withoutEffect,
  'x-null-is-absent': 'described',
};

const rootGroup: Schema = { ...schemaNamed('CohortGroup'), 'x-also-accepts': { type: 'object', maxProperties: 0 } };

export const definitionSchemas: Schemas = {
  ...criterionSchemas,
  CohortCriterion: {
    description: 'A criterion: a filter on the person, the membership in another cohort, or what the person did.',
    anyOf: [schemaNamed('EventCriterion'), schemaNamed('PersonFilter')],
  },
  CohortGroup: {
    ...groupSchema(schemaNamed('CohortCriterion'), schemaNamed('CohortGroup'), maxCriteria, exampleCriterion),
    'x-ignored': ignoredGroupKeys,
  },
  CohortDefinition: {
    type: 'object',
    description: 'The definition of a dynamic cohort.',
    properties: { properties: rootGroup },
    required: ['properties'],
  },
  LegacyCohortGroup: legacyGroup,
};

export const cohortDefinition = schemaNamed('CohortDefinition');
export const legacyCohortGroups = listSchema(schemaNamed('LegacyCohortGroup'));
