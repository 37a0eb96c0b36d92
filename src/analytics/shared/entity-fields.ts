import { type Parameters, propertySchemas } from '../../platform/fields/declaration.js';
import { field } from '../../platform/fields/field.js';
import {
  listSchema,
  orElse,
  orText,
  recordSchema,
  schemaNamed,
  type Schema,
  type Schemas,
} from '../../platform/fields/schema.js';
import { insightFilters } from '../../filters/reading/filter-fields.js';

export const entityTypes = ['events', 'actions'] as const;
export type EntityType = (typeof entityTypes)[number];
export const maxParts = 50;
export const maxOrder = 1000;

/** Only some insights read these fields, but clients send them with all insights. */
const keysOfSome = [
  ...['math', 'math_property', 'math_multiplier', 'math_group_type_index', 'math_hogql'],
  'optional_in_funnel',
];
/** Fields that clients of the reference product send along; they have no effect. */
const ignored = ['uuid'];

export const shortText = (description: string, example?: string) => {
  const says = 'must be text of at most 400 characters';
  return field.text({ max: 400, says, length: says, description, example });
};

const anyEvent = shortText('The name of the event; null is any event.', 'signed up');
const eventId = { ...anyEvent, schema: { ...anyEvent.schema, nullable: true } };

const actionId = field.any({
  schema: orText({ type: 'integer' }),
  description: 'The id of the action.',
  example: 7,
});

/** The fields of an entity in its usual form. */
export const entityFields = {
  id: eventId,
  name: shortText('What the answer calls it.', 'Signed up'),
  custom_name: shortText('Another name of `name`.', 'Signed up'),
  type: field.choice(entityTypes, {}),
  order: field.integer({
    min: 0,
    max: maxOrder,
    description: 'Its index; the index in the list by default.',
    example: 0,
  }),
  properties: { ...insightFilters, description: 'Only events that pass these filters count.' },
  any_of: field.any({
    schema: { ...listSchema(schemaNamed('EntityPart'), maxParts), minItems: 1 },
    description: 'It matches if one part does.',
    example: [{ id: 'signed up' }, { id: 'invited' }],
  }),
};

/** The math of a step that only the first event ever of an actor takes. */
export const firstTimeMath = 'first_time_for_user';

/** The fields that a funnel adds to its steps. */
export const stepFields = {
  optional_in_funnel: field.boolean({
    description: 'True: persons may skip the step.',
    fallback: false,
    example: false,
  }),
  math: field.any({
    schema: orElse({ type: 'string', enum: ['total', firstTimeMath] }, {}),
    description:
      'With `first_time_for_user` only the first event ever of that name counts, and only if it passes the filters. Other maths, which clients send with all insights, mean `total`.',
    example: 'total',
  }),
};

const { id, name, custom_name, order, properties, any_of } = entityFields;

/** The keys of an entity to which the insight adds some. */
export const keysOfEntity = (extra: Parameters): readonly string[] => [
  ...Object.keys(entityFields),
  ...keysOfSome,
  ...ignored,
  ...Object.keys(extra),
];

const isEvents = field.choice(['events'], {});
const isActions = field.choice(['actions'], {});

export const entityPart = field.record(
  { id: { ...id, required: true }, name: shortText('For the reader.', 'Signed up'), type: isEvents, properties },
  {},
);

/** The schemas of the entities of an insight that adds fields to them. */
export const entitiesWith = (prefix: string, extra: Parameters): Schemas => {
  const entity = (description: string, own: Parameters, required: readonly string[]): Schema =>
    recordSchema(propertySchemas({ ...own, ...{ name, custom_name, order, properties }, ...extra, ...own }), {
      description,
      required,
      ignored: [...ignored, ...keysOfSome.filter((key) => !(key in extra))],
      nullIsAbsent: 'described',
    });
  const ofAction = { id: actionId, type: isActions };
  return {
    [`${prefix}Event`]: entity('An event.', { id, type: isEvents }, ['id']),
    [`${prefix}SavedAction`]: entity('A saved action.', ofAction, ['id', 'type']),
    [`${prefix}AnyOf`]: entity(
      'Several events that count as one.',
      {
        id: field.any({
          schema: { type: 'string', nullable: true, enum: [null] },
          description: 'Null or absent.',
          example: null,
        }),
        any_of,
        type: isEvents,
        name: shortText('What the answer calls them.', 'Joined'),
      },
      ['any_of', 'name'],
    ),
    [`${prefix}Entity`]: orText({
      description: 'What is counted: an event, a saved action, or several events as one.',
      anyOf: ['Event', 'SavedAction', 'AnyOf'].map((form) => schemaNamed(prefix + form)),
    }),
    [`${prefix}NamedAction`]: orElse(entity('A saved action, which needs no `type` here.', ofAction, ['id']), {
      anyOf: [{ type: 'string' }, { type: 'integer' }],
    }),
  };
};

export const entitySchemas: Schemas = { EntityPart: entityPart.schema, ...entitiesWith('', {}) };
