import { isBigId, isUuid } from '../../platform/values/ids.js';

/** An unreadable value can name no member; it is kept so that the upload can report it. A key is that of a group. */
export type CandidateKind = 'id' | 'uuid' | 'distinct_id' | 'email' | 'key' | 'unreadable';

/** A text that may name a person or, for a cohort of groups, a group. */
export interface Candidate {
  readonly kind: CandidateKind;
  readonly value: string;
  /** Where an upload names the member; a copy of a cohort is no upload. */
  readonly origin?: CandidateOrigin;
}

export type CandidateSource = 'csv' | 'person_ids' | 'distinct_ids' | 'group_ids' | 'group_keys';

export interface CandidateOrigin {
  readonly source: CandidateSource;
  /** The line of the file, which counts from 1, or the index in the list, which counts from 0. */
  readonly at: number;
}

/** Reads an integer id or a uuid; returns null for any other text. */
export const idCandidate = (text: string): Candidate | null => {
  if (isBigId(text)) return { kind: 'id', value: String(BigInt(text)) };
  return isUuid(text) ? { kind: 'uuid', value: text.toLowerCase() } : null;
};
