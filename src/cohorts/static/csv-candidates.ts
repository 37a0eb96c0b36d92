import { CsvFault } from '../../platform/csv/csv-fault.js';
import { readCsv } from '../../platform/csv/read-csv.js';
import { invalidInput, type Problem } from '../../platform/errors/problem.js';
import { type Candidate, personCandidate } from '../../kernel/memberships/candidate.js';
import { maxUnmatchedCharacters } from '../record/upload-counts.js';

type Column = 'person_id' | 'distinct_id' | 'email';

const named: readonly (readonly [Column, RegExp])[] = [
  ['person_id', /^person[ _.-]*id$/i],
  ['distinct_id', /^distinct[ _.-]*id$/i],
  ['email', /^e-?mail$/i],
];

const fault = (detail: string): Problem => invalidInput(`csv ${detail}`, 'csv');

const columnNamed = (name: string): Column | null => named.find(([, shape]) => shape.test(name.trim()))?.[0] ?? null;

interface Reading {
  readonly column: Column;
  readonly at: number;
  /** True if the first row contains column names. */
  readonly hasHeader: boolean;
}

const readingOf = (first: readonly string[]): Reading => {
  const filled = first.flatMap((cell, at) => (cell.trim() === '' ? [] : [{ name: cell.trim(), at }]));
  const [only] = filled;
  if (filled.length === 1 && only) {
    if (only.name.split('|').some((part) => part !== only.name && columnNamed(part) !== null)) {
      throw fault(
        `must separate its values by comma, semicolon or tab; found ${JSON.stringify(only.name.slice(0, 50))}`,
      );
    }
    const column = columnNamed(only.name);
    if (column === null || column === 'distinct_id') return { column: 'distinct_id', at: only.at, hasHeader: false };
    return { column, at: only.at, hasHeader: true };
  }
  for (const [column] of named) {
    const match = filled.find(({ name }) => columnNamed(name) === column);
    if (match) return { column, at: match.at, hasHeader: true };
  }
  const uuid = uuidOfPersons(filled);
  if (uuid) return { column: 'person_id', at: uuid.at, hasHeader: true };
  const names = filled.map(({ name }) => JSON.stringify(name.slice(0, 50))).join(', ');
  throw fault(
    `has several columns, so one of them must be named person_id, distinct_id or email; found ${names}. A value that contains a separator stands in quotes`,
  );
};

/** The column by which a CSV file of persons that was downloaded here names them. */
const uuidOfPersons = <Cell extends { readonly name: string }>(filled: readonly Cell[]): Cell | undefined =>
  ['id', 'distinct_ids'].every((column) => filled.some(({ name }) => name === column))
    ? filled.find(({ name }) => name === 'uuid')
    : undefined;

const readable = (column: Column, value: string): Candidate | null => {
  if (value === '' || value.includes('\0')) return null;
  return column === 'person_id' ? personCandidate(value) : { kind: column, value };
};

/** PostgreSQL stores no text with a null character. */
const unreadable = (value: string): Candidate => ({
  kind: 'unreadable',
  value: value.slice(0, maxUnmatchedCharacters).replaceAll('\0', '\ufffd'),
});

const isBlank = (row: readonly string[]): boolean => row.every((cell) => cell.trim() === '');

/** Yields a candidate for each row of an uploaded file, in the order of the file. Refuses a file that cannot name any person. */
export const csvCandidates = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Candidate> {
  let reading: Reading | null = null;
  let candidates = 0;
  try {
    for await (const { cells, line } of readCsv(bytes, (cell) => columnNamed(cell) !== null)) {
      if (isBlank(cells)) continue;
      const isFirst: boolean = reading === null;
      reading ??= readingOf(cells);
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
    reading.column === 'person_id'
      ? 'holds no person id: each must be an integer or a uuid'
      : `holds no ${reading.column} under its header`,
  );
};
