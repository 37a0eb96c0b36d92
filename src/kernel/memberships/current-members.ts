import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../access/project-context.js';
import { Projection } from '../projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type Candidate } from './candidate.js';
import { CohortCounts } from './cohort-counts.js';
import {
  type Versioned,
  cohortsOfGroupSql,
  cohortsOfPersonSql,
  membersAfterSql,
  membershipsOf,
} from './members.sql.js';
import { type Member, memberKindOf } from './record-members.js';

const membersPerStep = 50_000;

/** Answers which persons and groups are members of which cohorts now. */
@Injectable()
export class CurrentMembers {
  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly counts: CohortCounts,
  ) {}

  async count(project: ProjectContext, cohort: Versioned, now: Date): Promise<number> {
    return (await this.counts.of(project, [cohort], now)).get(cohort.id) ?? 0;
  }

  async *all(project: ProjectContext, cohort: Versioned): AsyncGenerator<Candidate> {
    const [membership] = membershipsOf([cohort]);
    let after: string | undefined = membership && '0';
    while (membership && after !== undefined) {
      const rows: { member: string }[] = await this.clickhouse.query<{ member: string }>(
        membersAfterSql(project.id, membership, after, membersPerStep),
        { project },
      );
      for (const { member } of rows) yield { kind: 'id', value: member };
      after = rows.length < membersPerStep ? undefined : rows.at(-1)?.member;
    }
  }

  /** Returns the ids of the cohorts that have the person, or the group, as a member. */
  async cohortsOf(
    project: ProjectContext,
    cohorts: readonly Versioned[],
    member: Member,
    now: Date,
  ): Promise<ReadonlySet<number>> {
    const memberships = membershipsOf(
      cohorts.filter(({ group_type_index: type }) => memberKindOf(type) === member.kind),
    );
    if (memberships.length === 0) return new Set();
    await this.projection.waitUntilFresh(project.id, now);
    const rows = await this.clickhouse.query<{ cohort_id: number }>(
      (member.kind === 'persons' ? cohortsOfPersonSql : cohortsOfGroupSql)(project.id, memberships, member.id),
      { project },
    );
    return new Set(rows.map(({ cohort_id }) => cohort_id));
  }
}
