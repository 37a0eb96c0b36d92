import { redirectsTable } from '../schema/projected-tables.js';
import { type Cargo } from './cargo.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';

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
