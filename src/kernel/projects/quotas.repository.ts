import { conflict, type Problem } from '../../platform/errors/problem.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { noQuotas, type QuotaName, type Quotas } from './quotas.js';

/** The quotas of the row `p` of `projects`, as one object. */
export const quotasColumn: PgSql = pgSql`json_build_object('events_per_day', p.quota_events_per_day,
  'cohorts', p.quota_cohorts, 'members', p.quota_members)`;

/** Call it after `lockProject`, where a change of the quotas must not come between. */
export const quotasOf = async (client: Queryable, projectId: number): Promise<Quotas> => {
  const { rows } = await client.query<{ quotas: Quotas }>(
    pgSql`SELECT ${quotasColumn} AS quotas FROM projects p WHERE p.id = ${bound(projectId)} AND p.deleted_at IS NULL`,
  );
  return rows[0]?.quotas ?? noQuotas;
};

/** `what` is in the plural, with what does not count. */
export const quotaReached = (name: QuotaName, limit: number, what: string, remedy: string): Problem =>
  conflict(
    `The quota ${name} allows the project ${limit} ${what}: ${remedy}, or let an owner of the installation raise the quota`,
  );
