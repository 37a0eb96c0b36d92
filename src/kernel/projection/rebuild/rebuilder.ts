import { performance } from 'node:perf_hooks';
import { type Logger } from '../../../platform/telemetry/logger.js';
import { countedRun } from '../../../platform/telemetry/background-runs.js';
import { type ClickHouse } from '../../../platform/clickhouse/client.js';
import { LeaseLost, type Lease } from '../../../platform/postgres/lease.js';
import { type Loader } from '../shipping/loader.js';
import { copySnapshot, seenOutboxIds } from './copy.js';
import { maxAttempts, RebuildsRepository, type Rebuild, type RebuildCounts } from './rebuilds.repository.js';
import { dropShadowTables, ShadowTables } from './shadow-tables.js';
import { type Postgres } from '../../../platform/postgres/postgres.js';

export interface RebuilderParts {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly lease: Lease;
  readonly loader: Loader;
  readonly logger: Logger;
  readonly onCopied: () => void;
}

interface Copy {
  readonly rebuild: Rebuild;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  outcome: 'copied' | { error: unknown } | null;
}

const progressMs = 500;
const logMs = 5_000;

/**
 * Fills all tables again from PostgreSQL while the old ones still receive shipments and answer questions: a copy of one
 * snapshot goes into shadow tables, the names are exchanged, and everything shipped since the snapshot is shipped again.
 * Each step is recorded before it is taken, so the next holder of the lease continues from there after a crash.
 */
export class Rebuilder {
  private readonly log: RebuildsRepository;
  private copy: Copy | null = null;

  constructor(private readonly parts: RebuilderParts) {
    this.log = new RebuildsRepository(parts.postgres, parts.lease);
  }

  /** True while this process makes a copy, or has made one that has not replaced the old tables yet. */
  get hasCopy(): boolean {
    return this.copy !== null;
  }

  /** Takes the next step between two shipments. Must be called when a rebuild is requested or running. */
  async advance(now: Date): Promise<void> {
    if (this.copy?.outcome) return this.conclude(this.copy, now);
    if (this.copy) return;
    const rebuild = await this.log.current();
    if (rebuild?.phase === 'requested') await this.start(rebuild);
    if (rebuild?.phase === 'copying' || rebuild?.phase === 'draining') await this.restart(rebuild, now);
    if (rebuild?.phase === 'swapping') await this.swap(rebuild, now);
  }

  /** Removes the remains of earlier rebuilds. Must not run during a rebuild. */
  async tidy(): Promise<void> {
    if (!this.hasCopy && (await this.log.current()) === null) await dropShadowTables(this.parts.clickhouse);
  }

  /** Called when the process ends or has lost the lease; the new holder of the lease restarts the rebuild. */
  async stop(): Promise<void> {
    const { copy } = this;
    if (!copy) return;
    copy.stop.abort(new Error('The process that rebuilt the projection is stopping'));
    await copy.ended;
    this.copy = null;
    await this.log.abandon(copy.rebuild.number, 'again').catch(() => undefined);
  }

  private async start({ number }: Rebuild): Promise<void> {
    const rebuild = await this.log.start(number);
    await dropShadowTables(this.parts.clickhouse);
    const shadows = new ShadowTables(this.parts.clickhouse, rebuild);
    await shadows.create();
    this.parts.logger.info({ rebuild: number }, 'rebuilding the projection');
    // Nothing may be shipped between the snapshot and the record of its outbox rows.
    await this.log.still(() => this.copyFrom(rebuild, shadows));
  }

  /** Starts the copy. Resolves when its snapshot is taken. */
  private copyFrom(rebuild: Rebuild, shadows: ShadowTables): Promise<void> {
    const stop = new AbortController();
    return new Promise<void>((seen) => {
      const end = (outcome: Copy['outcome']) => {
        copy.outcome = outcome;
        seen();
        this.parts.onCopied();
      };
      const ended = countedRun('rebuild', () => this.run(rebuild, shadows, stop.signal, seen)).then(
        () => end('copied'),
        (error: unknown) => end({ error }),
      );
      const copy: Copy = { rebuild, stop, ended, outcome: null };
      this.copy = copy;
    });
  }

  private run(rebuild: Rebuild, shadows: ShadowTables, signal: AbortSignal, seen: () => void): Promise<void> {
    const { postgres, lease, loader } = this.parts;
    let reportedAt = 0;
    let loggedAt = performance.now();
    const report = async (counts: RebuildCounts) => {
      lease.check();
      if (Date.now() - reportedAt < progressMs && counts.eventsDone < counts.eventsTotal) return;
      reportedAt = Date.now();
      await this.log.progress(rebuild.number, counts);
      if (performance.now() - loggedAt < logMs) return;
      loggedAt = performance.now();
      this.parts.logger.info({ rebuild: rebuild.number, ...counts }, 'rebuilding the projection');
    };
    const work = async (client: Parameters<typeof copySnapshot>[0]) => {
      await client.query('SET LOCAL statement_timeout = 0');
      await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await this.log.contains(rebuild.number, await seenOutboxIds(client));
      seen();
      const token = `rebuild-${rebuild.number}-${rebuild.attempt}`;
      await copySnapshot(client, { loader, shadows, token, signal, progress: report });
    };
    return postgres.transaction(work, { snapshot: true });
  }

  private async conclude({ rebuild, outcome }: Copy, now: Date): Promise<void> {
    if (outcome === 'copied') {
      // Waits until the queue has shipped members and redirects, which are not copied.
      if (await this.log.awaitsMembers(rebuild.number)) return;
      if (!(await this.log.drain(rebuild.number))) {
        this.copy = null;
        return;
      }
      if (!(await this.log.swap(rebuild.number))) return;
      this.copy = null;
      return this.swap(rebuild, now);
    }
    const error: unknown = outcome?.error;
    if (error instanceof LeaseLost) throw error;
    this.parts.logger.error({ rebuild: rebuild.number, err: error }, 'rebuilding the projection failed');
    await this.log.abandon(rebuild.number, { error: error instanceof Error ? error.message : String(error), now });
    this.copy = null;
    await dropShadowTables(this.parts.clickhouse);
  }

  private async restart(rebuild: Rebuild, now: Date): Promise<void> {
    const error = `The process ended during the rebuild, ${maxAttempts} times`;
    await this.log.abandon(rebuild.number, rebuild.attempt < maxAttempts ? 'again' : { error, now });
  }

  private async swap(rebuild: Rebuild, now: Date): Promise<void> {
    await new ShadowTables(this.parts.clickhouse, rebuild).exchange();
    await this.log.finish(rebuild.number, now);
    this.parts.logger.info({ rebuild: rebuild.number }, 'the projection is rebuilt');
    await dropShadowTables(this.parts.clickhouse);
  }
}
