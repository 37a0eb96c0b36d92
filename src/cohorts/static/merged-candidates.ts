import { type Candidate } from '../../kernel/memberships/candidate.js';
import { refuseMerged } from '../../persons/reading/named-persons.js';
import { type PersonRef } from '../../kernel/identity/person-ref.js';
import { type Queryable } from '../../platform/postgres/postgres.js';

/** This many ids are looked up together in a few milliseconds. */
const idsAtOnce = 5000;

/**
 * Refuses a list in a body that names a merged person, whom the caller would not find among the members. In `candidates`, the ids
 * of persons come first.
 */
export const refuseMergedCandidates = async (
  reader: Queryable,
  projectId: number,
  candidates: readonly Candidate[],
): Promise<void> => {
  for (let from = 0; from < candidates.length; from += idsAtOnce) {
    const refs = candidates.slice(from, from + idsAtOnce).flatMap((candidate, at) => refOf(candidate, from + at) ?? []);
    if (refs.length === 0) return;
    await refuseMerged(reader, projectId, refs);
  }
};

const refOf = ({ kind, value }: Candidate, at: number): PersonRef | null => {
  const attr = `person_ids.${at}`;
  if (kind === 'id') return { id: value, attr };
  return kind === 'uuid' ? { uuid: value, attr } : null;
};
