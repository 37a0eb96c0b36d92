import { type ClientBase } from 'pg';
import { type Queryable } from '../../stores/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';
import { type Stored } from '../../stores/postgres/stored.js';
import { type Properties } from '../identity/identity-event.js';
import { type PersonMerge } from './person-merge.entity.js';

/** Merges and splits can be undone for this long. Then their records are removed. */
export const undoableDays = 90;
export const undoableSince = (now: Date): Date => new Date(now.getTime() - undoableDays * 24 * 3_600_000);

type Columns = 'id' | 'survivor' | 'merged' | 'mergedUuid' | 'mergedCohorts' | 'survivorCohorts' | 'lastPosition';
type More = 'redirects' | 'reason' | 'eventUuid' | 'mergedAt' | 'undoneAt' | 'isForgotten';

/** A record without the properties, which may be large. */
export type MergeRecord = Stored<Pick<PersonMerge, Columns | More>> & { readonly distinct_ids: readonly string[] };

/** Persons, and those that were merged into them and are part of them now, as far as records are kept. */
export const partsOf = (projectId: number, personIds: readonly string[]): PgSql => {
  const project = bound(projectId);
  return pgSql`parts AS (
    SELECT input.id FROM unnest(${bound(personIds)}::bigint[]) AS input (id)
    UNION
    SELECT r.merged FROM parts JOIN person_merges AS r
      ON r.project_id = ${project} AND r.survivor = parts.id AND r.undone_at IS NULL
  )`;
};

const recordsSql = (projectId: number, personId: string): PgSql => {
  const project = bound(projectId);
  return pgSql`
    WITH RECURSIVE ${partsOf(projectId, [personId])}, found AS (
      SELECT r.id FROM parts JOIN person_merges AS r ON r.project_id = ${project} AND r.survivor = parts.id
      UNION
      SELECT r.id FROM parts JOIN person_merges AS r ON r.project_id = ${project} AND r.merged = parts.id
    )
    SELECT r.id, r.survivor, r.merged, r.merged_uuid, r.merged_cohorts, r.survivor_cohorts, r.last_position, r.redirects,
      r.reason, r.event_uuid, r.merged_at, r.undone_at, r.is_forgotten, ARRAY(
        SELECT i.distinct_id FROM person_merge_ids AS i WHERE i.project_id = ${project} AND i.merge_id = r.id
      ) AS distinct_ids
    FROM found JOIN person_merges AS r ON r.project_id = ${project} AND r.id = found.id
    ORDER BY r.id`;
};

/** Every record about the person or a part of it, in the order of the merges. */
export const mergeRecordsOf = async (reader: Queryable, projectId: number, personId: string): Promise<MergeRecord[]> =>
  (await reader.query<MergeRecord>(recordsSql(projectId, personId))).rows;

export type Side = 'survivor' | 'merged';

export interface RecordedState {
  readonly properties: Properties;
  readonly is_identified: boolean;
  readonly created_at: Date | null;
}

const stateSql = (projectId: number, id: string, side: Side): PgSql => {
  const found = pgSql`FROM person_merges WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}::bigint`;
  return side === 'merged'
    ? pgSql`SELECT merged_properties AS properties, merged_is_identified AS is_identified, merged_created_at AS created_at ${found}`
    : pgSql`SELECT survivor_properties AS properties, survivor_is_identified AS is_identified,
        survivor_created_at AS created_at ${found}`;
};

/** One side of a merge as it was before. */
export const recordedState = async (
  client: ClientBase,
  projectId: number,
  id: string,
  side: Side,
): Promise<RecordedState> => {
  const { rows } = await client.query<RecordedState>(stateSql(projectId, id, side));
  const [state] = rows;
  if (!state) throw new Error(`Merge ${id} is no longer recorded`);
  return state;
};

export interface OwnedId {
  readonly distinct_id: string;
  readonly person_id: string;
  readonly position: string;
}

/** The distinct ids of some persons, and some others, with their positions. */
export const placedIdsOf = async (
  client: ClientBase,
  projectId: number,
  personIds: readonly string[],
  distinctIds: readonly string[],
): Promise<OwnedId[]> => {
  const project = bound(projectId);
  const { rows } = await client.query<OwnedId>(pgSql`
    SELECT distinct_id, person_id, position FROM person_distinct_ids
    WHERE project_id = ${project} AND person_id = ANY (${bound(personIds)}::bigint[])
    UNION
    SELECT distinct_id, person_id, position FROM person_distinct_ids
    WHERE project_id = ${project} AND distinct_id = ANY (${bound(distinctIds)}::text[])
    ORDER BY position`);
  return rows;
};
