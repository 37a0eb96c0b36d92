import { listSchema, schemaNamed, type Schema, type Schemas } from '../../platform/fields/schema.js';
import { operators } from './operators.js';
import { cohortTypes, ignoredFilterKeys, membershipTimes, metadataKeys, type FilterType } from './leaf.js';
import { synonyms } from './operators.js';
import { maxTextLength, maxValues } from './leaf-values.js';

const described = {
  operator: `How the property is compared. \`in\` is \`exact\`, and \`not_in\` is \`is_not\`.`,
  value:
    'A value, or a list: the filter holds if any of them matches, or with a negative operator if none does. ' +
    '`between` and `not_between` have two; `is_set` and `is_not_set` need none.',
  negation: 'Inverts the filter.',
};

const operator: Schema = {
  type: 'string',
  enum: [...operators, ...Object.keys(synonyms)],
  default: 'exact',
  description: described.operator,
};
const value = {
  anyOf: [schemaNamed('FilterValue'), listSchema(schemaNamed('FilterValue'), maxValues)],
  description: described.value,
  example: ['pro'],
};
const negation = { type: 'boolean', description: described.negation, default: false };
const anyKey = { type: 'string', maxLength: maxTextLength, description: 'The key of the property.', example: 'plan' };

const typed = (types: readonly string[], description?: string): Schema => ({
  type: 'string',
  enum: [...types],
  ...(description === undefined ? {} : { description }),
});

const leaf = (properties: Record<string, Schema>, required: string[], description: string): Schema => ({
  type: 'object',
  description,
  properties: { ...properties, negation },
  required,
  additionalProperties: false,
  'x-ignored': [...ignoredFilterKeys, 'group_type_index'],
  'x-null-is-absent': 'described',
});

/** Of a property, in the place that its type says. */
const property = (type: Exclude<FilterType, 'cohort'>, description: string): Schema => {
  const key = type === 'event_metadata' ? { type: 'string', enum: [...metadataKeys], example: 'timestamp' } : anyKey;
  return leaf({ type: typed([type]), key, operator, value }, ['type', 'key'], description);
};

const cohortId: Schema = { type: 'integer', minimum: 1, example: 3, 'x-also-accepts': { type: 'string' } };

/** The field `at` of filters and breakdowns. */
export const membershipTime: Schema = {
  type: 'string',
  enum: [...membershipTimes],
  description:
    'With `event`, in trends only: whether the person was in the cohort at the time of the event. Without it: whether the person is in the cohort now.',
};

/** The schema of the filters of each type, by its name in the document. */
export const leafNames: Readonly<Record<FilterType, string>> = {
  event: 'EventPropertyFilter',
  person: 'PersonPropertyFilter',
  event_metadata: 'EventMetadataFilter',
  cohort: 'CohortFilter',
};

export const untypedLeaf = 'UntypedFilter';

const untyped = (type: Record<string, Schema>): Schema =>
  leaf(
    { ...type, key: anyKey, operator, value },
    ['key'],
    'A filter on a property: of the event in insights, of the person where filters select persons.',
  );

export const leafSchemas: Schemas = {
  FilterValue: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }], example: 'pro' },
  [leafNames.event]: property('event', 'A filter on a property of the event.'),
  [leafNames.person]: property('person', 'A filter on a property of the person.'),
  [leafNames.event_metadata]: property('event_metadata', 'A filter on a column of the event itself.'),
  [leafNames.cohort]: leaf(
    {
      type: typed(cohortTypes, 'All of them mean the same.'),
      key: typed(['id']),
      operator: typed(['in', 'not_in', 'exact', 'is_not']),
      value: {
        anyOf: [cohortId, listSchema(cohortId)],
        description: 'The id of a cohort, or a list: membership in any of them.',
        example: 3,
      },
      at: membershipTime,
    },
    ['type', 'value'],
    'A filter on the membership in a cohort.',
  ),
  [untypedLeaf]: { ...untyped({}), 'x-also-accepts': untyped({ type: { nullable: true, enum: [null] } }) },
};
