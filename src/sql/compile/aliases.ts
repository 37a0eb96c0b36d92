import { type Sql } from '../../platform/clickhouse/sql.js';
import { fault, quoted } from '../fault.js';
import { type Expression, type Item, type NameExpression, type Select } from '../tree.js';
import { type CompiledExpression, type Output } from '../compiled.js';
import { type Context } from './context.js';
import { type SqlStatement } from '../statement.js';
import { extentOf } from './extent.js';
import { isOfManyRows } from './walk.js';

type ColumnItem = Extract<Item, { kind: 'expression' }>;

interface Alias {
  readonly item: ColumnItem;
  readonly name: Sql;
  readonly isOfManyRows: boolean;
  compiled: CompiledExpression | null;
  isBusy: boolean;
}

/** A column of the SELECT with the expression that computes it. */
export interface DefinedOutput extends Omit<Output, 'stored'> {
  readonly definition: Sql;
  /** The stored form of a time, as an expression over the tables in FROM; null for other values. */
  readonly storedTime: Sql | null;
}

/**
 * The names that a SELECT gives to its columns. They are known in all of its clauses, as in ClickHouse: a name is first
 * an alias and then a column, but inside of its own definition it is the column.
 */
export class Aliases {
  private readonly aliases = new Map<string, Alias>();

  constructor(
    select: Select,
    private readonly statement: SqlStatement,
  ) {
    for (const item of select.items) {
      if (item.kind !== 'expression' || !item.alias) continue;
      const other = this.aliases.get(item.alias.text);
      if (other) {
        if (textOf(other.item.expression) === textOf(item.expression)) continue;
        throw fault(
          `Two different columns are called ${quoted(item.alias.text)}: give one another name`,
          item.alias.at,
        );
      }
      const name = statement.names.next('c');
      this.aliases.set(item.alias.text, {
        item,
        name,
        isOfManyRows: isOfManyRows(item.expression),
        compiled: null,
        isBusy: false,
      });
    }
  }

  output(item: ColumnItem, context: Context): DefinedOutput {
    const alias = item.alias ? this.aliases.get(item.alias.text) : undefined;
    if (alias?.item === item) {
      const { sql, flavor, stored = null, isFixed, isLarge } = this.compiled(alias, context);
      const name = item.alias?.text ?? item.title;
      return { name, sql: alias.name, flavor, definition: sql, storedTime: stored, isFixed, isLarge };
    }
    const { sql, flavor, stored = null } = context.expression(item.expression, context);
    const name = item.alias?.text ?? nameOf(item);
    const column = this.statement.names.next('c');
    return { name, sql: column, flavor, definition: sql, storedTime: stored, ...extentOf(item.expression, context) };
  }

  resolve(name: NameExpression, context: Context): CompiledExpression {
    const [only, ...more] = name.parts;
    const alias = only && more.length === 0 ? this.aliases.get(only.text) : undefined;
    if (alias && !alias.isBusy && this.isMeant(alias, name, context)) {
      return { ...this.compiled(alias, context), sql: alias.name };
    }
    const column = context.sources.column(name);
    if (column) return column;
    const text = name.parts.map((part) => part.text).join('.');
    if (alias) throw fault(`${quoted(text)} is defined by itself`, name.at);
    throw context.sources.unknown(text, context.sources.all, name.at, [...this.aliases.keys()]);
  }

  /**
   * True if the name means the alias. Where rows are not grouped yet, the alias of an aggregate cannot be meant: the name means
   * a column there, or it is refused.
   */
  private isMeant(alias: Alias, name: NameExpression, context: Context): boolean {
    const { clause, inAggregate } = context;
    if (!alias.isOfManyRows || !(inAggregate || clause === 'where' || clause === 'group by')) return true;
    if (context.sources.column(name)) return false;
    const where = inAggregate ? 'inside of an aggregate' : `in ${clause.toUpperCase()}`;
    throw fault(
      `${quoted(name.parts[0]?.text ?? '')} is an aggregate and cannot be used ${where}: use HAVING, or a sub-query`,
      name.at,
    );
  }

  private compiled(alias: Alias, context: Context): CompiledExpression {
    if (alias.compiled) return alias.compiled;
    alias.isBusy = true;
    try {
      const inside: Context = {
        ...context,
        clause: 'select',
        inAggregate: false,
        parameters: new Map(),
        depth: 0,
        repeats: [],
        lambdaOf: null,
      };
      const before = this.statement.size;
      const compiled = context.expression(alias.item.expression, inside);
      const size = this.statement.grownSince(before).expressions;
      alias.compiled = { ...compiled, ...extentOf(alias.item.expression, inside), size };
      return alias.compiled;
    } finally {
      alias.isBusy = false;
    }
  }
}

/** Returns a text that is equal for expressions that differ only in their positions. */
const textOf = (expression: Expression): string =>
  JSON.stringify(expression, (key, value: unknown) => (key === 'at' ? undefined : value));

/** Names a column without an alias by the last part of its name, or by its text. */
const nameOf = ({ expression, title }: ColumnItem): string => {
  if (expression.kind === 'name') return expression.parts.at(-1)?.text ?? title;
  if (expression.kind === 'element' && expression.key.kind === 'text') return expression.key.value;
  return title;
};
