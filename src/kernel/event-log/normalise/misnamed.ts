import { type EventWarnings, noWarnings, type EventWarning } from './warning.js';

/** Names under which senders send a field of an event by mistake, by the right name of the field. */
const otherNames = {
  distinct_id: ['distinctId', 'user_id', 'userId', 'anonymous_id', 'anonymousId'],
  event: ['name', 'event_name', 'eventName', 'event_type', 'type'],
  timestamp: ['time', 'ts', 'date', 'datetime', 'created_at', 'createdAt', 'occurred_at', 'event_time', 'eventTime'],
  properties: ['props', 'property', 'attributes', 'params', 'data', 'payload'],
} as const;

/** Returns the advice to rename a field that was sent instead of one that a refused event lacks; empty when there is none. */
export const standIn = (raw: Readonly<Record<string, unknown>>, name: 'distinct_id' | 'event'): string => {
  const sent = otherNames[name].find((other) => raw[other] !== undefined);
  return sent === undefined ? '' : `; rename the field ${sent} to ${name}`;
};

/**
 * Warns of a field that was sent instead of a missing `timestamp` or `properties`, because the event counts as of now, or has
 * no properties. All other unknown fields are ignored, because SDKs send some of their own.
 */
export const misnamedFields = (raw: Readonly<Record<string, unknown>>): EventWarnings => {
  let warnings: EventWarning[] | null = null;
  for (const name of ['timestamp', 'properties'] as const) {
    if (raw[name] !== undefined) continue;
    const sent = otherNames[name].find((other) => raw[other] !== undefined);
    if (sent === undefined) continue;
    const detail = `${sent} is not a field of an event and is ignored: did you mean ${name}?`;
    (warnings ??= []).push({ type: 'misnamed_event_field', detail });
  }
  return warnings ?? noWarnings;
};
