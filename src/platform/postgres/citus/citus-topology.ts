import { holdCollecting } from '../lease.js';
import { bound, pgSql, type PgSql } from '../sql.js';
import { type NodeOutbox, type Topology } from '../topology.js';
import { placementOf } from './placements.js';

/** Finds `(SELECT $1)`: in this form PostgreSQL does not plan for the value, as its statistics may be older than the project. */
const hidden = /\(SELECT (\$\d+::\w+(?:\[\])?)\)/g;

const shown = new Map<string, string>();

/** Citus needs the bare `$1` to find the node of a project. All texts are kept: they are few, as they contain no values. */
const showingValues = (text: string): string => {
  if (!text.includes('(SELECT $')) return text;
  const known = shown.get(text);
  if (known !== undefined) return known;
  const made = text.replace(hidden, '$1');
  shown.set(text, made);
  return made;
};

/** Citus limits the size of results that it sends between nodes (`citus.max_intermediate_result_size`). */
const rowsAtOnce = 5_000;

const lastOfNext = pgSql`
  SELECT max(id) AS last, count(*)::integer AS number FROM (
    SELECT id FROM node_outbox ORDER BY id LIMIT ${bound(rowsAtOnce)}
  ) AS next`.named('projection-next-of-nodes');

/**
 * Moves rows in one statement for all nodes. Citus commits it on the nodes and the coordinator together, so that a row is always
 * in exactly one of the two tables. The transaction ids of arrivals are those of the coordinator.
 */
const move = (last: string): PgSql =>
  pgSql`
    WITH moved AS (
      DELETE FROM node_outbox WHERE id <= ${bound(last)}::bigint
      RETURNING project_id, id, kind, refs, size, created_at, is_arrival
    ), arrived AS (
      INSERT INTO arrivals (project_id, xid, uuids, size, received_at)
      SELECT m.project_id, pg_current_xact_id()::text::bigint, ARRAY(SELECT jsonb_array_elements_text(m.refs)::uuid), m.size, m.created_at
      FROM moved AS m WHERE m.is_arrival ORDER BY m.id
    )
    INSERT INTO outbox (id, project_id, kind, refs, size, created_at)
    SELECT id, project_id, kind, refs, size, created_at FROM moved`.named('projection-collect');

const nodeOutbox: NodeOutbox = {
  insert: (project, entries, now) =>
    pgSql`
      INSERT INTO node_outbox (project_id, kind, refs, size, created_at, is_arrival)
      SELECT ${project}, entry.kind, entry.refs, jsonb_array_length(entry.refs), ${bound(now)}::timestamptz, entry."isArrival"
      FROM jsonb_to_recordset(${bound(entries)}::jsonb) AS entry (kind text, refs jsonb, "isArrival" boolean)`,
  ids: pgSql`SELECT id FROM node_outbox`,
  collect: async (postgres) => {
    for (;;) {
      const { rows } = await postgres.query<{ last: string | null; number: number }>(lastOfNext);
      const { last = null, number = 0 } = rows[0] ?? {};
      if (last === null) return;
      await postgres.transaction(async (client) => {
        await holdCollecting(client);
        await client.query(move(last));
      });
      if (number < rowsAtOnce) return;
    }
  },
};

/** The topology of Citus, where all rows of a project are on one node. It sends a CTE that is read twice to all nodes. */
export const citusTopology: Topology = {
  textToSend: showingValues,
  copyReadsSettings: false,
  mayCountWrites: false,
  removesByPosition: (table) => placementOf(table) !== 'reference',
  gate: { table: pgSql`project_gates`, projectId: pgSql`p.project_id` },
  upsertGate: async (client, projectId) => {
    const { rows } = await client.query<{ deleted_at: Date | null; quota: number | null }>(
      pgSql`SELECT deleted_at, quota_events_per_day AS quota FROM projects WHERE id = ${bound(projectId)}`,
    );
    const [project] = rows;
    if (!project) return;
    await client.query(
      pgSql`INSERT INTO project_gates (project_id, deleted_at, quota_events_per_day)
        VALUES (${bound(projectId)}, ${bound(project.deleted_at)}, ${bound(project.quota)})
        ON CONFLICT (project_id) DO UPDATE SET deleted_at = excluded.deleted_at, quota_events_per_day = excluded.quota_events_per_day`,
    );
  },
  nodeOutbox,
};
