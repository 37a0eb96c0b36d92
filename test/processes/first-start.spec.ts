import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/postgres/embedded/server.js';
import { startClickHouseServer, type ClickHouseServer } from '../support/clickhouse/server.mjs';
import {
  bootstrapFile,
  freePort,
  launch,
  removeDir,
  tempDir,
  terminate,
  untilReady,
  type RunningProcess,
} from '../support/process.js';
import { Traffic } from '../support/traffic.js';

let dir: string;
let postgres: EmbeddedPostgres;
let clickhouse: ClickHouseServer;
let services: RunningProcess[] = [];

beforeAll(async () => {
  dir = await tempDir();
  postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'stores'), logger: createLogger({ logLevel: 'fatal' }) });
  clickhouse = await startClickHouseServer({ path: join(dir, 'clickhouse'), port: await freePort() });
});
afterAll(async () => {
  for (const { child } of services) child.kill('SIGKILL');
  await clickhouse.close();
  await postgres.stop();
  await removeDir(dir);
});

describe('four processes that start at the same moment on empty servers', () => {
  it('make one schema and one project, and serve', async () => {
    const env = {
      ...{
        DATABASE_URL: postgres.url.href,
        CLICKHOUSE_URL: new URL('/kohort', clickhouse.url).href,
        LOG_LEVEL: 'warn',
      },
      DATABASE_POOL_SIZE: '12',
    };
    services = await Promise.all(
      ['api', 'api', 'worker', 'worker'].map((ROLE, n) => launch({ ...env, ROLE, DATA_DIR: join(dir, String(n)) })),
    );
    await Promise.all(services.map((service) => untilReady(service)));
    const output = services.map((service) => service.output()).join('');
    expect([...output.matchAll(/"level":\d+.*/g)]).toEqual([]);
    expect([...output.matchAll(/A demo project is ready/g)]).toHaveLength(1);

    const first = services.findIndex((service) => service.output().includes('A demo project is ready'));
    const made = await bootstrapFile(join(dir, String(first)));
    const [one, other] = services as [RunningProcess, RunningProcess];
    const traffic = new Traffic(one, made);
    expect(await traffic.capture(7)).toMatchObject({ status: 200 });
    await traffic.at(other).untilRight();
    expect(await Promise.all(services.map(async (service) => (await terminate(service)).code))).toEqual([0, 0, 0, 0]);
  }, 120_000);
});
