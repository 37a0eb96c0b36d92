import { type IdentityEvent, type IdentityWarning, type Properties } from './identity-event.js';
import { PersonGroup, type WorkingPersonRef, type StoredPersons, type WorkingPerson } from './person-group.js';
import { maxPersonPropertiesBytes } from './person-properties.js';

export interface MadePerson {
  readonly distinctId: string;
  readonly properties: Properties;
  readonly isIdentified: boolean;
  readonly createdAt: Date;
}

export interface ChangedPerson {
  readonly id: string;
  readonly changed: Properties;
  readonly removed: readonly string[];
  readonly isIdentified: boolean;
  readonly createdAt: Date;
}

/** One merge of two persons, stored or made by the same events. */
export interface DecidedMerge {
  readonly merged: WorkingPersonRef;
  readonly into: WorkingPersonRef;
  /** When the two persons were created. A person that the same events made has no row that says so. */
  readonly mergedCreatedAt: Date;
  readonly intoCreatedAt: Date;
  /** The ids that the merged person got from the same events. */
  readonly newIds: readonly string[];
  readonly kind: NonNullable<IdentityEvent['merge']>['kind'];
  readonly eventUuid: string;
}

export interface Decision {
  /** The new persons, in the order their ids came. */
  readonly made: readonly MadePerson[];
  readonly changed: readonly ChangedPerson[];
  /** Ids that had no person and now join one that was not made for them. */
  readonly attached: readonly { readonly distinctId: string; readonly to: WorkingPersonRef }[];
  /** The stored persons that are merged into another person, with all their ids. */
  readonly merged: readonly { readonly id: string; readonly into: WorkingPersonRef }[];
  /** Every merge, in the order of the events. The person `into` of one merge may itself be merged by a later one. */
  readonly merges: readonly DecidedMerge[];
  readonly warnings: readonly IdentityWarning[];
}

/** Decides how a group of events, in the order received, changes the stored persons. */
export const decide = (stored: StoredPersons, events: readonly IdentityEvent[]): Decision => {
  const group = new PersonGroup(stored);
  const warnings: IdentityWarning[] = [];
  const merges: DecidedMerge[] = [];
  const newIds = new Set<string>();
  for (const event of events) {
    if (!event.person.process) continue;
    for (const id of distinctIdsOfEvent(event)) if (group.ownerOf(id) === null) newIds.add(id);
    applyEvent(group, event, { warnings, merges });
  }
  return { ...outcomeForNewIds(group, newIds), ...outcomeForStored(group), merges, warnings };
};

export const distinctIdsOfEvent = ({ distinctId, merge }: IdentityEvent): string[] =>
  merge ? [distinctId, merge.otherDistinctId] : [distinctId];

interface Findings {
  readonly warnings: IdentityWarning[];
  readonly merges: DecidedMerge[];
}

const applyEvent = (group: PersonGroup, event: IdentityEvent, findings: Findings): void => {
  const person = event.merge
    ? personAfterMerge(group, event, event.merge, findings)
    : (group.ownerOf(event.distinctId) ?? group.make(event.distinctId, event.timestamp));
  if (!person.apply(event)) findings.warnings.push(tooLarge(event, 'the event changes none of them'));
};

const personAfterMerge = (
  group: PersonGroup,
  event: IdentityEvent,
  { kind, otherDistinctId }: NonNullable<IdentityEvent['merge']>,
  { warnings, merges }: Findings,
): WorkingPerson => {
  const own = group.ownerOf(event.distinctId);
  const other = group.ownerOf(otherDistinctId);
  if (own !== null && own === other) return own;
  if (own !== null && other?.isIdentified && kind !== 'merge_dangerously') {
    warnings.push(alreadyIdentified(event, otherDistinctId));
    return own;
  }
  if (own !== null && other !== null) {
    merges.push({
      merged: other.ref,
      into: own.ref,
      mergedCreatedAt: other.createdAt,
      intoCreatedAt: own.createdAt,
      newIds: other.newIds,
      kind,
      eventUuid: event.uuid,
    });
    if (!own.mergeFrom(other)) {
      warnings.push(tooLarge(event, `those of ${JSON.stringify(otherDistinctId)} are dropped by the merge`));
    }
  }
  const person = own ?? other ?? group.make(event.distinctId, event.timestamp);
  group.give(event.distinctId, person);
  group.give(otherDistinctId, person);
  if (kind !== 'import') person.isIdentified = true;
  return person;
};

const outcomeForNewIds = (group: PersonGroup, newIds: ReadonlySet<string>): Pick<Decision, 'made' | 'attached'> => {
  const made: MadePerson[] = [];
  const attached: { distinctId: string; to: WorkingPersonRef }[] = [];
  for (const distinctId of newIds) {
    const person = group.ownerOf(distinctId);
    if (person === null) continue;
    const { ref, properties, isIdentified, createdAt } = person;
    if ('madeFor' in ref && ref.madeFor === distinctId) {
      made.push({ distinctId, properties: properties.toObject(), isIdentified, createdAt });
    } else {
      attached.push({ distinctId, to: ref });
    }
  }
  return { made, attached };
};

const outcomeForStored = (group: PersonGroup): Pick<Decision, 'changed' | 'merged'> => {
  const changed: ChangedPerson[] = [];
  const merged: { id: string; into: WorkingPersonRef }[] = [];
  for (const person of group.storedPersons()) {
    if (!('stored' in person.ref)) continue;
    const id = person.ref.stored;
    const { isIdentified, createdAt, properties } = person;
    if (person.isMerged) merged.push({ id, into: person.final.ref });
    else if (person.isChanged) changed.push({ id, ...properties.patch(), isIdentified, createdAt });
  }
  return { changed, merged };
};

const warning = (type: IdentityWarning['type'], event: IdentityEvent, detail: string): IdentityWarning => ({
  type,
  detail,
  eventUuid: event.uuid,
  distinctId: event.distinctId,
});

const tooLarge = (event: IdentityEvent, consequence: string): IdentityWarning =>
  warning(
    'person_properties_too_large',
    event,
    `the person's properties would exceed ${maxPersonPropertiesBytes} bytes: ${consequence}`,
  );

const alreadyIdentified = (event: IdentityEvent, otherDistinctId: string): IdentityWarning =>
  warning(
    'cannot_merge_already_identified',
    event,
    `the person of ${JSON.stringify(otherDistinctId)} is already identified and stays separate; ` +
      'send $merge_dangerously to merge them anyway',
  );
