import { zeroUuid } from '../../../platform/values/ids.js';
import { overridesTable, personsTable, redirectsTable } from '../schema/projected-tables.js';
import { projectedProperties } from '../schema/property.sql.js';
import { searchText, searchedDistinctIds } from '../search-text.js';
import { type Cargo, ownersOf, propertiesBytes, storableInstant, thisProject } from './cargo.js';
import { type PgSql, bound, pgSql } from '../../../platform/postgres/sql.js';
import { profilelessActor } from '../actors.sql.js';

interface PersonRow {
  id: string;
  uuid: string;
  properties: Record<string, unknown>;
  is_identified: boolean;
  created_at: string;
  searched_ids: string[];
  distinct_ids: string[];
}

/** A projected person has at most this many distinct ids; its other ids are found only in the events. */
export const projectedDistinctIds = 10_000;

/**
 * Selects a person's first ids and, if there are more, also the first ids that do not look generated, which have an index of
 * their own.
 */
const distinctIdsOf = (projectId: number): PgSql => {
  const ids = pgSql`
    SELECT d.distinct_id FROM person_distinct_ids AS d WHERE d.project_id = ${thisProject(projectId)} AND d.person_id = p.id`;
  const most = pgSql`ORDER BY d.position LIMIT ${bound(searchedDistinctIds)}`;
  return pgSql`
  CROSS JOIN LATERAL (SELECT ARRAY(${ids} ${most}) AS first OFFSET 0) AS f
  CROSS JOIN LATERAL (
    SELECT CASE WHEN cardinality(f.first) < ${bound(searchedDistinctIds)} THEN f.first
      ELSE f.first || ARRAY(${ids} AND d.distinct_id !~ '^[a-z0-9]+(-[a-z0-9]+){4}$' ${most}) END AS searched_ids,
      CASE WHEN cardinality(f.first) < ${bound(searchedDistinctIds)} THEN f.first
      ELSE ARRAY(${ids} ORDER BY d.position LIMIT ${bound(projectedDistinctIds)}) END AS distinct_ids
  ) AS i`;
};

/** Reads key by key, because the planner would otherwise join with the whole project. */
const selectById = (projectId: number, ids: readonly string[]): PgSql =>
  pgSql`
  SELECT p.id, p.uuid, p.properties, p.is_identified,
    ${storableInstant(pgSql`p.created_at`)} AS created_at, i.searched_ids, i.distinct_ids
  FROM unnest(${bound(ids)}::bigint[]) AS requested (id)
  CROSS JOIN LATERAL (
    SELECT * FROM persons WHERE project_id = ${thisProject(projectId)} AND id = requested.id LIMIT 1
  ) p
  ${distinctIdsOf(projectId)}`.named('projection-persons');

const sizesOf = (projectId: number, ids: readonly string[]): PgSql => pgSql`
  SELECT array_agg(coalesce(p.bytes, 0) ORDER BY requested.at) AS bytes
  FROM unnest(${bound(ids)}::bigint[]) WITH ORDINALITY AS requested (id, at)
  LEFT JOIN LATERAL (
    SELECT ${propertiesBytes} AS bytes FROM persons WHERE project_id = ${thisProject(projectId)} AND id = requested.id LIMIT 1
  ) p ON true`;

/** Persons as they are now. A deleted person becomes a tombstone, which hides the rows shipped before. */
export const personsCargo: Cargo = {
  kind: 'persons',
  table: personsTable,
  sizes: async (reader, projectId, keys) => {
    const { rows } = await reader.query<{ bytes: number[] }>(sizesOf(projectId, keys));
    return rows[0]?.bytes ?? [];
  },
  read: async (reader, projectId, keys, version) => {
    const { rows } = await reader.query<PersonRow>(selectById(projectId, keys));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return { rows: keys.map((id) => projected(projectId, id, byId.get(id), version)), gone: [] };
  },
};

const projected = (projectId: number, id: string, row: PersonRow | undefined, version: string) => ({
  project_id: projectId,
  id,
  uuid: row?.uuid ?? zeroUuid,
  properties: projectedProperties(row?.properties ?? {}),
  is_identified: row?.is_identified ?? false,
  created_at: row?.created_at ?? '1970-01-01T00:00:00.000Z',
  is_deleted: row ? 0 : 1,
  version,
  search: row ? searchText(row.properties, row.searched_ids) : '',
  distinct_ids: row?.distinct_ids ?? [],
});

/** The person to which past events of a distinct id belong now, if any. */
export const overridesCargo: Cargo = {
  kind: 'distinct_ids',
  table: overridesTable,
  sizes: null,
  read: async (reader, projectId, keys, version) => {
    const owners = await ownersOf(reader, projectId, keys);
    const projected = keys.map((distinctId) => ({
      project_id: projectId,
      distinct_id: distinctId,
      actor: owners.get(distinctId) ?? profilelessActor(projectId, distinctId),
      version,
    }));
    return { rows: projected, gone: [] };
  },
};

/** The target of a redirect whose person is deleted. No person has this id. */
const noTarget = '0';

/** Reads key by key, because the planner would otherwise join with the whole project. */
const selectBySource = (projectId: number, sources: readonly string[]): PgSql =>
  pgSql`
  SELECT requested.source, coalesce((
    SELECT target FROM person_redirects WHERE project_id = ${bound(projectId)} AND source = requested.source LIMIT 1
  ), ${bound(noTarget)}::bigint) AS target
  FROM unnest(${bound(sources)}::bigint[]) AS requested (source)`.named('projection-redirects');

/** The person into which each merged person was merged, until this target is deleted. */
export const redirectsCargo: Cargo = {
  kind: 'redirects',
  table: redirectsTable,
  sizes: null,
  read: async (reader, projectId, keys, version) => {
    const { rows } = await reader.query<{ source: string; target: string }>(selectBySource(projectId, keys));
    return { rows: rows.map(({ source, target }) => ({ project_id: projectId, source, target, version })), gone: [] };
  },
};
