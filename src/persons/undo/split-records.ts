import { type ClientBase } from 'pg';
import { type Queryable } from '../../stores/postgres/postgres.js';
import { bound, pgSql } from '../../stores/postgres/sql.js';
import { type Stored } from '../../stores/postgres/stored.js';
import { partsOf, type RecordedState } from './merge-records.js';
import { type PersonSplitRecord } from './person-split.entity.js';

/** Numbers and times as text, which has all of their digits. */
interface StateBefore {
  readonly properties: string;
  readonly is_identified: boolean;
  readonly created_at: string;
  readonly last_position: string;
}

/** Records a split so that it can be undone. It must run before the ids leave; the person must be locked. */
export const recordSplit = async (
  client: ClientBase,
  projectId: number,
  personId: string,
  made: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> => {
  const [project, person] = [bound(projectId), bound(personId)];
  const { rows: found } = await client.query<StateBefore>(
    pgSql`SELECT p.properties::text AS properties, p.is_identified, p.created_at::text AS created_at, coalesce((
       SELECT max(d.position) FROM person_distinct_ids AS d WHERE d.project_id = ${project} AND d.person_id = ${person}::bigint
     ), 0) AS last_position
     FROM persons AS p WHERE p.project_id = ${project} AND p.id = ${person}::bigint`.named('split-state'),
  );
  const before = found[0];
  if (!before) return;
  const { rows: recorded } = await client.query<{ id: string }>(
    pgSql`INSERT INTO person_splits (project_id, person_id, properties, is_identified, created_at, last_position, split_at)
     VALUES (${project}, ${person}, ${bound(before.properties)}, ${bound(before.is_identified)}, ${bound(before.created_at)},
       ${bound(before.last_position)}, ${bound(now)}) RETURNING id`.named('split-record'),
  );
  const parts = [...made].map(([distinct_id, person_id]) => ({ distinct_id, person_id }));
  await client.query(
    pgSql`INSERT INTO person_split_ids (project_id, split_id, distinct_id, person_id)
     SELECT ${project}::integer, ${bound(String(recorded[0]?.id))}::bigint, part.distinct_id, part.person_id
     FROM jsonb_to_recordset(${bound(JSON.stringify(parts))}::jsonb) AS part (distinct_id text, person_id bigint)`.named(
      'split-ids',
    ),
  );
};

type Columns = 'id' | 'personId' | 'lastPosition' | 'splitAt' | 'undoneAt' | 'isForgotten';

/** A record without the properties, which may be large. */
export type SplitRecord = Stored<Pick<PersonSplitRecord, Columns>> & {
  readonly ids: readonly SplitOffId[];
};

export interface SplitOffId {
  readonly distinct_id: string;
  /** The person that was made for it. */
  readonly person_id: string;
  readonly is_undone: boolean;
}

/**
 * The splits of some persons and their parts, in the order in which they happened, and those that made them: of a split of another
 * person only the ids that became one of these.
 */
export const splitRecordsOf = async (
  reader: Queryable,
  projectId: number,
  personIds: readonly string[],
): Promise<SplitRecord[]> => {
  const project = bound(projectId);
  const { rows } = await reader.query<SplitRecord>(pgSql`
    WITH RECURSIVE ${partsOf(projectId, personIds)}, found AS (
      SELECT s.id FROM parts JOIN person_splits AS s ON s.project_id = ${project} AND s.person_id = parts.id
      UNION
      SELECT i.split_id FROM parts JOIN person_split_ids AS i ON i.project_id = ${project} AND i.person_id = parts.id
    )
    SELECT s.id, s.person_id, s.last_position, s.split_at, s.undone_at, s.is_forgotten, coalesce((
      SELECT json_agg(json_build_object(
        'distinct_id', i.distinct_id, 'person_id', i.person_id::text, 'is_undone', i.undone_at IS NOT NULL
      )) FROM person_split_ids AS i WHERE i.project_id = ${project} AND i.split_id = s.id
        AND (s.person_id IN (SELECT id FROM parts) OR i.person_id IN (SELECT id FROM parts))
    ), '[]') AS ids
    FROM found JOIN person_splits AS s ON s.project_id = ${project} AND s.id = found.id
    ORDER BY s.split_at, s.id`);
  return rows;
};

/** A person as it was before a split. */
export const stateBeforeSplit = async (
  reader: Queryable,
  projectId: number,
  id: string,
): Promise<RecordedState | undefined> => {
  const { rows } = await reader.query<RecordedState>(
    pgSql`SELECT properties, is_identified, created_at FROM person_splits
      WHERE project_id = ${bound(projectId)} AND id = ${bound(id)}::bigint`,
  );
  return rows[0];
};

export interface OpenSplit {
  readonly id: string;
  readonly split_at: Date;
  /** The persons that the split made and that still exist, by id. */
  readonly separate: readonly string[];
  /** Those of them into which other persons were merged since. */
  readonly grown: readonly string[];
}

/** The latest split of a person that can be undone; one whose persons are all gone only if there is no other. */
export const latestSplit = async (
  reader: Queryable,
  projectId: number,
  personId: string,
  since: Date,
): Promise<OpenSplit | undefined> => {
  const project = bound(projectId);
  const open = pgSql`i.project_id = ${project} AND i.split_id = s.id AND i.undone_at IS NULL`;
  const { rows } = await reader.query<OpenSplit>(
    pgSql`
      SELECT s.id, s.split_at, ARRAY(
        SELECT p.id FROM person_split_ids AS i JOIN persons AS p ON p.project_id = ${project} AND p.id = i.person_id
        WHERE ${open} ORDER BY p.id
      ) AS separate, ARRAY(
        SELECT DISTINCT r.survivor FROM person_split_ids AS i
        JOIN person_merges AS r ON r.project_id = ${project} AND r.survivor = i.person_id AND r.undone_at IS NULL
        WHERE ${open} ORDER BY r.survivor
      ) AS grown
      FROM person_splits AS s
      WHERE s.project_id = ${project} AND s.person_id = ${bound(personId)}::bigint AND s.split_at >= ${bound(since)}
        AND (s.undone_at IS NULL OR EXISTS (SELECT FROM person_split_ids AS i WHERE ${open}))
      ORDER BY EXISTS (
        SELECT FROM person_split_ids AS i JOIN persons AS p ON p.project_id = ${project} AND p.id = i.person_id WHERE ${open}
      ) DESC, s.split_at DESC, s.id DESC LIMIT 1`,
  );
  return rows[0];
};

interface ClosedSplit {
  readonly id: string;
  /** The person of the split. */
  readonly root: string;
  /** The persons that are part of it again. */
  readonly merged: readonly string[];
  readonly now: Date;
}

/**
 * Marks what was undone of the split. What the persons that are part of the person again had split off left that person. The states
 * before those splits are never read again, because they were written while this split was in effect.
 */
export const closeSplit = async (
  client: ClientBase,
  projectId: number,
  { id, root, merged, now }: ClosedSplit,
): Promise<void> => {
  const [project, persons] = [bound(projectId), bound(merged)];
  await client.query(
    pgSql`UPDATE person_splits SET undone_at = ${bound(now)} WHERE project_id = ${project} AND id = ${bound(id)}::bigint`,
  );
  await client.query(
    pgSql`UPDATE person_split_ids SET undone_at = ${bound(now)}
      WHERE project_id = ${project} AND split_id = ${bound(id)}::bigint AND person_id = ANY (${persons}::bigint[])`,
  );
  await client.query(
    pgSql`UPDATE person_splits SET person_id = ${bound(root)}::bigint, properties = '{}'
      WHERE project_id = ${project} AND person_id = ANY (${persons}::bigint[])`,
  );
};
