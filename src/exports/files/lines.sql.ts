import { propertiesBytes, thisProject } from '../../kernel/projection/cargo/cargo.js';
import { maxDistinctIdCharacters } from '../../kernel/event-log/normalise/limits.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Walk } from './chunk.js';
import { type ReadWindow } from './walk.js';

/** The budget for the properties of one read, in bytes as PostgreSQL stores them. A single record may be larger. */
export const budgetBytes = 1024 ** 2;

/** Properties of at least this size are read alone, because they may have to be divided or written without spaces. */
export const largePropertiesBytes = 16 * 1024;

/** The most distinct ids of one line: a line with more could exceed what an import accepts. */
export const idsInLine = 100;

const utc = (column: PgSql): PgSql => pgSql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const within = (column: PgSql, { after, before }: Pick<Walk, 'after' | 'before'>): PgSql => pgSql`(true
  ${after === null ? pgSql`` : pgSql`AND ${column} > ${bound(after)}::timestamptz`}
  ${before === null ? pgSql`` : pgSql`AND ${column} < ${bound(before)}::timestamptz`})`;

/**
 * Reads the rows of a window in the order of `key`, and keeps as many as the budget and the limit allow, but at least one. `rows`
 * must have the columns `key`, `properties` and `is_included`; `line` writes one row.
 */
const linesOf = (
  rows: PgSql,
  line: PgSql,
  { remaining }: ReadWindow,
  { largeBytes, more = pgSql`` }: { readonly largeBytes: number; readonly more?: PgSql },
): PgSql => pgSql`
  SELECT string_agg(${line}, E'\\n' ORDER BY k.key) FILTER (WHERE k.is_included) AS lines,
    (count(*) FILTER (WHERE k.is_included))::integer AS records, count(*)::integer AS taken, max(k.key)::text AS last ${more}
  FROM (
    SELECT m.*, row_number() OVER w AS place,
      sum(CASE WHEN m.bytes > ${bound(largeBytes)}::integer THEN m.bytes + ${bound(budgetBytes)}::integer ELSE m.bytes END) OVER w AS bytes_so_far
      ${remaining === null ? pgSql`` : pgSql`, count(*) FILTER (WHERE m.is_included) OVER w AS records_so_far`}
    FROM (
      SELECT s.*, CASE WHEN s.is_included THEN ${propertiesBytes} ELSE 0 END AS bytes FROM (${rows}) AS s
    ) AS m WINDOW w AS (ORDER BY m.key ROWS UNBOUNDED PRECEDING)
  ) AS k
  WHERE (k.bytes_so_far <= ${bound(budgetBytes)}::integer OR k.place = 1)
    ${remaining === null ? pgSql`` : pgSql`AND k.records_so_far <= ${bound(remaining)}::bigint`}`;

const idsOf = (projectId: number): PgSql => pgSql`
  SELECT d.distinct_id FROM person_distinct_ids AS d
  WHERE d.project_id = ${thisProject(projectId)} AND d.person_id = k.key`;

const personLine = (projectId: number): PgSql => pgSql`'{"type":"person","id":' || k.key || ',"uuid":"' || k.uuid
  || '","distinct_ids":' || to_json(ARRAY(${idsOf(projectId)} ORDER BY d.position LIMIT ${bound(idsInLine)}))
  || ',"created_at":"' || ${utc(pgSql`k.created_at`)} || '","is_identified":' || k.is_identified
  || ',"properties":' || k.properties || '}'`;

/** Selects the lines of persons in the order of their ids. `many` has the persons with more distinct ids than fit into a line. */
export const personLinesSql = (walk: Walk, window: ReadWindow): PgSql => {
  const rows = pgSql`
    SELECT p.id AS key, p.uuid, p.created_at, p.is_identified, p.properties,
      ${within(pgSql`p.created_at`, walk)} AS is_included
    FROM persons AS p
    WHERE p.project_id = ${thisProject(walk.projectId)} AND p.id > ${bound(window.after ?? '0')}::bigint
      ${walk.persons ? pgSql`AND p.id = ANY (${bound(walk.persons)}::bigint[])` : pgSql``}
    ORDER BY p.id LIMIT ${bound(window.rows)}::integer`;
  const more = pgSql`, coalesce(array_agg(k.key) FILTER (WHERE k.is_included AND EXISTS (
      SELECT FROM (${idsOf(walk.projectId)} ORDER BY d.position OFFSET ${bound(idsInLine)}) AS further
    )), '{}') AS many`;
  return linesOf(rows, personLine(walk.projectId), window, {
    largeBytes: largePropertiesBytes,
    more,
  });
};

/** The uuid follows from the contents, so that a repeated import of the same line changes nothing. */
const groupLine = pgSql`'{"type":"event","id":' || k.key || ',"uuid":"'
  || md5(concat_ws('|', k.type, k.group_key, k.properties))::uuid || '","event":"$groupidentify","distinct_id":'
  || to_json(left('$' || k.type || '_' || k.group_key, ${bound(maxDistinctIdCharacters)}::integer))
  || ',"timestamp":"' || ${utc(pgSql`k.created_at`)} || '","properties":{"$group_type":' || to_json(k.type)
  || ',"$group_key":' || to_json(k.group_key) || ',"$group_set":' || k.properties || '}}'`;

/** Selects the lines of groups in the order of their ids. */
export const groupLinesSql = (walk: Walk, window: ReadWindow): PgSql => {
  const rows = pgSql`
    SELECT g.id AS key, t.name AS type, g.key AS group_key, g.created_at, g.properties,
      ${within(pgSql`g.created_at`, walk)} AS is_included
    FROM groups AS g
    JOIN group_types AS t ON t.project_id = ${thisProject(walk.projectId)} AND t.group_type_index = g.group_type_index
    WHERE g.project_id = ${thisProject(walk.projectId)} AND g.id > ${bound(window.after ?? '0')}::bigint
    ORDER BY g.id LIMIT ${bound(window.rows)}::integer`;
  return linesOf(rows, groupLine, window, { largeBytes: budgetBytes });
};

/** Selects further distinct ids of a person, after a position, with what their line needs. */
export const furtherIdsSql = (projectId: number, personId: string, after: string | null, most: number): PgSql => {
  const ids = pgSql`
    SELECT d.distinct_id, d.position FROM person_distinct_ids AS d
    WHERE d.project_id = ${thisProject(projectId)} AND d.person_id = ${bound(personId)}::bigint`;
  const further =
    after === null
      ? pgSql`${ids} ORDER BY d.position OFFSET ${bound(idsInLine)} LIMIT ${bound(most)}`
      : pgSql`${ids} AND d.position > ${bound(after)}::bigint ORDER BY d.position LIMIT ${bound(most)}`;
  return pgSql`
    SELECT f.distinct_id, f.position, ${utc(pgSql`p.created_at`)} AS created_at, p.is_identified,
      (SELECT first.distinct_id FROM (${ids}) AS first ORDER BY first.position LIMIT 1) AS first_id
    FROM (${further}) AS f
    JOIN persons AS p ON p.project_id = ${thisProject(projectId)} AND p.id = ${bound(personId)}::bigint
    ORDER BY f.position`;
};

/** Selects the blocks that contain the properties of some events, and the sizes of the properties, in the given order. */
export const placesSql = (projectId: number, uuids: readonly string[]): PgSql => pgSql`
  SELECT requested.uuid, e.block, coalesce(e.properties_bytes, 0) AS bytes
  FROM unnest(${bound(uuids)}::uuid[]) WITH ORDINALITY AS requested (uuid, place)
  LEFT JOIN LATERAL (
    SELECT block, properties_bytes FROM events WHERE project_id = ${thisProject(projectId)} AND uuid = requested.uuid LIMIT 1
  ) AS e ON true
  ORDER BY requested.place`;

/**
 * Selects events by their uuids, in the given order, as lines of a JSON document, and keeps what the budget allows. The caller
 * passes the properties that are in blocks.
 */
export const documentEventsSql = (
  projectId: number,
  uuids: readonly string[],
  inBlocks: ReadonlyMap<string, string>,
): PgSql => {
  const properties = uuids.map((uuid) => inBlocks.get(uuid) ?? null);
  const rows = pgSql`
    SELECT requested.place AS key, e.uuid, e.event, e.distinct_id, e.timestamp, e.received_at,
      coalesce(e.properties, requested.properties::jsonb) AS properties, e.uuid IS NOT NULL AS is_included
    FROM unnest(${bound(uuids)}::uuid[], ${bound(properties)}::text[]) WITH ORDINALITY AS requested (uuid, properties, place)
    LEFT JOIN LATERAL (
      SELECT * FROM events WHERE project_id = ${thisProject(projectId)} AND uuid = requested.uuid LIMIT 1
    ) AS e ON true`;
  const line = pgSql`'{"uuid":"' || k.uuid || '","event":' || to_json(k.event) || ',"distinct_id":' || to_json(k.distinct_id)
    || ',"timestamp":"' || ${utc(pgSql`k.timestamp`)} || '","received_at":"' || ${utc(pgSql`k.received_at`)}
    || '","properties":' || k.properties || '}'`;
  return linesOf(rows, line, { after: null, rows: uuids.length, remaining: null }, { largeBytes: budgetBytes });
};
