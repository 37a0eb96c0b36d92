import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { personUuids } from '../../persons/reading/named-persons.js';
import { Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { deletedCohort, noCohort } from '../../kernel/memberships/cohort-id.js';
import {
  type ChangePosition,
  encodeChangePosition,
  type HistoryPosition,
  type PastPosition,
} from '../../kernel/memberships/change-position.js';
import { changeLifetimeDays } from '../../kernel/memberships/changes.repository.js';
import { type MemberKind } from '../../kernel/memberships/record-members.js';
import { assertMembers } from '../record/members-of-kind.js';
import { type AnyChangeDto } from './changes.dto.js';
import {
  changesAfter,
  lastChange,
  membersAfter,
  membersThen,
  type PersonChange,
  type ReadChanges,
} from '../../kernel/memberships/history.js';
import { changesBefore } from '../../kernel/memberships/past-changes.js';

/** The position and the limits of a reader. */
export interface FeedRequest {
  /** The members that the reader understands; null for a reader of cohorts of every kind. */
  readonly of: MemberKind | null;
  /** Null to start with the present members. */
  readonly after: ChangePosition | null;
  readonly entered: boolean | null;
  readonly limit: number;
}

export interface FeedPage<Position = ChangePosition> {
  readonly changes: readonly AnyChangeDto[];
  readonly position: Position;
  readonly hasMore: boolean;
}

interface CohortState {
  readonly deleted: boolean;
  readonly group_type_index: number | null;
  readonly changes_from: Date;
  readonly forgotten_change: string;
  readonly now: Date;
}

/** Reads who entered and left a cohort. A reader that keeps its position gets each change exactly once. */
@Injectable()
export class CohortFeed {
  constructor(private readonly postgres: Postgres) {}

  /** Reads a page of changes from one snapshot. */
  read(project: ProjectContext, cohortId: number, request: FeedRequest): Promise<FeedPage> {
    return this.postgres.transaction((client) => this.readIn(client, project, cohortId, request), { snapshot: true });
  }

  /** Reads the newest changes, or those before a position, from one snapshot. */
  readPast(
    project: ProjectContext,
    cohortId: number,
    before: PastPosition | null,
    read: Omit<FeedRequest, 'after'>,
  ): Promise<FeedPage<PastPosition>> {
    return this.postgres.transaction(
      async (client) => {
        const state = await this.stateOf(client, project, cohortId, read.of);
        const { changes, position, hasMore } = await changesBefore(client, project.id, cohortId, before, read);
        return { changes: await this.described(client, project, state, changes), position, hasMore };
      },
      { snapshot: true },
    );
  }

  /** Returns the position after all present changes. */
  async latest(project: ProjectContext, cohortId: number, of: MemberKind): Promise<HistoryPosition> {
    await this.stateOf(this.postgres, project, cohortId, of);
    return { id: await lastChange(this.postgres, project.id, cohortId), offset: 0 };
  }

  private async readIn(
    client: Queryable,
    project: ProjectContext,
    cohortId: number,
    { of, after, entered, limit }: FeedRequest,
  ): Promise<FeedPage> {
    const state = await this.stateOf(client, project, cohortId, of);
    const since = after ?? { snapshot: await lastChange(client, project.id, cohortId), afterPerson: 0 };
    if (('snapshot' in since ? since.snapshot : since.id) < Number(state.forgotten_change))
      throw invalidInput(`after is older than ${changeLifetimeDays} days: begin again without it`, 'after');
    if (!('snapshot' in since)) {
      const { changes, position, hasMore } = await changesAfter(client, project.id, cohortId, since, {
        limit,
        entered,
      });
      return { changes: await this.described(client, project, state, changes), position, hasMore };
    }
    const { snapshot, afterPerson } = since;
    const end: ReadChanges = { changes: [], position: { id: snapshot, offset: 0 }, hasMore: false };
    // The members at the start count as entered, so a reader who asks for departures only gets none of them.
    if (entered === false) return { ...end, changes: [] };
    const members = await membersThen(client, project.id, cohortId, { id: snapshot });
    const found = membersAfter(members, afterPerson, limit + 1);
    const persons = found.slice(0, limit);
    const isLast = found.length <= limit;
    const listed = persons.map((personId, nth) => {
      const position = isLast && nth === persons.length - 1 ? end.position : { snapshot, afterPerson: personId };
      return { personId, entered: true, reason: 'snapshot', at: state.now, position } as const;
    });
    const position = isLast ? end.position : { snapshot, afterPerson: persons.at(-1) ?? afterPerson };
    return { changes: await this.described(client, project, state, listed), position, hasMore: !isLast };
  }

  private async described(
    client: Queryable,
    project: ProjectContext,
    { group_type_index: groupType }: CohortState,
    changes: readonly (Omit<PersonChange, 'position'> & { readonly position: ChangePosition | PastPosition })[],
  ): Promise<AnyChangeDto[]> {
    const ids = changes.map(({ personId }) => personId);
    const memberOf =
      groupType === null
        ? await this.persons(client, project, ids)
        : await this.groups(client, project, groupType, ids);
    // Changes that were read from one row of `cohort_changes` share one Date, so its text is made once.
    let written: readonly [at: Date, text: string] | null = null;
    return changes.map(({ personId: id, entered, reason, at, position }) => {
      if (written?.[0] !== at) written = [at, at.toISOString()];
      return {
        cursor: encodeChangePosition(position),
        change: entered ? 'entered' : 'left',
        reason,
        at: written[1],
        ...memberOf(id),
      };
    });
  }

  private async persons(client: Queryable, project: ProjectContext, ids: readonly number[]) {
    const uuids = await personUuids(client, project.id, ids);
    return (id: number) => ({ person: { id, uuid: uuids.get(id) ?? null } });
  }

  private async groups(client: Queryable, project: ProjectContext, groupType: number, ids: readonly number[]) {
    const { rows } = await client.query<{ id: string; key: string }>(
      pgSql`SELECT g.id, g.key FROM unnest(${bound(ids)}::bigint[]) AS input (id)
       CROSS JOIN LATERAL (
         SELECT id, key FROM groups WHERE project_id = ${bound(project.id)} AND id = input.id LIMIT 1
       ) AS g`.named('changed-groups'),
    );
    const keys = new Map(rows.map(({ id, key }) => [Number(id), key]));
    return (id: number) => ({ group: { id, group_type_index: groupType, group_key: keys.get(id) ?? null } });
  }

  private async stateOf(
    reader: Queryable,
    project: ProjectContext,
    cohortId: number,
    of: MemberKind | null,
  ): Promise<CohortState> {
    const { rows } = await reader.query<CohortState>(
      pgSql`SELECT deleted, group_type_index, changes_from, forgotten_change, clock_timestamp() AS now FROM cohorts
       WHERE project_id = ${bound(project.id)} AND id = ${bound(cohortId)}`,
    );
    const [state] = rows;
    if (!state) throw noCohort(cohortId);
    if (state.deleted) throw deletedCohort(cohortId);
    if (of !== null) assertMembers(cohortId, state.group_type_index, of, 'changes');
    return state;
  }
}
