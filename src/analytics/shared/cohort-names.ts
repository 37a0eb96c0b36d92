import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type Breakdown, cohortIdsOf } from './breakdown.js';

/** The names of the cohorts of a breakdown, and of `all`, by what stands for them in its values. */
export type CohortLabels = ReadonlyMap<string, string>;

export const cohortLabel = (cohort: string, labels: CohortLabels): string => labels.get(cohort) ?? cohort;

/** The parts of a value of the breakdown, with names of cohorts in place of their ids. */
export const valueLabels = (value: readonly string[], { parts }: Breakdown, labels: CohortLabels): string[] =>
  value.map((text, at) => (parts[at]?.kind === 'cohort' ? cohortLabel(text, labels) : text));

/** Looks up the names of the cohorts of a breakdown. */
@Injectable()
export class CohortNames {
  constructor(private readonly postgres: Postgres) {}

  async of(
    project: ProjectContext,
    { breakdown, groupType }: { readonly breakdown: Breakdown | null; readonly groupType: number | null },
  ): Promise<CohortLabels> {
    const ids = cohortIdsOf(breakdown);
    const labels = new Map([['all', groupType === null ? 'all users' : 'all groups']]);
    if (ids.length === 0) return labels;
    const { rows } = await this.postgres.query<{ id: number; name: string }>(
      pgSql`SELECT id, name FROM cohorts WHERE project_id = ${bound(project.id)} AND id = ANY (${bound(ids)}::integer[])`,
    );
    for (const { id, name } of rows) labels.set(String(id), name);
    return labels;
  }
}
