import { type RemovedRows } from '../../kernel/projects/project-deletion.entity.js';
import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { removeWhere } from '../../platform/clickhouse/remove-where.js';
import { eventsTable, projectedTables } from '../../kernel/projection/schema/projected-tables.js';
import { anyRemainingSql, countProjectedSql, ofProjectSql, onDaysSql, projectedDaysSql } from './projected-rows.sql.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeToKeys } from '../../auth/keys/close-to-keys.js';
import { type Logger } from '../../platform/telemetry/logger.js';
import { dismissArchives, removeDismissed } from '../../kernel/event-log/compression/archives.repository.js';
import { forgetOutbox, mayReachClickHouse } from '../../kernel/projection/outbox/forget-project.js';
import {
  type OpenProjectDeletion,
  addRemovedRows,
  removeProjectRow,
  finishProjectDeletion,
  recordProjectedRows,
  startProjectDeletion,
} from '../../kernel/projects/project-deletions.repository.js';
import { waitForWritersOf } from '../../kernel/projects/projects.repository.js';
import { type Work } from '../../platform/postgres/transaction.js';
import { type LeasedParts, LeasedSteps } from '../run-steps.js';
import { removeRows, tablesWithRows } from './remove-rows.js';

/** One statement removes at most about this many events, because questions wait for it. */
const eventsAtOnce = 200_000;
const asSystem = { project: 'system' } as const;

interface Counted {
  readonly number: number;
}

/** Returns the tables of ClickHouse that have rows of the project, with the numbers of rows. */
const countProjectedRows = async (clickhouse: ClickHouse, projectId: number): Promise<RemovedRows> => {
  const counts: Record<string, number> = {};
  for (const definition of projectedTables) {
    const [counted] = await clickhouse.query<Counted>(countProjectedSql(definition, projectId), asSystem);
    if (counted && counted.number > 0) counts[definition.name] = counted.number;
  }
  return counts;
};

/** True if any replica has a row of the project. Throws when a replica does not answer. */
const hasProjectedRows = async (clickhouse: ClickHouse, projectId: number): Promise<boolean> => {
  for (const definition of projectedTables) {
    const rows = await clickhouse.query(anyRemainingSql(clickhouse.form, definition, projectId), asSystem);
    if (rows.length > 0) return true;
  }
  return false;
};

/** Removes the rows of the project from ClickHouse. `assertContinuing` throws when this process must stop. */
const removeProjectedRows = async (
  clickhouse: ClickHouse,
  projectId: number,
  assertContinuing: () => void,
): Promise<void> => {
  const days = await clickhouse.query<Counted & { readonly day: string }>(projectedDaysSql(projectId), asSystem);
  for (const { first, last } of daysTogether(days)) {
    assertContinuing();
    await removeWhere(clickhouse, eventsTable.name, onDaysSql(projectId, first, last));
  }
  for (const definition of projectedTables) {
    assertContinuing();
    if (definition !== eventsTable) await removeWhere(clickhouse, definition.name, ofProjectSql(projectId));
  }
};

/** Groups neighbouring days, so that each group has about as many events as one statement may remove. */
const daysTogether = (days: readonly (Counted & { readonly day: string })[]) => {
  const together: { first: string; last: string; number: number }[] = [];
  for (const { day, number } of days) {
    const open = together.at(-1);
    if (open && open.number + number <= eventsAtOnce) Object.assign(open, { last: day, number: open.number + number });
    else together.push({ first: day, last: day, number });
  }
  return together;
};

export interface EraserParts extends LeasedParts {
  readonly clickhouse: ClickHouse;
  readonly logger: Logger;
  /** The number of rows that one transaction removes. */
  readonly rowsAtOnce?: number;
  /** The time that the job waits for a shipment or a rebuild before it tries again later. */
  readonly shippedWithinMs?: number;
}

const defaultRowsAtOnce = 2000;
const defaultShippedWithinMs = 60_000;
const lookAgainMs = 100;
const rounds = 5;

/**
 * Removes everything of one project. No step needs the same process to have done the step before, so the work may end anywhere
 * and start again. PostgreSQL comes first, because shipments and rebuilds read it; then ClickHouse, which is counted last; then
 * the row of the project, which foreign keys protect until all tables are empty.
 */
export class ProjectEraser {
  private readonly steps: LeasedSteps;
  private readonly projectId: number;
  private counted: RemovedRows | null;

  constructor(
    private readonly parts: EraserParts,
    private readonly deletion: OpenProjectDeletion,
  ) {
    this.steps = new LeasedSteps(parts);
    this.projectId = deletion.deletedProjectId;
    this.counted = deletion.removedFromClickhouse;
  }

  async execute(): Promise<void> {
    const isSecondLook = this.deletion.state === 'completed';
    if (!isSecondLook) {
      await this.steps.asHolder((client) => startProjectDeletion(client, this.deletion.id, this.steps.now()));
      await this.steps.asHolder((client) => waitForWritersOf(client, this.projectId));
    }
    for (let round = 0; round < rounds; round += 1) {
      await this.emptyPostgres();
      await this.untilShipped();
      if (isSecondLook) await this.emptyAgain();
      else await this.emptyClickHouse();
      await closeToKeys(this.parts.postgres, this.projectId, this.steps.now());
      if (await this.isEmpty()) return this.end(isSecondLook);
    }
    throw new Error(`rows of the project still appear after ${rounds} attempts to remove them`);
  }

  private async emptyPostgres(): Promise<void> {
    const { postgres, rowsAtOnce = defaultRowsAtOnce } = this.parts;
    await this.removeArchive();
    await this.inSteps((client) => forgetOutbox(client, this.projectId, rowsAtOnce));
    for (const name of await tablesWithRows(postgres, this.projectId)) {
      let from: string | null = null;
      await this.inSteps(async (client) => {
        const { removed, last } = await removeRows(client, name, this.projectId, from, rowsAtOnce);
        if (removed > 0) await addRemovedRows(client, this.deletion.id, name, removed);
        from = last;
        return removed;
      });
    }
  }

  /** Removes the archive: first the files, then the rows that name them. */
  private async removeArchive(): Promise<void> {
    const { postgres } = this.parts;
    await dismissArchives(postgres, this.projectId, 'all');
    const read = await removeDismissed(postgres, this.projectId);
    if (read > 0)
      throw new Error(`${read} files of EVENT_ARCHIVE are still read, by a backup or a rebuild, and go later`);
  }

  /**
   * Repeats a step until it removes nothing. Rests after each step for as long as it took, because capture needs the same
   * processors.
   */
  private async inSteps(step: Work<number>): Promise<void> {
    for (;;) {
      const before = performance.now();
      this.steps.assertContinuing();
      if ((await this.steps.asHolder(step)) === 0) return;
      await sleep(performance.now() - before);
    }
  }

  private async untilShipped(): Promise<void> {
    const { postgres, shippedWithinMs = defaultShippedWithinMs, rowsAtOnce = defaultRowsAtOnce } = this.parts;
    for (const end = performance.now() + shippedWithinMs; ; await sleep(lookAgainMs)) {
      this.steps.assertContinuing();
      const obstacle = await mayReachClickHouse(postgres, this.projectId);
      if (obstacle === null) return;
      if (performance.now() > end) throw new Error(`ClickHouse is emptied later: ${obstacle}`);
      // A failed shipment may have been parked, or may have released its rows.
      await this.steps.asHolder((client) => forgetOutbox(client, this.projectId, rowsAtOnce));
    }
  }

  /** Records the numbers before the first row is removed, so that they survive a process that is killed. */
  private async emptyClickHouse(): Promise<void> {
    if (this.counted === null) {
      const counts = await countProjectedRows(this.parts.clickhouse, this.projectId);
      await this.steps.asHolder((client) => recordProjectedRows(client, this.deletion.id, counts));
      this.counted = counts;
    }
    await removeProjectedRows(this.parts.clickhouse, this.projectId, () => this.steps.assertContinuing());
  }

  private async emptyAgain(): Promise<void> {
    const late = await countProjectedRows(this.parts.clickhouse, this.projectId);
    if (Object.keys(late).length === 0) return;
    const counts = sumOf(this.counted ?? {}, late);
    await this.steps.asHolder((client) => recordProjectedRows(client, this.deletion.id, counts));
    this.counted = counts;
    await removeProjectedRows(this.parts.clickhouse, this.projectId, () => this.steps.assertContinuing());
  }

  private async isEmpty(): Promise<boolean> {
    const { postgres, clickhouse } = this.parts;
    if (await hasProjectedRows(clickhouse, this.projectId)) return false;
    return (await tablesWithRows(postgres, this.projectId)).length === 0;
  }

  private async end(isSecondLook: boolean): Promise<void> {
    await this.steps.asHolder((client) =>
      isSecondLook
        ? finishProjectDeletion(client, this.deletion.id, this.steps.now())
        : removeProjectRow(client, this.deletion, this.steps.now()),
    );
  }
}

const sumOf = (some: RemovedRows, more: RemovedRows): RemovedRows => {
  const sum: Record<string, number> = { ...some };
  for (const [name, rows] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + rows;
  return sum;
};
