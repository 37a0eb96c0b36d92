import { integerSchema, listSchema, schemaNamed, type Schema, type Schemas } from '../../platform/fields/schema.js';
import { insightFilters } from '../../filters/reading/filter-fields.js';
import { ignoredEntityFields, mathFields, maxOrder, maxParts } from './entity.js';

const text = (description: string, example: string | null): Schema => ({
  type: 'string',
  maxLength: 400,
  description,
  example,
});

const eventId: Schema = { ...text('The name of the event; null is any event.', 'signed up'), nullable: true };
const actionId: Schema = {
  type: 'integer',
  description: 'The id of the action.',
  example: 7,
  'x-also-accepts': { type: 'string' },
};
const isEvents: Schema = { type: 'string', enum: ['events'] };
const isActions: Schema = { type: 'string', enum: ['actions'] };

const properties: Schema = { ...insightFilters.schema, description: 'Only events that pass these filters count.' };

const everywhere: Readonly<Record<string, Schema>> = {
  name: text('What the answer calls it.', 'Signed up'),
  custom_name: text('Another name of `name`.', 'Signed up'),
  order: { ...integerSchema(0, maxOrder), description: 'Its place; the place in the list by default.', example: 0 },
  properties,
};

interface Kind {
  /** What its names in the document begin with. */
  readonly prefix: string;
  /** The fields that the insight adds. */
  readonly extra: Readonly<Record<string, Schema>>;
}

const entity = (
  { extra }: Kind,
  description: string,
  own: Readonly<Record<string, Schema>>,
  required: readonly string[],
): Schema => ({
  type: 'object',
  description,
  properties: { ...own, ...everywhere, ...extra, ...own },
  required: [...required],
  additionalProperties: false,
  'x-ignored': [...ignoredEntityFields, ...mathFields.filter((field) => !(field in extra))],
  'x-null-is-absent': 'described',
});

const schemasOf = (kind: Kind): Schemas => {
  const { prefix } = kind;
  const action = entity(kind, 'A saved action.', { id: actionId, type: isActions }, ['id', 'type']);
  const listed = entity(kind, 'A saved action, which needs no `type` here.', { id: actionId, type: isActions }, ['id']);
  const parts = {
    ...listSchema(schemaNamed('EntityPart'), maxParts),
    minItems: 1,
    description: 'It matches if one part does.',
  };
  return {
    [`${prefix}Event`]: entity(kind, 'An event.', { id: eventId, type: isEvents }, ['id']),
    [`${prefix}SavedAction`]: action,
    [`${prefix}AnyOf`]: entity(
      kind,
      'Several events that count as one.',
      {
        id: { type: 'string', nullable: true, enum: [null], description: 'Null or absent.', example: null },
        any_of: { ...parts, example: [{ id: 'signed up' }, { id: 'invited' }] },
        type: isEvents,
        name: text('What the answer calls them.', 'Joined'),
      },
      ['any_of', 'name'],
    ),
    [`${prefix}Entity`]: {
      description: 'What is counted: an event, a saved action, or several events as one.',
      anyOf: ['Event', 'SavedAction', 'AnyOf'].map((form) => schemaNamed(prefix + form)),
      'x-also-accepts': { type: 'string' },
    },
    [`${prefix}NamedAction`]: { ...listed, 'x-also-accepts': { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
  };
};

/** The entities of an insight that adds fields to them. */
export const entitiesWith = (prefix: string, extra: Readonly<Record<string, Schema>>): Schemas =>
  schemasOf({ prefix, extra });

export const entitySchemas: Schemas = {
  EntityPart: {
    type: 'object',
    properties: { id: eventId, name: text('For the reader.', 'Signed up'), type: isEvents, properties },
    required: ['id'],
    'x-null-is-absent': 'described',
  },
  ...schemasOf({ prefix: '', extra: {} }),
};
