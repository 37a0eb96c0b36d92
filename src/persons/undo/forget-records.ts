import { type ClientBase } from 'pg';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';

/** Deleted persons, and the persons that were merged into them or became part of them again when a split was undone. */
const gonePersons = (projectId: number, personIds: readonly string[]): PgSql => {
  const project = bound(projectId);
  return pgSql`
    WITH RECURSIVE gone AS (
      SELECT input.id FROM unnest(${bound(personIds)}::bigint[]) AS input (id)
      UNION
      SELECT part.id FROM gone CROSS JOIN LATERAL (
        SELECT r.merged AS id FROM person_merges AS r
        WHERE r.project_id = ${project} AND r.survivor = gone.id AND r.undone_at IS NULL
        UNION ALL
        SELECT i.person_id FROM person_splits AS s
        JOIN person_split_ids AS i ON i.project_id = ${project} AND i.split_id = s.id AND i.undone_at IS NOT NULL
        WHERE s.project_id = ${project} AND s.person_id = gone.id
      ) AS part
    )
    SELECT id FROM gone`;
};

const forgetMerges = (projectId: number, gone: readonly string[]): PgSql => {
  const [project, persons] = [bound(projectId), bound(gone)];
  return pgSql`
    WITH found AS (
      SELECT r.id FROM person_merges AS r WHERE r.project_id = ${project} AND r.survivor = ANY (${persons}::bigint[])
      UNION
      SELECT r.id FROM person_merges AS r WHERE r.project_id = ${project} AND r.merged = ANY (${persons}::bigint[])
    ), ids AS (
      DELETE FROM person_merge_ids AS i USING found WHERE i.project_id = ${project} AND i.merge_id = found.id
    )
    DELETE FROM person_merges AS r USING found WHERE r.project_id = ${project} AND r.id = found.id
    RETURNING r.survivor AS person, r.merged_at AS since, r.undone_at AS until`;
};

const forgetSplits = (projectId: number, gone: readonly string[]): PgSql =>
  pgSql`DELETE FROM person_splits WHERE project_id = ${bound(projectId)} AND person_id = ANY (${bound(gone)}::bigint[])`;

interface Tainted {
  readonly person: string;
  readonly since: Date;
  readonly until: Date;
}

/** The persons that had properties of a deleted person through a merge which was undone, and the moments of that. */
const taintedPersons = (projectId: number, tainted: readonly Tainted[]): PgSql => {
  const project = bound(projectId);
  return pgSql`tainted AS (
    SELECT * FROM jsonb_to_recordset(${bound(JSON.stringify(tainted))}::jsonb)
      AS input (person bigint, since timestamptz, until timestamptz)
    UNION
    SELECT r.survivor, t.since, t.until FROM tainted AS t JOIN person_merges AS r
      ON r.project_id = ${project} AND r.merged = t.person AND r.merged_at >= t.since AND r.merged_at <= t.until
  )`;
};

const emptyMerges = (projectId: number, tainted: readonly Tainted[]): PgSql => {
  const project = bound(projectId);
  return pgSql`
    WITH RECURSIVE ${taintedPersons(projectId, tainted)}, found AS (
      SELECT r.id FROM tainted AS t JOIN person_merges AS r
        ON r.project_id = ${project} AND r.survivor = t.person AND r.merged_at >= t.since AND r.merged_at <= t.until
      UNION
      SELECT r.id FROM tainted AS t JOIN person_merges AS r
        ON r.project_id = ${project} AND r.merged = t.person AND r.merged_at >= t.since AND r.merged_at <= t.until
    )
    UPDATE person_merges AS r SET survivor_properties = '{}', merged_properties = '{}', is_forgotten = true
    FROM found WHERE r.project_id = ${project} AND r.id = found.id`;
};

const emptySplits = (projectId: number, tainted: readonly Tainted[]): PgSql => {
  const project = bound(projectId);
  return pgSql`
    WITH RECURSIVE ${taintedPersons(projectId, tainted)}
    UPDATE person_splits AS s SET properties = '{}', is_forgotten = true FROM tainted AS t
    WHERE s.project_id = ${project} AND s.person_id = t.person AND s.split_at >= t.since AND s.split_at <= t.until`;
};

const forgetIds = (projectId: number, distinctIds: readonly string[]): readonly PgSql[] => {
  const [project, ids] = [bound(projectId), bound(distinctIds)];
  return [
    pgSql`DELETE FROM person_merge_ids WHERE project_id = ${project} AND distinct_id = ANY (${ids}::text[])`,
    pgSql`DELETE FROM person_split_ids WHERE project_id = ${project} AND distinct_id = ANY (${ids}::text[])`,
  ];
};

/**
 * Removes what the records of merges and splits say about deleted persons: the records of their own, and their properties from
 * others that were written while a merge was in effect which is undone now. The persons must be locked.
 */
export const forgetRecords = async (
  client: ClientBase,
  projectId: number,
  personIds: readonly string[],
  distinctIds: readonly string[],
): Promise<void> => {
  if (personIds.length === 0) return;
  const gone = (await client.query<{ id: string }>(gonePersons(projectId, personIds))).rows.map(({ id }) => id);
  await client.query(forgetSplits(projectId, gone));
  const { rows } = await client.query<{ person: string; since: Date; until: Date | null }>(
    forgetMerges(projectId, gone),
  );
  const tainted = rows.flatMap(({ person, since, until }) => (until === null ? [] : [{ person, since, until }]));
  if (tainted.length > 0) {
    await client.query(emptyMerges(projectId, tainted));
    await client.query(emptySplits(projectId, tainted));
  }
  for (const statement of forgetIds(projectId, distinctIds)) await client.query(statement);
};
