import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { entities } from '../../src/app/entities.js';
import { migrateStores } from '../../src/kernel/projection/identity/migrate-stores.js';
import { openStores } from '../../src/kernel/stores/open-stores.js';
import { differences, noDifferences } from '../support/crash/compare-stores.js';
import { killPostmaster } from '../support/crash/postmaster.js';
import { untilShipped } from '../support/crash/until-shipped.js';
import { pick, Writers } from '../support/crash/writers.js';
import {
  bootstrapFile,
  engineOf,
  type BootstrapFile,
  freePort,
  launch,
  removeDir,
  tempDir,
  terminate,
  untilReady,
  type RunningProcess,
} from '../support/process.js';

const kills = Number(process.env.CRASH_KILLS ?? 2);
/** CRASH_ENGINE=1 kills the engine of ClickHouse alone. */
const enginesShare = Number(process.env.CRASH_ENGINE ?? 0.3);
const events = Number(process.env.CRASH_EVENTS ?? 4000);

let dataDir: string;
let port: string;
let service: RunningProcess;
let made: BootstrapFile;

const env = () => ({ DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'warn' });

beforeAll(async () => {
  dataDir = await tempDir();
  port = String(await freePort());
  service = await launch(env());
  await untilReady(service);
  made = await bootstrapFile(dataDir);
});
afterAll(async () => {
  if (service.child.exitCode === null && service.child.signalCode === null) await terminate(service);
  await removeDir(dataDir);
});

const killSomething = async (): Promise<string> => {
  const chance = Math.random();
  const engine = engineOf(service);
  if (chance < enginesShare && engine > 0) {
    process.kill(engine, 'SIGKILL');
    return 'engine';
  }
  // Only the engine shall be killed, and it is starting.
  if (enginesShare >= 1) return 'nothing';
  if (chance < enginesShare + 0.3 && (await killPostmaster(dataDir))) return 'postgres';
  service.child.kill('SIGKILL');
  await service.exited;
  await sleep(pick(300));
  service = await launch(env());
  await untilReady(service);
  return 'service';
};

describe(`${kills} kills of service, PostgreSQL and the engine of ClickHouse under load`, () => {
  it('lose and double nothing: the log holds what was acknowledged, ClickHouse equals the log', async () => {
    const writers = new Writers(() => service.url, made.project_token, events);
    const killed: string[] = [];
    for (let n = 0; n < kills; n += 1) {
      await sleep(200 + pick(1500));
      killed.push(await killSomething());
    }
    await writers.stop();
    await untilShipped(service);
    expect((await terminate(service)).code).toBe(0);

    const stores = await openStores(
      loadConfig({ DATA_DIR: dataDir }),
      createLogger({ logLevel: 'warn' }),
      entities,
      migrateStores,
    );
    try {
      expect(await differences(stores, writers.acknowledged, made.project_id)).toEqual(noDifferences);
      console.log(
        `${writers.acknowledged.size} acknowledged events, ${killed.length} kills (${killed.filter((what) => what === 'postgres').length} of PostgreSQL, ` +
          `${killed.filter((what) => what === 'engine').length} of the engine of ClickHouse), ` +
          `${writers.refused} requests refused and sent again: 0 lost, 0 doubled, 0 misattributed`,
      );
    } finally {
      await stores.close();
    }
  }, 3_600_000);
});
