import { createReadStream } from 'node:fs';
import { DiskSpool } from '../../common/csv/disk-spool.js';
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
const allCandidates = async function* (given: readonly Candidate[], upload: Upload | null): AsyncGenerator<Candidate> {
  yield* given;
  if (upload) yield* csvCandidates(createReadStream(upload.path));
};

/** Whom a request names: few of them, or any number, read to the end and waiting on disk. */
export type Sources = { readonly few: readonly Candidate[] } | { readonly many: DiskSpool<readonly Candidate[]> };

/** So many are members at once, in the transaction that names them; more are added in the background. */
const fewCandidates = 1000;
const candidatesPerBatch = 5000;

/**
 * To be read before a transaction begins: a file takes its time, and may turn out to be none that can be taken. What is on disk is
 * removed by `removeSources`.
 */
export const readSources = async (given: readonly Candidate[], upload: Upload | null): Promise<Sources> =>
  upload === null && given.length <= fewCandidates
    ? { few: given }
    : { many: await spooled(allCandidates(given, upload)) };

export const spooled = (candidates: AsyncIterable<Candidate>): Promise<DiskSpool<readonly Candidate[]>> =>
  DiskSpool.fill(batchesOf(candidates));

export const removeSources = async (sources: Sources): Promise<void> => {
  if ('many' in sources) await sources.many.remove();
};

async function* batchesOf(candidates: AsyncIterable<Candidate>): AsyncGenerator<readonly Candidate[]> {
  let batch: Candidate[] = [];
  for await (const candidate of candidates) {
    batch.push(candidate);
    if (batch.length < candidatesPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
