import { type Logger } from '../../../platform/telemetry/logger.js';
import { type ClickHouse } from '../../../platform/clickhouse/client.js';
import { eventsTable } from '../schema/projected-tables.js';
import { removeWhere } from '../../../platform/clickhouse/remove-where.js';
import { type TableDefinition } from '../../../platform/clickhouse/schema/table.js';
import { empty, identifier, sql, type Sql } from '../../../platform/clickhouse/sql.js';
import { list, unsigned, uuid } from '../../../platform/clickhouse/values.js';
import { type ProjectedRow } from '../cargo/cargo.js';
import { bare, isRefusal, refusedRows } from './trial.js';

/**
 * Inserts rows into ClickHouse. A row that ClickHouse refuses is inserted without its properties, so that it cannot block
 * the others.
 */
export class Loader {
  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly logger: Logger,
  ) {}

  async insert(
    definition: TableDefinition,
    rows: readonly ProjectedRow[],
    token: string,
    into: string = definition.name,
  ): Promise<void> {
    try {
      await this.clickhouse.insert(into, rows, { deduplicationToken: token });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const refused = await refusedRows(this.clickhouse, definition, rows);
      if (refused.length === 0) throw error;
      for (const { project_id: project, uuid } of refused) {
        this.logger.error({ project, uuid, table: into }, 'ClickHouse refuses these properties: shipped without them');
      }
      const accepted = new Map(refused.map((row) => [row, bare(row)]));
      await this.clickhouse.insert(
        into,
        rows.map((row) => accepted.get(row) ?? row),
        { deduplicationToken: token },
      );
    }
  }

  /** True if ClickHouse answers a question about the tables: an error of a shipment is then not that of an outage. */
  async isAnswering(): Promise<boolean> {
    const plain = sql`SELECT count() AS n FROM ${identifier(eventsTable.name)} WHERE project_id = ${unsigned(0)}`;
    return this.clickhouse.query(plain, { project: 'system', short: true }).then(
      () => true,
      () => false,
    );
  }

  /** `isGone` is the condition for the rows of some of the keys. */
  async remove(
    definition: TableDefinition,
    projectId: number,
    keys: readonly string[],
    isGone: (keys: readonly string[]) => Sql,
  ): Promise<void> {
    for (const slice of slicesOf(keys)) {
      const gone = sql`project_id = ${unsigned(projectId)} AND ${isGone(slice)}`;
      await removeWhere(this.clickhouse, definition.name, gone);
    }
  }

  /** `before`: removes only rows that an earlier shipment has inserted. */
  async removeEvents(
    definition: TableDefinition,
    projectId: number,
    uuids: readonly string[],
    before: string | null = null,
  ): Promise<void> {
    const older = before === null ? empty : sql` AND version < ${unsigned(BigInt(before))}`;
    await this.remove(definition, projectId, uuids, (slice) => sql`uuid IN (${list(uuid, slice)})${older}`);
  }

  /** Removes the rows of a project that a shipment has inserted. */
  async removeShipped(definition: TableDefinition, projectId: number, number: string): Promise<void> {
    const shipped = sql`project_id = ${unsigned(projectId)} AND version = ${unsigned(BigInt(number))}`;
    await removeWhere(this.clickhouse, definition.name, shipped);
  }
}

/** The text of a deletion is kept until it is done, on a cluster in Keeper, which takes values of a megabyte. */
const keysOfOneDeletion = 5_000;

const slicesOf = (keys: readonly string[]): (readonly string[])[] =>
  Array.from({ length: Math.ceil(keys.length / keysOfOneDeletion) }, (_, at) =>
    keys.slice(at * keysOfOneDeletion, (at + 1) * keysOfOneDeletion),
  );
