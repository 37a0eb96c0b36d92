import { CsvFault } from '../../platform/csv/csv-fault.js';
import { readCsv } from '../../platform/csv/read-csv.js';
import { type Problem, invalidInput } from '../../platform/errors/problem.js';
import { type Candidate, idCandidate } from '../../kernel/memberships/candidate.js';
import { maxUnmatchedCharacters } from '../record/upload-counts.js';
import { createReadStream } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Pace } from '../../platform/work/active-projects.js';
import { DiskSpool } from '../../platform/csv/disk-spool.js';
import { type Upload } from '../../platform/http/form.interceptor.js';
import { refuseMerged } from '../../persons/reading/named-persons.js';
import { type PersonRef } from '../../kernel/identity/person-ref.js';
import { type MemberKind } from '../../kernel/memberships/record-members.js';
import { type Queryable } from '../../platform/postgres/postgres.js';

type Column = 'person_id' | 'distinct_id' | 'email' | 'group_id' | 'group_key';

type NamedColumns = readonly (readonly [Column, RegExp])[];

const ofPersons: NamedColumns = [
  ['person_id', /^person[ _.-]*id$/i],
  ['distinct_id', /^distinct[ _.-]*id$/i],
  ['email', /^e-?mail$/i],
];

const ofGroups: NamedColumns = [
  ['group_key', /^group[ _.-]*key$/i],
  ['group_id', /^group[ _.-]*id$/i],
];

const fault = (detail: string): Problem => invalidInput(`csv ${detail}`, 'csv');

const columnNamed = (name: string, named: NamedColumns): Column | null =>
  named.find(([, shape]) => shape.test(name.trim()))?.[0] ?? null;

interface Reading {
  readonly column: Column;
  readonly at: number;
  /** True if the first row contains column names. */
  readonly hasHeader: boolean;
}

const readingOf = (first: readonly string[], named: NamedColumns): Reading => {
  const filled = first.flatMap((cell, at) => (cell.trim() === '' ? [] : [{ name: cell.trim(), at }]));
  const [only] = filled;
  if (filled.length === 1 && only) {
    if (only.name.split('|').some((part) => part !== only.name && columnNamed(part, named) !== null)) {
      throw fault(
        `must separate its values by comma, semicolon or tab; found ${JSON.stringify(only.name.slice(0, 50))}`,
      );
    }
    const column = columnNamed(only.name, named);
    const unnamed = named === ofGroups ? 'group_key' : 'distinct_id';
    if (column === null || column === 'distinct_id') return { column: unnamed, at: only.at, hasHeader: false };
    return { column, at: only.at, hasHeader: true };
  }
  for (const [column] of named) {
    const match = filled.find(({ name }) => columnNamed(name, named) === column);
    if (match) return { column, at: match.at, hasHeader: true };
  }
  const uuid = named === ofGroups ? undefined : uuidOfPersons(filled);
  if (uuid) return { column: 'person_id', at: uuid.at, hasHeader: true };
  const names = filled.map(({ name }) => JSON.stringify(name.slice(0, 50))).join(', ');
  throw fault(
    `has several columns, so one of them must be named ${listed(named.map(([column]) => column))}; found ${names}. A value that contains a separator stands in quotes`,
  );
};

/** Returns the column that names the persons in a CSV file of persons that was exported by this service. */
const uuidOfPersons = <Cell extends { readonly name: string }>(filled: readonly Cell[]): Cell | undefined =>
  ['id', 'distinct_ids'].every((column) => filled.some(({ name }) => name === column))
    ? filled.find(({ name }) => name === 'uuid')
    : undefined;

const readable = (column: Column, value: string): Candidate | null => {
  if (value === '' || value.includes('\0')) return null;
  if (column === 'person_id' || column === 'group_id') return idCandidate(value);
  return { kind: column === 'group_key' ? 'key' : column, value };
};

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;

/** Makes a candidate that names no person. NUL is replaced, because PostgreSQL stores no text that contains it. */
const unreadable = (value: string): Candidate => ({
  kind: 'unreadable',
  value: value.slice(0, maxUnmatchedCharacters).replaceAll('\0', '\ufffd'),
});

const isBlank = (row: readonly string[]): boolean => row.every((cell) => cell.trim() === '');

/** Yields a candidate for each row of an uploaded file, in the order of the file. Refuses a file that cannot name any member. */
export const csvCandidates = async function* (
  bytes: AsyncIterable<Uint8Array>,
  kind: MemberKind = 'persons',
): AsyncGenerator<Candidate> {
  const named = kind === 'groups' ? ofGroups : ofPersons;
  let reading: Reading | null = null;
  let candidates = 0;
  try {
    for await (const { cells, line } of readCsv(bytes, (cell) => columnNamed(cell, named) !== null)) {
      if (isBlank(cells)) continue;
      const isFirst: boolean = reading === null;
      reading ??= readingOf(cells, named);
      if (isFirst && reading.hasHeader) continue;
      const value = cells[reading.at]?.trim() ?? '';
      const candidate = readable(reading.column, value);
      if (candidate) candidates += 1;
      yield { ...(candidate ?? unreadable(value)), origin: { source: 'csv', at: line } };
    }
  } catch (error) {
    throw error instanceof CsvFault ? fault(`must be a CSV file: ${error.message}`) : error;
  }
  if (reading === null) throw fault('is empty');
  if (candidates > 0) return;
  throw fault(
    reading.column === 'person_id' || reading.column === 'group_id'
      ? `holds no ${reading.column.replace('_', ' ')}: each must be an integer or a uuid`
      : `holds no ${reading.column} under its header`,
  );
};

export interface MemberInput {
  readonly person_ids?: unknown[] | null;
  readonly distinct_ids?: unknown[] | null;
  readonly group_ids?: unknown[] | null;
  readonly group_keys?: unknown[] | null;
}

/** This many ids are read in a few milliseconds. */
const idsAtOnce = 5000;

/** Reads the persons or groups that a body names. Other requests are served in between, because the list can be long. */
export const candidatesOf = async ({
  person_ids,
  distinct_ids,
  group_ids,
  group_keys,
}: MemberInput): Promise<Candidate[]> => {
  const candidates: Candidate[] = [];
  const readAll = async (ids: readonly unknown[], read: (id: unknown, at: number) => Candidate): Promise<void> => {
    for (const [at, id] of ids.entries()) {
      if (at > 0 && at % idsAtOnce === 0) await yieldToEventLoop();
      candidates.push(read(id, at));
    }
  };
  await readAll(person_ids ?? [], (id, at) => ({
    ...readPersonCandidate(id, `person_ids.${at}`),
    origin: { source: 'person_ids', at },
  }));
  await readAll(distinct_ids ?? [], nameIn('distinct_ids', 'distinct_id'));
  await readAll(group_ids ?? [], (id, at) => ({
    ...readGroupCandidate(id, `group_ids.${at}`),
    origin: { source: 'group_ids', at },
  }));
  await readAll(group_keys ?? [], nameIn('group_keys', 'key'));
  return candidates;
};

/** Reads a text by which events name a person or a group. */
const nameIn =
  (source: 'distinct_ids' | 'group_keys', kind: 'distinct_id' | 'key') =>
  (name: unknown, at: number): Candidate => {
    if ((typeof name !== 'string' && typeof name !== 'number') || String(name).includes('\0')) {
      throw invalidInput(`${source}.${at} must be text`, `${source}.${at}`);
    }
    return { kind, value: String(name), origin: { source, at } };
  };

const namedById = (input: unknown): Candidate | null =>
  typeof input === 'number' || typeof input === 'string' ? idCandidate(String(input)) : null;

const readId =
  (what: 'person' | 'group') =>
  (input: unknown, attr: string): Candidate => {
    const candidate = namedById(input);
    if (candidate === null) throw invalidInput(`${attr} must be the integer id or the uuid of a ${what}`, attr);
    return candidate;
  };

export const readPersonCandidate = readId('person');
export const readGroupCandidate = readId('group');

/** Yields first the candidates of the body, then those of the file. */
const allBatches = async function* (
  listed: readonly Candidate[],
  upload: Upload | null,
  pace: Pace,
  kind: MemberKind,
): AsyncGenerator<readonly Candidate[]> {
  for (let from = 0; from < listed.length; from += candidatesPerBatch) {
    yield listed.slice(from, from + candidatesPerBatch);
    await yieldToEventLoop();
  }
  if (upload) yield* pace.each(batchesOf(csvCandidates(createReadStream(upload.path), kind)));
};

/** The candidates of a request: a few in memory, or any number, completely read and stored in a file on disk. */
export type Sources = { readonly few: readonly Candidate[] } | { readonly many: DiskSpool<readonly Candidate[]> };

/** Up to this many candidates become members at once, in the transaction of the request; more are added in the background. */
const fewCandidates = 1000;
/** This many candidates are read or stored in two or three milliseconds. */
const candidatesPerBatch = 250;

/**
 * Reads the candidates of a request. Must be called before a transaction starts, because reading a file takes time and the file
 * may be invalid. `removeSources` removes the file on disk.
 */
export const readSources = async (
  listed: readonly Candidate[],
  upload: Upload | null,
  pace: Pace,
  kind: MemberKind,
): Promise<Sources> =>
  upload === null && listed.length <= fewCandidates
    ? { few: listed }
    : { many: await DiskSpool.fill(allBatches(listed, upload, pace, kind)) };

/** Makes sources of the persons that something other than the body yields, such as a query. */
export const sourcesOf = async (persons: AsyncIterable<Candidate>): Promise<Sources> => {
  const iterator = persons[Symbol.asyncIterator]();
  const few: Candidate[] = [];
  while (few.length <= fewCandidates) {
    const next = await iterator.next();
    if (next.done) return { few };
    few.push(next.value);
  }
  return { many: await spooled(followedBy(few, { [Symbol.asyncIterator]: () => iterator })) };
};

const followedBy = async function* <T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
};

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

/** This many ids are looked up together in a few milliseconds. */
const refsAtOnce = 5000;

/**
 * Refuses a list in a body that names a merged person, whom the caller would not find among the members. In `candidates`, the ids
 * of persons come first.
 */
export const refuseMergedCandidates = async (
  reader: Queryable,
  projectId: number,
  candidates: readonly Candidate[],
): Promise<void> => {
  for (let from = 0; from < candidates.length; from += refsAtOnce) {
    const refs = candidates
      .slice(from, from + refsAtOnce)
      .flatMap((candidate, at) => refOf(candidate, from + at) ?? []);
    if (refs.length === 0) return;
    await refuseMerged(reader, projectId, refs);
  }
};

const refOf = ({ kind, value, origin }: Candidate, at: number): PersonRef | null => {
  if (origin?.source !== 'person_ids') return null;
  const attr = `person_ids.${at}`;
  if (kind === 'id') return { id: value, attr };
  return kind === 'uuid' ? { uuid: value, attr } : null;
};
