import { type Engine } from './engine.js';
import { type StatementSettings } from './limits.js';
import { type BindingRoom, type Sql, compile } from './sql.js';
import { type Bound } from './values.js';
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

/** Properties that are already serialised to JSON. */
export class WrittenProperties {
  constructor(readonly json: string) {}

  /** Leaves them out of the row, so that the row need not be copied without them. */
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

/** A statement, with placeholders in the place of values, as a line of the log shows it. */
export const lineOf = (text: () => string): string => text().replace(/\s+/g, ' ').trim().slice(0, maxInLine);

/** `text` has placeholders in the place of values. The time that the statement waits for its turn is part of the span. */
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
