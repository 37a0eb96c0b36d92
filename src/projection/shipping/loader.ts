import { type Logger } from '../../common/logging/logger.js';
import { type ClickHouse } from '../../stores/clickhouse/client.js';
import { onCluster, storedTable, type TableDefinition } from '../../stores/clickhouse/schema/table.js';
import { empty, sql, type Sql } from '../../stores/clickhouse/sql.js';
import { list, unsigned, uuid } from '../../stores/clickhouse/values.js';
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

  async remove(definition: TableDefinition, projectId: number, isGone: Sql): Promise<void> {
    const { form } = this.clickhouse;
    await this.clickhouse.command(
      sql`DELETE FROM ${storedTable(form, definition.name)}${onCluster(form)}
        WHERE project_id = ${unsigned(projectId)} AND ${isGone}`,
    );
  }

  /** `before`: removes only rows that an earlier shipment has inserted. */
  async removeEvents(
    definition: TableDefinition,
    projectId: number,
    uuids: readonly string[],
    before: string | null = null,
  ): Promise<void> {
    const { form } = this.clickhouse;
    const older = before === null ? empty : sql` AND version < ${unsigned(BigInt(before))}`;
    await this.clickhouse.command(
      sql`DELETE FROM ${storedTable(form, definition.name)}${onCluster(form)}
        WHERE project_id = ${unsigned(projectId)} AND uuid IN (${list(uuid, uuids)})${older}`,
    );
  }
}
