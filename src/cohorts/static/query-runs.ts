import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { assertScopes } from '../../kernel/access/scopes.js';
import { type Requester } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type MembersChangeDto } from '../cohort.dto.js';
import { queueCalculation } from '../record/calculations.repository.js';
import { SelectedMembers, type SelectedSample } from '../selection/selected-members.js';
import { type Sources, sourcesOf } from './sources.js';
import { type StaticCohort } from './member-tables.js';
import { StaticMembers } from './static-members.js';
import { StaticSources } from './static-sources.js';

export const noOutcome: MembersChangeDto = { members_came: null, members_went: null };

/** Runs the queries of static cohorts. The members are then those that the last run selected, and those added since. */
@Injectable()
export class QueryRuns {
  constructor(
    private readonly postgres: Postgres,
    private readonly selected: SelectedMembers,
    private readonly sources: StaticSources,
    private readonly members: StaticMembers,
  ) {}

  /** Runs a query. Must be called before a transaction starts, because a question takes time and may be wrong. */
  async select(
    project: ProjectContext,
    query: unknown,
    { scopes, now }: Requester,
    groupType: number | null,
  ): Promise<Sources> {
    assertScopes(scopes, ['query:read']);
    return sourcesOf(await this.selected.select(project, query, now, { groupType }));
  }

  preview(
    project: ProjectContext,
    query: unknown,
    { scopes, now }: Requester,
    groupType: number | null,
  ): Promise<SelectedSample> {
    assertScopes(scopes, ['query:read']);
    return this.selected.preview(project, query, now, groupType);
  }

  /** Replaces the members by the selected ones. The cohort's row must be locked or new. */
  async replace(
    client: ClientBase,
    projectId: number,
    replaced: StaticCohort,
    selected: Sources,
    now: Date,
  ): Promise<void> {
    const [project, cohort] = [bound(projectId), bound(replaced.id)];
    await client.query(
      pgSql`UPDATE cohorts SET query_runs = query_runs + 1, members_came = 0, members_went = 0
       WHERE project_id = ${project} AND id = ${cohort}`,
    );
    // Candidates of an earlier run or upload are dropped.
    await client.query(pgSql`DELETE FROM cohort_candidates WHERE project_id = ${project} AND cohort_id = ${cohort}`);
    if ('many' in selected) {
      await this.sources.add(client, projectId, replaced, selected, { now });
      return;
    }
    await this.members.addSelected(client, projectId, replaced, selected.few, { now, upload: null });
    await client.query(
      pgSql`UPDATE cohorts SET last_calculation = ${bound(now)}, last_attempt_at = ${bound(new Date())}, is_calculating = false
       WHERE project_id = ${project} AND id = ${cohort}`,
    );
    const last = await this.members.removeUnselected(client, projectId, replaced, '0', now);
    if (last !== null) await queueCalculation(client, projectId, replaced.id, now);
  }

  /** Returns how many members entered and left by the last run; nulls when no run is complete. */
  async outcome(project: ProjectContext, cohortId: number): Promise<MembersChangeDto> {
    const { rows } = await this.postgres.query<MembersChangeDto>(
      pgSql`SELECT members_came, members_went FROM cohorts
       WHERE project_id = ${bound(project.id)} AND id = ${bound(cohortId)} AND query IS NOT NULL AND NOT is_calculating`,
    );
    return rows[0] ?? noOutcome;
  }
}
