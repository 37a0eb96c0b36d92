import { unavailable } from '../../platform/errors/problem.js';
import { afterAwake } from '../../platform/time/awake.js';
import { type Span, currentSpan, tracedFor } from '../../platform/telemetry/tracing.js';
import { type LoggableEvent, applyEvents } from './event-log.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type PoolClient } from 'pg';
import { isNodeUnavailable, isPostgresUnavailable } from '../../platform/errors/store-errors.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { MovedMembers } from '../memberships/moved-members.js';
import { Projection } from '../projection/projection.js';
import { type Last, mayBeRepeated } from '../../platform/postgres/transaction.js';
import { EventQuotas, type LoggedBatches } from './quota/event-quotas.js';

export interface Verdict {
  readonly accepted: number;
  readonly duplicates: number;
}

const patienceMs = 1000;
const probeMs = 600;

/**
 * The events of one request on their way to the log. A database that hangs must cause a 503 within 2 s, a database that is
 * merely busy must not: a request that has waited long probes the database. The events of a request that was answered with a
 * 503 may still be committed; sent again under the same uuid, they are duplicates.
 */
class Pending {
  readonly verdict: Promise<Verdict>;
  isAnswered = false;
  /** The span of the request, for the trace of the group that writes its events. */
  readonly span = currentSpan();
  private resolve: (verdict: Verdict) => void;
  private reject: (error: unknown) => void;
  private timer: NodeJS.Timeout;

  constructor(
    readonly projectId: number,
    readonly events: readonly LoggableEvent[],
    readonly receivedAt: Date,
    private readonly postgres: Queryable,
  ) {
    this.verdict = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.timer = setTimeout(() => void this.probe(), patienceMs);
  }

  succeed(verdict: Verdict): void {
    this.markAnswered();
    this.resolve(verdict);
  }

  fail(error: unknown): void {
    this.markAnswered();
    this.reject(error);
  }

  private markAnswered(): void {
    this.isAnswered = true;
    clearTimeout(this.timer);
  }

  private async probe(): Promise<void> {
    const question = { text: 'SELECT 1', query_timeout: 2 * patienceMs };
    const answered = this.postgres.query(question).then(
      () => true,
      () => false,
    );
    const late = new Promise<false>((resolve) => afterAwake(probeMs, () => resolve(false)));
    const alive = await Promise.race([answered, late]);
    if (this.isAnswered) return;
    if (alive) this.timer = setTimeout(() => void this.probe(), patienceMs);
    else this.fail(unavailable('The database does not answer at the moment'));
  }
}

/**
 * The size of a transaction: large enough to make the cost of a commit per event negligible, small enough to keep its
 * latency low.
 */
const groupEvents = 5000;
/** The number of events that may wait. When more wait, callers get a 503 with `Retry-After`, because memory is not a queue. */
const waitingEvents = 50_000;

/** A group that is being written. It either commits or leaves no trace. */
interface Flight {
  readonly group: readonly Pending[];
  /** Resolves when the log has the events, or the attempt has failed. */
  readonly logged: Promise<void>;
  readonly ended: Promise<{ readonly committed: true } | { readonly committed: false; readonly error: unknown }>;
}

/** Thrown when the previous group did not commit: this group must not change persons before it. */
class Overtaken extends Error {}

/**
 * With at least this many waiting events, PostgreSQL logs the next group while the present one is being finished; fewer events
 * are cheaper together.
 */
const eventsWorthAnother = 500;

/**
 * Requests that arrive while a transaction runs go into the next one together: single events get the throughput of
 * batches, and every answer still waits for its commit. Under load the next transaction begins early, but only writes to
 * the log: persons change in the order of the groups.
 */
@Injectable()
export class GroupCommit implements OnModuleDestroy {
  private waiting: Pending[] = [];
  private waitingCount = 0;
  private running: Promise<void> | null = null;
  private onEnough: () => void = () => undefined;

  constructor(
    private readonly postgres: Postgres,
    private readonly projection: Projection,
    private readonly members: MovedMembers,
    private readonly quotas: EventQuotas,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves when the events are committed, with the numbers of new events and of duplicates. */
  async add(projectId: number, events: readonly LoggableEvent[], receivedAt: Date): Promise<Verdict> {
    if (events.length === 0) return { accepted: 0, duplicates: 0 };
    if (this.waitingCount + events.length > waitingEvents) {
      throw unavailable('Too many events wait to be written: try again');
    }
    const pending = new Pending(projectId, events, receivedAt, this.postgres);
    this.waiting.push(pending);
    this.waitingCount += events.length;
    this.running ??= this.run();
    if (this.waitingCount >= eventsWorthAnother) this.onEnough();
    return pending.verdict;
  }

  async onModuleDestroy(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    // Waits for one tick of the event loop, so that requests read together are committed together.
    await new Promise(setImmediate);
    let first = this.next(null);
    while (first) {
      await first.logged;
      await Promise.race([first.ended, this.enough()]);
      const second = this.waitingCount >= eventsWorthAnother ? this.next(first) : null;
      const outcome = await first.ended;
      if (outcome.committed || second === null) {
        if (!outcome.committed) await this.again(first.group, outcome.error);
        first = second ?? this.next(null);
        continue;
      }
      // Lets the second group roll back first, because retrying the first one could collide with rows that the second has already
      // inserted.
      await second.ended;
      await this.again(first.group, outcome.error);
      await this.commit(second.group);
      first = this.next(null);
    }
    this.running = null;
  }

  private enough(): Promise<void> {
    if (this.waitingCount >= eventsWorthAnother) return Promise.resolve();
    return new Promise((resolve) => (this.onEnough = resolve));
  }

  private next(before: Flight | null): Flight | null {
    return this.waiting.length === 0 ? null : this.fly(this.takeGroup(), before);
  }

  private fly(group: readonly Pending[], before: Flight | null): Flight {
    let tell: () => void = () => undefined;
    const logged = new Promise<void>((resolve) => (tell = resolve));
    const ended = this.write(
      group,
      (work) => this.postgres.transaction(work),
      async () => {
        tell();
        if (before && !(await before.ended).committed) throw new Overtaken();
      },
    ).then(
      () => ({ committed: true }) as const,
      (error: unknown) => ({ committed: false, error }) as const,
    );
    void ended.then(tell);
    return { group, logged, ended };
  }

  private takeGroup(): Pending[] {
    let size = 0;
    const fits = this.waiting.findIndex(({ events }, at) => (size += events.length) > groupEvents && at > 0);
    const group = fits < 0 ? this.waiting : this.waiting.slice(0, fits);
    this.waiting = fits < 0 ? [] : this.waiting.slice(fits);
    this.waitingCount -= group.reduce((sum, { events }) => sum + events.length, 0);
    return group.filter(({ isAnswered }) => !isAnswered);
  }

  private async write(
    group: readonly Pending[],
    inOne: <T>(work: (client: PoolClient, last: Last) => Promise<T>) => Promise<T>,
    beforePersons: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    if (group.length === 0) return beforePersons();
    const span = () => ({ name: 'group commit', kind: 'internal', attributes: { requests: group.length } }) as const;
    await tracedFor(requestsOf(group), span, () => this.writeGroup(group, inOne, beforePersons));
  }

  private async writeGroup(
    group: readonly Pending[],
    inOne: <T>(work: (client: PoolClient, last: Last) => Promise<T>) => Promise<T>,
    beforePersons: () => Promise<void>,
  ): Promise<void> {
    const projects = projectsOf(group);
    const logged = await inOne(async (client, last) => {
      const all: LoggedBatches<Pending>[] = [];
      for (const [projectId, members] of projects)
        all.push(await this.quotas.log(client, projectId, members, latestOf(members)));
      await beforePersons();
      for (const each of all) await applyEvents(client, each, this.members, last);
      return all;
    });
    for (const each of logged) this.projection.remember(each.projectId, each);
    this.projection.wake();
    projects.forEach(([, members], at) => this.acknowledge(members, logged[at] as LoggedBatches<Pending>));
  }

  private acknowledge(members: readonly Pending[], { fresh, refused, quota }: LoggedBatches<Pending>): void {
    for (const pending of refused) pending.fail(this.quotas.refusal(quota ?? 0, pending.receivedAt));
    const isRefused = new Set(refused);
    acknowledge(refused.length === 0 ? members : members.filter((pending) => !isRefused.has(pending)), fresh);
  }

  private async commit(group: readonly Pending[]): Promise<void> {
    try {
      await this.write(group, (work) => this.postgres.transaction(work, { repeat: true }));
    } catch (error) {
      await ((await this.metQuota(group, error)) ? this.commit(group) : this.failed(group, error));
    }
  }

  private async again(group: readonly Pending[], error: unknown): Promise<void> {
    const isRepeated = mayBeRepeated(error) || (await this.metQuota(group, error));
    await (isRepeated ? this.commit(group) : this.failed(group, error));
  }

  private async metQuota(group: readonly Pending[], error: unknown): Promise<boolean> {
    const projects = projectsOf(group).map(([projectId]) => projectId);
    return this.quotas.explain(error, projects).catch(() => false);
  }

  /** Writes each part of a failed group alone, so that a batch which makes the group fail fails only itself. */
  private async failed(group: readonly Pending[], error: unknown): Promise<void> {
    const parts = partsOf(group, error);
    if (parts.length > 1) {
      this.logger.warn(
        { requests: group.length, projects: projectsOf(group).map(([project]) => project), code: codeOf(error) },
        'a group commit failed and is repeated in parts',
      );
      for (const part of parts) await this.commit(part);
      return;
    }
    for (const pending of group) pending.fail(error);
  }
}

/**
 * Divides a group that failed into parts: single requests, because one may be at fault; projects, while a node of Citus is
 * away; or a single part, when no part can be written.
 */
const partsOf = (group: readonly Pending[], error: unknown): (readonly Pending[])[] => {
  if (!(error instanceof Error) || !isPostgresUnavailable(error)) return group.map((pending) => [pending]);
  return isNodeUnavailable(error) ? projectsOf(group).map(([, members]) => members) : [group];
};

const requestsOf = (group: readonly Pending[]): (Span | null)[] => group.map(({ span }) => span);

/**
 * The time of reception that is stored for the events of a project in a group: that of the last request. Deletions spare events
 * that arrived after the deletion was requested, so no event may be stored with an earlier time than its own.
 */
const latestOf = (members: readonly Pending[]): Date =>
  new Date(Math.max(...members.map(({ receivedAt }) => receivedAt.getTime())));

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Groups requests by project, in the order of project ids, so that two processes never wait for each other. */
const projectsOf = (group: readonly Pending[]): [number, Pending[]][] => {
  const byProject = new Map<number, Pending[]>();
  for (const pending of group) {
    const members = byProject.get(pending.projectId);
    if (members) members.push(pending);
    else byProject.set(pending.projectId, [pending]);
  }
  return [...byProject].sort(([a], [b]) => a - b);
};

/** The first occurrence of a uuid is the new event; every later occurrence, in any request, is a duplicate. */
const acknowledge = (members: readonly Pending[], fresh: readonly LoggableEvent[]): void => {
  const uncredited = new Set<string>();
  for (const { uuid } of fresh) uncredited.add(uuid);
  for (const pending of members) {
    let accepted = 0;
    for (const { uuid } of pending.events) if (uncredited.delete(uuid)) accepted += 1;
    pending.succeed({ accepted, duplicates: pending.events.length - accepted });
  }
};
