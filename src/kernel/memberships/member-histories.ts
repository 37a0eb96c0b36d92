import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../access/project-context.js';
import { QueryTooExpensive } from '../../platform/clickhouse/errors.js';
import { type Queryable, Postgres } from '../../platform/postgres/postgres.js';
import { changesSince, membersThen } from './history.js';
import { type Chunks } from './member-chunks.js';
import { PastMembers } from './past-members.js';

/** The members of a cohort from a moment on. */
export interface MemberHistory {
  readonly cohortId: number;
  /** The index of the type of the groups that are its members; null: its members are persons. */
  readonly groupType: number | null;
  readonly from: Date;
  /** The members at that moment. */
  readonly members: Chunks;
  /** The changes since, in order. `persons` are ids with commas between them. */
  readonly changes: readonly { readonly at: Date; readonly entered: boolean; readonly persons: string }[];
}

/**
 * The most entering and leaving persons in all histories of a question, because they travel to ClickHouse inside the statement.
 */
const maxChanges = 1_000_000;

/** Reads the histories of cohorts for questions about the time of an event. */
@Injectable()
export class MemberHistories {
  constructor(
    private readonly postgres: Postgres,
    private readonly past: PastMembers,
  ) {}

  /** Reads the histories from one snapshot. */
  read(project: ProjectContext, cohortIds: readonly number[], from: Date): Promise<MemberHistory[]> {
    return this.postgres.transaction(
      async (client) => {
        const histories: MemberHistory[] = [];
        let room = maxChanges;
        for (const cohortId of cohortIds) {
          const groupType = await this.typeKnownFrom(project, cohortId, from, client);
          const members = await membersThen(client, project.id, cohortId, { at: from });
          const changes: { at: Date; entered: boolean; persons: string }[] = [];
          for await (const page of changesSince(client, project.id, cohortId, from)) {
            for (const { at, entered, persons } of page) {
              room -= persons.length;
              if (room < 0) throw new QueryTooExpensive('rows');
              changes.push({ at, entered, persons: persons.join(',') });
            }
          }
          histories.push({ cohortId, groupType, from, members, changes });
        }
        return histories;
      },
      { snapshot: true },
    );
  }

  /** Throws when earlier members are not known. Before it was made, a cohort had no members. Returns the kind of its members. */
  private async typeKnownFrom(
    project: ProjectContext,
    cohortId: number,
    from: Date,
    reader: Queryable,
  ): Promise<number | null> {
    const { since, createdAt, groupType } = await this.past.recorded(project, cohortId, reader);
    if (since <= from || since <= createdAt) return groupType;
    const detail = `date_from must be ${since.toISOString()} or later: earlier members of cohort ${cohortId} are not known`;
    throw invalidInput(detail, 'date_from');
  }
}
