import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { ActiveProjects } from '../../platform/work/active-projects.js';
import { type DiskSpool } from '../../platform/csv/disk-spool.js';
import { type Candidate } from '../../kernel/memberships/candidate.js';
import { queueCalculation } from '../record/calculations.repository.js';
import { storeCandidates } from './candidates.js';
import { type Sources } from './sources.js';
import { addUploadedRows, startUpload } from '../record/uploads.repository.js';
import { type StaticCohort } from './member-tables.js';
import { StaticMembers } from './static-members.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

/** Adds members to static cohorts. The cohort's row must be locked or new. */
@Injectable()
export class StaticSources {
  constructor(
    private readonly members: StaticMembers,
    private readonly active: ActiveProjects,
  ) {}

  /** Adds the members that a request names, and starts the report of the upload. */
  async upload(
    client: ClientBase,
    projectId: number,
    cohort: StaticCohort,
    sources: Sources,
    now: Date,
  ): Promise<void> {
    const isEmpty = 'few' in sources && sources.few.length === 0;
    const upload = isEmpty ? null : await startUpload(client, projectId, cohort.id, now);
    const added = await this.add(client, projectId, cohort, sources, { now, upload });
    if (upload !== null) await addUploadedRows(client, projectId, cohort.id, upload, added);
  }

  /** Adds the candidates, now or in the background. Returns their number. */
  async add(
    client: ClientBase,
    projectId: number,
    cohort: StaticCohort,
    sources: Sources,
    { now, upload = null }: { now: Date; upload?: number | null },
  ): Promise<number> {
    if ('many' in sources) return this.addLater(client, projectId, cohort.id, sources.many, { now, upload });
    const { few } = sources;
    if (few.length > 0) await this.members.add(client, projectId, cohort, few, { now, upload });
    await client.query(
      pgSql`UPDATE cohorts SET last_calculation = ${bound(now)}, last_attempt_at = ${bound(new Date())}
       WHERE project_id = ${bound(projectId)} AND id = ${bound(cohort.id)} AND (${bound(few.length > 0)} OR last_calculation IS NULL)`,
    );
    return few.length;
  }

  private async addLater(
    client: ClientBase,
    projectId: number,
    cohortId: number,
    candidates: DiskSpool<readonly Candidate[]>,
    { now, upload }: { now: Date; upload: number | null },
  ): Promise<number> {
    const batches = this.active.pace(projectId).each(candidates.records());
    const stored = await storeCandidates(client, projectId, cohortId, upload, batches);
    await queueCalculation(client, projectId, cohortId, now);
    return stored;
  }

  /** Resumes a filling that was interrupted when the cohort was deleted. */
  async resume(client: ClientBase, projectId: number, cohortId: number): Promise<void> {
    const [project, cohort] = [bound(projectId), bound(cohortId)];
    await client.query(
      pgSql`UPDATE cohorts SET is_calculating = EXISTS (
         SELECT FROM cohort_candidates AS c WHERE c.project_id = ${project} AND c.cohort_id = ${cohort})
       WHERE project_id = ${project} AND id = ${cohort} AND is_static`,
    );
  }
}
