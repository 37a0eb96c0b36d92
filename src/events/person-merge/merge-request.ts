import { invalidInput, required } from '../../common/errors/problem.js';
import { personRef, type PersonRef } from '../../persons/person-ref.js';
import { normalise, type NormalisedEvent } from '../normalise/normalise.js';
import { type MergePersonBody } from './person-merge.dto.js';

/** The persons to merge, by their ids or by ids that they may have. */
export type PersonsToMerge = { readonly distinctIds: readonly string[] } | { readonly refs: readonly PersonRef[] };

export const readMerge = ({ distinct_ids: distinctIds, persons }: MergePersonBody): PersonsToMerge => {
  if (distinctIds && persons) throw invalidInput('Send either distinct_ids or persons, not both', 'persons');
  if (distinctIds) return { distinctIds };
  if (!persons) throw required('distinct_ids');
  return { refs: persons.map((id, at) => refOf(id, `persons.${at}`)) };
};

const refOf = (id: unknown, attr: string): PersonRef => {
  if (typeof id === 'string' || typeof id === 'number') return personRef(String(id), attr);
  throw invalidInput(`${attr} must be the integer id or the uuid of a person`, attr);
};

/** A merge that a request demands, in the form of an event, so that the rules of captured merges decide. */
export interface Merging {
  readonly event: NormalisedEvent;
  readonly otherDistinctId: string;
  /** The field that an error names. */
  readonly attr: string;
}

/** Returns null when both ids are the same. Ids that many users share by mistake are refused, as capture refuses them. */
export const mergingOf = (distinctId: string, other: string, attr: string, now: Date): Merging | null => {
  const raw = {
    event: '$merge_dangerously',
    distinct_id: distinctId,
    timestamp: now.toISOString(),
    properties: { alias: other },
  };
  const normalised = normalise(raw, { now, sentAt: null, index: 0, engage: false });
  if (!normalised.ok) throw invalidInput(normalised.rejection.detail, attr);
  const { event } = normalised;
  const [warning] = event.warnings;
  if (warning) throw invalidInput(other === '' ? `${attr} must not be empty` : warning.detail, attr);
  return event.merge && { event, otherDistinctId: event.merge.otherDistinctId, attr };
};
