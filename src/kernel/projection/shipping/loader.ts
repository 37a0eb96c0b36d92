import { type ClickHouse } from '../../../platform/clickhouse/client.js';
import { ClickHouseUnavailable, engineCode } from '../../../platform/clickhouse/errors.js';
import { type TableDefinition, table } from '../../../platform/clickhouse/schema/table.js';
import { type ProjectedRow } from '../cargo/cargo.js';
import { dropTable } from '../drop-table.sql.js';
import { type Logger } from '../../../platform/telemetry/logger.js';
import { eventsTable } from '../schema/projected-tables.js';
import { removeWhere } from '../../../platform/clickhouse/remove-where.js';
import { type Sql, empty, identifier, list, sql, unsigned, uuid } from '../../../platform/clickhouse/sql.js';

/** True if the engine was reachable and refused the statement. */
const isRefusal = (error: unknown): boolean => !(error instanceof ClickHouseUnavailable) && engineCode(error) !== null;

const bare = (row: ProjectedRow): ProjectedRow => ({ ...row, properties: {} });

/**
 * Returns the rows that ClickHouse refuses for their properties, or nothing when the refusal has another reason. Tries the rows
 * in a separate table, because parts of a chunk that went into the real table would be inserted again by the next attempt.
 */
const refusedRows = async (
  clickhouse: ClickHouse,
  definition: TableDefinition,
  rows: readonly ProjectedRow[],
): Promise<ProjectedRow[]> => {
  const name = `${definition.name}_trial`;
  const run = async (statements: ReturnType<typeof dropTable>) => {
    for (const statement of statements) await clickhouse.command(statement);
  };
  const accepts = async (some: readonly ProjectedRow[]): Promise<boolean> => {
    try {
      await clickhouse.insert(name, some);
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  };
  const bisect = async (some: readonly ProjectedRow[]): Promise<ProjectedRow[]> => {
    if (await accepts(some)) return [];
    if (some.length === 1) return [...some];
    const middle = Math.ceil(some.length / 2);
    return [...(await bisect(some.slice(0, middle))), ...(await bisect(some.slice(middle)))];
  };
  await run([...dropTable(clickhouse.form, name), ...table(clickhouse.form, { ...definition, name })]);
  try {
    return (await accepts(rows.map(bare))) ? await bisect(rows) : [];
  } finally {
    await run(dropTable(clickhouse.form, name));
  }
};

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

  /** True if ClickHouse answers a question about the tables: a shipment then fails for another reason than an outage. */
  async isAnswering(): Promise<boolean> {
    const plain = sql`SELECT count() AS n FROM ${identifier(eventsTable.name)} WHERE project_id = ${unsigned(0)}`;
    return this.clickhouse.query(plain, { project: 'system', short: true }).then(
      () => true,
      () => false,
    );
  }

  /** `isGone` returns the condition for the rows of some of the keys. */
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

  /** With `before`, removes only rows that an earlier shipment has inserted. */
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

/**
 * ClickHouse stores the text of a deletion until it is done. On a cluster it stores the text in Keeper, whose values are
 * limited to a megabyte.
 */
const keysOfOneDeletion = 5_000;

const slicesOf = (keys: readonly string[]): (readonly string[])[] =>
  Array.from({ length: Math.ceil(keys.length / keysOfOneDeletion) }, (_, at) =>
    keys.slice(at * keysOfOneDeletion, (at + 1) * keysOfOneDeletion),
  );

interface ShipmentLimits {
  readonly keys: number;
  readonly bytes: number;
}

/** Limits what is in memory at once, which is also the size of one insert. */
export const shipmentLimits: ShipmentLimits = { keys: 10_000, bytes: 8 * 1024 ** 2 };

/** Returns the number of keys of each chunk, in order, so that no chunk is larger than necessary. */
export const chunkLengths = (sizes: readonly number[], limits: ShipmentLimits = shipmentLimits): number[] => {
  const lengths: number[] = [];
  let keys = 0;
  let bytes = 0;
  for (const size of sizes) {
    if (keys > 0 && (keys === limits.keys || bytes + size > limits.bytes)) {
      lengths.push(keys);
      keys = 0;
      bytes = 0;
    }
    keys += 1;
    bytes += size;
  }
  return keys > 0 ? [...lengths, keys] : lengths;
};

export const inChunks = <T>(items: readonly T[], lengths: readonly number[]): T[][] => {
  let from = 0;
  return lengths.map((length) => items.slice(from, (from += length)));
};
