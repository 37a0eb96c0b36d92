import { createReadStream } from 'node:fs';
import { invalidInput } from '../../common/errors/problem.js';
import { type Upload } from '../../common/http/upload.js';
import { type Candidate, personCandidate } from './candidate.js';
import { csvCandidates } from './csv-candidates.js';

export interface GivenMembers {
  readonly person_ids?: unknown[] | null;
  readonly distinct_ids?: unknown[] | null;
}

/** Persons that a body names. */
export const candidatesOf = ({ person_ids, distinct_ids }: GivenMembers): Candidate[] => [
  ...(person_ids ?? []).map((given, at) => personGiven(given, `person_ids.${at}`)),
  ...(distinct_ids ?? []).map((given, at): Candidate => {
    if ((typeof given !== 'string' && typeof given !== 'number') || String(given).includes('\0')) {
      throw invalidInput(`distinct_ids.${at} must be text`, `distinct_ids.${at}`);
    }
    return { kind: 'distinct_id', value: String(given) };
  }),
];

export const personGiven = (given: unknown, attr: string): Candidate => {
  const text = typeof given === 'number' || typeof given === 'string' ? String(given) : '';
  const candidate = personCandidate(text);
  if (!candidate) throw invalidInput(`${attr} must be the integer id or the uuid of a person`, attr);
  return candidate;
};

/** First those of the body, then those of the file. */
export const allCandidates = async function* (
  given: readonly Candidate[],
  upload: Upload | null,
): AsyncGenerator<Candidate> {
  yield* given;
  if (upload) yield* csvCandidates(createReadStream(upload.path));
};
