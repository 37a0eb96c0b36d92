import { isBigId, isUuid } from '../../common/ids.js';

export type CandidateKind = 'id' | 'uuid' | 'distinct_id' | 'email';

/** A text that may name a person. */
export interface Candidate {
  readonly kind: CandidateKind;
  readonly value: string;
}

/** Reads an integer id or a uuid; returns null for any other text. */
export const personCandidate = (text: string): Candidate | null => {
  if (isBigId(text)) return { kind: 'id', value: String(BigInt(text)) };
  return isUuid(text) ? { kind: 'uuid', value: text.toLowerCase() } : null;
};
