import { invalidInput } from '../../platform/errors/problem.js';
import { readText, requireList, type Fields } from '../../platform/fields/values.js';
import { works, type NodeField } from '../reading/node-fields.js';

/** The columns of a list of persons or groups, by name. All others are questions in SQL. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => unknown>>;

const ofProperty = /^(?:person\.)?properties(?:\.([\p{L}\p{N}_$]+)|\[\s*'([^'\\]+)'\s*\]|\.`([^`]+)`)$/u;

/** A column by its name, which a comment may follow that is its title. */
const columnNamed = <Row>(
  columns: Columns<Row>,
  propertiesOf: (row: Row) => object,
  sent: unknown,
  attr: string,
): ((row: Row) => unknown) => {
  const [beforeComment = ''] = readText(sent, attr).split('--');
  const name = beforeComment.trim();
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (column) return column;
  const [, ...keys] = ofProperty.exec(name) ?? [];
  const key = keys.find((one) => one !== undefined);
  if (key !== undefined)
    return (row) => {
      const properties = propertiesOf(row);
      return Object.hasOwn(properties, key) ? (properties as Fields)[key] : null;
    };
  throw invalidInput(
    `${attr} must be properties.<key> or one of ${Object.keys(columns).join(', ')}: ask for anything else in SQL`,
    attr,
  );
};

const maxSelected = 100;

export interface ShownColumns {
  readonly columns: readonly string[];
  readonly results: readonly (readonly unknown[])[];
}

/** Reads the columns before the rows are read, because one may be refused. */
export const readColumns = <Row>(
  columns: Columns<Row>,
  select: unknown,
  usual: readonly string[],
  propertiesOf: (row: Row) => object,
): ((rows: readonly Row[]) => ShownColumns) => {
  const sent = requireList(select, 'select', maxSelected);
  const names = (sent.length > 0 ? sent : usual).map((name, at) => readText(name, `select.${at}`));
  const shown = names.map((name, at) => columnNamed(columns, propertiesOf, name, `select.${at}`));
  return (rows) => ({ columns: names, results: rows.map((row) => shown.map((column) => column(row))) });
};

/** The order of a list, which has only the orders that match. */
export const orderOf = (kept: RegExp, orders: string): NodeField =>
  works((value, attr) => {
    const entries = typeof value === 'string' ? [value] : requireList(value, attr, 10);
    const order = entries.map((one, at) => readText(one, `${attr}.${at}`).trim()).join(', ');
    if (order === '' || kept.test(order)) return;
    throw invalidInput(`${attr} must be ${orders}: ask for another order in SQL`, attr);
  }, `only ${orders}`);
