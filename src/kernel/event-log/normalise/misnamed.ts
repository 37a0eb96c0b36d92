import { type EventWarnings, noWarnings, type EventWarning } from './warning.js';

/** Names that senders give to fields of an event, which are stored under another name or not at all. */
const otherNames = {
  distinct_id: ['distinctId', 'user_id', 'userId', 'anonymous_id', 'anonymousId'],
  event: ['name', 'event_name', 'eventName', 'event_type', 'type'],
  timestamp: ['time', 'ts', 'date', 'datetime', 'created_at', 'createdAt', 'occurred_at', 'event_time', 'eventTime'],
  properties: ['props', 'property', 'attributes', 'params', 'data', 'payload'],
} as const;

/** Replaces a field that a refused event lacks. */
export const standIn = (raw: Readonly<Record<string, unknown>>, name: 'distinct_id' | 'event'): string => {
  const sent = otherNames[name].find((other) => raw[other] !== undefined);
  return sent === undefined ? '' : `; rename the field ${sent} to ${name}`;
};

/**
 * Other fields of an event are ignored, because SDKs send some of their own. One that stands in for a missing field was a mistake:
 * the event would count as of now, or without its properties.
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
