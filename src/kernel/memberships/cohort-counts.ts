import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../access/project-context.js';
import { Projection } from '../projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type Membership, type Versioned, memberCountsSql, membershipsOf } from './members.sql.js';

interface Counted {
  readonly version: number;
  /** The position of the projection at the time of the count. */
  readonly position: string;
  readonly count: number;
}

const maxRemembered = 10_000;

/**
 * Counts the current members of cohorts. Persons and groups that were deleted since the calculation do not count, and merged
 * ones count as the person into which they were merged. One question serves all cohorts of a page, and no question is needed
 * while ClickHouse has received nothing new.
 */
@Injectable()
export class CohortCounts {
  private readonly remembered = new Map<string, Counted>();

  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
  ) {}

  /** Returns no entry for a cohort that was never calculated. */
  async of(project: ProjectContext, cohorts: readonly Versioned[], now: Date): Promise<ReadonlyMap<number, number>> {
    const memberships = membershipsOf(cohorts);
    if (memberships.length === 0) return new Map();
    const { position } = await this.projection.waitUntilFresh(project.id, now);
    const known = (membership: Membership) => this.recall(project.id, membership, position);
    const unknown = memberships.filter((membership) => known(membership) === undefined);
    const counts = new Map(memberships.map((membership) => [membership.id, known(membership) ?? 0]));
    if (unknown.length === 0) return counts;
    const rows = await this.clickhouse.query<{ cohort_id: number; count: number }>(
      memberCountsSql(project.id, unknown),
      { project },
    );
    for (const { cohort_id: id, count } of rows) counts.set(id, count);
    if (this.remembered.size > maxRemembered) this.remembered.clear();
    for (const { id, version } of unknown) {
      this.remembered.set(`${project.id}:${id}`, { version, position, count: counts.get(id) ?? 0 });
    }
    return counts;
  }

  private recall(projectId: number, { id, version }: Membership, position: string): number | undefined {
    const counted = this.remembered.get(`${projectId}:${id}`);
    return counted?.version === version && counted.position === position ? counted.count : undefined;
  }
}
