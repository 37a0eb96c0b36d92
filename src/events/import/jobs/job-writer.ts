import { type ClientBase } from 'pg';
import { importPersons, type ImportedPerson } from '../../../kernel/identity/import-persons.js';
import { loadOwners } from '../../../kernel/identity/load.js';
import { type MovedMembers } from '../../../kernel/memberships/moved-members.js';
import { type Lease } from '../../../platform/postgres/lease.js';
import { type Postgres } from '../../../platform/postgres/postgres.js';
import { type LoggableEvent, applyEvents } from '../../../kernel/event-log/event-log.js';
import { type Verdict } from '../../../kernel/event-log/group-commit.js';
import { logWithinQuota, quotaUsedUp } from '../../../kernel/event-log/quota/event-quotas.js';
import { type WriteStep, type FindOwners, type RefusedPersons, writeBatches } from '../batches.js';
import { type ImportRefusal, type ImportWriter, type LinesRead } from '../import-run.js';
import { type JobRef, recordProgress, removePiece } from './import-jobs.repository.js';

export interface JobParts {
  readonly postgres: Postgres;
  readonly members: MovedMembers;
  /** Every transaction confirms this lease, so that only its holder works on the job. */
  readonly lease: Lease;
}

/**
 * Writes lines of a job. Events and progress are committed in one transaction, so that no line is written twice, with or without
 * a uuid. Persons before the first event are committed earlier, because importing them again changes nothing.
 */
export class JobWriter implements ImportWriter {
  constructor(
    private readonly parts: JobParts,
    private readonly job: JobRef,
    private readonly now: Date,
    /** The position of the stored piece being written; null when the lines come from a file. */
    private readonly position: number | null,
  ) {}

  readonly findOwners: FindOwners = (distinctIds) => loadOwners(this.parts.postgres, this.job.projectId, distinctIds);

  async write(
    batches: readonly WriteStep[],
    receivedAt: Date,
    read: (refusedPersons: RefusedPersons) => LinesRead,
  ): Promise<LinesRead & Verdict> {
    const { job, position } = this;
    const first = batches[0]?.persons ?? [];
    const refusedFirst = first.length > 0 ? await this.transaction((client) => this.persons(client, first)) : null;
    return this.transaction(async (client) => {
      const { refusedPersons, ...verdict } = await writeBatches(batches, {
        writePersons: (persons) =>
          persons === first && refusedFirst ? Promise.resolve(refusedFirst) : this.persons(client, persons),
        writeEvents: (events) => this.log(client, events, receivedAt),
      });
      const lines = read(refusedPersons);
      const refusals = lines.refusals.map(withoutNames);
      await recordProgress(client, job, {
        ...lines,
        refusals,
        events: verdict.accepted,
        duplicates: verdict.duplicates,
      });
      if (position !== null) await removePiece(client, job, position);
      return { ...lines, ...verdict };
    });
  }

  private transaction<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const { postgres, lease } = this.parts;
    return postgres.transaction(
      async (client) => {
        await lease.confirm(client);
        return work(client);
      },
      { repeat: true },
    );
  }

  private persons(client: ClientBase, persons: readonly ImportedPerson[]): Promise<RefusedPersons> {
    return importPersons(client, this.job.projectId, persons, this.now, this.parts.members);
  }

  /** Logs the events of a step. If the quota has no room for all new events, every event is refused. */
  private async log(client: ClientBase, events: readonly LoggableEvent[], receivedAt: Date): Promise<Verdict> {
    const logged = await logWithinQuota(client, this.job.projectId, [{ events }], receivedAt);
    if (logged.refused.length > 0) throw quotaUsedUp(logged.quota ?? 0, receivedAt);
    await applyEvents(client, logged, this.parts.members);
    const accepted = logged.fresh.length;
    return { accepted, duplicates: events.length - accepted };
  }
}

/** Removes the names from the reason of a conflict, because the person may be deleted while the job is kept. */
const withoutNames = (refusal: ImportRefusal): ImportRefusal =>
  refusal.code === 'conflict'
    ? { ...refusal, detail: 'a distinct id of the line belongs to another identified person' }
    : refusal;
