import { isUuid } from '../../platform/values/ids.js';
import { nameUuid } from '../../platform/values/name-uuid.js';

/** Never change this constant: a message that is sent again must get the uuid of its first arrival. */
const namespace = Buffer.from('c7a2f60b9e0d4b1fa6b4d05e3f8c1927', 'hex');

/**
 * The uuid of an event by the id of its message, so that a message that is sent again is a duplicate. Null when the message
 * has no id.
 */
export const messageUuid = (messageId: unknown): string | null => {
  if (typeof messageId !== 'string' && typeof messageId !== 'number') return null;
  const text = String(messageId);
  if (text === '') return null;
  return isUuid(text) ? text.toLowerCase() : nameUuid(namespace, text);
};
