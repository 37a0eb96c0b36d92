import {
  type Checked,
  type EventWarnings,
  type Refusal,
  accept,
  isKey,
  misnamedFields,
  noWarnings,
  refuse,
  standIn,
} from './checked.js';
import {
  cookielessId,
  cookielessWarning,
  isCookielessId,
  visitorWarning,
  distinctIdText,
  distinctIdWarnings,
  eventDistinctId,
  isIllegalDistinctId,
  senderUuid,
  uuidAt,
} from './event-ids.js';
import { type CookielessVisitors, identifyingProperties, visitorId } from './visitor-id.js';
import { type JsonObject, cleanObject, cleanText, isDeeperThan, isLongerThan, isRecord } from './json.js';
import { maxEventDepth, maxEventNameCharacters } from './limits.js';
import {
  type PersonChanges,
  changesNone,
  foldPersonOperators,
  noChanges,
  personChanges,
  personProcessing,
  speaksOf,
} from './person-changes.js';
import { groupsOf } from './group-changes.js';
import { type Protection, withoutProtected } from './protection.js';
import { type GroupChange } from '../../groups/apply-groups.js';
import { type GroupName } from '../../projection/named-groups.js';
import { eventTime, parseTimestamp } from './timestamp.js';

/** An event's request that the person of `otherDistinctId` becomes part of the event's own person. */
interface MergeRequest {
  kind: 'identify' | 'alias' | 'merge_dangerously';
  otherDistinctId: string;
}

const mergingEvents = new Map<string, { kind: MergeRequest['kind']; property: string }>([
  ['$identify', { kind: 'identify', property: '$anon_distinct_id' }],
  ['$create_alias', { kind: 'alias', property: 'alias' }],
  ['$merge_dangerously', { kind: 'merge_dangerously', property: 'alias' }],
]);

const needsPersonProfile = (event: string): boolean => mergingEvents.has(event) || event === '$groupidentify';

interface MergeOutcome {
  merge: MergeRequest | null;
  warnings: EventWarnings;
}

const noMerge: MergeOutcome = { merge: null, warnings: noWarnings };

/** Checks what can be decided without the persons; whether an identified person may be merged is decided later. */
const mergeRequest = (
  event: string,
  distinctId: string,
  sent: JsonObject,
  hasVisitors: boolean,
): Checked<MergeOutcome> => {
  const merging = mergingEvents.get(event);
  if (!merging) return accept(noMerge);
  const other = distinctIdText(sent[merging.property], `properties.${merging.property}`);
  if (!other.ok) return other;
  if (other.value === null) return accept(merging.kind === 'identify' ? noMerge : nothingToMerge(event));
  if (other.value === distinctId) return accept(noMerge);
  if (isCookielessId(other.value)) {
    const isCounted = hasVisitors || other.value !== cookielessId;
    return accept({ merge: null, warnings: isCounted ? visitorWarning : cookielessWarning });
  }
  const illegal = [distinctId, other.value].find(isIllegalDistinctId);
  if (illegal !== undefined) return accept(illegalMerge(illegal));
  return accept({ merge: { kind: merging.kind, otherDistinctId: other.value }, warnings: noWarnings });
};

const nothingToMergeType = 'merge_without_other_distinct_id';

const nothingToMerge = (event: string): MergeOutcome => ({
  merge: null,
  warnings: [{ type: nothingToMergeType, detail: `${event} without properties.alias merges nothing` }],
});

const illegalMerge = (illegal: string): MergeOutcome => ({
  merge: null,
  warnings: [
    {
      type: 'cannot_merge_with_illegal_distinct_id',
      detail: `${JSON.stringify(illegal)} is shared by many users by mistake, persons are not merged by it`,
    },
  ],
});

export interface NormaliseContext {
  now: Date;
  /** The time of sending by the sender's clock, as the request states it. */
  sentAt: Date | null;
  /** The event's position in its request. */
  index: number;
  /** True if the request came to /engage, where an event without a name is a `$identify`. */
  engage: boolean;
  /** Distinguishes visitors in cookieless mode; null or absent for a project that counts them as one. */
  visitors?: CookielessVisitors | null;
  /** The changes that the sender may not make; null or absent for a sender that may make all. */
  protection?: Protection | null;
}

export interface NormalisedEvent {
  uuid: string;
  event: string;
  distinctId: string;
  timestamp: Date;
  properties: JsonObject;
  person: PersonChanges;
  merge: MergeRequest | null;
  /** True if the event's person is a known user from now on. */
  identifies: boolean;
  groups: readonly GroupName[];
  groupChange: GroupChange | null;
  warnings: EventWarnings;
}

export interface EventRejection {
  index: number;
  uuid: string | null;
  code: Refusal['code'];
  detail: string;
}

export type Normalised = { ok: true; event: NormalisedEvent } | { ok: false; rejection: EventRejection };

/**
 * Turns one raw event into the form of the event log, the persons and the projection, or returns the reason for its
 * rejection.
 */
export const normalise = (raw: unknown, context: NormaliseContext): Normalised => {
  const uuid = senderUuid(isRecord(raw) ? raw.uuid : null);
  const event = uuid.ok ? readEvent(raw, uuid.value, context) : uuid;
  if (event.ok) return { ok: true, event: event.value };
  const { code, detail } = event;
  return { ok: false, rejection: { index: context.index, uuid: uuid.ok ? uuid.value : null, code, detail } };
};

const readEvent = (body: unknown, uuid: string | null, context: NormaliseContext): Checked<NormalisedEvent> => {
  if (!isRecord(body)) return refuse('invalid_input', 'an event must be a JSON object');
  if (isDeeperThan(body, maxEventDepth)) {
    return refuse('invalid_input', `an event may nest at most ${maxEventDepth} levels deep`);
  }
  const name = eventName(body, context.engage);
  if (!name.ok) return name;
  const all = eventProperties(body);
  if (!all.ok) return all;
  const { visitors, protection } = context;
  const permitted = protection
    ? withoutProtected(name.value, body, all.value, protection)
    : { raw: body, properties: all.value, warnings: noWarnings };
  const { raw, properties: sent } = permitted;
  const sentId = eventDistinctId(raw, sent);
  if (!sentId.ok) return sentId;
  const { distinctId, properties } =
    visitors && sentId.value === cookielessId
      ? visitorOf(visitors, sent)
      : { distinctId: sentId.value, properties: sent };
  const time = timeOf(raw, properties, context);
  if (!time.ok) return time;
  const identity = identityOf(raw, name.value, distinctId, properties, Boolean(visitors));
  if (!identity.ok) return identity;
  const { timestamp, warnings } = time.value;
  const { person, merge, identifies } = identity.value;
  // A refused merge has lost its other id, which its sender did name.
  const ofIdentity =
    permitted.warnings.length === 0
      ? identity.value.warnings
      : [...permitted.warnings, ...identity.value.warnings.filter(({ type }) => type !== nothingToMergeType)];
  const inGroups = groupsOf(name.value, properties);
  return accept({
    uuid: uuid ?? uuidAt(timestamp),
    event: name.value,
    distinctId,
    timestamp,
    properties,
    person,
    merge,
    identifies,
    groups: inGroups.groups,
    groupChange: inGroups.groupChange,
    warnings: both(both(both(warnings, ofIdentity), inGroups.warnings), misnamedFields(raw)),
  });
};

/** Gives an event the id of its visitor, and removes that by which the visitor could be found again. */
const visitorOf = (visitors: CookielessVisitors, sent: JsonObject) => {
  const distinctId = visitorId(visitors, sent);
  const properties = { ...sent };
  for (const name of identifyingProperties) delete properties[name];
  for (const name of ['distinct_id', '$distinct_id'])
    if (properties[name] === cookielessId) properties[name] = distinctId;
  return { distinctId, properties };
};

const both = (some: EventWarnings, more: EventWarnings): EventWarnings =>
  more.length === 0 ? some : [...some, ...more];

const eventName = (raw: Record<string, unknown>, engage: boolean): Checked<string> => {
  const { event: value } = raw;
  if (value === undefined || value === null || value === '') {
    return engage
      ? accept('$identify')
      : refuse('required', `event is missing, give the event a name${standIn(raw, 'event')}`);
  }
  if (typeof value !== 'string') return refuse('invalid_input', 'event must be text');
  if (value.trim() === '') return refuse('required', 'event is blank, give the event a name');
  if (isLongerThan(value, maxEventNameCharacters)) {
    return refuse('too_large', `event must have at most ${maxEventNameCharacters} characters`);
  }
  return accept(cleanText(value));
};

const eventProperties = (raw: Record<string, unknown>): Checked<JsonObject> => {
  const sent = raw.properties ?? {};
  if (!isRecord(sent)) return refuse('invalid_input', 'properties must be an object');
  const clean = cleanObject(sent);
  // Nearly all events are stored as they came, and are then not copied.
  if (!isKey(clean.token) && !isKey(clean.api_key) && !speaksOfPerson(raw, clean)) return accept(clean);
  const properties = { ...clean };
  for (const key of ['token', 'api_key']) if (isKey(properties[key])) delete properties[key];
  return accept(properties);
};

/** True if properties are added or removed later, which needs a copy. */
const speaksOfPerson = (raw: Record<string, unknown>, properties: JsonObject): boolean =>
  speaksOf(raw) || properties.$process_person_profile === false;

type EventTime = ReturnType<typeof eventTime>;

const timeOf = (
  raw: Record<string, unknown>,
  properties: JsonObject,
  context: NormaliseContext,
): Checked<EventTime> => {
  const { timestamp, offset } = raw;
  if (typeof timestamp === 'boolean' || (typeof timestamp === 'object' && timestamp !== null)) {
    return refuse('invalid_input', 'timestamp must be ISO 8601 text or an epoch in milliseconds');
  }
  const ignoreSentAt = properties.$ignore_sent_at === true;
  const sentAt = context.sentAt ?? parseTimestamp(raw.sent_at);
  return accept(eventTime({ timestamp, offset, ignoreSentAt, sentAt, now: context.now }));
};

/**
 * Reads what an event of the log changes about persons. The log stores an event in its normalised form, so normalising it
 * again yields the same.
 */
export const loggedIdentity = (event: string, distinctId: string, properties: JsonObject): Identity => {
  const identity = identityOf({}, event, distinctId, { ...properties });
  return identity.ok ? identity.value : withoutPerson(event, noWarnings);
};

type Identity = Pick<NormalisedEvent, 'person' | 'merge' | 'identifies' | 'warnings'>;

const identityOf = (
  raw: Record<string, unknown>,
  event: string,
  distinctId: string,
  properties: JsonObject,
  hasVisitors = false,
): Checked<Identity> => {
  const processing = personProcessing(properties);
  const folded = foldPersonOperators(raw, properties);
  const warnings = both(processing.warnings, folded.warnings);
  const idWarnings = distinctIdWarnings(distinctId, raw, properties);
  const isCookieless = isCookielessId(distinctId);
  if (!processing.process || isCookieless) {
    // Operators that change no person must not be stored as if they had.
    for (const operator of ['$set', '$set_once', '$unset']) delete properties[operator];
    const all = both(warnings, idWarnings);
    return accept(isCookieless ? noPerson(all) : withoutPerson(event, all));
  }
  // SDKs make up a distinct id for an event that describes a group, and a person with this id would count as a user. So such an
  // event has a person only if it also sets properties of one.
  if (event === '$groupidentify' && changesNone(folded.operators)) return accept(noPerson(both(warnings, idWarnings)));
  const merging = mergeRequest(event, distinctId, properties, hasVisitors);
  if (!merging.ok) return merging;
  return accept({
    person: personChanges(event, folded.operators, properties),
    merge: merging.value.merge,
    identifies: event === '$identify',
    // The warning of a refused merge already names the same id.
    warnings: both(warnings, merging.value.warnings.length > 0 ? merging.value.warnings : idWarnings),
  });
};

const noPerson = (warnings: EventWarnings): Identity => ({
  person: noChanges(false),
  merge: null,
  identifies: false,
  warnings,
});

const withoutPerson = (event: string, warnings: EventWarnings): Identity => {
  const impossible: EventWarnings = needsPersonProfile(event)
    ? [
        {
          type: 'invalid_event_when_process_person_profile_is_false',
          detail: `${event} does nothing while $process_person_profile is false: stored as an event only`,
        },
      ]
    : [];
  return noPerson([...warnings, ...impossible]);
};
