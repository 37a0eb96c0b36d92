import { redirectsTable } from '../schema/projected-tables.js';
import { type Cargo } from './cargo.js';
import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';

/** No person has this id. It stands for the person into which another one was merged and which is deleted. */
const noTarget = '0';

/** Reads key by key, for the same reason as the cargo of events. */
const selectBySource = (projectId: number, sources: readonly string[]): PgSql =>
  pgSql`
  SELECT requested.source, coalesce((
    SELECT target FROM person_redirects WHERE project_id = ${bound(projectId)} AND source = requested.source LIMIT 1
  ), ${bound(noTarget)}::bigint) AS target
  FROM unnest(${bound(sources)}::bigint[]) AS requested (source)`.named('projection-redirects');

/** The person into which each merged person went, until that person is deleted. */
export const redirectsCargo: Cargo = {
  kind: 'redirects',
  table: redirectsTable,
  sizes: null,
  read: async (reader, projectId, keys, version) => {
    const { rows } = await reader.query<{ source: string; target: string }>(selectBySource(projectId, keys));
    return { rows: rows.map(({ source, target }) => ({ project_id: projectId, source, target, version })), gone: [] };
  },
};
