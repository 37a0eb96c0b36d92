import { type Activity, recordActivity } from '../../kernel/activity/record-activity.js';
import { type ClientBase } from 'pg';
import { endOfPiece, loggedEvents, removeExpiredEvents } from '../../kernel/event-log/removal/remove-expired-events.js';
import { type RunSteps, type RunnerParts, type SweepLimits, endsRun, sweepLimits } from '../run-steps.js';
import {
  type ExpiryCause,
  type OpenExpiry,
  expireAgain,
  expiringProjects,
  finishExpiry,
  lockSettings,
  openExpiries,
  passEnded,
  recordExpired,
  recordExpiryError,
  startExpiry,
  stopExpiry,
} from './expiry-runs.repository.js';
import { startCountedRun } from '../../platform/telemetry/background-runs.js';
import { cleanWholly } from '../../kernel/event-log/compression/clean-blocks.js';
import { enqueue } from '../../kernel/projection/outbox/outbox.js';
import { expiredUuidsSql, remainingExpiredSql } from './expired.sql.js';

/** Makes an activity entry of the project with the number of expired events. */
const expiryActivity = (projectId: number, name: string, deleted: number): Activity => ({
  scope: 'Project',
  itemId: String(projectId),
  activity: 'events_expired',
  name,
  changes: [{ type: 'Project', action: 'deleted', field: 'events', before: deleted, after: null }],
});

/**
 * Removes expired events from the next piece of the log, at most a chunk. Events, outbox, receipt and progress change in one
 * transaction, so that a crash neither forgets an event nor counts one twice. Returns the number of removed events.
 */
const sweepExpired = async (
  client: ClientBase,
  expiry: OpenExpiry,
  { events, walked }: SweepLimits,
  now: Date,
): Promise<number> => {
  const { projectId, rule, sweptUntil: after } = expiry;
  const upTo = await endOfPiece(client, projectId, after, walked);
  const expired = await removeExpiredEvents(client, projectId, rule, { after, upTo }, events, now);
  await recordExpired(client, expiry, expired, expired.more ? null : upTo);
  if (upTo === null && !expired.more) await passEnded(client, expiry, now);
  return expired.removed;
};

const uuidsPerRepair = 5000;

/**
 * Removes the events that are older than their project keeps them: chunk by chunk, one project after the other, until a whole
 * pass over the log finds none. Then counts the expired events that ClickHouse still has.
 */
export class ExpiryRunner {
  private readonly failed = new Set<string>();

  constructor(
    private readonly parts: RunnerParts,
    private readonly steps: RunSteps,
    private readonly run: ExpiryCause,
  ) {}

  get failures(): number {
    return this.failed.size;
  }

  async execute(): Promise<void> {
    const end = startCountedRun('expiry');
    for (const projectId of await expiringProjects(this.parts.postgres)) {
      this.steps.assertContinuing();
      await this.steps.asHolder((client) => startExpiry(client, projectId, this.run, this.steps.now()));
    }
    do await this.sweepAll();
    while (await this.verifyAll());
    end(this.failures === 0 ? 'done' : 'failed');
  }

  private async open(): Promise<OpenExpiry[]> {
    this.steps.assertContinuing();
    return (await openExpiries(this.parts.postgres)).filter(({ id }) => !this.failed.has(id));
  }

  private async sweepAll(): Promise<void> {
    for (;;) {
      const unswept = (await this.open()).filter(({ isSwept }) => !isSwept);
      if (unswept.length === 0) return;
      for (const expiry of unswept) await this.sweepOne(expiry);
    }
  }

  private async sweepOne(expiry: OpenExpiry): Promise<void> {
    this.steps.assertContinuing();
    const { limits = sweepLimits, onExpired } = this.parts;
    let removed = 0;
    await this.guarded(expiry, async () => {
      removed = await this.unlessChanged(expiry, (client) => sweepExpired(client, expiry, limits, this.steps.now()), 0);
      onExpired?.(removed);
    });
    await this.steps.keepPace(expiry.projectId, removed);
  }

  /** Verifies all removals. Returns true if any of them must be swept or verified again. */
  private async verifyAll(): Promise<boolean> {
    let again = false;
    for (const expiry of await this.open()) {
      this.steps.assertContinuing();
      await this.guarded(expiry, async () => {
        await cleanWholly(this.parts.postgres, expiry.projectId, () => this.steps.assertContinuing());
        await this.steps.untilFresh(expiry.projectId);
        const remaining = await this.verify(expiry);
        if (remaining > 0) this.steps.assertProgress(expiry.id, remaining);
        again ||= remaining > 0;
      });
    }
    return again;
  }

  /**
   * Counts the expired events that ClickHouse still has; the log has none. If there are any, they are removed there and the log
   * is swept again.
   */
  private async verify(expiry: OpenExpiry): Promise<number> {
    const { projectId, rule } = expiry;
    const { clickhouse } = this.parts;
    const [counted] = await clickhouse.query<{ number: number }>(
      remainingExpiredSql(clickhouse.form, projectId, rule),
      {
        project: 'system',
      },
    );
    const remaining = counted?.number ?? 0;
    const strays =
      remaining === 0
        ? []
        : await clickhouse.query<{ id: string }>(expiredUuidsSql(clickhouse.form, projectId, rule, uuidsPerRepair), {
            project: 'system',
          });
    return this.unlessChanged(
      expiry,
      async (client, name) => {
        if (remaining === 0) await this.finish(client, expiry, name);
        else
          await this.repair(
            client,
            expiry,
            strays.map(({ id }) => id),
            remaining,
          );
        return remaining;
      },
      0,
    );
  }

  private async finish(client: ClientBase, expiry: OpenExpiry, name: string): Promise<void> {
    const now = this.steps.now();
    const deleted = await finishExpiry(client, expiry, now);
    await this.log(client, expiry, name, deleted);
  }

  /** Ships the events that the log still has again, in case ClickHouse has only an older form of them. */
  private async repair(
    client: ClientBase,
    expiry: OpenExpiry,
    strays: readonly string[],
    remaining: number,
  ): Promise<void> {
    const { projectId } = expiry;
    const logged = await loggedEvents(client, projectId, strays);
    const entries = [
      { kind: 'removed_events', refs: strays },
      { kind: 'events', refs: logged },
    ] as const;
    await enqueue(client, projectId, entries, this.steps.now());
    await expireAgain(client, expiry, remaining);
  }

  /**
   * Does `work` unless the settings were changed since the removal started. A change ends the removal, because a longer lifetime
   * is meant for the events that still exist.
   */
  private unlessChanged<T>(
    expiry: OpenExpiry,
    work: (client: ClientBase, name: string) => Promise<T>,
    otherwise: T,
  ): Promise<T> {
    return this.steps.asHolder(async (client) => {
      const { name, areUnchanged } = await lockSettings(client, expiry);
      if (areUnchanged) return work(client, name);
      await this.log(client, expiry, name, await stopExpiry(client, expiry));
      return otherwise;
    });
  }

  private async log(client: ClientBase, { projectId }: OpenExpiry, name: string, deleted: number): Promise<void> {
    if (deleted === 0) return;
    const author = { userId: null, requestId: null, now: this.steps.now() };
    await recordActivity(client, { id: projectId }, expiryActivity(projectId, name, deleted), author);
  }

  /** Records a failure in one project, which must not stop the removal in other projects. */
  private async guarded(expiry: OpenExpiry, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Error) || endsRun(error)) throw error;
      const { projectId: project, id } = expiry;
      this.parts.logger.warn({ err: error, project, expiry: id }, 'the removal of expired events must be retried');
      this.failed.add(id);
      await recordExpiryError(this.parts.postgres, expiry, error.message);
    }
  }
}
