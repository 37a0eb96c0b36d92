import { type Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { compressionStages } from '../http/compression.js';

export type CsvValue = unknown;
export type CsvRow = readonly CsvValue[];

const rowsPerBatch = 200;
/** The size of one write to the socket: small enough to keep memory flat, large enough to keep writes cheap. */
const charactersPerChunk = 64 * 1024;
/** The limit for a client that does not read. */
const patienceMs = 30_000;

/** One cell of RFC 4180. Text that a spreadsheet would run as a formula is made harmless. */
export const csvCell = (value: CsvValue): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = textOf(value);
  if (!/[",;\t\r\n]/.test(text)) return withHarmlessStart(text);
  const inert = withHarmlessParts(withHarmlessStart(text));
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
};

/** Most cells begin with a letter or a digit, and skip the regular expression. */
const withHarmlessStart = (text: string): string =>
  beginsPlainly(text.charCodeAt(0)) || !beginsFormula.test(text) ? text : `'${text}`;

const withHarmlessParts = (text: string): string =>
  /[;\t\r\n]/.test(text) && /[=+\-@＝＋－＠]/.test(text) ? text.replace(afterSeparator, inertStart) : text;

const beginsPlainly = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);

/** Spreadsheets skip leading white space, and some read the full-width signs of East Asian input as the plain ones. */
const beginsFormula = /^(?:\s*[=+\-@＝＋－＠]|[\t\r])/;

/**
 * A spreadsheet that splits at `;` or tab does not respect the quotes of a comma-separated cell: the text behind becomes
 * a cell of its own. The sign is optional so that every match ends where its run of separators ends, which keeps this
 * linear.
 */
const afterSeparator = /([;\t\r\n][;\s"]*)([=+\-@＝＋－＠])?/g;

const inertStart = (match: string, separators: string, sign: string | undefined): string =>
  sign === undefined ? match : `${separators}'${sign}`;

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return JSON.stringify(value);
};

export const csvLine = (row: CsvRow): string => `${row.map(csvCell).join(',')}\r\n`;

type Rows = AsyncIterable<CsvRow> | Iterable<CsvRow>;

async function* batchesOf(rows: Rows): AsyncGenerator<readonly CsvRow[]> {
  let batch: CsvRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < rowsPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Other requests get a turn between two chunks. */
async function* chunks(header: readonly string[], batches: AsyncIterable<Iterable<CsvRow>>): AsyncGenerator<string> {
  let chunk = csvLine(header);
  for await (const batch of batches) {
    for (const row of batch) {
      chunk += csvLine(row);
      if (chunk.length < charactersPerChunk) continue;
      yield chunk;
      chunk = '';
      await setImmediate();
    }
  }
  if (chunk !== '') yield chunk;
}

/** Streams at the client's pace. A client that disconnects ends the iteration, and with it the work behind the rows. */
export const sendCsv = (response: Response, filename: string, header: readonly string[], rows: Rows): Promise<void> =>
  sendCsvBatches(response, filename, header, batchesOf(rows));

/** Sends very many rows in batches, because a promise for each row would cost more than the row. */
export const sendCsvBatches = async (
  response: Response,
  filename: string,
  header: readonly string[],
  batches: AsyncIterable<Iterable<CsvRow>>,
  stallMs = patienceMs,
): Promise<void> => {
  response.status(200).set({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${filename.replace(/[^A-Za-z0-9._-]/g, '_')}"`,
  });
  await sendChunks(response, chunks(header, batches), stallMs);
};

/** Streams chunks of about the size of a write at the client's pace, with the status and the headers that are set. */
export const sendChunks = async (
  response: Response,
  chunksOfAnswer: AsyncIterable<string>,
  stallMs = patienceMs,
): Promise<void> => {
  // A chunk is already large, so buffering several of them would only cost memory.
  const source = Readable.from(chunksOfAnswer, { highWaterMark: 1 });
  const stopWatching = endWhenStalled(response, stallMs);
  await pipeline([source, ...compressionStages(response), response])
    .catch((error: unknown) => {
      if (!isDroppedClient(error)) throw error;
    })
    .finally(stopWatching);
};

/** The socket's timer runs out only when no byte has moved, which can also mean that the service has nothing to send. */
const endWhenStalled = (response: Response, stallMs: number): (() => void) => {
  const { socket } = response;
  const look = () => {
    if ((socket?.writableLength ?? 0) > 0) response.destroy();
  };
  response.setTimeout(stallMs, look);
  return () => {
    response.off('timeout', look);
    response.setTimeout(0);
  };
};

const isDroppedClient = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
