import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { freshStores } from '../../support/fresh-stores.js';
import { citusTopology } from '../../../src/platform/postgres/citus/citus-topology.js';
import { PgConnection } from '../../../src/platform/postgres/connection.js';
import { copyRows } from '../../../src/platform/postgres/copy-rows.js';
import { Postgres } from '../../../src/platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../../src/platform/postgres/sql.js';
import { oneServer, topology, useTopology } from '../../../src/platform/postgres/topology.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let pools: Pool[];

beforeAll(async () => {
  stores = await freshStores();
  const options = { connectionString: stores.databaseUrl.href, max: 1 };
  pools = [new Pool({ ...options, pipeline: true, Client: PgConnection }), new Pool(options)];
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await stores.remove();
});

/** The only field of each row, as text. */
const copied = async (postgres: Postgres, statement: PgSql): Promise<string[]> => {
  const texts: string[] = [];
  await postgres.transaction(copyRows(statement, (row) => texts.push(row.toString('utf8', 6))));
  return texts;
};

describe.each([
  ['of the service', 0, oneServer],
  ['without a pipeline', 1, oneServer],
  ['to Citus', 0, citusTopology],
])('rows that are copied over a connection %s', (_, at, tried) => {
  const usual = topology();

  beforeAll(() => useTopology(tried));
  afterAll(() => useTopology(usual));

  const postgres = () => new Postgres(pools[at] as Pool);

  it('are those of the statement, with values that are bound', async () => {
    const hostile = "o'clock\\ $1 ü\n'); DROP TABLE events; --";
    expect(await copied(postgres(), pgSql`SELECT ${bound(hostile)}::text`)).toEqual([hostile]);
    const numbers = pgSql`SELECT n::text AS text FROM generate_series(1, ${bound(20_000)}::integer) AS n ORDER BY n`;
    expect(await copied(postgres(), numbers)).toEqual(Array.from({ length: 20_000 }, (__, n) => String(n + 1)));
    const noon = new Date('2026-01-01T12:00:00.001Z');
    const same = pgSql`SELECT (${bound(noon)}::timestamptz = timestamptz '2026-01-01 12:00:00.001+00')::text`;
    expect(await copied(postgres(), same)).toEqual(['true']);
    expect(await copied(postgres(), pgSql`SELECT 'none' WHERE false`)).toEqual([]);
  });

  it('may be many millions of bytes', async () => {
    const [text] = await copied(postgres(), pgSql`SELECT repeat('ab', ${bound(4_000_000)}::integer)`);
    expect(text?.length).toBe(8_000_000);
  });

  it('leave a connection that still works when the statement or what takes the rows fails', async () => {
    await expect(copied(postgres(), pgSql`SELECT 1 / ${bound(0)}::integer`)).rejects.toThrow('division by zero');
    const failing = copyRows(pgSql`SELECT n FROM generate_series(1, 1000) AS n`, () => {
      throw new Error('no room');
    });
    await expect(postgres().transaction(failing)).rejects.toThrow('no room');
    expect(await copied(postgres(), pgSql`SELECT 'fine'`)).toEqual(['fine']);
  });

  it('leave no value behind', async () => {
    await copied(postgres(), pgSql`SELECT ${bound('secret')}::text`);
    const { rows } = await postgres().query(`SELECT coalesce(current_setting('kohort.copy_1', true), '') AS value`);
    expect(rows).toEqual([{ value: '' }]);
  });
});
