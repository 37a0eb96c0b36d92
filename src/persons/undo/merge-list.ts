import { type Queryable } from '../../stores/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';
import { partsOf, undoableDays, undoableSince } from './merge-records.js';
import { type MergeReason } from '../identity/record-merges.js';

export interface ListedMerge {
  readonly id: string;
  readonly survivor: string;
  readonly merged: string;
  readonly merged_uuid: string;
  readonly first_ids: readonly string[];
  readonly distinct_ids: number;
  readonly reason: MergeReason;
  readonly merged_at: Date;
  readonly undone_at: Date | null;
  readonly is_forgotten: boolean;
  /** The number of distinct ids that came with the merged person and belong to the person now. */
  readonly here: number;
  /** The number of those that belong to another person now. */
  readonly elsewhere: number;
}

const found = (projectId: number, personId: string): PgSql => {
  const project = bound(projectId);
  return pgSql`WITH RECURSIVE ${partsOf(projectId, [personId])}, found AS (
    SELECT r.id FROM parts JOIN person_merges AS r ON r.project_id = ${project} AND r.survivor = parts.id
    UNION
    SELECT r.id FROM person_merges AS r WHERE r.project_id = ${project} AND r.merged = ${bound(personId)}::bigint
  )`;
};

const owners = (projectId: number): PgSql => {
  const project = bound(projectId);
  return pgSql`
    FROM person_merge_ids AS i JOIN person_distinct_ids AS d ON d.project_id = ${project} AND d.distinct_id = i.distinct_id
    WHERE i.project_id = ${project} AND i.merge_id = r.id`;
};

interface Part {
  readonly idsShown: number;
  readonly merge?: string;
  readonly limit?: number;
  readonly offset?: number;
}

const listSql = (projectId: number, personId: string, { idsShown, merge, limit = 1, offset = 0 }: Part): PgSql => {
  const [project, person] = [bound(projectId), bound(personId)];
  return pgSql`
    ${found(projectId, personId)}
    SELECT r.id, r.survivor, r.merged, r.merged_uuid, r.distinct_ids, r.reason, r.merged_at, r.undone_at, r.is_forgotten,
      ARRAY(
        SELECT i.distinct_id FROM person_merge_ids AS i WHERE i.project_id = ${project} AND i.merge_id = r.id
        ORDER BY i.distinct_id COLLATE "C" LIMIT ${bound(idsShown)}
      ) AS first_ids,
      (SELECT count(*)::integer ${owners(projectId)} AND d.person_id = ${person}::bigint) AS here,
      (SELECT count(*)::integer ${owners(projectId)} AND d.person_id <> ${person}::bigint) AS elsewhere
    FROM found JOIN person_merges AS r ON r.project_id = ${project} AND r.id = found.id
    WHERE ${merge === undefined ? pgSql`true` : pgSql`r.id = ${bound(merge)}::bigint`}
    ORDER BY r.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`;
};

/** Merges into the person and into persons that are part of it, newest first, and those of the person that were undone. */
export const listMerges = async (
  reader: Queryable,
  projectId: number,
  personId: string,
  page: { readonly idsShown: number; readonly limit: number; readonly offset: number },
): Promise<{ readonly count: number; readonly merges: readonly ListedMerge[] }> => {
  const { rows } = await reader.query<{ count: number }>(
    pgSql`${found(projectId, personId)} SELECT count(*)::integer AS count FROM found`,
  );
  const merges = await reader.query<ListedMerge>(listSql(projectId, personId, page));
  return { count: rows[0]?.count ?? 0, merges: merges.rows };
};

/** Undefined when the person has no such merge. */
export const findMerge = async (
  reader: Queryable,
  projectId: number,
  personId: string,
  merge: string,
): Promise<ListedMerge | undefined> =>
  (await reader.query<ListedMerge>(listSql(projectId, personId, { idsShown: 0, merge }))).rows[0];

export const whyUndoSplit = 'undo the split first';
export const whySplitOff = `a distinct id that came with the merged person was split off since: ${whyUndoSplit}`;

/** The reason why a merge cannot be undone; null when it can. */
export const whyNotUndone = (merge: ListedMerge, now: Date): string | null => {
  if (merge.undone_at !== null) return 'the merge was undone before';
  if (merge.merged_at < undoableSince(now)) return `the merge is older than ${undoableDays} days`;
  if (merge.is_forgotten) return 'a person whose properties the record contained was deleted since';
  if (merge.elsewhere > 0) return whySplitOff;
  return merge.here < merge.distinct_ids ? 'a distinct id that came with the merged person was deleted since' : null;
};
