import { TextDecoder } from 'node:util';
import { CsvFault } from './csv-fault.js';
import { CsvError, type CsvErrorCode, parse } from 'csv-parse';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Spreadsheets begin a file in UTF-16 with a byte order mark; every other file is UTF-8. */
const encodingOf = ([first, second]: Uint8Array): Encoding => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
};

/** How the files of spreadsheet programs begin: a zip archive, or the older container of Office. */
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

const isWorkbook = (begin: Uint8Array): boolean =>
  workbooks.some((magic) => magic.every((byte, at) => begin[at] === byte));

/** Decodes a file in UTF-8 or UTF-16, with or without a byte order mark, piece by piece. */
const decodeText = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let begin: Uint8Array = new Uint8Array();
  const decode = (piece?: Uint8Array): string => {
    if (!decoder && isWorkbook(begin)) {
      throw new CsvFault('the file is a spreadsheet or an archive: save it as "CSV UTF-8" in the spreadsheet program');
    }
    decoder ??= new TextDecoder(encodingOf(begin), { fatal: true });
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
    } catch {
      const encoding = decoder.encoding === 'utf-8' ? 'UTF-8' : 'UTF-16';
      throw new CsvFault(`the file is not ${encoding}: save it as "CSV UTF-8"`);
    }
  };
  for await (const chunk of bytes) {
    if (decoder) {
      yield decode(chunk);
      continue;
    }
    // The first chunk may be a single byte, which shows neither a byte order mark nor a workbook.
    begin = Buffer.concat([begin, chunk]);
    if (begin.length >= 4) yield decode(begin);
  }
  yield (decoder ? '' : decode(begin)) + decode();
};

const maxRowCharacters = 1_000_000;
const maxCells = 10_000;
/** Parsing this many characters takes a few milliseconds, even if rows are very short. */
const charactersAtOnce = 8 * 1024;

const separators = [',', ';', '\t'] as const;
type Separator = (typeof separators)[number];

const faults: Partial<Record<CsvErrorCode, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed by the end of the file',
  INVALID_OPENING_QUOTE: 'a quote stands inside of a value',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote',
  CSV_MAX_RECORD_SIZE: `a row has more than ${maxRowCharacters} characters`,
};

const faultOf = (error: unknown): unknown => {
  if (!(error instanceof CsvError)) return error;
  return new CsvFault(`${faults[error.code] ?? 'the file is not valid'}, line ${String(error.lines)}`);
};

export interface RowOfFile {
  /** The line of the file on which the row begins; the first line is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads the rows of a CSV file (RFC 4180) in constant memory: UTF-8 or UTF-16, values separated by comma, semicolon or tab.
 * The first row decides the separator: the one that separates a value for which `isName` holds, else the first one that
 * separates any values.
 */
export const readCsv = async function* (
  bytes: AsyncIterable<Uint8Array>,
  isName: (cell: string) => boolean,
): AsyncGenerator<RowOfFile> {
  const text = decodeText(bytes);
  const { begin, row } = await firstRow(text);
  const parser = parse({
    delimiter: separatorOf(row, isName),
    info: true,
    max_record_size: maxRowCharacters,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
  });
  const all = async function* (): AsyncGenerator<string> {
    yield* pieces(begin);
    for await (const piece of text) yield* pieces(piece);
  };
  const reading = pipeline(Readable.from(all()), parser);
  // Awaited below; until then it has no other listener.
  reading.catch(() => undefined);
  let number = 0;
  let surplus = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      number += 1;
      if (record.length > maxCells) throw new CsvFault(`row ${number} has more than ${maxCells} values`);
      const breaks = breaksWithin(record);
      surplus += breaks.surplus;
      yield { line: info.lines - surplus - breaks.lines, cells: record };
    }
    await reading;
  } catch (error) {
    throw faultOf(error);
  } finally {
    parser.destroy();
  }
};

/** Cuts text into pieces. Other requests are served between two pieces. */
const pieces = async function* (text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += charactersAtOnce) {
    yield text.slice(from, from + charactersAtOnce);
    await yieldToEventLoop();
  }
};

interface Parsed {
  readonly record: readonly string[];
  /** The line on which the record ends. */
  readonly info: { readonly lines: number };
}

/** Counts the line breaks within values. `surplus` corrects the parser, which counts a CR LF there as two. */
const breaksWithin = (cells: readonly string[]): { readonly lines: number; readonly surplus: number } => {
  let [lines, surplus] = [0, 0];
  for (const cell of cells) {
    if (!cell.includes('\n') && !cell.includes('\r')) continue;
    for (const [ending] of cell.matchAll(/\r\n|\n|\r/g)) {
      lines += 1;
      surplus += ending.length - 1;
    }
  }
  return { lines, surplus };
};

interface FirstRow {
  /** The text that was read to find the row. */
  readonly begin: string;
  readonly row: string;
}

/** The first row that is not blank. */
const firstRow = async (text: AsyncGenerator<string>): Promise<FirstRow> => {
  let begin = '';
  for (;;) {
    const row = rowAtStart(begin.trimStart());
    if (row !== null) return { begin, row };
    const next = await text.next();
    if (next.done === true) return { begin, row: begin };
    begin += next.value;
    if (begin.length > maxRowCharacters) return { begin, row: begin };
  }
};

/** Returns null when the row does not end in this text. A line break within quotes ends no row. */
const rowAtStart = (text: string): string | null => {
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) return text.slice(0, at);
  }
  return null;
};

const separatorOf = (row: string, isName: (cell: string) => boolean): Separator => {
  const unquoted = row.replaceAll(/"[^"]*"/g, (quoted) => quoted.slice(1, -1).replaceAll(/[,;\t]/g, ' '));
  const separating = separators.filter((separator) => unquoted.includes(separator));
  return separating.find((separator) => unquoted.split(separator).some(isName)) ?? separating[0] ?? ',';
};
