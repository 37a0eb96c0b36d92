import { listSchema, orElse, schemaNamed, type Schema, type Schemas } from '../../platform/fields/schema.js';
import { eventNameSchema, idSchema, lenient, openObject, timeSchema } from '../capture/capture-body.openapi.js';
import { type MessageType, messageTypes } from './message.js';

const name = lenient({ type: 'string', description: 'The name of the page or screen.', example: 'Pricing' });

const category: Schema = { ...name, description: 'What kind of page or screen it is.', example: 'Docs' };

const writeKey = lenient({
  type: 'string',
  description: 'The project token, unless it is the user name of Basic authentication.',
  example: 'phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj',
});

const sentAt = lenient({
  type: 'string',
  format: 'date-time',
  description: 'When it was sent, by the clock of the sender: corrects the times.',
  example: '2026-01-02T10:00:01.000Z',
});

/** The fields that messages of all types have. */
const common = (type: MessageType): Record<string, Schema> => ({
  type: { type: 'string', enum: [type], description: 'Needed in a batch; otherwise the path tells it.' },
  userId: idSchema('The id of a known user. Without it, `anonymousId` is needed.', 'ada'),
  anonymousId: idSchema('The id before the user is known. With `userId`, it belongs to the same person.', 'device-1'),
  messageId: lenient({
    type: 'string',
    description: 'A message with an id that was received before is a duplicate.',
    example: 'm-1',
  }),
  timestamp: timeSchema('When it happened; without it, when it was received.'),
  sentAt,
  context: openObject('Becomes properties of the event.', { locale: 'en-GB', page: { path: '/pricing' } }),
  writeKey,
});

const properties = openObject('Properties of the event.', { plan: 'pro' });
const traits = (of: string, example: object): Schema => openObject(`Properties of the ${of}.`, example);

const groupId = orElse(
  {
    type: 'string',
    minLength: 1,
    description: 'Which group it is.',
    example: 'acme',
  },
  { not: { anyOf: [{ type: 'null' }, { type: 'string' }] } },
);

interface Own {
  readonly description: string;
  readonly fields: Record<string, Schema>;
  readonly required?: string[];
}

const messages: Readonly<Record<MessageType, Own>> = {
  identify: {
    description: 'Says who a user is, and merges its ids.',
    fields: { traits: traits('person', { email: 'ada@example.test' }) },
  },
  track: {
    description: 'An event.',
    fields: { event: eventNameSchema({ description: 'Its name.', example: 'signed up' }), properties },
    required: ['event'],
  },
  page: { description: 'The view of a page.', fields: { name, category, properties } },
  screen: { description: 'The view of a screen of an app.', fields: { name, category, properties } },
  group: {
    description: 'Says to which group a user belongs. It is kept as an event.',
    fields: { groupId, traits: traits('group', { seats: 20 }) },
    required: ['groupId'],
  },
  alias: {
    description: 'Both ids belong to one person from now on.',
    fields: {
      previousId: idSchema('The other id; without it, `anonymousId` beside `userId` is the other one.', 'ada-phone'),
    },
  },
};

const nameOf = (type: MessageType): string => `Segment${type.slice(0, 1).toUpperCase()}${type.slice(1)}`;

/** The bodies of the routes of Segment's API; further fields are allowed. */
export const segmentSchemas: Schemas = {
  ...Object.fromEntries(
    messageTypes.map((type): [string, Schema] => {
      const { description, fields, required } = messages[type];
      const own = {
        type: 'object',
        description,
        properties: { ...common(type), ...fields },
        ...(required && { required }),
      };
      return [nameOf(type), { ...own, additionalProperties: true }];
    }),
  ),
  SegmentBatch: {
    type: 'object',
    description: 'Messages of any type that are sent together.',
    properties: {
      batch: listSchema({ anyOf: messageTypes.map((type) => schemaNamed(nameOf(type))) }, 10_000),
      sentAt,
      writeKey,
    },
    required: ['batch'],
    additionalProperties: true,
  },
};

/** A body of the routes of Segment's API. */
export const segmentBodySchema: Schema = {
  anyOf: ['SegmentBatch', ...messageTypes.map(nameOf)].map(schemaNamed),
};
