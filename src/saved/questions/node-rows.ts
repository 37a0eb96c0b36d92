import { isFields, type Fields } from '../../platform/fields/values.js';

interface Rows {
  readonly columns: readonly string[];
  readonly results: readonly (readonly unknown[])[];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

const ofLines = ['label', 'breakdown_value', 'compare_label', 'day', 'value'];

/** One row for each point of each line; a line that is one number has one row, without a day. */
const rowsOfLine = (line: Fields): unknown[][] => {
  const head = [line.label, line.breakdown_value ?? null, line.compare_label ?? null];
  const days = listOf(line.days);
  if (days.length === 0) return [[...head, null, line.aggregated_value ?? null]];
  return listOf(line.data).map((value, at) => [...head, days[at] ?? null, value]);
};

/** Lists have rows already, lines of trends become rows, and of a list of objects each is a row. */
const rowsOf = ({ columns, results }: Fields): Rows => {
  const found = listOf(results);
  if (Array.isArray(columns)) return { columns: columns as string[], results: found as unknown[][] };
  const lines = found.filter(isFields);
  return lines.some((line) => 'data' in line)
    ? { columns: ofLines, results: lines.flatMap(rowsOfLine) }
    : { columns: ['record'], results: found.map((record) => [record]) };
};

/** The answer to a node in the form of that to a question in SQL, which readers of answers know. */
export const nodeRows = (body: Fields, asOf: Date, elapsedMs: number): object => {
  const { columns, results } = rowsOf(body);
  const types = listOf(body.types);
  const { hasMore = false, limit = results.length, offset = 0, warnings } = body;
  return {
    columns,
    types: columns.map((name, at) => [name, typeof types[at] === 'string' ? types[at] : '']),
    results,
    hasMore,
    limit,
    offset,
    as_of: asOf.toISOString(),
    elapsed_ms: elapsedMs,
    rows_read: 0,
    ...(warnings !== undefined && { warnings }),
  };
};
