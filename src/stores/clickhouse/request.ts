import { type StatementSettings } from './limits.js';
import { compile, type BindingRoom, type Sql } from './sql.js';
import { type Bound } from './values.js';

export interface Call {
  query_id: string;
  abort_signal: AbortSignal;
  clickhouse_settings: StatementSettings;
}

export interface Request extends Omit<Call, 'clickhouse_settings'> {
  query: string;
  query_params: Record<string, Bound>;
  clickhouse_settings: StatementSettings & { max_query_size?: string };
}

/** A server parses this many bytes of a statement unless a setting of the request allows more. */
const parsedAnyway = 262_144;
/** The client writes the format behind the statement. */
const formatBytes = 1_000;

/** The request that runs a statement. `room` is null where every value can be bound. */
export const requestOf = (statement: Sql, call: Call, room: BindingRoom | null): Request => {
  if (room === null) return { ...compile(statement), ...call };
  const compiled = compile(statement, room);
  const bytes = Buffer.byteLength(compiled.query);
  if (bytes + formatBytes < parsedAnyway) return { ...compiled, ...call };
  const clickhouse_settings = { ...call.clickhouse_settings, max_query_size: String(bytes + formatBytes) };
  return { ...compiled, ...call, clickhouse_settings };
};
