import { type ClickHouse } from '../../platform/clickhouse/client.js';
import { removeWhere } from '../../platform/clickhouse/remove-where.js';
import { join, sql } from '../../platform/clickhouse/sql.js';
import { unsigned } from '../../platform/clickhouse/values.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

/** No reader uses the version it began with for longer than this. */
const readersMs = 120_000;
const cohortsAtOnce = 50;

interface Outdated {
  readonly project_id: number;
  readonly id: number;
  readonly version: number;
}

const outdated = (until: Date): PgSql => pgSql`
  SELECT project_id, id, version FROM cohorts
  WHERE NOT is_static AND version IS NOT NULL AND swept_version < version AND last_attempt_at <= ${bound(until)}
  ORDER BY project_id, id LIMIT ${bound(cohortsAtOnce)}`;

/** Removes members of versions before the current one, once no question can still be reading them. */
export const removeOutdatedMembers = async (postgres: Postgres, clickhouse: ClickHouse, now: Date): Promise<number> => {
  const { rows } = await postgres.query<Outdated>(outdated(new Date(now.getTime() - readersMs)));
  for (const projectId of new Set(rows.map(({ project_id }) => project_id))) {
    const cohorts = rows.filter(({ project_id }) => project_id === projectId);
    const older = cohorts.map(
      ({ id, version }) => sql`(cohort_id = ${unsigned(id)} AND version < ${unsigned(version)})`,
    );
    const members = sql`project_id = ${unsigned(projectId)} AND (${join(older, sql` OR `)})`;
    await removeWhere(clickhouse, 'cohort_members', members);
    for (const { id, version } of cohorts) {
      await postgres.query(
        pgSql`UPDATE cohorts SET swept_version = ${bound(version)} WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}`,
      );
    }
  }
  return rows.length;
};
