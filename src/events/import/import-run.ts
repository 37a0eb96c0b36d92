import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { type ImportedPerson } from '../../persons/identity/import-persons.js';
import { maxEventBytes } from '../capture/limits.js';
import { loggable, type LoggableEvent } from '../ingest/loggable.js';
import { type Verdict } from '../ingest/pending.js';
import { importLines, type ImportLine } from './lines.js';
import { recordOf, type ImportOptions, type ImportRecord } from './record.js';

export interface ImportRefusal {
  readonly line: number;
  readonly code: string;
  readonly detail: string;
}

export interface ImportCounts {
  persons: number;
  events: number;
  duplicates: number;
}

const linesPerChunk = 2000;
const bytesPerChunk = 4 * 1024 * 1024;

/** This many lines are read in about a millisecond. Other requests then get a turn. */
const linesAtOnce = 25;
const bytesAtOnce = 64 * 1024;

type Numbered<R extends ImportRecord> = R & { readonly line: number };

/** Commits what was read: through the running service, or by a command of its own. */
export interface ImportWriter {
  /** Returns the refused persons by index, with the reasons. */
  writePersons(persons: readonly ImportedPerson[]): Promise<ReadonlyMap<number, string>>;
  writeEvents(events: readonly LoggableEvent[], receivedAt: Date, read: LinesRead): Promise<Verdict>;
}

/** What became of lines before their events are written. */
export interface LinesRead {
  readonly rows: number;
  readonly persons: number;
  readonly refusals: readonly ImportRefusal[];
}

/** Yields rejections chunk by chunk; `counts` grows with each commit. */
export async function* importRun(
  bytes: AsyncIterable<Buffer>,
  options: ImportOptions,
  writer: ImportWriter,
  counts: ImportCounts,
  now: Date,
): AsyncGenerator<readonly ImportRefusal[]> {
  const receivedAt = clockFrom(now);
  for await (const chunk of linesInChunks(importLines(bytes, maxEventBytes))) {
    const taken = await takeLines(writer, chunk, options, { now, receivedAt });
    counts.persons += taken.persons;
    counts.events += taken.accepted;
    counts.duplicates += taken.duplicates;
    yield taken.refusals;
  }
}

/** Writes one chunk of lines. `receivedAt` may be a clock, which is read once the lines have been parsed. */
export const takeLines = async (
  writer: ImportWriter,
  lines: readonly ImportLine[],
  options: ImportOptions,
  { now, receivedAt }: { readonly now: Date; readonly receivedAt: Date | (() => Date) },
): Promise<LinesRead & Verdict> => {
  const records = await recordsOf(lines, options, now);
  return take(writer, records, receivedAt instanceof Date ? receivedAt : receivedAt());
};

/** Writes persons before events, so that an event of the same chunk finds its person. */
const take = async (
  writer: ImportWriter,
  records: readonly Numbered<ImportRecord>[],
  receivedAt: Date,
): Promise<LinesRead & Verdict> => {
  const refusals = records.flatMap((record) =>
    record.kind === 'refused' ? [{ line: record.line, code: record.code, detail: record.detail }] : [],
  );
  const persons = records.filter((record) => record.kind === 'person');
  let acceptedPersons = 0;
  if (persons.length > 0) {
    const refused = await writer.writePersons(persons.map(({ person }) => person));
    for (const [place, detail] of refused) refusals.push({ line: persons[place]?.line ?? 0, code: 'conflict', detail });
    acceptedPersons = persons.length - refused.size;
  }
  const events = records.flatMap((record) => (record.kind === 'event' ? [loggable(record.event)] : []));
  refusals.sort((a, b) => a.line - b.line);
  const read: LinesRead = { rows: records.length, persons: acceptedPersons, refusals };
  return { ...read, ...(await writer.writeEvents(events, receivedAt, read)) };
};

/** When less than this passes between the request and its events, the events count as received with the request. */
const atOnceMs = 1000;

/** An import can last for hours. Its events must not count as older than a deletion that happened meanwhile. */
const clockFrom = (now: Date): (() => Date) => {
  const started = performance.now();
  return () => {
    const elapsed = performance.now() - started;
    return elapsed < atOnceMs ? now : new Date(now.getTime() + elapsed);
  };
};

const recordsOf = async (
  lines: readonly ImportLine[],
  options: ImportOptions,
  now: Date,
): Promise<Numbered<ImportRecord>[]> => {
  const records: Numbered<ImportRecord>[] = [];
  let [read, bytes] = [0, 0];
  for (const line of lines) {
    records.push({ line: line.number, ...recordIn(line, options, now) });
    read += 1;
    bytes += bytesOf(line);
    if (read < linesAtOnce && bytes < bytesAtOnce) continue;
    await turn();
    [read, bytes] = [0, 0];
  }
  return records;
};

const recordIn = (line: ImportLine, options: ImportOptions, now: Date): ImportRecord =>
  'bytes' in line
    ? recordOf(line.bytes, options, now)
    : { kind: 'refused', code: 'too_large', detail: `a line must not exceed ${maxEventBytes} bytes` };

const bytesOf = (line: ImportLine): number => ('bytes' in line ? line.bytes.length : 0);

/** Few enough lines to be read and written together. */
export async function* linesInChunks(lines: AsyncIterable<ImportLine>): AsyncGenerator<ImportLine[]> {
  let chunk: ImportLine[] = [];
  let bytes = 0;
  for await (const line of lines) {
    chunk.push(line);
    bytes += bytesOf(line);
    if (chunk.length < linesPerChunk && bytes < bytesPerChunk) continue;
    yield chunk;
    chunk = [];
    bytes = 0;
  }
  if (chunk.length > 0) yield chunk;
}
