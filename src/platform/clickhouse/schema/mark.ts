import { type ClickHouseClient } from '@clickhouse/client';
import { ClickHouseUnavailable, engineCode, writeError } from '../errors.js';
import { type clusterSettings } from '../limits.js';
import { compile, identifier, sql } from '../sql.js';

/** Says whose projection a database has: the identity of an installation, and how often a database became its projection. */
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

/** In `schema_migrations`, which every database has before any other table. No migration has this version. */
const version = 0;

/** Its time is its generation: rows of one version replace each other by time, and no clock may decide which one stays. */
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
  control: ClickHouseClient,
  { database, settings = {} }: { readonly database: string; readonly settings?: Partial<typeof clusterSettings> },
  timeoutMs: number,
): Promise<FoundDatabase> => {
  const { query } = compile(
    sql`SELECT argMax(name, applied_at) AS name FROM ${identifier(database)}.schema_migrations WHERE version = 0`,
  );
  try {
    const abort_signal = AbortSignal.timeout(timeoutMs);
    const answer = await control.query({
      query,
      format: 'JSONEachRow',
      clickhouse_settings: settings,
      abort_signal,
    });
    const [row] = await answer.json<{ name: string }>();
    // An aggregate has a row: a server whose disk is full may answer with none.
    if (!row) throw new ClickHouseUnavailable('ClickHouse has answered with nothing');
    return { exists: true, mark: markIn(row.name) };
  } catch (error) {
    const code = engineCode(error);
    if (code === unknownTable || code === unknownDatabase) return { exists: code === unknownTable, mark: null };
    throw writeError(error);
  }
};
