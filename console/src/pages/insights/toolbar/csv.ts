import { type NumbersTable } from '../../../insights/kind';

/** A text that a spreadsheet would compute is marked as text. */
const inert = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const cell = (value: string | number | null): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = inert(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export const csvOf = ({ columns, csvColumns = columns, rows }: NumbersTable): string =>
  [csvColumns.map(cell), ...rows.map((row) => row.map(({ value }) => cell(value)))]
    .map((row) => `${row.join(',')}\r\n`)
    .join('');
