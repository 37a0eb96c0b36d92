import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type DataSource } from 'typeorm';
import { Drain } from '../common/http/drain.js';
import { Projection } from '../projection/projection.js';
import { ClickHouse } from '../stores/clickhouse/client.js';
import { pendingPostgresMigrations } from '../stores/postgres/migrate.js';
import { type CheckDto, type ReadyDto } from './health.dto.js';
import { Postgres } from '../stores/postgres/postgres.js';

const timeoutMs = 1500;

@Injectable()
export class HealthService {
  private migrated = false;
  private isPreparing = false;

  constructor(
    private readonly postgres: Postgres,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly drain: Drain,
  ) {}

  /** The service is not ready until the returned function is called. */
  prepare(): () => void {
    this.isPreparing = true;
    return () => {
      this.isPreparing = false;
    };
  }

  async ready(): Promise<ReadyDto> {
    const [postgres, clickhouse] = await Promise.all([
      timed(() => this.pingPostgres()),
      timed(() => this.clickhouse.ping(timeoutMs)),
    ]);
    const [migrations, projection] = await Promise.all([this.migrations(postgres.ok), this.lag(postgres.ok)]);
    const well = postgres.ok && clickhouse.ok && migrations.ok && !this.isPreparing;
    return {
      status: this.drain.hasBegun ? 'stopping' : well ? 'ready' : 'not_ready',
      checks: { postgres, clickhouse, migrations, projection },
    };
  }

  private async lag(reachable: boolean): Promise<CheckDto> {
    if (!reachable) return { ok: false, detail: 'not known' };
    const { lagSeconds, waitingKeys } = await this.projection.status();
    return { ok: true, detail: `${lagSeconds.toFixed(1)} s behind, ${waitingKeys} changes waiting` };
  }

  private async pingPostgres(): Promise<boolean> {
    await this.postgres.query({ text: 'SELECT 1', query_timeout: timeoutMs });
    return true;
  }

  /** Migrations cannot be undone under a running service, so a positive result is final. */
  private async migrations(reachable: boolean): Promise<CheckDto> {
    if (!this.migrated && reachable) this.migrated = !(await pendingPostgresMigrations(this.dataSource));
    return { ok: this.migrated, detail: this.migrated ? 'up to date' : 'not known to be up to date' };
  }
}

const timed = async (check: () => Promise<boolean>): Promise<CheckDto> => {
  const started = Date.now();
  const ok = await check().catch(() => false);
  return { ok, detail: ok ? `answered in ${Date.now() - started} ms` : 'does not answer' };
};
