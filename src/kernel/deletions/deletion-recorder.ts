import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { type Author } from '../access/author.js';
import { type ProjectContext } from '../access/project-context.js';
import { type Uuids } from '../../platform/clickhouse/uuid-lines.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { nextOccurrence } from '../../platform/time/schedule.js';
import { zeroUuid } from '../../platform/values/ids.js';
import { type Scrub } from '../event-log/removal/scrub.js';
import { type DeletionCriteria, type DeletionKind } from './deletion-request.entity.js';

export interface PersonWithEvents {
  readonly id: string;
  readonly uuid: string;
  readonly distinctIds: readonly string[];
}

export interface RequestedDeletion {
  readonly id: string;
  /** Events that are received later stay. */
  readonly createdAt: Date;
}

/** Events that were selected, and their parts to remove; null: the whole events. */
export interface SelectedPart {
  readonly uuids: Uuids;
  readonly scrub: Scrub | null;
}

export interface SelectedDeletion {
  readonly kind: Exclude<DeletionKind, 'person'>;
  readonly criteria: DeletionCriteria;
  readonly receivedUpTo: Date;
  readonly selections: readonly SelectedPart[];
}

/** More events at a time would take a request too long. */
export const mostSelected = 1_000_000;

/** The events of one row of `deletion_request_events`, which one transaction removes. */
const eventsTogether = 1000;
const eventsPerStatement = 50 * eventsTogether;

const idsPerStatement = 10_000;
const longestWaitMs = 1000;

/** Records the events to delete, in the transaction of the request, such as that which deletes their person. */
@Injectable()
export class DeletionRecorder {
  constructor(
    private readonly config: Config,
    private readonly postgres: Postgres,
  ) {}

  async request(
    client: ClientBase,
    project: ProjectContext,
    person: PersonWithEvents,
    { userId, requestId, now }: Author,
  ): Promise<RequestedDeletion> {
    const id = uuidv7();
    const createdAt = this.upTo(now);
    const scheduledFor = nextOccurrence(this.config.deletionSchedule, now);
    await client.query(
      pgSql`INSERT INTO deletion_requests (project_id, id, person_id, person_uuid, distinct_id_count, requested_by,
         request_id, created_at, scheduled_for, state, events_deleted)
       VALUES (${bound(project.id)}, ${bound(id)}, ${bound(person.id)}, ${bound(person.uuid)},
         ${bound(person.distinctIds.length)}, ${bound(userId)}, ${bound(requestId)}, ${bound(createdAt)}, ${bound(scheduledFor)},
         'pending', 0)`,
    );
    for (let from = 0; from < person.distinctIds.length; from += idsPerStatement) {
      const distinctIds = person.distinctIds.slice(from, from + idsPerStatement);
      await client.query(
        pgSql`INSERT INTO deletion_request_ids (project_id, request_id, distinct_id)
         SELECT ${bound(project.id)}, ${bound(id)}, distinct_id FROM unnest(${bound(distinctIds)}::text[]) AS input (distinct_id)
         ON CONFLICT DO NOTHING`,
      );
    }
    return { id, createdAt };
  }

  /** Records events that were selected one by one. Those that were received after `receivedUpTo` stay. */
  async requestSelected(
    client: ClientBase,
    project: ProjectContext,
    { kind, criteria, receivedUpTo, selections }: SelectedDeletion,
    { userId, requestId, now }: Author,
  ): Promise<RequestedDeletion> {
    const id = uuidv7();
    const createdAt = this.upTo(now);
    const selected = selections.reduce((sum, { uuids }) => sum + uuids.length, 0);
    await client.query(
      pgSql`INSERT INTO deletion_requests (project_id, id, kind, person_id, person_uuid, distinct_id_count, requested_by,
         request_id, created_at, received_up_to, criteria, events_selected, scheduled_for, state, events_deleted)
       VALUES (${bound(project.id)}, ${bound(id)}, ${bound(kind)}, 0, ${bound(zeroUuid)}, 0, ${bound(userId)}, ${bound(requestId)},
         ${bound(createdAt)}, ${bound(receivedUpTo)}, ${bound(JSON.stringify(criteria))}, ${bound(selected)},
         ${bound(nextOccurrence(this.config.deletionSchedule, now))}, 'pending', 0)`,
    );
    let position = 0;
    for (const { uuids, scrub } of selections) {
      for (let from = 0; from < uuids.length; from += eventsPerStatement) {
        const slices = slicesOf(uuids.slice(from, from + eventsPerStatement));
        const rows = slices.map((slice, at) => ({ position: position + at, uuids: slice, scrub }));
        await client.query(
          pgSql`INSERT INTO deletion_request_events (project_id, request_id, position, uuids, scrub)
           SELECT ${bound(project.id)}, ${bound(id)}, position, uuids, nullif(scrub, 'null')
           FROM jsonb_to_recordset(${bound(JSON.stringify(rows))}::jsonb) AS input (position integer, uuids uuid[], scrub jsonb)`,
        );
        position += rows.length;
      }
    }
    return { id, createdAt };
  }

  /** The moment up to which events are deleted by a request that is made now. */
  upTo(now: Date): Date {
    return new Date(now.getTime() + this.toleranceMs);
  }

  /**
   * Waits until every further event arrives later than the requested deletion, and is therefore kept. Moments are whole
   * milliseconds: an event that is sent after the answer must be received in a later one. Call it after the commit of the
   * requests and before their answer: a transaction that waited would hold its locks.
   */
  async untilLaterEvents(requestedAt: Date): Promise<void> {
    const { toleranceMs } = this;
    const now = () => this.postgres.clock.now().getTime();
    // A clock that was set back meanwhile must not hold up the answer for long.
    const remaining = Math.min(requestedAt.getTime() - now() + toleranceMs, longestWaitMs);
    if (toleranceMs > 0 && remaining >= 0) await sleep(remaining + 1);
    while (now() === requestedAt.getTime()) await sleep(1);
  }

  /**
   * The clock of another process may be ahead by this much, so that an event which it received before the request seems later.
   */
  private get toleranceMs(): number {
    return this.config.clickhouseUrl === null ? 0 : this.postgres.clock.toleranceMs;
  }
}

const slicesOf = (uuids: readonly string[]): (readonly string[])[] =>
  Array.from({ length: Math.ceil(uuids.length / eventsTogether) }, (_, at) =>
    uuids.slice(at * eventsTogether, (at + 1) * eventsTogether),
  );
