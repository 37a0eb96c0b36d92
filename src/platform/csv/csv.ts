import { type Response } from 'express';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { asFile, sendStream } from '../http/send-stream.js';
import { countRows } from '../http/compression.js';

export type CsvValue = unknown;
export type CsvRow = readonly CsvValue[];

const rowsPerBatch = 200;
/** The size of one write to the socket: small enough to keep memory flat, large enough to keep writes cheap. */
const charactersPerChunk = 64 * 1024;

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
 * A spreadsheet that splits at `;` or tab ignores the quotes of a comma-separated cell: the text after a separator becomes a cell
 * of its own. The sign is optional, so that each match ends where its run of separators ends, which keeps the time linear.
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

/** Makes CSV text in chunks. Other requests are served between two chunks. */
async function* chunks(
  header: readonly string[],
  batches: AsyncIterable<Iterable<CsvRow>>,
  onRows: (rows: number) => void,
): AsyncGenerator<string> {
  let [chunk, rows] = [csvLine(header), 0];
  for await (const batch of batches) {
    for (const row of batch) {
      chunk += csvLine(row);
      rows += 1;
      if (chunk.length < charactersPerChunk) continue;
      onRows(rows);
      yield chunk;
      [chunk, rows] = ['', 0];
      await yieldToEventLoop();
    }
  }
  onRows(rows);
  if (chunk !== '') yield chunk;
}

/** Streams at the client's pace. A client that disconnects ends the iteration, and with it the work that makes the rows. */
export const sendCsv = (response: Response, filename: string, header: readonly string[], rows: Rows): Promise<void> =>
  sendCsvBatches(response, filename, header, batchesOf(rows));

/** Sends very many rows in batches, because a promise for each row would cost more than the row. */
export const sendCsvBatches = async (
  response: Response,
  filename: string,
  header: readonly string[],
  batches: AsyncIterable<Iterable<CsvRow>>,
  stallMs?: number,
): Promise<void> => {
  response.status(200).set({ 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': asFile(filename) });
  const counted = chunks(header, batches, (rows) => countRows(response, rows));
  await sendStream(response, counted, stallMs);
};
