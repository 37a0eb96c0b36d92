import { type ClientBase } from 'pg';
import { type Queryable } from '../../stores/postgres/postgres.js';
import { bound, pgSql } from '../../stores/postgres/sql.js';
import { type Stored } from '../../stores/postgres/stored.js';
import { type Properties } from '../identity/identity-event.js';
import { type PersonSplitRecord } from './person-split.entity.js';

/** Records a split so that it can be undone. It must run before the ids leave; the person must be locked. */
export const recordSplit = async (
  client: ClientBase,
  projectId: number,
  personId: string,
  made: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> => {
  const [project, person] = [bound(projectId), bound(personId)];
  const parts = [...made].map(([distinct_id, person_id]) => ({ distinct_id, person_id }));
  await client.query(
    pgSql`
      WITH recorded AS (
        INSERT INTO person_splits (
          project_id, person_id, properties, is_identified, created_at, last_position, split_at
        )
        SELECT ${project}, p.id, p.properties, p.is_identified, p.created_at, coalesce((
          SELECT d.position FROM person_distinct_ids AS d
          WHERE d.project_id = ${project} AND d.person_id = p.id ORDER BY d.position DESC LIMIT 1
        ), 0), ${bound(now)}
        FROM persons AS p WHERE p.project_id = ${project} AND p.id = ${person}::bigint
        RETURNING id
      )
      INSERT INTO person_split_ids (project_id, split_id, distinct_id, person_id)
      SELECT ${project}, recorded.id, part.distinct_id, part.person_id
      FROM recorded CROSS JOIN jsonb_to_recordset(${bound(JSON.stringify(parts))}::jsonb)
        AS part (distinct_id text, person_id bigint)`.named('split-record'),
  );
};

type Columns = 'id' | 'isIdentified' | 'createdAt' | 'splitAt' | 'isForgotten';

export type SplitRecord = Stored<Pick<PersonSplitRecord, Columns>> & {
  readonly properties: Properties;
  /** The persons that the split made and that still exist, by id. */
  readonly separate: readonly string[];
  /** Those of them into which other persons were merged since. */
  readonly grown: readonly string[];
};

/** The latest split of a person that is not undone. */
export const latestSplit = async (
  reader: Queryable,
  projectId: number,
  personId: string,
  since: Date,
): Promise<SplitRecord | undefined> => {
  const project = bound(projectId);
  const { rows } = await reader.query<SplitRecord>(
    pgSql`
      SELECT s.id, s.properties, s.is_identified, s.created_at, s.split_at, s.is_forgotten, ARRAY(
        SELECT p.id FROM person_split_ids AS i JOIN persons AS p ON p.project_id = ${project} AND p.id = i.person_id
        WHERE i.project_id = ${project} AND i.split_id = s.id ORDER BY p.id
      ) AS separate, ARRAY(
        SELECT DISTINCT r.survivor FROM person_split_ids AS i
        JOIN person_merges AS r ON r.project_id = ${project} AND r.survivor = i.person_id AND r.undone_at IS NULL
        WHERE i.project_id = ${project} AND i.split_id = s.id ORDER BY r.survivor
      ) AS grown
      FROM person_splits AS s
      WHERE s.project_id = ${project} AND s.person_id = ${bound(personId)}::bigint
        AND s.undone_at IS NULL AND s.split_at >= ${bound(since)}
      ORDER BY s.id DESC LIMIT 1`,
  );
  return rows[0];
};

/** Marks the split as undone. The records of the persons that are part of the person again are of no use any more. */
export const closeSplit = async (
  client: ClientBase,
  projectId: number,
  splitId: string,
  merged: readonly string[],
  now: Date,
): Promise<void> => {
  const [project, persons] = [bound(projectId), bound(merged)];
  await client.query(
    pgSql`UPDATE person_splits SET undone_at = ${bound(now)} WHERE project_id = ${project} AND id = ${bound(splitId)}::bigint`,
  );
  await client.query(
    pgSql`DELETE FROM person_splits WHERE project_id = ${project} AND person_id = ANY (${persons}::bigint[])`,
  );
  await client.query(
    pgSql`
      WITH gone AS (
        DELETE FROM person_merges
        WHERE project_id = ${project} AND (survivor = ANY (${persons}::bigint[]) OR merged = ANY (${persons}::bigint[]))
        RETURNING id
      )
      DELETE FROM person_merge_ids AS i USING gone WHERE i.project_id = ${project} AND i.merge_id = gone.id`,
  );
};
