import { Injectable } from '@nestjs/common';
import { type Caller } from '../../kernel/access/caller.js';
import { Workers } from '../../platform/work/workers.js';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type Cost } from '../../platform/clickhouse/costs.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type ProjectCostDto } from './project-cost.dto.js';
import { addCostsSql, costsSql, forgetCostsSql } from './project-costs.sql.js';

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
