import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type Pool } from 'pg';
import { type DataSource } from 'typeorm';
import { unavailable } from '../../common/errors/problem.js';
import { isPostgresUnavailable } from '../../common/errors/store-errors.js';
import { LOGGER, type Logger } from '../../common/logging/logger.js';
import { Projection } from '../../projection/projection.js';
import { inRepeatedTransaction } from '../../persons/identity/repeated-transaction.js';
import { pgPool } from '../../stores/postgres/pool.js';
import { type NormalisedEvent } from '../normalise/normalise.js';
import { writeEvents } from './event-log.js';
import { Pending, type Verdict } from './pending.js';

/** Events per transaction: enough for the price of a commit to vanish, few enough for its latency to stay small. */
const groupEvents = 5000;
/** What may wait; beyond it callers are told to come back, because memory is not a queue. */
const waitingEvents = 50_000;

/**
 * Requests that arrive while a transaction runs go into the next one together: single events get the throughput of
 * batches, and every answer still waits for its commit.
 */
@Injectable()
export class GroupCommit implements OnModuleDestroy {
  private readonly pool: Pool;
  private waiting: Pending[] = [];
  private waitingCount = 0;
  private running: Promise<void> | null = null;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly projection: Projection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.pool = pgPool(dataSource);
  }

  /** Resolves when the events are committed: how many are new, how many the log knew already. */
  async add(projectId: number, events: readonly NormalisedEvent[], receivedAt: Date): Promise<Verdict> {
    if (events.length === 0) return { accepted: 0, duplicates: 0 };
    if (this.waitingCount + events.length > waitingEvents) {
      throw unavailable('Too many events wait to be written: try again');
    }
    const pending = new Pending(projectId, events, receivedAt, this.pool);
    this.waiting.push(pending);
    this.waitingCount += events.length;
    this.running ??= this.run();
    return pending.verdict;
  }

  async onModuleDestroy(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    // A turn of the event loop, so that requests read together are committed together.
    await new Promise(setImmediate);
    while (this.waiting.length > 0) await this.commit(this.takeGroup());
    this.running = null;
  }

  private takeGroup(): Pending[] {
    let size = 0;
    const fits = this.waiting.findIndex(({ events }, at) => (size += events.length) > groupEvents && at > 0);
    const group = fits < 0 ? this.waiting : this.waiting.slice(0, fits);
    this.waiting = fits < 0 ? [] : this.waiting.slice(fits);
    this.waitingCount -= group.reduce((sum, { events }) => sum + events.length, 0);
    return group.filter(({ settled }) => !settled);
  }

  private async commit(group: readonly Pending[]): Promise<void> {
    if (group.length === 0) return;
    try {
      const added = await inRepeatedTransaction(this.pool, async (client) => {
        const byProject = new Map<number, ReadonlySet<string>>();
        for (const [projectId, members] of projectsOf(group)) {
          const events = members.flatMap((pending) => pending.events);
          byProject.set(projectId, await writeEvents(client, projectId, events, latestOf(members)));
        }
        return byProject;
      });
      this.projection.wake();
      for (const [projectId, members] of projectsOf(group)) settle(members, added.get(projectId) ?? new Set());
    } catch (error) {
      await this.failed(group, error);
    }
  }

  /** One request's poison must not fail the others: alone, it only fails itself. */
  private async failed(group: readonly Pending[], error: unknown): Promise<void> {
    const down = error instanceof Error && isPostgresUnavailable(error);
    if (group.length > 1 && !down) {
      this.logger.warn(
        { requests: group.length, code: codeOf(error) },
        'a group commit failed and is repeated request by request',
      );
      for (const pending of group) await this.commit([pending]);
      return;
    }
    for (const pending of group) pending.fail(error);
  }
}

/**
 * When the events of a group count as received. Nobody has an answer before the last of them arrived; and a deletion goes
 * by this moment, so none may pass for older than it is.
 */
const latestOf = (members: readonly Pending[]): Date =>
  new Date(Math.max(...members.map(({ receivedAt }) => receivedAt.getTime())));

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** In the order of project ids, so that two processes never wait for each other. */
const projectsOf = (group: readonly Pending[]): [number, Pending[]][] => {
  const byProject = new Map<number, Pending[]>();
  for (const pending of group) {
    const members = byProject.get(pending.projectId);
    if (members) members.push(pending);
    else byProject.set(pending.projectId, [pending]);
  }
  return [...byProject].sort(([a], [b]) => a - b);
};

/** The first mention of a uuid is the new one; every later mention, in whichever request, is a duplicate. */
const settle = (members: readonly Pending[], added: ReadonlySet<string>): void => {
  const credited = new Set<string>();
  for (const pending of members) {
    let accepted = 0;
    for (const { uuid } of pending.events) {
      if (!added.has(uuid) || credited.has(uuid)) continue;
      credited.add(uuid);
      accepted += 1;
    }
    pending.succeed({ accepted, duplicates: pending.events.length - accepted });
  }
};
