import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { type Author } from '../access/author.js';
import { type ProjectContext } from '../access/project-context.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { nextOccurrence } from '../../platform/time/schedule.js';

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

const idsPerStatement = 10_000;
const longestWaitMs = 1000;

/** Records the events to delete, in the transaction that deletes the person. */
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
    const createdAt = new Date(now.getTime() + this.toleranceMs);
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
