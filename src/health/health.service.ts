import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type DataSource } from 'typeorm';
import { Drain } from '../common/http/drain.js';
import { Config } from '../config/config.js';
import { NotTheProjection } from '../projection/identity/verdict.js';
import { Projection } from '../projection/projection.js';
import { ClickHouse } from '../stores/clickhouse/client.js';
import { durabilityFault } from '../stores/postgres/durability.js';
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
    private readonly config: Config,
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
      this.pingPostgres(),
      timed(() => this.clickhouse.ping(timeoutMs)),
    ]);
    const [migrations, projection] = await Promise.all([
      this.migrations(postgres.ok),
      this.projectionCheck(postgres.ok, clickhouse.ok),
    ]);
    const canWork = this.config.servesApi || (clickhouse.ok && !projection.isElsewhere);
    const well = postgres.ok && canWork && migrations.ok && !this.isPreparing;
    return {
      status: this.drain.isLeaving ? 'stopping' : well ? 'ready' : 'not_ready',
      checks: { postgres, clickhouse: this.explained(clickhouse), migrations, projection: projection.check },
    };
  }

  /** Without ClickHouse an api process takes in events and changes persons, which a balancer must not keep from it. */
  private explained(clickhouse: CheckDto): CheckDto {
    if (clickhouse.ok || !this.config.servesApi) return clickhouse;
    return { ok: false, detail: 'does not answer: events are taken in, and questions are answered with 503' };
  }

  /** A worker whose database is not the projection has nothing to do; one that is being filled needs its worker. */
  private async projectionCheck(knows: boolean, finds: boolean): Promise<{ check: CheckDto; isElsewhere: boolean }> {
    if (!knows) return { check: { ok: false, detail: 'not known' }, isElsewhere: false };
    const fault = finds ? ((await this.clickhouse.ownership?.fault()) ?? null) : null;
    if (fault === null) return { check: await this.lag(), isElsewhere: false };
    const detail = `${fault.message}; questions are answered with 503`;
    return { check: { ok: false, detail }, isElsewhere: fault instanceof NotTheProjection };
  }

  private async lag(): Promise<CheckDto> {
    const { lagSeconds, waitingKeys, parked } = await this.projection.status();
    const behind = `${lagSeconds.toFixed(1)} s behind, ${waitingKeys} changes waiting`;
    const stuck = `${parked.length} ${parked.length === 1 ? 'project waits' : 'projects wait'} for \`projection retry\``;
    return { ok: true, detail: parked.length === 0 ? behind : `${behind}, ${stuck}` };
  }

  /** A service whose server may lose changes still answers: `checks` says so, as the log does at the start. */
  private async pingPostgres(): Promise<CheckDto> {
    let fault: string | null = null;
    const answered = await timed(async () => {
      fault = await durabilityFault(this.postgres, timeoutMs);
      return true;
    });
    return fault === null ? answered : { ...answered, detail: `${answered.detail}; ${String(fault)}` };
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
