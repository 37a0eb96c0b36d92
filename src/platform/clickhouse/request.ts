import { type Engine } from './engine.js';
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
/**
 * Beside many bound values the client sends the statement as a field of a form, of which a server takes 131,072 bytes. A longer
 * statement has no bound values, so it is the body itself.
 */
const formFieldBytes = 100_000;
/**
 * Bound values travel in the address. ClickHouse refuses more than 1,000 of them, and one of more than 131,072 characters as
 * the address encodes it, in which a character may become nine. No setting of a request changes these limits.
 */
const room: BindingRoom = { values: 400, characters: 12_000 };
const noRoom: BindingRoom = { values: 0, characters: 0 };
/** The client writes the format after the statement. */
const formatBytes = 1_000;

/** The request that runs a statement. */
export const requestOf = (statement: Sql, call: Call, { form }: Pick<Engine, 'form'>): Request => {
  const compiledIn = (space: BindingRoom) => compile(statement, space, form.cluster !== null);
  const sparing = compiledIn(room);
  const compiled = Buffer.byteLength(sparing.query) > formFieldBytes ? compiledIn(noRoom) : sparing;
  const bytes = Buffer.byteLength(compiled.query);
  if (bytes + formatBytes < parsedAnyway) return { ...compiled, ...call };
  const clickhouse_settings = { ...call.clickhouse_settings, max_query_size: String(bytes + formatBytes) };
  return { ...compiled, ...call, clickhouse_settings };
};
