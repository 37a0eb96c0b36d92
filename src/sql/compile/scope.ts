import { nearestName } from '../../platform/errors/nearest-name.js';
import { type Sql, sql } from '../../platform/clickhouse/sql.js';
import { fault, quoted } from '../fault.js';
import { TableRows } from '../tables/table.js';
import { type NameExpression, type Named } from '../tree.js';
import { type CompiledExpression, type Output } from '../compiled.js';

/** The rows of a sub-query in FROM. */
export class QueryRows {
  constructor(
    readonly outputs: readonly Output[],
    readonly name: Sql,
    private readonly query: Sql,
  ) {}

  column([name, ...rest]: readonly string[]): CompiledExpression | null {
    const output = rest.length === 0 ? this.outputs.find((one) => one.name === name) : undefined;
    if (!output) return null;
    const { flavor, isFixed, isLarge } = output;
    const value = { sql: sql`${this.name}.${output.sql}`, flavor, isFixed, isLarge };
    return output.stored ? { ...value, stored: sql`${this.name}.${output.stored}` } : value;
  }

  get sql(): Sql {
    return sql`(${this.query})`;
  }
}

export interface TableInFrom {
  /** The name by which the question calls the table; null for a sub-query without an alias. */
  readonly called: string | null;
  readonly rows: TableRows | QueryRows;
}

export const columnsOf = ({ rows }: TableInFrom): readonly string[] =>
  rows instanceof TableRows ? rows.definition.columns.map(({ name }) => name) : rows.outputs.map(({ name }) => name);

const nestedOf = ({ rows }: TableInFrom): readonly string[] =>
  rows instanceof TableRows ? rows.definition.nested.map(({ name }) => name) : [];

/** Finds the columns that names mean among the tables of one FROM. */
export class FromTables {
  private readonly sources: TableInFrom[] = [];
  private readonly shared = new Set<string>();

  get all(): readonly TableInFrom[] {
    return this.sources;
  }

  add(source: TableInFrom, at: Named['at']): void {
    if (source.called !== null && this.called(source.called)) {
      throw fault(`Two tables are called ${quoted(source.called)}: give one of them another name with AS`, at);
    }
    this.sources.push(source);
  }

  called(name: string): TableInFrom | null {
    return this.sources.find(({ called }) => called === name) ?? null;
  }

  /** Notes a column of USING: its name means the column of the first table and is not ambiguous. */
  share(name: string): void {
    this.shared.add(name);
  }

  /** The column that a path names; null if there is none. */
  column({ parts, at }: Pick<NameExpression, 'parts' | 'at'>): CompiledExpression | null {
    const path = parts.map(({ text }) => text);
    const [first = '', ...rest] = path;
    const named = rest.length > 0 ? this.called(first) : null;
    if (named) {
      const column = named.rows.column(rest);
      if (column) return column;
      throw this.unknown(rest.join('.'), [named], parts[1]?.at ?? at);
    }
    const found = this.sources.flatMap((source) => {
      const column = source.rows.column(path);
      return column ? [{ source, column }] : [];
    });
    if (found.length > 1 && !this.shared.has(path.join('.'))) {
      const [one, other] = found.map(({ source }) => `${source.called ?? 'a sub-query'}.${path.join('.')}`);
      throw fault(`${quoted(path.join('.'))} is ambiguous: write ${one} or ${other}`, at);
    }
    return found[0]?.column ?? null;
  }

  unknown(name: string, among: readonly TableInFrom[], at: Named['at'], aliases: readonly string[] = []) {
    const known = [...aliases, ...among.flatMap((source) => [...columnsOf(source), ...nestedOf(source)])];
    const tables = among.flatMap(({ called }) => (called === null ? [] : [called]));
    const [first = name] = name.split('.');
    const nested = propertyBelow(name, known);
    const nearest = nested ?? nearestName(name, known) ?? nearestName(first, known) ?? nearestName(first, tables);
    const hint = nearest === null ? hintFor(name, known) : `did you mean ${nearest}?`;
    return fault(`There is no column ${quoted(name)} here: ${hint}`, at);
  }
}

const maxListed = 20;

/** For a name that is near no column: it is probably a property, or text in double quotes. */
const hintFor = (name: string, known: readonly string[]): string => {
  if (known.length === 0) return 'there is no FROM';
  const isProperty = known.includes('properties') && /^\$?\w+$/.test(name);
  const property = isProperty ? `a property is written properties.${quoted(name)}, and ` : '';
  return `${property}text is written '${quoted(name)}'; known are ${known.slice(0, maxListed).join(', ')}`;
};

/** Suggests `person.properties.email` for `person.email`; null if the table has no properties. */
const propertyBelow = (name: string, known: readonly string[]): string | null => {
  const [table = '', ...rest] = name.split('.');
  const properties = `${table}.properties`;
  return rest.length > 0 && known.includes(properties) ? quoted(`${properties}.${rest.join('.')}`) : null;
};
