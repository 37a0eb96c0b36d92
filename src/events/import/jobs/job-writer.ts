import { type ClientBase } from 'pg';
import { importPersons, type ImportedPerson } from '../../../persons/identity/import-persons.js';
import { type MemberMoves } from '../../../persons/member-moves.js';
import { type Lease } from '../../../stores/postgres/lease.js';
import { type Postgres } from '../../../stores/postgres/postgres.js';
import { applyEvents } from '../../ingest/event-log.js';
import { type LoggableEvent } from '../../ingest/loggable.js';
import { type Verdict } from '../../ingest/pending.js';
import { quotaUsedUp } from '../../ingest/quota/event-quotas.js';
import { logWithinQuota } from '../../ingest/quota/log-within-quota.js';
import { type ImportRefusal, type ImportWriter, type LinesRead } from '../import-run.js';
import { type JobRef, recordProgress, removePiece } from './job-rows.js';

export interface JobParts {
  readonly postgres: Postgres;
  readonly members: MemberMoves;
  /** Only its holder works on the job: every transaction confirms it. */
  readonly lease: Lease;
}

/**
 * Writes lines of a job. Their events and the progress of the job are one transaction, so that no line is written twice, with a
 * uuid or without. Persons are written before: importing them again changes nothing.
 */
export class JobWriter implements ImportWriter {
  constructor(
    private readonly parts: JobParts,
    private readonly job: JobRef,
    private readonly now: Date,
    /** The stored lines that are written; null when they come from a file. */
    private readonly position: number | null,
  ) {}

  writePersons(persons: readonly ImportedPerson[]): Promise<ReadonlyMap<number, string>> {
    const { postgres, members, lease } = this.parts;
    return postgres.transaction(
      async (client) => {
        await lease.confirm(client);
        return importPersons(client, this.job.projectId, persons, this.now, members);
      },
      { repeat: true },
    );
  }

  writeEvents(events: readonly LoggableEvent[], receivedAt: Date, read: LinesRead): Promise<Verdict> {
    const { postgres, lease } = this.parts;
    const { job, position } = this;
    return postgres.transaction(
      async (client) => {
        await lease.confirm(client);
        const accepted = events.length === 0 ? 0 : await this.log(client, events, receivedAt);
        const duplicates = events.length - accepted;
        const refusals = read.refusals.map(withoutNames);
        await recordProgress(client, job, { ...read, refusals, events: accepted, duplicates });
        if (position !== null) await removePiece(client, job, position);
        return { accepted, duplicates };
      },
      { repeat: true },
    );
  }

  /** Returns the number of new events. Refuses all of them when the quota of the project has no room for those that are new. */
  private async log(client: ClientBase, events: readonly LoggableEvent[], receivedAt: Date): Promise<number> {
    const logged = await logWithinQuota(client, this.job.projectId, [{ events }], receivedAt);
    if (logged.refused.length > 0) throw quotaUsedUp(logged.quota ?? 0, receivedAt);
    await applyEvents(client, logged, this.parts.members);
    return logged.fresh.length;
  }
}

/** The reason of a conflict names a person, which may be deleted while the job is kept. */
const withoutNames = (refusal: ImportRefusal): ImportRefusal =>
  refusal.code === 'conflict'
    ? { ...refusal, detail: 'a distinct id of the line belongs to another identified person' }
    : refusal;
