import { appendNotice } from '../../../kernel/notices/notices.repository.js';
import { type Postgres } from '../../../platform/postgres/postgres.js';
import { type Lease } from '../../../platform/postgres/lease.js';
import { importActivity } from '../import-activity.js';
import { finishJob, type JobRef, type JobRow } from './import-jobs.repository.js';

/** Finishes a job and writes its activity entry, even if the job failed half way, because its counted events are stored. */
export const finish = (
  postgres: Postgres,
  lease: Lease,
  job: JobRef,
  error: string | null,
  now: Date,
): Promise<JobRow | null> =>
  postgres.transaction(
    async (client) => {
      await lease.confirm(client);
      const finished = await finishJob(client, job, { error, now });
      if (!finished) return null;
      const { persons, events, duplicates, rejected_count, created_by, request_id, project_id, id } = finished;
      const counts = {
        persons: Number(persons),
        events: Number(events),
        duplicates: Number(duplicates),
        rejected: Number(rejected_count),
      };
      await importActivity(client, { id: project_id }, counts, {
        userId: created_by,
        requestId: request_id,
        now,
        importId: id,
      });
      const data = { import_id: id, failed: error !== null, ...counts };
      await appendNotice(client, { id: project_id }, { type: 'import.finished', key: id, data, at: now });
      return finished;
    },
    { repeat: true },
  );
