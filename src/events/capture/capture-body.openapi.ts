import { listSchema, orElse, schemaNamed, type Schema, type Schemas } from '../../platform/fields/schema.js';
import { maxDistinctIdCharacters, maxEventNameCharacters } from '../../kernel/event-log/normalise/limits.js';

/** Declares a type but accepts any value: only values of this type have an effect. */
export const lenient = (schema: Schema): Schema => orElse(schema, {});

/** Lets an SDK send null for a missing value, as it may send empty text. */
const orAbsent = (schema: Schema): Schema =>
  orElse(schema, { anyOf: [{ type: 'null' }, { type: 'string', enum: [''] }] });

const orNull = (schema: Schema): Schema => orElse(schema, { type: 'null' });

export const idSchema = (description: string, example: string): Schema =>
  lenient({
    type: 'string',
    maxLength: maxDistinctIdCharacters,
    description: `${description} Other JSON is used as its text.`,
    example,
  });

export const openObject = (description: string, example: object): Schema =>
  orNull({ type: 'object', additionalProperties: true, description, example });

export const timeSchema = (description: string): Schema =>
  orElse(
    {
      type: 'string',
      format: 'date-time',
      description: `${description} Milliseconds since 1970 are accepted too; a time that cannot be read becomes the current time, with a warning.`,
      example: '2026-01-02T10:00:00.000Z',
    },
    { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
  );

export const eventNameSchema = (more: Schema): Schema => ({
  type: 'string',
  minLength: 1,
  maxLength: maxEventNameCharacters,
  pattern: String.raw`\S`,
  ...more,
});

const token = 'phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj';
const uuid = '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e';

const $set = lenient({
  type: 'object',
  additionalProperties: true,
  description: 'Properties that the person gets.',
  example: { email: 'ada@example.test' },
});
const $set_once = lenient({
  type: 'object',
  additionalProperties: true,
  description: 'Properties that the person gets if it lacks them.',
  example: { first_plan: 'free' },
});
const $unset = lenient({
  type: 'array',
  items: { type: 'string' },
  description: 'Properties that the person loses.',
  example: ['trial'],
});

const apiKey = lenient({
  type: 'string',
  description: 'The project token: `api_key`, `token` or `$token`, in the body or in its events.',
  example: token,
});

/** The schema of an event; `properties` is the schema of the properties that this kind of event has. */
const eventSchema = (description: string, event: Schema, properties: Schema): Schema => ({
  type: 'object',
  description,
  properties: {
    event,
    distinct_id: idSchema(
      'Whose event this is. `$distinct_id`, and both names in `properties`, are read if it is missing.',
      'ada',
    ),
    properties,
    timestamp: timeSchema('When it happened; without it, when it was received.'),
    offset: lenient({
      type: 'number',
      description: 'Milliseconds between the event and its sending, instead of a timestamp.',
      example: 250,
    }),
    uuid: orAbsent({
      type: 'string',
      format: 'uuid',
      description: 'An event with a uuid that the log has is a duplicate.',
      example: uuid,
    }),
    $set,
    $set_once,
    $unset,
    api_key: apiKey,
  },
  required: ['event'],
  additionalProperties: true,
});

const propertiesWith = (properties: Record<string, Schema>, example: object): Schema =>
  orNull({
    type: 'object',
    description: 'Properties of the event.',
    properties,
    additionalProperties: true,
    example,
  });

const onlyEvent = (name: string): Schema => ({ type: 'string', enum: [name] });

/**
 * The bodies of the capture routes; further fields are allowed. The schemas only describe: `normalise` reads the events, faster
 * because it reads only what it needs. Both take the limits of an event from one file.
 */
export const captureSchemas: Schemas = {
  CaptureEvent: eventSchema(
    'An event.',
    eventNameSchema({ description: 'Its name.', example: 'signed up' }),
    propertiesWith({ $set, $set_once, $unset }, { plan: 'pro', $set: { email: 'ada@example.test' } }),
  ),
  CaptureIdentify: eventSchema(
    'The person of `distinct_id` is a known user from now on, and the person of `$anon_distinct_id` becomes part of it.',
    onlyEvent('$identify'),
    propertiesWith(
      { $anon_distinct_id: idSchema('The id that the user had before.', 'device-1'), $set, $set_once, $unset },
      { $anon_distinct_id: 'device-1', $set: { email: 'ada@example.test' } },
    ),
  ),
  CaptureAlias: eventSchema(
    'Both ids belong to one person from now on.',
    onlyEvent('$create_alias'),
    propertiesWith({ alias: idSchema('The other id of the person.', 'ada-phone') }, { alias: 'ada-phone' }),
  ),
  CaptureGroupIdentify: eventSchema(
    'Describes a group, and no person. It is kept as an event.',
    onlyEvent('$groupidentify'),
    propertiesWith(
      {
        $group_type: lenient({ type: 'string', description: 'The kind of group.', example: 'company' }),
        $group_key: lenient({ type: 'string', description: 'Which group of this kind.', example: 'acme' }),
        $group_set: lenient({
          type: 'object',
          additionalProperties: true,
          description: 'Properties of the group.',
          example: { seats: 20 },
        }),
      },
      { $group_type: 'company', $group_key: 'acme', $group_set: { seats: 20 } },
    ),
  ),
  CaptureBatch: {
    type: 'object',
    description: 'Events that are sent together.',
    properties: {
      api_key: apiKey,
      batch: listSchema(schemaNamed('CapturedEvent'), 10_000),
      sent_at: lenient({
        type: 'string',
        format: 'date-time',
        description: 'When it was sent, by the clock of the sender: corrects the times of the events.',
        example: '2026-01-02T10:00:01.000Z',
      }),
    },
    required: ['batch'],
    additionalProperties: true,
  },
  CapturedEvent: {
    anyOf: ['CaptureIdentify', 'CaptureAlias', 'CaptureGroupIdentify', 'CaptureEvent'].map(schemaNamed),
  },
};

/** A body of the capture routes. */
export const captureBodySchema: Schema = {
  anyOf: [schemaNamed('CaptureBatch'), schemaNamed('CapturedEvent'), listSchema(schemaNamed('CapturedEvent'), 10_000)],
};
