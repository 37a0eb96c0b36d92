import { type Candidate, type CandidateSource } from '../../kernel/memberships/candidate.js';

/** An upload keeps at most this many rows without a person to show them to its caller. */
export const maxUnmatched = 1000;
export const maxUnmatchedCharacters = 200;

/** A row that names no person. */
export interface Unmatched {
  readonly source: CandidateSource;
  readonly at: number;
  readonly value: string;
}

/** The result of the rows that have been looked up so far. The counts add up to the number of these rows. */
export interface UploadCounts {
  readonly matched: number;
  readonly unknown: number;
  readonly duplicates: number;
  readonly unmatched: readonly Unmatched[];
}

/**
 * Counts candidates by the persons that each of them names. `first` has the persons that no earlier row of the upload has named:
 * the first candidate that names such a person is matched, and each further candidate is a duplicate.
 */
export const countCandidates = (
  candidates: readonly Candidate[],
  personsOf: readonly (readonly string[])[],
  first: Iterable<string>,
): UploadCounts => {
  const unnamed = new Set(first);
  let matched = 0;
  let unknown = 0;
  const unmatched: Unmatched[] = [];
  candidates.forEach(({ origin, value }, at) => {
    const persons = personsOf[at] ?? [];
    if (persons.length === 0) {
      unknown += 1;
      if (origin && unmatched.length < maxUnmatched)
        unmatched.push({ ...origin, value: value.slice(0, maxUnmatchedCharacters) });
      return;
    }
    let isFirst = false;
    for (const person of persons) isFirst = unnamed.delete(person) || isFirst;
    if (isFirst) matched += 1;
  });
  return { matched, unknown, duplicates: candidates.length - matched - unknown, unmatched };
};
