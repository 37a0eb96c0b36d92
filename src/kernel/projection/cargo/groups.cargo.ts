import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';
import { groupsTable } from '../schema/projected-tables.js';
import { projectedProperties } from '../schema/property.sql.js';
import { searchText } from '../search-text.js';
import { type Cargo, propertiesBytes, storableInstant, thisProject } from './cargo.js';

interface GroupRow {
  actor: string;
  id: string;
  group_type_index: number;
  key: string;
  properties: Record<string, unknown>;
  created_at: string;
}

/** Reads key by key, because the planner would otherwise join with the whole project. */
const selectByActor = (projectId: number, actors: readonly string[]): PgSql =>
  pgSql`
  SELECT g.actor::text, g.id::text, g.group_type_index, g.key, g.properties, ${storableInstant(pgSql`g.created_at`)} AS created_at
  FROM unnest(${bound(actors)}::bigint[]) AS requested (actor)
  CROSS JOIN LATERAL (
    SELECT * FROM groups WHERE project_id = ${thisProject(projectId)} AND actor = requested.actor LIMIT 1
  ) g`.named('projection-groups');

const sizesOf = (projectId: number, actors: readonly string[]): PgSql => pgSql`
  SELECT array_agg(coalesce(g.bytes, 0) ORDER BY requested.at) AS bytes
  FROM unnest(${bound(actors)}::bigint[]) WITH ORDINALITY AS requested (actor, at)
  LEFT JOIN LATERAL (
    SELECT ${propertiesBytes} AS bytes FROM groups WHERE project_id = ${thisProject(projectId)} AND actor = requested.actor LIMIT 1
  ) g ON true`;

/** Groups as they are now. A deleted group becomes a tombstone, which hides the rows shipped before. */
export const groupsCargo: Cargo = {
  kind: 'groups',
  table: groupsTable,
  sizes: async (reader, projectId, keys) => {
    const { rows } = await reader.query<{ bytes: number[] }>(sizesOf(projectId, keys));
    return rows[0]?.bytes ?? [];
  },
  read: async (reader, projectId, keys, version) => {
    const { rows } = await reader.query<GroupRow>(selectByActor(projectId, keys));
    const byActor = new Map(rows.map((row) => [row.actor, row]));
    return { rows: keys.map((actor) => projected(projectId, actor, byActor.get(actor), version)), gone: [] };
  },
};

const projected = (projectId: number, actor: string, row: GroupRow | undefined, version: string) => ({
  project_id: projectId,
  actor,
  id: row?.id ?? '0',
  group_type_index: row?.group_type_index ?? 0,
  key: row?.key ?? '',
  properties: projectedProperties(row?.properties ?? {}),
  created_at: row?.created_at ?? '1970-01-01T00:00:00.000Z',
  is_deleted: row ? 0 : 1,
  version,
  search: row ? searchText(row.properties, [row.key]) : '',
});
