import { type ClientBase } from 'pg';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type PersonSplitRecord } from './person.entity.js';

/** Records a split so that it can be undone. Call it while the person is locked and still has all its ids. */
export const recordSplit = async (
  client: ClientBase,
  projectId: number,
  personId: string,
  made: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> => {
  const [project, person] = [bound(projectId), bound(personId)];
  // The state is read by a statement of its own, because Citus refuses INSERT … SELECT into a table that makes the id. Text keeps
  // all digits of numbers and times.
  const { rows: found } = await client.query<
    Record<'properties' | 'is_identified' | 'created_at' | 'last_position', unknown>
  >(
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

/** A record of a split without the properties, which may be large. */
export type SplitRecord = Stored<
  Pick<PersonSplitRecord, 'id' | 'personId' | 'lastPosition' | 'splitAt' | 'undoneAt' | 'isForgotten'>
> & {
  readonly ids: readonly {
    readonly distinct_id: string;
    /** The person that was made for this id. */
    readonly person_id: string;
    readonly is_undone: boolean;
  }[];
};

export interface OpenSplit {
  readonly id: string;
  readonly split_at: Date;
  /** The persons that the split made and that still exist, in the order of ids. */
  readonly separate: readonly string[];
  /** Persons that the split made, and into which other persons were merged since. */
  readonly grown: readonly string[];
}

/**
 * The latest split of a person that can be undone. A split whose new persons are all gone is returned only if there is no
 * other.
 */
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
  /** The person that was split. */
  readonly root: string;
  /** The persons that are part of the split person again. */
  readonly merged: readonly string[];
  readonly now: Date;
}

/**
 * Marks the undone part of a split. Persons that are part of the root again may have been split themselves: these splits now
 * belong to the root. The states before them are emptied, because they were written while this split was in effect and are
 * never read again.
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
