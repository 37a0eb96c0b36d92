import { type Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export type CsvValue = unknown;
export type CsvRow = readonly CsvValue[];

/** Rows per chunk handed to the socket: few enough to keep memory flat, enough to keep writes cheap. */
const rowsPerChunk = 200;

/** One cell of RFC 4180, with text that a spreadsheet would run as a formula made harmless. */
export const csvCell = (value: CsvValue): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = textOf(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return JSON.stringify(value);
};

export const csvLine = (row: CsvRow): string => `${row.map(csvCell).join(',')}\r\n`;

async function* chunks(
  header: readonly string[],
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
): AsyncGenerator<string> {
  let chunk = csvLine(header);
  let held = 0;
  for await (const row of rows) {
    chunk += csvLine(row);
    held += 1;
    if (held < rowsPerChunk) continue;
    yield chunk;
    chunk = '';
    held = 0;
  }
  if (chunk !== '') yield chunk;
}

/** Streams at the client's pace. A client that goes away ends the iteration, and with it the work behind the rows. */
export const sendCsv = async (
  response: Response,
  filename: string,
  header: readonly string[],
  rows: AsyncIterable<CsvRow> | Iterable<CsvRow>,
): Promise<void> => {
  response.status(200).set({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${filename.replace(/[^A-Za-z0-9._-]/g, '_')}"`,
  });
  await pipeline(Readable.from(chunks(header, rows)), response).catch((error: unknown) => {
    if (!isDroppedClient(error)) throw error;
  });
};

const isDroppedClient = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
