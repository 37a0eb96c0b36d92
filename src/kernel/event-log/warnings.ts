import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

export interface Warning {
  readonly type: string;
  readonly detail: string;
  /** Null: the warning is about the project. */
  readonly eventUuid: string | null;
  readonly distinctId: string | null;
}

/** A faulty client repeats one warning in masses. The first few of each type in a commit tell as much as all of them. */
const warningsPerKind = 10;

const insertWarnings = (projectId: number, rows: string, now: Date): PgSql =>
  pgSql`
    INSERT INTO ingestion_warnings (project_id, id, type, detail, event_uuid, distinct_id, created_at)
    SELECT ${bound(projectId)}, new.id, new.type, new.detail, new.event_uuid, new.distinct_id, ${bound(now)}
    FROM json_to_recordset(${bound(rows)}::json)
      AS new (id uuid, type text, detail text, event_uuid uuid, distinct_id text)`.named('warnings-insert');

export const writeWarnings = async (
  client: ClientBase,
  projectId: number,
  warnings: readonly Warning[],
  now: Date,
): Promise<void> => {
  const counts = new Map<string, number>();
  const written = warnings.filter(({ type }) => {
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return count <= warningsPerKind;
  });
  if (written.length === 0) return;
  const rows = written.map(({ type, detail, eventUuid, distinctId }) => ({
    id: uuidv7(),
    type,
    detail,
    event_uuid: eventUuid,
    distinct_id: distinctId,
  }));
  await client.query(insertWarnings(projectId, JSON.stringify(rows), now));
};
