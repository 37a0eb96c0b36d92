import { type ClientBase } from 'pg';
import { makeCounted } from '../identity/person-counts.js';
import { distinctIdsLeft } from '../identity/distinct-id-counts.js';
import { type Properties } from '../identity/identity-event.js';
import { RetryTransaction } from '../../stores/postgres/retry-transaction.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';

const restore = (counts: string): string => `
  WITH made AS (
    INSERT INTO persons (project_id, id, uuid, properties, is_identified, created_at)
    SELECT $1, input.id, input.uuid, '{}', false, input.created_at
    FROM jsonb_to_recordset($2::jsonb) AS input (id bigint, uuid uuid, created_at timestamptz)
    ON CONFLICT DO NOTHING
    RETURNING id
  )${counts}
  SELECT id FROM made`;

/** Gives a person its row again, without properties. Returns false when another person has the id or the uuid. */
export const restoreRow = async (
  client: ClientBase,
  projectId: number,
  person: { readonly id: string; readonly uuid: string; readonly created_at: Date },
): Promise<boolean> => {
  const statement = { name: 'person-restore', text: restore, persons: [person] };
  const { rowCount } = await makeCounted(client, projectId, statement);
  return rowCount === 1;
};

export interface WrittenState {
  readonly properties: Properties;
  readonly isIdentified: boolean;
  readonly createdAt: Date;
}

/** Replaces everything that a person is. The person must be locked. */
export const replaceState = async (
  client: ClientBase,
  projectId: number,
  id: string,
  { properties, isIdentified, createdAt }: WrittenState,
): Promise<void> => {
  await client.query(
    pgSql`UPDATE persons SET properties = ${bound(JSON.stringify(properties))}::jsonb,
        is_identified = ${bound(isIdentified)}, created_at = ${bound(createdAt)}
      WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}::bigint`,
  );
};

/** Moves some distinct ids of a person to another one. Both must be locked. */
export const moveIds = async (
  client: ClientBase,
  projectId: number,
  { source, target }: { readonly source: string; readonly target: string },
  distinctIds: readonly string[],
): Promise<void> => {
  const { rowCount } = await client.query(
    pgSql`UPDATE person_distinct_ids AS d SET person_id = ${bound(target)}::bigint
      FROM unnest(${bound(distinctIds)}::text[]) AS input (distinct_id)
      WHERE d.project_id = ${bound(projectId)} AND d.distinct_id = input.distinct_id
        AND d.person_id = ${bound(source)}::bigint`,
  );
  if (rowCount !== distinctIds.length) throw new RetryTransaction();
  await distinctIdsLeft(client, projectId, source, distinctIds.length);
};

const redirectsBack = (projectId: number, root: string, person: string, sources: readonly string[]): PgSql => {
  const [project, target] = [bound(projectId), bound(root)];
  return pgSql`
    WITH gone AS (
      DELETE FROM person_redirects WHERE project_id = ${project} AND source = ${bound(person)}::bigint RETURNING source
    ), followed AS (
      UPDATE person_redirects SET target = ${bound(person)}::bigint
      WHERE project_id = ${project} AND target = ${target}::bigint AND source = ANY (${bound(sources)}::bigint[])
        AND source <> ${bound(person)}::bigint
      RETURNING source
    )
    SELECT source FROM gone UNION ALL SELECT source FROM followed`;
};

/** The person is no longer redirected, and those merged into it before are redirected to it. Returns all of them. */
export const returnRedirects = async (
  client: ClientBase,
  projectId: number,
  { source: root, target: person }: { readonly source: string; readonly target: string },
  sources: readonly string[],
): Promise<string[]> => {
  const { rows } = await client.query<{ source: string }>(redirectsBack(projectId, root, person, sources));
  return rows.map(({ source }) => source);
};

/** A distinct id that a merge did not bring after all. */
export interface UnbroughtId {
  readonly merge_id: string;
  readonly distinct_id: string;
}

export interface RecordChanges {
  readonly undone: string;
  readonly now: Date;
  readonly unbrought: readonly UnbroughtId[];
  /** Merges into the other person, which the events of the moved ids caused. */
  readonly retargeted: readonly { readonly id: string; readonly survivor: string }[];
}

/** Brings the records up to date after a merge was undone. */
export const updateRecords = async (
  client: ClientBase,
  projectId: number,
  { undone, now, unbrought, retargeted }: RecordChanges,
): Promise<void> => {
  const project = bound(projectId);
  await client.query(
    pgSql`UPDATE person_merges SET undone_at = ${bound(now)} WHERE project_id = ${project} AND id = ${bound(undone)}::bigint`,
  );
  await client.query(
    pgSql`WITH gone AS (
        DELETE FROM person_merge_ids AS i
        USING jsonb_to_recordset(${bound(JSON.stringify(unbrought))}::jsonb) AS input (merge_id bigint, distinct_id text)
        WHERE i.project_id = ${project} AND i.merge_id = input.merge_id AND i.distinct_id = input.distinct_id
        RETURNING i.merge_id
      )
      UPDATE person_merges AS r SET distinct_ids = r.distinct_ids - gone.number
      FROM (SELECT merge_id, count(*)::integer AS number FROM gone GROUP BY merge_id) AS gone
      WHERE r.project_id = ${project} AND r.id = gone.merge_id`,
  );
  if (retargeted.length === 0) return;
  await client.query(
    pgSql`UPDATE person_merges AS r SET survivor = input.survivor, survivor_cohorts = '{}'
      FROM jsonb_to_recordset(${bound(JSON.stringify(retargeted))}::jsonb) AS input (id bigint, survivor bigint)
      WHERE r.project_id = ${project} AND r.id = input.id`,
  );
};
