import { Inject, Injectable, type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import { type Caller } from '../common/access/caller.js';
import { LOGGER, type Logger } from '../common/logging/logger.js';
import { type PageQuery } from '../common/pagination/page-query.dto.js';
import { type Slice } from '../common/pagination/page.js';
import { ClickHouse } from '../stores/clickhouse/client.js';
import { type Cost } from '../stores/clickhouse/costs.js';
import { Postgres } from '../stores/postgres/postgres.js';
import { type ProjectCostDto } from './project-cost.dto.js';
import { addCostsSql, costsSql, forgetCostsSql } from './project-costs.sql.js';

const storeEveryMs = 10_000;

/**
 * Stores what the statements of projects take, so that one process answers for all. A process that is killed loses its last
 * seconds.
 */
@Injectable()
export class ProjectCosts implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private storing: Promise<void> = Promise.resolve();
  private stored: ReadonlyMap<number, Cost> = new Map();

  constructor(
    private readonly postgres: Postgres,
    private readonly clickhouse: ClickHouse,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.storeQuietly(), storeEveryMs).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.storeQuietly();
  }

  /** A failure leaves to the next time what was not stored. */
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

  /** Of the projects that the caller opens, the most expensive first. */
  async list(caller: Caller, { limit, offset }: PageQuery, now: Date): Promise<Slice<ProjectCostDto>> {
    const { rows } = await this.postgres.query<ProjectCostDto & object>(costsSql(caller.projectIds, now));
    return { count: rows.length, results: rows.slice(offset, offset + limit) };
  }

  private storeQuietly(): Promise<void> {
    this.storing = this.storing
      .then(() => this.store())
      .catch((error: unknown) => {
        this.logger.warn({ err: error }, 'what projects take of ClickHouse could not be stored and is stored later');
      });
    return this.storing;
  }
}

const minus = (cost: Cost, before: Cost | undefined): Cost => ({
  statements: cost.statements - (before?.statements ?? 0),
  cpuMs: cost.cpuMs - (before?.cpuMs ?? 0),
  readRows: cost.readRows - (before?.readRows ?? 0),
  readBytes: cost.readBytes - (before?.readBytes ?? 0),
});
