import { type StoredType } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, empty, identifier, join, sql } from '../../platform/clickhouse/sql.js';
import { type CompiledExpression, type Flavor } from '../compiled.js';
import { type SqlStatement } from '../statement.js';

/** A value that a question needs of each row of a table. */
export interface Inner {
  /** The value as an expression over the table itself, inside of the sub-select. */
  readonly sql: Sql;
  readonly flavor: Flavor;
  /** For a property: the value if it is stored with this type. */
  readonly storedAs?: (type: StoredType) => Sql;
  /** True if the sub-select must know the current person of an event. */
  readonly ofActor?: boolean;
  /** True for a value of the person of an event: it is then written over `persons` as `p`. */
  readonly ofPerson?: boolean;
  /** For a value of the group of an event: the index of its type. The value is then written over `groups` as `g`. */
  readonly ofGroup?: number;
  /** True if the sub-select must know the pages of a session. */
  readonly ofPages?: boolean;
}

/** A bound of a stored time: the time is not before (`from`) or not after (`to`) a moment. */
export interface TimeBound {
  readonly side: 'from' | 'to';
  readonly moment: Sql;
}

/** Tells a table what its sub-select must provide for the values of the question. */
export interface Needs {
  readonly ofActor: boolean;
  /** The values of persons, each with its name. */
  readonly ofPerson: readonly Sql[];
  /** The values of groups, each with its name, by the indexes of their types. */
  readonly ofGroups: ReadonlyMap<number, readonly Sql[]>;
  readonly ofPages: boolean;
  /** Conditions on the events from which the rows are made. */
  readonly ofEvents: readonly Sql[];
}

export interface ColumnDoc {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

export interface QueryTable {
  readonly name: string;
  readonly description: string;
  /** The columns of `*`, in this order. */
  readonly columns: readonly ColumnDoc[];
  /** Further names, such as `person.id` of events. */
  readonly nested: readonly ColumnDoc[];
  /** The value that a path of names means; null if the table has no such column. */
  readonly find: (statement: SqlStatement, path: readonly string[]) => Inner | null;
  /** FROM and WHERE of the sub-select. */
  readonly rows: (statement: SqlStatement, needs: Needs) => { readonly from: Sql; readonly where: Sql | null };
  /**
   * For a table whose rows are made of several events: returns a condition on these events that is enough to make the rows
   * within a bound on one of its columns; rows outside of the bound may then be wrong. Null if all events are needed.
   */
  readonly eventsFor?: (statement: SqlStatement, column: string, bound: TimeBound) => Sql | null;
}

interface UsedColumn {
  readonly inner: Inner;
  readonly name: Sql;
  readonly value: CompiledExpression;
}

const keyOf = (path: readonly string[]): string => `column ${path.join('\0')}`;

/** A table in FROM: a sub-select limited to the project, with the columns that the question needs. */
export class TableRows {
  private readonly used = new Map<string, UsedColumn>();
  private readonly ofEvents: Sql[] = [];

  constructor(
    readonly definition: QueryTable,
    protected readonly statement: SqlStatement,
    readonly name: Sql,
  ) {}

  column(path: readonly string[]): CompiledExpression | null {
    const inner = this.definition.find(this.statement, path);
    return inner && this.value(keyOf(path), inner);
  }

  /** Reads no more events than the rows within the bound need. The statement must leave out all other rows. */
  readOnlyWithin(stored: Sql, bound: TimeBound): void {
    const { columns, eventsFor } = this.definition;
    const column = columns.find(({ name }) => this.used.get(keyOf([name]))?.value.stored === stored);
    const condition = column && eventsFor?.(this.statement, column.name, bound);
    if (condition) this.ofEvents.push(condition);
  }

  /** Returns the column of a key; the same key twice is one column. */
  value(key: string, inner: Inner): CompiledExpression {
    const known = this.used.get(key) ?? this.using(key, inner);
    this.used.set(key, known);
    return known.value;
  }

  private using(key: string, inner: Inner): UsedColumn {
    const name = this.statement.names.next('c');
    const value = this.reference(inner, name);
    const { storedAs: columnStoredAs, ...rest } = inner;
    if (columnStoredAs) {
      const storedAs = (type: StoredType): Sql =>
        this.value(`${key} as ${type}`, { ...rest, sql: columnStoredAs(type), flavor: 'other' }).sql;
      return { inner, name, value: { sql: value, flavor: inner.flavor, storedAs } };
    }
    if (inner.flavor !== 'time') return { inner, name, value: { sql: value, flavor: inner.flavor } };
    return { inner, name, value: { sql: inTimezone(this.statement, value), flavor: 'time', stored: value } };
  }

  protected reference(_: Inner, name: Sql): Sql {
    return sql`${this.name}.${name}`;
  }

  /** The values of persons and groups, whose rows are joined. */
  protected get joined(): Pick<Needs, 'ofPerson' | 'ofGroups'> {
    const all = [...this.used.values()];
    const ofPerson = all.flatMap(({ inner, name }) =>
      inner.ofPerson ? [sql`toNullable(${inner.sql}) AS ${name}`] : [],
    );
    const ofGroups = new Map<number, Sql[]>();
    for (const { inner, name } of all) {
      if (inner.ofGroup === undefined) continue;
      ofGroups.set(inner.ofGroup, [...(ofGroups.get(inner.ofGroup) ?? []), sql`toNullable(${inner.sql}) AS ${name}`]);
    }
    return { ofPerson, ofGroups };
  }

  get sql(): Sql {
    const all = [...this.used.values()];
    const { ofPerson, ofGroups } = this.joined;
    const { from, where } = this.definition.rows(this.statement, {
      ofActor: ofPerson.length > 0 || all.some(({ inner }) => inner.ofActor),
      ofPerson,
      ofGroups,
      ofPages: all.some(({ inner }) => inner.ofPages),
      ofEvents: this.ofEvents,
    });
    const columns = all.map(({ inner, name }) => {
      const joined = joinedRowsOf(inner);
      return sql`${joined ? sql`${joined}.${name}` : inner.sql} AS ${name}`;
    });
    // The rows must be there to be counted, even if no column is needed.
    const list = columns.length > 0 ? join(columns) : sql`1 AS ${this.statement.names.next('c')}`;
    return sql`(SELECT ${list} FROM ${from}${where === null ? empty : sql` WHERE ${where}`})`;
  }
}

/** The name of the rows of persons or groups that are joined with events for a value; null for values of the event. */
export const joinedRowsOf = ({ ofPerson, ofGroup }: Inner): Sql | null =>
  ofPerson ? sql`q` : ofGroup === undefined ? null : groupRowsOf(ofGroup);

/** The name of the rows of groups of a type that are joined with events. */
export const groupRowsOf = (type: number): Sql => identifier(`q_${type}`);

/** Times are stored in UTC; a question sees them in the zone of the project. */
export const inTimezone = ({ literals, scope }: SqlStatement, time: Sql): Sql =>
  scope.project.timezone === 'UTC' ? time : sql`toTimeZone(${time}, ${literals.text(scope.project.timezone)})`;
