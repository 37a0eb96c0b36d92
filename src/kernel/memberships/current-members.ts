import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../access/project-context.js';
import { Projection } from '../projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type Candidate } from './candidate.js';
import { CohortCounts } from './cohort-counts.js';
import { type Membership, cohortsOfPersonSql, membersAfterSql } from './members.sql.js';

interface Versioned {
  readonly id: number;
  readonly version: number | null;
}

const membersPerStep = 50_000;

const membershipOf = ({ id, version }: Versioned): Membership[] => (version === null ? [] : [{ id, version }]);

/** Answers which persons are members of which cohorts now. */
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
    const [membership] = membershipOf(cohort);
    let after: string | undefined = membership && '0';
    while (membership && after !== undefined) {
      const rows: { person: string }[] = await this.clickhouse.query<{ person: string }>(
        membersAfterSql(project.id, membership, after, membersPerStep),
        { project },
      );
      for (const { person } of rows) yield { kind: 'id', value: person };
      after = rows.length < membersPerStep ? undefined : rows.at(-1)?.person;
    }
  }

  /** Returns the ids of the cohorts that have the person as a member. */
  async cohortsOf(
    project: ProjectContext,
    cohorts: readonly Versioned[],
    personId: string,
    now: Date,
  ): Promise<ReadonlySet<number>> {
    const memberships = cohorts.flatMap(membershipOf);
    if (memberships.length === 0) return new Set();
    await this.projection.waitUntilFresh(project.id, now);
    const rows = await this.clickhouse.query<{ cohort_id: number }>(
      cohortsOfPersonSql(project.id, memberships, personId),
      { project },
    );
    return new Set(rows.map(({ cohort_id }) => cohort_id));
  }
}
