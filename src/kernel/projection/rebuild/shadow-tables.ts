import { type ClickHouse } from '../../../platform/clickhouse/client.js';
import { eventsTable, groupsTable, overridesTable, personsTable } from '../schema/projected-tables.js';
import { knownTables } from '../../../platform/clickhouse/schema/known-tables.sql.js';
import { spelled } from '../../../platform/clickhouse/schema/spelled.js';
import { onCluster, storedTable, table, type SchemaForm } from '../../../platform/clickhouse/schema/table.js';
import { type Sql, list, sql, text } from '../../../platform/clickhouse/sql.js';
import { dropTable } from '../drop-table.sql.js';
import { type Rebuild } from './rebuilds.repository.js';

/**
 * Events come first: between two exchanges, old overrides on new events are nearly right, but old events without
 * overrides are not.
 */
const rebuilt = [eventsTable, personsTable, overridesTable, groupsTable];

/**
 * The new tables, which a rebuild fills while the live ones are used. A mark in the comment of a table stays with the table
 * when names are exchanged.
 */
export class ShadowTables {
  private readonly mark: string;

  /** Each attempt has its own tables, so a late insert of an earlier attempt does no harm. */
  constructor(
    private readonly clickhouse: ClickHouse,
    { number, attempt }: Pick<Rebuild, 'number' | 'attempt'>,
  ) {
    this.mark = `${number}_${attempt}`;
  }

  nameOf(live: string): string {
    return `${live}_rebuild_${this.mark}`;
  }

  async create(): Promise<void> {
    const { form } = this.clickhouse;
    for (const definition of rebuilt) {
      const name = this.nameOf(definition.name);
      for (const statement of table(form, { ...definition, name })) await this.clickhouse.command(statement);
      await this.clickhouse.command(setComment(form, name, this.mark));
    }
  }

  /** Safe to repeat: a live table that carries the mark has been exchanged. */
  async exchange(): Promise<void> {
    const { form } = this.clickhouse;
    for (const { name } of rebuilt) {
      if (await this.isExchanged(name)) continue;
      const statement = form.cluster === null ? exchange(form, name, this.nameOf(name)) : this.rename(form, name);
      await this.clickhouse.command(statement).catch(async (error: unknown) => {
        if (!(await this.isExchanged(name))) throw error;
      });
    }
  }

  /**
   * Renames instead of exchanging, because a repeated exchange would bring the old table back to the servers of a cluster that
   * had done it. A repeated renaming fails there.
   */
  private rename(form: SchemaForm, live: string): Sql {
    const [stored, shadow] = [storedTable(form, live), storedTable(form, this.nameOf(live))];
    const old = storedTable(form, `${this.nameOf(live)}_0`);
    return sql`RENAME TABLE ${stored} TO ${old}, ${shadow} TO ${stored}${onCluster(form)}`;
  }

  /** True if every server has exchanged the table. */
  private async isExchanged(live: string): Promise<boolean> {
    const { form } = this.clickhouse;
    const stored = form.cluster === null ? live : `${live}_local`;
    const rows = await this.clickhouse.query<{ comment: string }>(
      sql`SELECT DISTINCT comment FROM ${knownTables(form, { all: true })} WHERE name = ${text(stored)}`,
      { project: 'system' },
    );
    return rows.length === 1 && rows[0]?.comment === commentOf(this.mark);
  }
}

const commentOf = (mark: string): string => `rebuild ${mark}`;

const setComment = (form: SchemaForm, name: string, mark: string): Sql =>
  sql`ALTER TABLE ${storedTable(form, name)}${onCluster(form)} MODIFY COMMENT 'rebuild ${spelled(mark)}'`;

const exchange = (form: SchemaForm, live: string, shadow: string): Sql =>
  sql`EXCHANGE TABLES ${storedTable(form, live)} AND ${storedTable(form, shadow)}${onCluster(form)}`;

/** Drops all remains of a rebuild: the old tables after an exchange, half-filled ones after a failure. */
export const dropShadowTables = async (clickhouse: ClickHouse): Promise<void> => {
  const names = list(
    text,
    rebuilt.map(({ name }) => name),
  );
  const rows = await clickhouse.query<{ shadow: string }>(
    sql`SELECT DISTINCT replaceRegexpOne(name, '_local$', '') AS shadow FROM ${knownTables(clickhouse.form)}
      WHERE match(name, '_rebuild_[0-9_]+(_local)?$')
        AND has(${names}, extract(name, '^(.*)_rebuild_[0-9_]+(?:_local)?$'))`,
    { project: 'system' },
  );
  for (const { shadow } of rows) {
    for (const statement of dropTable(clickhouse.form, shadow)) await clickhouse.command(statement);
  }
};
