import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type CohortMemberships, noCohorts } from '../compile/compile.sql.js';
import { type Filter, leavesOf } from '../reading/filter.js';
import { assertWithinLimits } from '../reading/filter-limits.js';
import { RegexCheck } from './regex-check.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

export interface ResolveOptions {
  /**
   * True for a stored filter, which was accepted before: its cohorts may have been deleted since, and still have their members.
   */
  readonly stored?: boolean;
  /** Aborts when no caller needs the answer any longer. */
  readonly signal?: AbortSignal;
  /** The owner of the filters, as the subject of an error message. */
  readonly subject?: string;
  /** True if the statement can answer who was in a cohort at the time of an event. */
  readonly atEvent?: boolean;
}

/**
 * Checks and resolves the parts of a filter that only the databases know. Every filter passes here between `parseFilters` and
 * `filterSql`.
 */
@Injectable()
export class FilterCohorts {
  constructor(
    private readonly postgres: Postgres,
    private readonly regexes: RegexCheck,
  ) {}

  /** Refuses more filters than a statement may have, unknown cohorts and regular expressions that RE2 does not accept. */
  async resolve(
    project: ProjectContext,
    filter: Filter,
    attr: string,
    { stored = false, signal, subject, atEvent = false }: ResolveOptions = {},
  ): Promise<CohortMemberships> {
    assertWithinLimits(filter, attr, subject);
    if (!atEvent) refuseAtEvent(filter);
    const [memberships] = await Promise.all([
      this.memberships(project, filter, attr, stored),
      this.regexes.check(project, filter, attr, signal),
    ]);
    return memberships;
  }

  private async memberships(
    project: ProjectContext,
    filter: Filter,
    attr: string,
    stored: boolean,
  ): Promise<CohortMemberships> {
    const leaves = leavesOf(filter).filter((leaf) => leaf.kind === 'cohort');
    if (leaves.length === 0) return noCohorts;
    const ids = [...new Set(leaves.map(({ cohortId }) => cohortId))];
    const { rows } = await this.postgres.query<{ id: number; version: number | null; deleted: boolean }>(
      pgSql`
        SELECT id, version, deleted FROM cohorts
        WHERE project_id = ${bound(project.id)} AND id = ANY (${bound(ids)}::integer[])`,
    );
    const cohorts = new Map(rows.map((cohort) => [cohort.id, cohort]));
    for (const { cohortId, at, stored: isStored = stored } of leaves) {
      const cohort = cohorts.get(cohortId);
      if (cohort && (isStored || !cohort.deleted)) continue;
      const path = at === undefined ? attr : `${at}.value`;
      throw invalidInput(`${path} must be the id of a cohort of this project: there is no cohort ${cohortId}`, path);
    }
    return new Map(rows.map(({ id, version }) => [id, version]));
  }
}

const refuseAtEvent = (filter: Filter): void => {
  const leaf = leavesOf(filter).find((each) => each.kind === 'cohort' && each.atEvent);
  if (!leaf) return;
  const attr = leaf.at === undefined ? 'breakdowns' : `${leaf.at}.at`;
  throw invalidInput(`${attr} is possible in trends only: the membership at the time of the event`, attr);
};
