import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../access/project-context.js';
import { requireDate } from '../../platform/time/dates.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { noCohort } from './cohort-id.js';
import { changeLifetimeDays } from './changes.repository.js';
import { cohortsThen, membersThen } from './history.js';
import { type Chunks } from './member-chunks.js';
import { type Member } from './record-members.js';

export interface Recorded {
  readonly id: number;
  readonly createdAt: Date;
  /** The index of the type of the groups that are its members; null: its members are persons. */
  readonly groupType: number | null;
  /** The moment from which on members are known. */
  readonly since: Date;
}

interface Row {
  readonly id: number;
  readonly created_at: Date;
  readonly group_type_index: number | null;
  readonly changes_from: Date;
}

/** Reads `as_of`, a moment or a day of the project's calendar. */
export const readAsOf = (project: ProjectContext, text: string, now: Date): Date => {
  if (!/^\d{4}-/.test(text)) throw invalidInput('as_of must be a date or a moment, such as 2026-01-31', 'as_of');
  const at = requireDate(text, 'as_of', now, project).at.toJSDate();
  if (at > now) throw invalidInput('as_of must not lie in the future', 'as_of');
  return at;
};

/** Answers who was in a cohort at an earlier moment. */
@Injectable()
export class PastMembers {
  constructor(private readonly postgres: Postgres) {}

  /**
   * Returns the members at a moment, from one snapshot. Persons who were merged or deleted since have the ids of that moment.
   */
  at(project: ProjectContext, cohortId: number, at: Date): Promise<Chunks> {
    return this.postgres.transaction(
      async (client) => {
        const cohort = await this.recorded(project, cohortId, client);
        assertKnown(cohort, at);
        return membersThen(client, project.id, cohortId, { at });
      },
      { snapshot: true },
    );
  }

  /**
   * Returns the cohorts that had the person, or one that was merged into it, or the group as a member at a moment, as far as
   * that is known.
   */
  cohortsOf(
    project: ProjectContext,
    cohorts: readonly number[],
    { kind, id: memberId }: Member,
    at: Date,
  ): Promise<ReadonlySet<number>> {
    return this.postgres.transaction(
      async (client) => {
        const members = [Number(memberId)];
        if (kind === 'persons') {
          const { rows } = await client.query<{ source: string }>(
            pgSql`SELECT source FROM person_redirects WHERE project_id = ${bound(project.id)} AND target = ${bound(memberId)}`,
          );
          members.push(...rows.map(({ source }) => Number(source)));
        }
        const known = await client.query<{ id: number }>(
          pgSql`SELECT id FROM cohorts
           WHERE project_id = ${bound(project.id)} AND (group_type_index IS NULL) = ${bound(kind === 'persons')} AND id = ANY (${bound(cohorts)}::integer[])
             AND (changes_from <= ${bound(at)} OR created_at > ${bound(at)})`,
        );
        const ids = known.rows.map(({ id }) => id);
        return cohortsThen(client, project.id, ids, members, { at });
      },
      { snapshot: true },
    );
  }

  async recorded(project: ProjectContext, cohortId: number, reader: Queryable = this.postgres): Promise<Recorded> {
    const { rows } = await reader.query<Row>(
      pgSql`SELECT id, created_at, group_type_index, changes_from FROM cohorts
       WHERE project_id = ${bound(project.id)} AND id = ${bound(cohortId)} AND NOT deleted`,
    );
    const [row] = rows;
    if (!row) throw noCohort(cohortId);
    return { id: row.id, createdAt: row.created_at, groupType: row.group_type_index, since: row.changes_from };
  }
}

/**
 * Throws when no cohort keeps its changes for that long. For questions about several cohorts, which know their members since
 * different moments.
 */
export const assertRecorded = (at: Date, now: Date): void => {
  if (now.getTime() - at.getTime() <= changeLifetimeDays * 86_400_000) return;
  throw invalidInput(`as_of must lie in the last ${changeLifetimeDays} days`, 'as_of');
};

/**
 * Throws when the members at a moment are unknown: it is after the cohort was made, and before its changes were recorded.
 * Before it was made, a cohort had no members.
 */
export const assertKnown = ({ id, createdAt, since }: Recorded, at: Date): void => {
  if (at >= since || at < createdAt) return;
  const detail = `as_of must be ${since.toISOString()} or later: earlier members of cohort ${id} are not known`;
  throw invalidInput(detail, 'as_of');
};
