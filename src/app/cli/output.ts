export type Row = Readonly<Record<string, unknown>>;

/** Renders the result of a command: a table for people, JSON for programs. `nullMeans` replaces null in a table, by column. */
export const render = (
  result: Row | readonly Row[] | string,
  json: boolean,
  nullMeans: Readonly<Record<string, string>> = {},
): string => {
  if (typeof result === 'string') return result;
  if (json) return `${JSON.stringify(result)}\n`;
  const written = (row: Row): Row =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? nullMeans[name] ?? null]));
  if (!Array.isArray(result)) return pairs(written(result as Row));
  return result.length === 0 ? 'none\n' : table((result as readonly Row[]).map(written));
};

const text = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value) && value.length === 0) return '-';
  if (Array.isArray(value)) return value.some(isRow) ? rowsInCell(value) : value.map(text).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Renders a list of records as one value: each record has a line of its own. */
const rowsInCell = (rows: readonly unknown[]): string =>
  rows
    .map(
      (row) =>
        `\n  ${
          isRow(row)
            ? Object.entries(row)
                .map(([name, value]) => `${name} ${text(value)}`)
                .join(', ')
            : text(row)
        }`,
    )
    .join('');

const pairs = (row: Row): string => {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}  ${text(value)}\n`)
    .join('');
};

const table = (rows: readonly Row[]): string => {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => text(row[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => (line[column] ?? '').length)));
  return cells
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
};
