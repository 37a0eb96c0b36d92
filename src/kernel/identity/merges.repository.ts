import { type ClientBase } from 'pg';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type PersonMerge } from './person.entity.js';

/** Merges and splits can be undone for this long. Then their records are removed. */
export const undoableDays = 90;
export const undoableSince = (now: Date): Date => new Date(now.getTime() - undoableDays * 24 * 3_600_000);

/**
 * A recursive CTE `parts`: the given persons, and all that were merged into them and are part of them now, as far as records
 * are kept.
 */
export const partsOf = (projectId: number, personIds: readonly string[]): PgSql => {
  const project = bound(projectId);
  return pgSql`parts AS (
    SELECT input.id FROM unnest(${bound(personIds)}::bigint[]) AS input (id)
    UNION
    SELECT r.merged FROM parts JOIN person_merges AS r
      ON r.project_id = ${project} AND r.survivor = parts.id AND r.undone_at IS NULL
  )`;
};

/** A record of a merge without the properties, which may be large. */
export type MergeRecord = Stored<
  Omit<
    PersonMerge,
    'projectId' | `${'survivor' | 'merged'}${'Properties' | 'IsIdentified' | 'CreatedAt'}` | 'distinctIds'
  >
> & { readonly distinct_ids: readonly string[] };

export interface ListedMerge extends Pick<
  MergeRecord,
  'id' | 'survivor' | 'merged' | 'merged_uuid' | 'reason' | 'merged_at' | 'undone_at' | 'is_forgotten'
> {
  readonly first_ids: readonly string[];
  readonly distinct_ids: number;
  /** The number of distinct ids that came with the merged person and belong to the person now. */
  readonly here: number;
  /** The number of distinct ids that came with the merged person and belong to another person now. */
  readonly elsewhere: number;
}

interface Page {
  readonly idsShown: number;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Lists, newest first, the merges into the person or into persons that are part of it, and the undone merges of the person into
 * others.
 */
export const listMerges = async (
  reader: Queryable,
  projectId: number,
  personId: string,
  page: Page,
): Promise<{ readonly count: number; readonly merges: readonly ListedMerge[] }> => {
  const { rows } = await reader.query<{ count: number }>(
    pgSql`${foundMerges(projectId, personId)} SELECT count(*)::integer AS count FROM found`,
  );
  const merges = await reader.query<ListedMerge>(listed(projectId, personId, page));
  return { count: rows[0]?.count ?? 0, merges: merges.rows };
};

/** Returns undefined when the person has no such merge. */
export const findMerge = async (
  reader: Queryable,
  projectId: number,
  personId: string,
  merge: string,
): Promise<ListedMerge | undefined> => {
  const only = pgSql`WHERE r.id = ${bound(merge)}::bigint`;
  const statement = listed(projectId, personId, { idsShown: 0, limit: 1, offset: 0 }, only);
  return (await reader.query<ListedMerge>(statement)).rows[0];
};

const foundMerges = (projectId: number, personId: string): PgSql => {
  const project = bound(projectId);
  return pgSql`WITH RECURSIVE ${partsOf(projectId, [personId])}, found AS (
    SELECT r.id FROM parts JOIN person_merges AS r ON r.project_id = ${project} AND r.survivor = parts.id
    UNION
    SELECT r.id FROM person_merges AS r WHERE r.project_id = ${project} AND r.merged = ${bound(personId)}::bigint
  )`;
};

const listed = (
  projectId: number,
  personId: string,
  { idsShown, limit, offset }: Page,
  only: PgSql = pgSql``,
): PgSql => {
  const [project, person] = [bound(projectId), bound(personId)];
  const owners = pgSql`
    FROM person_merge_ids AS i JOIN person_distinct_ids AS d ON d.project_id = ${project} AND d.distinct_id = i.distinct_id
    WHERE i.project_id = ${project} AND i.merge_id = r.id`;
  return pgSql`
    ${foundMerges(projectId, personId)}
    SELECT r.id, r.survivor, r.merged, r.merged_uuid, r.distinct_ids, r.reason, r.merged_at, r.undone_at, r.is_forgotten,
      ARRAY(
        SELECT i.distinct_id FROM person_merge_ids AS i WHERE i.project_id = ${project} AND i.merge_id = r.id
        ORDER BY i.distinct_id COLLATE "C" LIMIT ${bound(idsShown)}
      ) AS first_ids,
      (SELECT count(*)::integer ${owners} AND d.person_id = ${person}::bigint) AS here,
      (SELECT count(*)::integer ${owners} AND d.person_id <> ${person}::bigint) AS elsewhere
    FROM found JOIN person_merges AS r ON r.project_id = ${project} AND r.id = found.id ${only}
    ORDER BY r.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`;
};

/** The static cohorts in which a person is. */
export const staticCohortsOf = async (reader: Queryable, projectId: number, personId: string): Promise<number[]> => {
  const { rows } = await reader.query<{ cohort_id: number }>(
    pgSql`SELECT cohort_id FROM static_cohort_members
      WHERE project_id = ${bound(projectId)} AND person_id = ${bound(personId)}::bigint`,
  );
  return rows.map(({ cohort_id }) => cohort_id);
};

/** The changes that the undo of a merge makes to the records of other merges. */
export interface ChangedRecords {
  /** Ids that are removed from the records of other merges, because they did not come with these merges after all. */
  readonly unbrought: readonly { readonly merge_id: string; readonly distinct_id: string }[];
  /**
   * Merges by events of ids that go back. They were recorded as merges into the survivor, and get the person that they really
   * concern.
   */
  readonly retargeted: readonly { readonly id: string; readonly survivor: string }[];
}

interface ClosedMerge extends ChangedRecords {
  readonly id: string;
  readonly now: Date;
}

/** Marks a merge as undone, and updates the records of the other merges. */
export const closeMerge = async (
  client: ClientBase,
  projectId: number,
  { id, now, unbrought, retargeted }: ClosedMerge,
): Promise<void> => {
  const project = bound(projectId);
  await client.query(
    pgSql`UPDATE person_merges SET undone_at = ${bound(now)} WHERE project_id = ${project} AND id = ${bound(id)}::bigint`,
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
  await client.query(
    pgSql`UPDATE person_merges AS r SET survivor = input.survivor, survivor_cohorts = '{}'
      FROM jsonb_to_recordset(${bound(JSON.stringify(retargeted))}::jsonb) AS input (id bigint, survivor bigint)
      WHERE r.project_id = ${project} AND r.id = input.id`,
  );
};
