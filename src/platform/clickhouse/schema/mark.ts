import { type HttpClient } from '../http-client.js';
import { ClickHouseUnavailable, engineCode, writeError } from '../errors.js';
import { type clusterSettings } from '../limits.js';
import { compile, identifier, sql } from '../sql.js';

/** Names the installation whose projection a database has. Its `generation` counts the databases that became its projection. */
export interface ProjectionMark {
  readonly identity: string;
  readonly generation: number;
}

export interface FoundDatabase {
  readonly exists: boolean;
  readonly mark: ProjectionMark | null;
}

const unknownTable = '60';
export const unknownDatabase = '81';

/** The version of the mark in `schema_migrations`, which is the first table of every database. No migration has this version. */
const version = 0;

/** The time of the row is its generation: of the rows with one version the latest stays, and no clock may decide that. */
export const markRow = ({ identity, generation }: ProjectionMark): object => ({
  version,
  name: `projection ${identity} ${generation}`,
  applied_at: new Date(generation * 1_000),
});

const markIn = (name: string): ProjectionMark | null => {
  const [, identity, generation] = /^projection (\S+) (\d+)$/.exec(name) ?? [];
  return identity === undefined ? null : { identity, generation: Number(generation) };
};

/** Looks whose projection the database has. Throws when ClickHouse does not answer. */
export const findDatabase = async (
  control: HttpClient,
  { database, settings = {} }: { readonly database: string; readonly settings?: Partial<typeof clusterSettings> },
  timeoutMs: number,
): Promise<FoundDatabase> => {
  const { query } = compile(
    sql`SELECT argMax(name, applied_at) AS name FROM ${identifier(database)}.schema_migrations WHERE version = 0`,
  );
  try {
    const abort_signal = AbortSignal.timeout(timeoutMs);
    const { content } = await control.rows<{ name: string }>({ query, clickhouse_settings: settings, abort_signal });
    const [row] = content;
    // An aggregate always has a row; a server whose disk is full may answer without it.
    if (!row) throw new ClickHouseUnavailable('ClickHouse has answered with nothing');
    return { exists: true, mark: markIn(row.name) };
  } catch (error) {
    const code = engineCode(error);
    if (code === unknownTable || code === unknownDatabase) return { exists: code === unknownTable, mark: null };
    throw writeError(error);
  }
};
