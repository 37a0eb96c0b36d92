import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withAdmin } from '../../src/platform/postgres/embedded/admin.js';

export interface StatementsAtRest {
  /** How often PostgreSQL got each statement. */
  readonly postgres: ReadonlyMap<string, number>;
  /** How many statements ClickHouse got. */
  readonly clickhouse: number;
  readonly walBytes: number;
}

const logAll = async (dataDir: string, change: "SET log_statement = 'all'" | 'RESET log_statement'): Promise<void> => {
  await withAdmin(dataDir, async (admin) => {
    await admin.query(`ALTER SYSTEM ${change}`);
    await admin.query('SELECT pg_reload_conf()');
  });
};

const walBytes = (dataDir: string): Promise<number> =>
  withAdmin(dataDir, async (admin) => {
    const { rows } = await admin.query<{ bytes: string }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes`,
    );
    return Number(rows[0]?.bytes);
  });

/** The statements of ClickHouse up to now, with this one. */
const clickhouseStatements = async (dataDir: string): Promise<number> => {
  const settings = await readFile(join(dataDir, 'clickhouse-settings.xml'), 'utf8');
  const element = (name: string) => new RegExp(`<${name}>([^<]+)`).exec(settings)?.[1] ?? '';
  const answer = await fetch(`http://127.0.0.1:${element('http_port')}/`, {
    method: 'POST',
    headers: { Authorization: element('Authorization') },
    body: `SELECT value FROM system.events WHERE event = 'Query'`,
  });
  return Number(await answer.text());
};

const statement = /LOG: {2}(?:statement|execute [^:]+): (.*(?:\n(?!\d{4}-\d\d-\d\d ).*)*)/g;

/** Counts what a service with embedded stores sends to them during `rest`. PostgreSQL logs each statement meanwhile. */
export const statementsAtRest = async (dataDir: string, rest: Promise<unknown>): Promise<StatementsAtRest> => {
  const log = join(dataDir, 'postgres.log');
  const { size } = await stat(log);
  const before = [await clickhouseStatements(dataDir), await walBytes(dataDir)] as const;
  await logAll(dataDir, "SET log_statement = 'all'");
  await rest;
  await logAll(dataDir, 'RESET log_statement');
  const text = (await readFile(log)).subarray(size).toString();
  const postgres = new Map<string, number>();
  for (const [, words = ''] of text.matchAll(statement)) {
    const shape = words.replaceAll(/\s+/g, ' ').trim();
    postgres.set(shape, (postgres.get(shape) ?? 0) + 1);
  }
  return {
    postgres,
    clickhouse: (await clickhouseStatements(dataDir)) - before[0] - 1,
    walBytes: (await walBytes(dataDir)) - before[1],
  };
};
