import { type Engine } from './engine.js';
import { type StatementSettings } from './limits.js';
import { type BindingRoom, type Bound, type Sql, compile } from './sql.js';
import { type SpanStart } from '../telemetry/tracing.js';

export interface Call {
  query_id: string;
  abort_signal: AbortSignal;
  clickhouse_settings: StatementSettings;
}

interface Request extends Omit<Call, 'clickhouse_settings'> {
  query: string;
  query_params: Record<string, Bound>;
  clickhouse_settings: StatementSettings & { max_query_size?: string };
}

/** By default, a server parses this many bytes of a statement; a setting of the request can allow more. */
const parsedAnyway = 262_144;
/**
 * The longest statement with bound values. If they are many, the client sends the statement as a field of a form, and a server
 * takes only 131,072 bytes of a field. A longer statement contains its values as literals, so that it is sent as the body.
 */
const formFieldBytes = 100_000;
/**
 * Bound values are sent in the address. ClickHouse refuses more than 1,000 values, and a value of more than 131,072 characters
 * as the address encodes it, where one character may become nine. No setting of a request changes these limits.
 */
const room: BindingRoom = { values: 400, characters: 12_000 };
const noRoom: BindingRoom = { values: 0, characters: 0 };
/** Room for the format, which the client writes after the statement. */
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

/** Properties that are already serialised to JSON. */
export class WrittenProperties {
  constructor(readonly json: string) {}

  /** Makes JSON.stringify leave these properties out of a row, so that the row need not be copied without them. */
  toJSON(): undefined {
    return undefined;
  }
}

/** Serialises one row of an insert, as the client's `stringify` does. */
export const writeRow = (row: unknown): string => {
  const text = JSON.stringify(row);
  return hasWrittenProperties(row) ? `${text.slice(0, -1)},"properties":${row.properties.json}}` : text;
};

const hasWrittenProperties = (row: unknown): row is { properties: WrittenProperties } =>
  typeof row === 'object' && row !== null && 'properties' in row && row.properties instanceof WrittenProperties;

const maxCharacters = 10_000;
const maxInLine = 2_000;

/** A statement with placeholders in place of values, as one line for the log. */
export const lineOf = (text: () => string): string => text().replace(/\s+/g, ' ').trim().slice(0, maxInLine);

/** `text` has placeholders in place of values. The span includes the time that the statement waits in the queue. */
export const clickhouseSpan = (text: () => string) => (): SpanStart => {
  const statement = text().trim();
  const [operation = ''] = statement.split(/\s/, 1);
  return {
    name: operation.toUpperCase(),
    kind: 'client',
    attributes: {
      'db.system.name': 'clickhouse',
      'db.operation.name': operation.toUpperCase(),
      'db.query.text': statement.slice(0, maxCharacters),
    },
  };
};
