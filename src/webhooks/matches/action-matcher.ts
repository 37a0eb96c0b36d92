import { Injectable } from '@nestjs/common';
import { FilterChecks } from '../../filters/checks/filter-checks.js';
import { ActionLookup } from '../../filters/actions/action-lookup.js';
import { type EventMatch } from '../../filters/reading/filter.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { matchType } from '../../kernel/notices/notice.entity.js';
import { collectOutbox } from '../../kernel/projection/outbox/outbox.js';
import { Projection } from '../../kernel/projection/projection.js';
import { findProject } from '../../kernel/projects/projects.repository.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { Problem } from '../../platform/errors/problem.js';
import { Config } from '../../platform/config/config.js';
import { Lease } from '../../platform/postgres/lease.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { Workers } from '../../platform/work/workers.js';
import { pauseWebhook } from '../deliveries/webhook-pause.js';
import { WebhookWorker } from '../deliveries/webhook-worker.js';
import {
  type UncomparedArrivals,
  listWatches,
  type MatchedEvent,
  nextArrivals,
  recordMatches,
  type WatchRow,
} from './action-watches.js';
import { matchedEventsSql } from './matched-events.sql.js';

const pollMs = 500;
/** A watch that finds nothing moves this often, so that its arrivals can go, and the database rests otherwise. */
const movesEveryMs = 60_000;
/** The events of so many questions are compared, before it is seen again whether webhooks keep up. */
const piecesAtOnce = 4;
const hourMs = 3_600_000;
/** Arrivals are kept for this long for actions that could not be compared. */
export const watchedHours = 24;

interface Head {
  readonly uuid: string;
  readonly event: string;
  readonly timestamp: Date;
}

/** Compares new events with the actions that webhooks name, as soon as ClickHouse has them, and leaves notices of those that match. */
@Injectable()
export class ActionMatcher {
  private readonly sole: boolean;

  constructor(
    workers: Workers,
    config: Config,
    private readonly postgres: Postgres,
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly actions: ActionLookup,
    private readonly checks: FilterChecks,
    private readonly webhooks: WebhookWorker,
  ) {
    this.sole = config.databaseUrl === null;
    workers.add({
      name: 'matches of actions',
      warning: 'events cannot be compared with actions at the moment; nothing is lost',
      pollMs,
      round: () => this.run().then(() => null),
    });
  }

  async run(): Promise<void> {
    const watches = await listWatches(this.postgres);
    if (watches.length === 0) return;
    const lease = new Lease(this.postgres, 'matches of actions', { sole: this.sole });
    await lease.during(async () => {
      const faults: unknown[] = [];
      for (const watch of watches) await this.compare(watch).catch((error: unknown) => faults.push(error));
      if (faults.length > 0) throw faults[0];
    });
  }

  private async compare(watch: WatchRow): Promise<void> {
    const { postgres } = this;
    const now = postgres.clock.now();
    const project = await findProject(postgres, watch.project_id);
    if (!project) return;
    if (now.getTime() - watch.seen_at.getTime() > watchedHours * hourMs) await this.pause(watch, gap(watch), now);
    await collectOutbox(postgres);
    let at = watch;
    for (let piece = 0; piece < piecesAtOnce; piece += 1) {
      const arrivals = await nextArrivals(postgres, at, now);
      const isAtRest = arrivals.events.length === 0 && at.until === null;
      if (isAtRest && now.getTime() - at.seen_at.getTime() < movesEveryMs) return;
      const matched = await this.matchedOrPaused(project, at, arrivals, now);
      await recordMatches(postgres, at, matched, arrivals, now);
      if (matched.length > 0) this.webhooks.wake();
      if (arrivals.next.until === null) return;
      at = { ...at, ...arrivals.next };
    }
  }

  private async matchedOrPaused(
    project: ProjectContext,
    watch: WatchRow,
    arrivals: UncomparedArrivals,
    now: Date,
  ): Promise<MatchedEvent[]> {
    try {
      return await this.matchedOf(project, watch, arrivals, now);
    } catch (error) {
      // The action was deleted, or it names a cohort that was.
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      await this.pause(watch, `Events cannot be compared with action ${watch.action_id}: ${error.detail}`, now);
      return [];
    }
  }

  /** Returns the events that match, in the order of their commits, those of one commit by their times. */
  private async matchedOf(
    project: ProjectContext,
    { action_id: id }: WatchRow,
    { events }: UncomparedArrivals,
    now: Date,
  ): Promise<MatchedEvent[]> {
    if (events.length === 0) return [];
    const { matches } = await this.actions.reading(project, (actions) => actions.get(id, 'action'));
    const candidates = namedIn(matches, await this.heads(project, events));
    if (candidates.length === 0) return [];
    const cohorts = await this.checks.resolve(
      project,
      { kind: 'group', combine: 'OR', parts: matches.map(({ filter }) => filter) },
      'action',
      { stored: true },
    );
    await this.projection.waitUntilComplete(project.id, now);
    const times = candidates.map(({ timestamp }) => timestamp.getTime());
    const [from, to] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
    const { timezone } = project;
    const question = { projectId: project.id, timezone, now, cohorts, matches, from, to };
    const found = await this.clickhouse.query<{ uuid: string; actor: string }>(
      matchedEventsSql({ ...question, uuids: candidates.map(({ uuid }) => uuid) }),
      { project },
    );
    const actors = new Map(found.map(({ uuid, actor }) => [uuid, Number(actor)]));
    return candidates.flatMap(({ uuid }) => {
      const actor = actors.get(uuid);
      return actor === undefined ? [] : [{ uuid, person_id: actor > 0 ? actor : null }];
    });
  }

  private async heads({ id }: ProjectContext, events: UncomparedArrivals['events']): Promise<Head[]> {
    const [uuids, arrivals] = [events.map(({ uuid }) => uuid), events.map(({ arrival }) => arrival)];
    const { rows } = await this.postgres.query<Head>(
      pgSql`SELECT e.uuid, e.event, e.timestamp
       FROM unnest(${bound(uuids)}::uuid[], ${bound(arrivals)}::integer[]) AS input (uuid, arrival)
       CROSS JOIN LATERAL (
         SELECT uuid, event, timestamp FROM events WHERE project_id = ${bound(id)} AND uuid = input.uuid LIMIT 1
       ) AS e ORDER BY input.arrival, e.timestamp, e.uuid`.named('action-heads'),
    );
    return rows;
  }

  private pause({ project_id: projectId, action_id: action }: WatchRow, reason: string, now: Date): Promise<void> {
    return this.postgres.transaction(async (client) => {
      const { rows } = await client.query<{ id: number; url: string }>(
        pgSql`SELECT id, url FROM webhooks WHERE project_id = ${bound(projectId)} AND paused_at IS NULL
           AND ${bound(matchType(action))} = ANY (events) ORDER BY id FOR NO KEY UPDATE`,
      );
      for (const { id, url } of rows) await pauseWebhook(client, { projectId, id }, url, reason, now);
    });
  }
}

const gap = ({ action_id: action, seen_at: since }: WatchRow): string =>
  `Events since ${since.toISOString()} could not be compared with action ${action} for more than ${watchedHours} hours: some are left out`;

/** Events that have a name of the alternatives; all events if one of these takes any. */
const namedIn = (matches: readonly EventMatch[], heads: readonly Head[]): readonly Head[] => {
  const names = new Set(matches.map(({ event }) => event));
  return names.has(null) ? heads : heads.filter(({ event }) => names.has(event));
};
