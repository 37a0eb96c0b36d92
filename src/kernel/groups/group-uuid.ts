import { isUuid } from '../../platform/values/ids.js';

/** The last five bytes of the uuid of each group. Never change them: the uuid of a group stays the same. */
const mark = Buffer.from('group').toString('hex');

/**
 * The uuid of a group, of version 8. It holds the number of the group in questions, by which the group is found again; groups have no
 * uuid of their own, as their keys name them.
 */
export const groupUuid = (actor: string): string => {
  const hex = BigInt(actor).toString(16).padStart(16, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8000-80${hex.slice(12, 14)}-${hex.slice(14)}${mark}`;
};

/** The number in a uuid; null for a uuid of no group. */
export const actorOfUuid = (text: string): string | null => {
  if (!isUuid(text)) return null;
  const hex = text.replaceAll('-', '').toLowerCase();
  const actor = String(BigInt(`0x${hex.slice(0, 12)}${hex.slice(18, 22)}`));
  return groupUuid(actor) === text.toLowerCase() ? actor : null;
};
