import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type DiskSpool } from '../../common/csv/disk-spool.js';
import { type Candidate } from '../members/candidate.js';
import { queueCalculation } from '../calculation/queue.js';
import { storeCandidates } from './candidates.js';
import { type Sources } from './sources.js';
import { StaticMembers } from './static-members.js';
import { bound, pgSql } from '../../stores/postgres/sql.js';

/** Adds members to static cohorts. The cohort's row must be locked or new. */
@Injectable()
export class StaticSources {
  constructor(private readonly members: StaticMembers) {}

  async add(client: ClientBase, projectId: number, cohortId: number, sources: Sources, now: Date): Promise<void> {
    if ('many' in sources) {
      await this.addLater(client, projectId, cohortId, sources.many, now);
      return;
    }
    const { few } = sources;
    if (few.length > 0) await this.members.add(client, projectId, cohortId, few, now);
    await client.query(
      pgSql`UPDATE cohorts SET last_calculation = ${bound(now)}, last_attempt_at = ${bound(new Date())}
       WHERE project_id = ${bound(projectId)} AND id = ${bound(cohortId)} AND (${bound(few.length > 0)} OR last_calculation IS NULL)`,
    );
  }

  private async addLater(
    client: ClientBase,
    projectId: number,
    cohortId: number,
    candidates: DiskSpool<readonly Candidate[]>,
    now: Date,
  ): Promise<void> {
    await storeCandidates(client, projectId, cohortId, candidates.records());
    await queueCalculation(client, projectId, cohortId, now);
  }

  /** Resumes the filling that the deletion of the cohort interrupted. */
  async resume(client: ClientBase, projectId: number, cohortId: number): Promise<void> {
    const [project, cohort] = [bound(projectId), bound(cohortId)];
    await client.query(
      pgSql`UPDATE cohorts SET is_calculating = EXISTS (
         SELECT FROM cohort_candidates AS c WHERE c.project_id = ${project} AND c.cohort_id = ${cohort})
       WHERE project_id = ${project} AND id = ${cohort} AND is_static`,
    );
  }
}
