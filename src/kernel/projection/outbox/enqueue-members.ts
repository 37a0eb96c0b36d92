import { type ClientBase } from 'pg';
import { bound, pgSql } from '../../../platform/postgres/sql.js';

const refsAtOnce = 5_000;
/** Each chunk stands for up to 1,024 members. */
const chunksAtOnce = 250;

const groupMembers = pgSql`
  SELECT project_id, 'static_cohorts' AS kind, cohort_id || ':' || group_id AS ref,
    (row_number() OVER (PARTITION BY project_id ORDER BY cohort_id, group_id) - 1) / ${bound(refsAtOnce)}::integer AS slice
  FROM static_cohort_groups`;

/** A restored database has the schema of the release that made the backup until a service starts on it. */
const hasGroups = async (client: ClientBase): Promise<boolean> => {
  const { rows } = await client.query<{ has: boolean }>(
    "SELECT to_regclass('static_cohort_groups') IS NOT NULL AS has",
  );
  return rows[0]?.has === true;
};

/**
 * Queues what an empty ClickHouse needs and a rebuild does not copy: the members of all cohorts, and the redirects of merged
 * persons, of all projects.
 */
export const enqueueMembersAndRedirects = async (client: ClientBase, now: Date): Promise<void> => {
  const sources = [
    pgSql`SELECT project_id, 'static_cohorts' AS kind, cohort_id || ':' || person_id AS ref,
      (row_number() OVER (PARTITION BY project_id ORDER BY cohort_id, person_id) - 1) / ${bound(refsAtOnce)}::integer AS slice
      FROM static_cohort_members`,
    ...((await hasGroups(client)) ? [groupMembers] : []),
    pgSql`SELECT project_id, 'redirects' AS kind, source::text AS ref,
      (row_number() OVER (PARTITION BY project_id ORDER BY source) - 1) / ${bound(refsAtOnce)}::integer AS slice
      FROM person_redirects`,
    pgSql`SELECT m.project_id, 'calculated_cohorts' AS kind, m.cohort_id || ':' || c.version || ':' || m.chunk AS ref,
      (row_number() OVER (PARTITION BY m.project_id ORDER BY m.cohort_id, m.chunk) - 1) / ${bound(chunksAtOnce)}::integer AS slice
      FROM cohort_member_chunks AS m JOIN cohorts AS c ON c.project_id = m.project_id AND c.id = m.cohort_id
      WHERE NOT c.is_static AND NOT c.deleted AND c.version IS NOT NULL`,
  ];
  for (const source of sources) {
    await client.query(pgSql`
      INSERT INTO outbox (project_id, kind, refs, size, created_at)
      SELECT project_id, kind, jsonb_agg(ref), count(*), ${bound(now)}::timestamptz
      FROM (${source}) AS refs GROUP BY project_id, kind, slice`);
  }
};
