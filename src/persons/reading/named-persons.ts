import { type Problem } from '../../platform/errors/problem.js';
import { type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type MergedInto, type PersonRef, mergedPerson, noPerson } from '../../kernel/identity/person-ref.js';

export interface NamedPerson {
  readonly id: string;
  readonly uuid: string;
  readonly firstDistinctId: string;
}

/** The references as rows with their positions, counted from 1. Each row has either an id or a uuid. */
const input = (refs: readonly PersonRef[]): PgSql => {
  const ids = refs.map((ref) => ('id' in ref ? ref.id : null));
  const uuids = refs.map((ref) => ('uuid' in ref ? ref.uuid : null));
  return pgSql`unnest(${bound(ids)}::bigint[], ${bound(uuids)}::uuid[]) WITH ORDINALITY AS input (id, uuid, place)`;
};

/** Looks the references up one by one; `identity/load.ts` says why. */
const personsSql = (projectId: number, refs: readonly PersonRef[]): PgSql => {
  const project = bound(projectId);
  return pgSql`
    SELECT input.place::integer AS place, p.id, p.uuid, (
      SELECT d.distinct_id FROM person_distinct_ids AS d
      WHERE d.project_id = ${project} AND d.person_id = p.id ORDER BY d.position LIMIT 1
    ) AS "firstDistinctId"
    FROM ${input(refs)}
    CROSS JOIN LATERAL (
      (SELECT id, uuid FROM persons WHERE project_id = ${project} AND id = input.id LIMIT 1)
      UNION ALL
      (SELECT id, uuid FROM persons WHERE project_id = ${project} AND uuid = input.uuid LIMIT 1)
    ) AS p`.named('persons-by-refs');
};

/** Returns the persons in the order of the references, with undefined for a reference to no person. */
export const namedPersons = (
  reader: Queryable,
  projectId: number,
  refs: readonly PersonRef[],
): Promise<(NamedPerson | undefined)[]> => inOrder<NamedPerson>(reader, personsSql(projectId, refs), refs);

/**
 * Finds the person into which each referenced person was merged. A uuid that has become a person's again is not found here. If
 * several merged persons had the uuid, the last merge counts.
 */
const mergedSql = (projectId: number, refs: readonly PersonRef[]): PgSql => {
  const project = bound(projectId);
  return pgSql`
    SELECT input.place::integer AS place, t.id::float8 AS id, t.uuid
    FROM ${input(refs)}
    CROSS JOIN LATERAL (
      (SELECT target FROM person_redirects WHERE project_id = ${project} AND source = input.id LIMIT 1)
      UNION ALL
      (SELECT target FROM person_redirects WHERE project_id = ${project} AND uuid = input.uuid
         AND NOT EXISTS (SELECT FROM persons AS p WHERE p.project_id = ${project} AND p.uuid = input.uuid)
       ORDER BY source DESC LIMIT 1)
    ) AS r
    CROSS JOIN LATERAL (SELECT id, uuid FROM persons WHERE project_id = ${project} AND id = r.target LIMIT 1) AS t`.named(
    'persons-merged-into',
  );
};

/**
 * Returns the persons into which the referenced persons were merged, in the order of the references; undefined for a reference to
 * no merged person.
 */
export const mergedInto = (
  reader: Queryable,
  projectId: number,
  refs: readonly PersonRef[],
): Promise<(MergedInto | undefined)[]> => inOrder<MergedInto>(reader, mergedSql(projectId, refs), refs);

const inOrder = async <Row extends object>(
  reader: Queryable,
  statement: PgSql,
  refs: readonly PersonRef[],
): Promise<(Row | undefined)[]> => {
  const found = new Map<number, Row>();
  if (refs.length > 0) {
    const { rows } = await reader.query<Row & { place: number }>(statement);
    for (const { place, ...row } of rows) found.set(place, row as unknown as Row);
  }
  return refs.map((_, at) => found.get(at + 1));
};

/** Returns the persons in the order of the references. Throws the error of the first reference to no person. */
export const requirePersons = async <const Refs extends readonly PersonRef[]>(
  reader: Queryable,
  projectId: number,
  refs: Refs,
): Promise<{ readonly [At in keyof Refs]: NamedPerson }> => {
  const persons = await namedPersons(reader, projectId, refs);
  const missing = refs.find((_, at) => persons[at] === undefined);
  if (missing) throw await missingPerson(reader, projectId, missing);
  return persons as { readonly [At in keyof Refs]: NamedPerson };
};

/** The error for a reference that names no person, or a person that was merged. */
export const missingPerson = async (reader: Queryable, projectId: number, ref: PersonRef): Promise<Problem> => {
  const [into] = await mergedInto(reader, projectId, [ref]);
  return into ? mergedPerson(ref, into) : noPerson(ref);
};

/** Throws for the first reference to a merged person. Needed by requests that ignore unknown ids. */
export const refuseMerged = async (reader: Queryable, projectId: number, refs: readonly PersonRef[]): Promise<void> => {
  const into = await mergedInto(reader, projectId, refs);
  refs.forEach((ref, at) => {
    const target = into[at];
    if (target) throw mergedPerson(ref, target);
  });
};

/** Returns the uuids of persons by their ids, merged persons included. Deleted persons have no uuid. */
export const personUuids = async (
  reader: Queryable,
  projectId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  if (ids.length === 0) return new Map();
  const [project, list] = [bound(projectId), bound([...new Set(ids)])];
  const { rows } = await reader.query<{ id: string; uuid: string }>(
    pgSql`SELECT input.id, coalesce(p.uuid, r.uuid) AS uuid FROM unnest(${list}::bigint[]) AS input (id)
     LEFT JOIN LATERAL (SELECT uuid FROM persons WHERE project_id = ${project} AND id = input.id LIMIT 1) AS p ON true
     LEFT JOIN LATERAL (SELECT uuid FROM person_redirects WHERE project_id = ${project} AND source = input.id LIMIT 1) AS r
       ON p.uuid IS NULL
     WHERE coalesce(p.uuid, r.uuid) IS NOT NULL`.named('person-uuids'),
  );
  return new Map(rows.map(({ id, uuid }) => [Number(id), uuid]));
};

/** A person as other services know the person, with some properties. */
export interface NamesOfPerson {
  readonly uuid: string;
  readonly distinctId: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Prefers an id that was chosen by the one who sent the events: the condition is that of `person_distinct_ids_human`. */
const namesSql = (projectId: number, ids: readonly number[], keys: readonly string[]): PgSql => {
  const project = bound(projectId);
  const idsOf = pgSql`SELECT d.distinct_id FROM person_distinct_ids AS d WHERE d.project_id = ${project} AND d.person_id = p.id`;
  return pgSql`
    SELECT p.id, p.uuid, coalesce(
        (${idsOf} AND d.distinct_id !~ '^[a-z0-9]+(-[a-z0-9]+){4}$' ORDER BY d.position LIMIT 1),
        (${idsOf} ORDER BY d.position LIMIT 1)
      ) AS "distinctId",
      (SELECT coalesce(jsonb_object_agg(k.key, p.properties -> k.key), '{}')
       FROM unnest(${bound(keys)}::text[]) AS k (key) WHERE p.properties ? k.key) AS properties
    FROM unnest(${bound(ids)}::bigint[]) AS input (id)
    CROSS JOIN LATERAL (
      SELECT id, uuid, properties FROM persons WHERE project_id = ${project} AND id = input.id LIMIT 1
    ) AS p`.named('person-names');
};

/** Returns the persons that exist, by their ids, with those of their properties that `keys` names. */
export const personNames = async (
  reader: Queryable,
  projectId: number,
  ids: readonly number[],
  keys: readonly string[],
): Promise<ReadonlyMap<number, NamesOfPerson>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await reader.query<NamesOfPerson & { id: string }>(namesSql(projectId, ids, keys));
  return new Map(rows.map(({ id, ...names }) => [Number(id), names]));
};
