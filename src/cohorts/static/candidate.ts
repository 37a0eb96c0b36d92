export type CandidateKind = 'id' | 'uuid' | 'distinct_id' | 'email';

/** What may name a person. */
export interface Candidate {
  readonly kind: CandidateKind;
  readonly value: string;
}

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An integer id or a uuid; anything else names nobody. */
export const personCandidate = (text: string): Candidate | null => {
  if (/^\d{1,15}$/.test(text)) return { kind: 'id', value: String(BigInt(text)) };
  return uuidShape.test(text) ? { kind: 'uuid', value: text.toLowerCase() } : null;
};
