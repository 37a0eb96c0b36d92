import { type ClientBase } from 'pg';
import { bound, pgSql } from '../../platform/postgres/sql.js';

/**
 * Removes what the records of merges and splits say about deleted persons: their own records, and their properties in the
 * records of other persons, which these persons had while a merge was in effect that is undone now. The persons must be locked.
 */
export const forgetRecords = async (
  client: ClientBase,
  projectId: number,
  personIds: readonly string[],
  distinctIds: readonly string[],
): Promise<void> => {
  if (personIds.length === 0) return;
  const [project, ids] = [bound(projectId), bound(distinctIds)];
  const gone = bound(await withParts(client, projectId, personIds));
  await client.query(
    pgSql`DELETE FROM person_splits WHERE project_id = ${project} AND person_id = ANY (${gone}::bigint[])`,
  );
  const { rows: forgotten } = await client.query<Period>(pgSql`
    WITH found AS (
      SELECT r.id FROM person_merges AS r WHERE r.project_id = ${project} AND r.survivor = ANY (${gone}::bigint[])
      UNION
      SELECT r.id FROM person_merges AS r WHERE r.project_id = ${project} AND r.merged = ANY (${gone}::bigint[])
    ), ids AS (
      DELETE FROM person_merge_ids AS i USING found WHERE i.project_id = ${project} AND i.merge_id = found.id
    )
    DELETE FROM person_merges AS r USING found WHERE r.project_id = ${project} AND r.id = found.id
    RETURNING r.survivor AS person, r.merged_at AS since, r.undone_at AS until`);
  await emptyRecords(
    client,
    projectId,
    forgotten.filter(({ until }) => until !== null),
  );
  await client.query(
    pgSql`DELETE FROM person_merge_ids WHERE project_id = ${project} AND distinct_id = ANY (${ids}::text[])`,
  );
  await client.query(
    pgSql`DELETE FROM person_split_ids WHERE project_id = ${project} AND distinct_id = ANY (${ids}::text[])`,
  );
};

/** Returns the persons, and those that were merged into them or became part of them again when a split was undone. */
const withParts = async (client: ClientBase, projectId: number, personIds: readonly string[]): Promise<string[]> => {
  const project = bound(projectId);
  const { rows } = await client.query<{ id: string }>(pgSql`
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
    SELECT id FROM gone`);
  return rows.map(({ id }) => id);
};

/** The time in which a person had properties of a person that is deleted now, through a merge that was undone. */
interface Period {
  readonly person: string;
  readonly since: Date;
  /** Null for a merge that was not undone: its survivor is deleted, too. */
  readonly until: Date | null;
}

/** Empties the records that were written in these periods, also those of persons into which the person was merged meanwhile. */
const emptyRecords = async (client: ClientBase, projectId: number, periods: readonly Period[]): Promise<void> => {
  if (periods.length === 0) return;
  const project = bound(projectId);
  const tainted = pgSql`
    WITH RECURSIVE tainted AS (
      SELECT * FROM jsonb_to_recordset(${bound(JSON.stringify(periods))}::jsonb)
        AS input (person bigint, since timestamptz, until timestamptz)
      UNION
      SELECT r.survivor, t.since, t.until FROM tainted AS t JOIN person_merges AS r
        ON r.project_id = ${project} AND r.merged = t.person AND r.merged_at >= t.since AND r.merged_at <= t.until
    )`;
  await client.query(pgSql`
    ${tainted}, found AS (
      SELECT r.id FROM tainted AS t JOIN person_merges AS r
        ON r.project_id = ${project} AND r.survivor = t.person AND r.merged_at >= t.since AND r.merged_at <= t.until
      UNION
      SELECT r.id FROM tainted AS t JOIN person_merges AS r
        ON r.project_id = ${project} AND r.merged = t.person AND r.merged_at >= t.since AND r.merged_at <= t.until
    )
    UPDATE person_merges AS r SET survivor_properties = '{}', merged_properties = '{}', is_forgotten = true
    FROM found WHERE r.project_id = ${project} AND r.id = found.id`);
  await client.query(pgSql`
    ${tainted}
    UPDATE person_splits AS s SET properties = '{}', is_forgotten = true FROM tainted AS t
    WHERE s.project_id = ${project} AND s.person_id = t.person AND s.split_at >= t.since AND s.split_at <= t.until`);
};
