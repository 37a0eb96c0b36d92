import { isUuid, nameUuid } from '../../platform/values/ids.js';
import { type Checked, accept, refuse } from '../../kernel/event-log/normalise/checked.js';
import { isRecord } from '../../kernel/event-log/normalise/json.js';
import { type NormaliseContext, type Normalised, normalise } from '../../kernel/event-log/normalise/normalise.js';
import { contextProperties, groupType, pageProperties } from './context-properties.js';

/** Never change this constant: a message that is sent again must get the same uuid as the first time. */
const namespace = Buffer.from('c7a2f60b9e0d4b1fa6b4d05e3f8c1927', 'hex');

/**
 * Returns the uuid for the id of a message, so that a message that is sent again becomes a duplicate; null when the message has
 * no id.
 */
const messageUuid = (messageId: unknown): string | null => {
  if (typeof messageId !== 'string' && typeof messageId !== 'number') return null;
  const text = String(messageId);
  if (text === '') return null;
  return isUuid(text) ? text.toLowerCase() : nameUuid(namespace, text);
};

export const messageTypes = ['identify', 'track', 'page', 'screen', 'group', 'alias'] as const;
export type MessageType = (typeof messageTypes)[number];

type Fields = Record<string, unknown>;

/** `type` comes from the path. It is null on the path of batches, where each message has its own type. */
export const normaliseMessage =
  (type: MessageType | null) =>
  (message: unknown, context: NormaliseContext): Normalised => {
    if (!isRecord(message)) return normalise(message, context);
    const event = eventOf(message, type);
    if (event.ok) return normalise(event.value, context);
    const { code, detail } = event;
    return { ok: false, rejection: { index: context.index, uuid: messageUuid(message.messageId), code, detail } };
  };

/** Translates a message into the form in which the SDKs of the reference product would send it. */
const eventOf = (message: Fields, typeOfPath: MessageType | null): Checked<Fields> => {
  const type = typeOfPath ?? typeIn(message);
  if (type === null) return refuse('invalid_input', `type must be one of ${messageTypes.join(', ')}`);
  const wrong = ['context', 'traits', 'properties'].find((name) => !isRecord(message[name] ?? {}));
  if (wrong !== undefined) return refuse('invalid_input', `${wrong} must be an object`);
  const userId = idIn(message.userId);
  const anonymousId = idIn(message.anonymousId);
  const distinctId = userId ?? anonymousId;
  if (distinctId === null) {
    return refuse('required', 'userId and anonymousId are missing, say whose event this is');
  }
  const translated = translations[type](message, userId !== null);
  if (!translated.ok) return translated;
  const { event, properties } = translated.value;
  const linked = userId !== null && anonymousId !== null ? { $anon_distinct_id: anonymousId } : {};
  return accept({
    uuid: messageUuid(message.messageId),
    event,
    distinct_id: distinctId,
    timestamp: message.timestamp ?? message.originalTimestamp,
    sent_at: message.sentAt,
    properties: { ...contextProperties(objectIn(message.context)), ...linked, ...properties },
  });
};

interface Translated {
  readonly event: unknown;
  readonly properties: Fields;
}

const translations: Record<MessageType, (message: Fields, hasUserId: boolean) => Checked<Translated>> = {
  // Only a person with a user id counts as identified, because an identified person is not merged into another one later.
  identify: (message, hasUserId) => {
    const { traits: ofContext } = objectIn(message.context);
    const $set = { ...objectIn(ofContext), ...objectIn(message.traits) };
    return accept({ event: hasUserId ? '$identify' : '$set', properties: { $set } });
  },
  track: (message) => accept({ event: message.event, properties: objectIn(message.properties) }),
  page: (message) => {
    const properties = named(message);
    return accept({ event: '$pageview', properties: { ...pageProperties(properties), ...properties } });
  },
  screen: (message) => {
    const { name } = message;
    const screenName = isAbsent(name) ? {} : { $screen_name: name };
    return accept({ event: '$screen', properties: { ...screenName, ...named(message) } });
  },
  group: (message) => {
    const key = idIn(message.groupId);
    if (key === null) return refuse('required', 'groupId is missing, say which group this is');
    const group = { $group_type: groupType, $group_key: key, $group_set: objectIn(message.traits) };
    return accept({ event: '$groupidentify', properties: group });
  },
  alias: (message, hasUserId) => {
    const previous = idIn(message.previousId) ?? (hasUserId ? idIn(message.anonymousId) : null);
    if (previous === null) return refuse('required', 'previousId is missing, say which id is another id of userId');
    return accept({ event: '$create_alias', properties: { alias: previous } });
  },
};

const typeIn = ({ type }: Fields): MessageType | null => messageTypes.find((known) => known === type) ?? null;

/** Returns the properties of a page or screen, together with its name and category, which are separate fields of the message. */
const named = ({ name, category, properties }: Fields): Fields => ({
  ...(isAbsent(name) ? {} : { name }),
  ...(isAbsent(category) ? {} : { category }),
  ...objectIn(properties),
});

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

const idIn = (value: unknown): unknown => (isAbsent(value) ? null : value);

const objectIn = (value: unknown): Fields => (isRecord(value) ? value : {});
