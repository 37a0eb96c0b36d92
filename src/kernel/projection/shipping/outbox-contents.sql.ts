import { bound, pgSql, type PgSql } from '../../../platform/postgres/sql.js';

/** Reads the outbox rows of a shipment, in the order of the shipment. */
export const outboxContents = (outboxIds: readonly string[]): PgSql => pgSql`
  SELECT o.id, o.project_id AS "projectId", o.kind, o.refs
  FROM unnest(${bound(outboxIds)}::bigint[]) WITH ORDINALITY AS chosen (id, at) JOIN outbox o ON o.id = chosen.id
  ORDER BY chosen.at`;
