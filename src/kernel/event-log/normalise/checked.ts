/** A value, or the reason why the event that contains it is rejected. */
export type Checked<T> = { ok: true; value: T } | Refusal;

export interface Refusal {
  ok: false;
  code: 'required' | 'invalid_input' | 'too_large';
  detail: string;
}

export const accept = <T>(value: T): Checked<T> => ({ ok: true, value });

export const refuse = (code: Refusal['code'], detail: string): Refusal => ({ ok: false, code, detail });

/** True if a value looks like a project token or personal key, and so must never be stored as a property. */
export const isKey = (value: unknown): value is string =>
  typeof value === 'string' && (value.startsWith('phc_') || value.startsWith('phx_'));

/**
 * Something in an accepted event that was read differently from how it was written. Users know the types by these names.
 */
export interface EventWarning {
  type:
    | 'cannot_change_protected_property'
    | 'cannot_merge_with_illegal_distinct_id'
    | 'cannot_merge_with_token'
    | 'cookieless_mode_not_supported'
    | 'cookieless_visitor_not_merged'
    | 'event_timestamp_in_future'
    | 'illegal_distinct_id'
    | 'ignored_invalid_timestamp'
    | 'invalid_group'
    | 'invalid_event_when_process_person_profile_is_false'
    | 'invalid_person_properties'
    | 'invalid_process_person_profile'
    | 'merge_without_other_distinct_id'
    | 'misnamed_event_field';
  detail: string;
}

export type EventWarnings = readonly EventWarning[];

/** Shared by nearly all events, which have no warnings. */
export const noWarnings: EventWarnings = [];

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
