import { type Cost } from '../../platform/clickhouse/costs.js';
import { type PgSql, bound, pgSql } from '../../platform/postgres/sql.js';
import { Injectable } from '@nestjs/common';
import { type Caller } from '../../kernel/access/caller.js';
import { Workers } from '../../platform/work/workers.js';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type ProjectCostDto } from './project-cost.dto.js';

const hourMs = 3_600_000;
const readHours = 24;

/** Returns the start of the hour of a moment, minus some hours. */
const hourOf = (moment: Date, hoursBefore = 0): Date =>
  new Date((Math.floor(moment.getTime() / hourMs) - hoursBefore) * hourMs);

/**
 * Adds costs to the present hour, without those of deleted projects. Rows are written in the order of their keys, so that
 * processes do not deadlock.
 */
const addCostsSql = (costs: ReadonlyMap<number, Cost>, now: Date): PgSql => {
  const ordered = [...costs].sort(([a], [b]) => a - b);
  const column = (of: (cost: Cost) => number) => bound(ordered.map(([, cost]) => of(cost)));
  return pgSql`INSERT INTO project_costs AS c (project_id, hour, statements, cpu_seconds, read_rows, read_bytes)
    SELECT new.project_id, ${bound(hourOf(now))}, new.statements, new.cpu_ms / 1000, new.read_rows, new.read_bytes
    FROM unnest(${bound(ordered.map(([id]) => id))}::integer[], ${column(({ statements }) => statements)}::bigint[],
      ${column(({ cpuMs }) => cpuMs)}::double precision[], ${column(({ readRows }) => readRows)}::bigint[],
      ${column(({ readBytes }) => readBytes)}::bigint[]) AS new (project_id, statements, cpu_ms, read_rows, read_bytes)
      JOIN projects p ON p.id = new.project_id AND p.deleted_at IS NULL
    ORDER BY 1
    ON CONFLICT (project_id, hour) DO UPDATE SET statements = c.statements + EXCLUDED.statements,
      cpu_seconds = c.cpu_seconds + EXCLUDED.cpu_seconds, read_rows = c.read_rows + EXCLUDED.read_rows,
      read_bytes = c.read_bytes + EXCLUDED.read_bytes`;
};

const forgetCostsSql = (now: Date): PgSql =>
  pgSql`DELETE FROM project_costs WHERE hour < ${bound(hourOf(now, readHours))}`;

/** Selects the costs of the present hour and the 23 hours before. Null stands for all projects. */
const costsSql = (projectIds: readonly number[] | null, now: Date): PgSql => pgSql`
  SELECT p.id AS project_id, p.name AS project_name, sum(c.statements)::double precision AS statements,
    sum(c.cpu_seconds) AS cpu_seconds, sum(c.read_rows)::double precision AS read_rows,
    sum(c.read_bytes)::double precision AS read_bytes
  FROM projects p JOIN project_costs c ON c.project_id = p.id
  WHERE p.deleted_at IS NULL AND c.hour > ${bound(hourOf(now, readHours))} AND c.hour <= ${bound(now)}
    AND (${bound(projectIds)}::integer[] IS NULL OR p.id = ANY (${bound(projectIds)}::integer[]))
  GROUP BY p.id, p.name ORDER BY cpu_seconds DESC, p.id`;

const storeEveryMs = 10_000;

/**
 * Stores the costs of the statements of each project, so that each process can answer for all processes. A killed process loses
 * the costs of its last seconds.
 */
@Injectable()
export class ProjectCosts {
  private stored: ReadonlyMap<number, Cost> = new Map();

  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
    private readonly clickhouse: ClickHouse,
  ) {
    const store = () => this.store();
    workers.every(storeEveryMs, {
      name: 'project costs',
      warning: 'what projects take of ClickHouse could not be stored and is stored later',
      run: store,
      end: store,
      isEverywhere: true,
    });
  }

  /** Stores the costs since the last time. After a failure, they are stored the next time. */
  async store(): Promise<void> {
    const all = this.clickhouse.costs.ofProjects();
    const fresh = new Map<number, Cost>();
    for (const [id, cost] of all) {
      const before = this.stored.get(id);
      if (before?.statements !== cost.statements) fresh.set(id, minus(cost, before));
    }
    if (fresh.size === 0) return;
    const now = this.postgres.clock.now();
    await this.postgres.query(addCostsSql(fresh, now));
    this.stored = all;
    await this.postgres.query(forgetCostsSql(now));
  }

  /** Lists the costs of the projects that the caller opens, the most expensive first. */
  async list(caller: Caller, { limit, offset }: PageQuery, now: Date): Promise<Slice<ProjectCostDto>> {
    const { rows } = await this.postgres.query<ProjectCostDto & object>(costsSql(caller.projectIds, now));
    return { count: rows.length, results: rows.slice(offset, offset + limit) };
  }
}

const minus = (cost: Cost, before: Cost | undefined): Cost => ({
  statements: cost.statements - (before?.statements ?? 0),
  cpuMs: cost.cpuMs - (before?.cpuMs ?? 0),
  readRows: cost.readRows - (before?.readRows ?? 0),
  readBytes: cost.readBytes - (before?.readBytes ?? 0),
});
