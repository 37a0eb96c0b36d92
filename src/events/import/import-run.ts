import { performance } from 'node:perf_hooks';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ahead } from '../../platform/work/ahead.js';
import { maxEventBytes } from '../../kernel/event-log/normalise/limits.js';
import { loggable } from '../../kernel/event-log/event-log.js';
import { type Verdict } from '../../kernel/event-log/group-commit.js';
import { type WriteStep, writeStepsOf, type FindOwners, type ReadLine, type RefusedPersons } from './batches.js';
import { importLines, type ImportLine } from './lines.js';
import { recordOf, type ReadingOptions } from './record.js';

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

/** This many lines are read in about a millisecond; between chunks, other requests are served. */
const linesAtOnce = 25;
const bytesAtOnce = 64 * 1024;

/** Commits what was read. The running service and the command line have different writers. */
export interface ImportWriter {
  readonly findOwners: FindOwners;
  /** Commits the steps in order. `read` counts the lines once the refused persons are known. */
  write(
    batches: readonly WriteStep[],
    receivedAt: Date,
    read: (refusedPersons: RefusedPersons) => LinesRead,
  ): Promise<LinesRead & Verdict>;
}

export interface LinesRead {
  readonly rows: number;
  readonly persons: number;
  readonly refusals: readonly ImportRefusal[];
}

/**
 * Yields rejections chunk by chunk; `counts` grows with each commit. The next chunk is read while PostgreSQL writes the present
 * one. If it changes no person, it is also written at the same time: the order of such events does not matter, and each commit
 * waits for the disk.
 */
export async function* importRun(
  bytes: AsyncIterable<Buffer>,
  options: ReadingOptions,
  writer: ImportWriter,
  counts: ImportCounts,
  now: Date,
): AsyncGenerator<readonly ImportRefusal[]> {
  const receivedAt = clockFrom(now);
  const chunks = readChunks(bytes, options, now);
  let writing: Promise<LinesRead & Verdict> | null = null;
  const counted = async (written: Promise<LinesRead & Verdict> | null): Promise<readonly ImportRefusal[]> => {
    if (written === null) return [];
    const taken = await written;
    counts.persons += taken.persons;
    counts.events += taken.accepted;
    counts.duplicates += taken.duplicates;
    return taken.refusals;
  };
  let reading = ahead(() => chunks.next());
  try {
    for (;;) {
      const chunk = await reading.catch((fault: unknown) => ({ fault }) as const);
      const before = writing;
      writing = null;
      if ('fault' in chunk || chunk.done) {
        yield await counted(before);
        // A fault of the body is thrown after everything before it was committed.
        if ('fault' in chunk) throw chunk.fault;
        return;
      }
      reading = ahead(() => chunks.next());
      const write = () => ahead(() => takeLines(writer, chunk.value, receivedAt()));
      if (chunk.value.every(changesNoPerson)) {
        writing = write();
        yield await counted(before);
      } else {
        yield await counted(before);
        writing = write();
      }
    }
  } finally {
    // Not awaited, so that the error of a failed write is not delayed by a client that has stopped sending.
    void ahead(() => chunks.return(undefined));
    // Committed events are counted even if something else failed.
    await counted(writing).catch(() => undefined);
  }
}

const changesNoPerson = (line: ReadLine): boolean =>
  line.kind === 'refused' || (line.kind === 'event' && !line.event.person.process);

async function* readChunks(
  bytes: AsyncIterable<Buffer>,
  options: ReadingOptions,
  now: Date,
): AsyncGenerator<readonly ReadLine[], undefined> {
  for await (const lines of linesInChunks(importLines(bytes, maxEventBytes)))
    yield await readLines(lines, options, now);
  return undefined;
}

/** Writes one chunk of lines. */
export const takeLines = async (
  writer: ImportWriter,
  lines: readonly ReadLine[],
  receivedAt: Date,
): Promise<LinesRead & Verdict> =>
  writer.write(await writeStepsOf(lines, writer.findOwners), receivedAt, (refusedPersons) =>
    linesRead(lines, refusedPersons),
  );

const linesRead = (lines: readonly ReadLine[], refusedPersons: RefusedPersons): LinesRead => {
  const refusals: ImportRefusal[] = [];
  let persons = 0;
  for (const read of lines) {
    const { line, kind } = read;
    if (kind === 'refused') refusals.push({ line, code: read.code, detail: read.detail });
    if (kind !== 'person') continue;
    const detail = refusedPersons.get(persons);
    if (detail !== undefined) refusals.push({ line, code: 'conflict', detail });
    persons += 1;
  }
  return { rows: lines.length, persons: persons - refusedPersons.size, refusals };
};

/** Events that arrive within this time after the request count as received with the request. */
const atOnceMs = 1000;

/**
 * Makes a clock that goes on from the request: an import can last for hours, and its events must not count as older than a
 * deletion in that time.
 */
const clockFrom = (now: Date): (() => Date) => {
  const started = performance.now();
  return () => {
    const elapsed = performance.now() - started;
    return elapsed < atOnceMs ? now : new Date(now.getTime() + elapsed);
  };
};

export const readLines = async (
  lines: readonly ImportLine[],
  options: ReadingOptions,
  now: Date,
): Promise<readonly ReadLine[]> => {
  const all: ReadLine[] = [];
  let [read, bytes] = [0, 0];
  for (const line of lines) {
    all.push(readLine(line, options, now));
    read += 1;
    bytes += bytesOf(line);
    if (read < linesAtOnce && bytes < bytesAtOnce) continue;
    await yieldToEventLoop();
    [read, bytes] = [0, 0];
  }
  return all;
};

const readLine = (line: ImportLine, options: ReadingOptions, now: Date): ReadLine => {
  const { number } = line;
  if (!('bytes' in line)) {
    return {
      line: number,
      kind: 'refused',
      code: 'too_large',
      detail: `a line must not exceed ${maxEventBytes} bytes`,
    };
  }
  const record = recordOf(line.bytes, options, now, number);
  if (record.kind !== 'event') return { line: number, ...record };
  return { line: number, kind: 'event', event: loggable(record.event) };
};

const bytesOf = (line: ImportLine): number => ('bytes' in line ? line.bytes.length : 0);

/** Groups lines into chunks that are small enough to be read and written together. */
export async function* linesInChunks(pieces: AsyncIterable<readonly ImportLine[]>): AsyncGenerator<ImportLine[]> {
  let chunk: ImportLine[] = [];
  let bytes = 0;
  for await (const lines of pieces) {
    for (const line of lines) {
      chunk.push(line);
      bytes += bytesOf(line);
      if (chunk.length < linesPerChunk && bytes < bytesPerChunk) continue;
      yield chunk;
      chunk = [];
      bytes = 0;
    }
  }
  if (chunk.length > 0) yield chunk;
}
