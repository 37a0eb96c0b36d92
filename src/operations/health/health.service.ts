import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type DataSource } from 'typeorm';
import { Drain } from '../../platform/http/http-server.js';
import { Config } from '../../platform/config/config.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { pendingPostgresMigrations } from '../../kernel/stores/migrate.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { durabilityFault, readOnlyFault, serverState, unsafeSettings } from '../../platform/postgres/server-state.js';
import { type CheckDto, type ReadyDto } from './health.dto.js';

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

  /**
   * A process with the API is ready when it can take in events, because a load balancer sends them to each ready process, and an
   * event that is refused too often is lost. Being able to answer questions does not count, because clients can repeat them.
   */
  async ready(): Promise<ReadyDto> {
    const [server, clickhouse] = await Promise.all([
      this.lookAtPostgres(),
      timed(() => this.clickhouse.ping(timeoutMs)),
    ]);
    const { postgres, isAnswering } = server;
    const [migrations, projection] = await Promise.all([
      this.migrations(isAnswering),
      this.projectionCheck(isAnswering, clickhouse.ok),
    ]);
    const isOpen = isAnswering && migrations.ok && !this.isPreparing;
    const can = { capture: isOpen && postgres.ok, answer: isOpen && clickhouse.ok && projection.answers };
    const canShip = clickhouse.ok && projection.ships;
    const well = can.capture && (this.config.servesApi || canShip);
    return {
      status: this.drain.isLeaving ? 'stopping' : well ? 'ready' : 'not_ready',
      can,
      checks: {
        postgres,
        clickhouse: this.explained(clickhouse, can.capture),
        migrations,
        projection: projection.check,
      },
    };
  }

  private explained(clickhouse: CheckDto, canCapture: boolean): CheckDto {
    if (clickhouse.ok || !canCapture || !this.config.servesApi) return clickhouse;
    return { ok: false, detail: 'does not answer: events are taken in, and questions are answered with 503' };
  }

  /** `ships` is false for a worker that may not write, as it has nothing to do. While the database is being filled it is true. */
  private async projectionCheck(
    knows: boolean,
    finds: boolean,
  ): Promise<{ check: CheckDto; answers: boolean; ships: boolean }> {
    if (!knows || !finds)
      return { check: knows ? await this.lag() : { ok: false, detail: 'not known' }, answers: knows, ships: knows };
    const { ownership } = this.clickhouse;
    const [fault, faultOfWrites] = await Promise.all([ownership?.fault(), ownership?.faultOfWrites()]);
    const [answers, ships] = [!fault, !faultOfWrites];
    if (answers && ships) return { check: await this.lag(), answers, ships };
    const detail = fault ? `${fault.message}; questions are answered with 503` : (faultOfWrites?.message ?? '');
    return { check: { ok: false, detail }, answers, ships };
  }

  private async lag(): Promise<CheckDto> {
    const { lagSeconds, waitingKeys, parked } = await this.projection.status();
    const behind = `${lagSeconds.toFixed(1)} s behind, ${waitingKeys} changes waiting`;
    const stuck = `${parked.length} ${parked.length === 1 ? 'project waits' : 'projects wait'} for \`projection retry\``;
    return { ok: true, detail: parked.length === 0 ? behind : `${behind}, ${stuck}` };
  }

  /** Settings with which the server may lose changes do not make the service unready, but are named in `checks`. */
  private async lookAtPostgres(): Promise<{ readonly postgres: CheckDto; readonly isAnswering: boolean }> {
    const startedAt = Date.now();
    const state = await serverState(this.postgres.pool, timeoutMs).catch(() => null);
    const answer = answered(state !== null, startedAt);
    if (state === null) return { postgres: answer, isAnswering: false };
    const readOnly = readOnlyFault(state);
    const faults = [readOnly, durabilityFault(unsafeSettings(state))].filter((fault) => fault !== null);
    return {
      postgres: { ok: readOnly === null, detail: [answer.detail, ...faults].join('; ') },
      isAnswering: true,
    };
  }

  /** Migrations cannot be undone under a running service, so a positive result is final. */
  private async migrations(reachable: boolean): Promise<CheckDto> {
    if (!this.migrated && reachable) this.migrated = !(await pendingPostgresMigrations(this.dataSource));
    return { ok: this.migrated, detail: this.migrated ? 'up to date' : 'not known to be up to date' };
  }
}

const timed = async (check: () => Promise<boolean>): Promise<CheckDto> => {
  const startedAt = Date.now();
  return answered(await check().catch(() => false), startedAt);
};

const answered = (ok: boolean, startedAt: number): CheckDto => ({
  ok,
  detail: ok ? `answered in ${Date.now() - startedAt} ms` : 'does not answer',
});
