import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../src/common/logging/logger.js';
import { loadConfig } from '../../src/config/config.js';
import { entities } from '../../src/entities.js';
import { openStores } from '../../src/stores/open-stores.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/stores/postgres/embedded/server.js';
import { startClickHouseServer, type ClickHouseServer } from '../support/clickhouse/server.mjs';
import { differences, noDifferences } from '../support/crash/compare-stores.js';
import { killPostmaster } from '../support/crash/postmaster.js';
import { untilShipped } from '../support/crash/until-shipped.js';
import { pick, Writers } from '../support/crash/writers.js';
import {
  cli,
  freePort,
  launch,
  removeDir,
  tempDir,
  terminate,
  type BootstrapFile,
  type Env,
  type RunningProcess,
} from '../support/process.js';

const kills = Number(process.env.CRASH_KILLS ?? 6);
const events = Number(process.env.CRASH_EVENTS ?? 4000);

let dir: string;
let postgres: EmbeddedPostgres;
let clickhouse: ClickHouseServer;
let clickhousePort: number;
let env: Env;
let made: BootstrapFile;

/** A process of the service under an orchestrator, which starts it again on the same port whenever it ends. */
class Part {
  private isEnding = false;
  private process: RunningProcess | null = null;
  private readonly kept: Promise<void>;

  private constructor(
    readonly role: 'api' | 'worker',
    readonly url: string,
    private readonly env: Env,
  ) {
    this.kept = this.keep();
  }

  static async start(name: string, role: 'api' | 'worker'): Promise<Part> {
    const port = await freePort();
    const own = { ...env, ROLE: role, DATA_DIR: join(dir, name), PORT: String(port) };
    return new Part(role, `http://127.0.0.1:${port}`, own);
  }

  kill(): void {
    this.process?.child.kill('SIGKILL');
  }

  /** Throws when the process cannot be started for so long. */
  async ready(): Promise<RunningProcess> {
    for (let left = 600; left > 0; left -= 1) {
      const answer = await fetch(`${this.url}/_readyz`).catch(() => null);
      if (answer?.status === 200 && this.process) return this.process;
      await sleep(100);
    }
    throw new Error(`the ${this.role} is not ready: ${this.process?.output().slice(-3000)}`);
  }

  async end(): Promise<void> {
    this.isEnding = true;
    this.kill();
    await this.kept;
  }

  /** Returns the exit code. */
  async terminate(): Promise<number | null> {
    this.isEnding = true;
    return this.process && (await terminate(this.process)).code;
  }

  private async keep(): Promise<void> {
    while (!this.isEnding) {
      this.process = await launch(this.env);
      await this.process.exited;
    }
  }
}

const parts: Part[] = [];
const apis = () => parts.filter(({ role }) => role === 'api');

beforeAll(async () => {
  dir = await tempDir();
  const quiet = createLogger({ logLevel: 'fatal' });
  postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'stores'), logger: quiet });
  clickhousePort = await freePort();
  clickhouse = await startClickHouseServer({ path: join(dir, 'clickhouse'), port: clickhousePort });
  env = {
    DATABASE_URL: postgres.url.href,
    CLICKHOUSE_URL: new URL('/kohort', clickhouse.url).href,
    DATA_DIR: join(dir, 'cli'),
    LOG_LEVEL: 'warn',
    DATABASE_POOL_SIZE: '12',
  };
  const bootstrap = await cli(env, 'bootstrap', '--email', 'ada@example.test', '--project', 'Test', '--json');
  if (bootstrap.code !== 0) throw new Error(bootstrap.stderr);
  made = JSON.parse(bootstrap.stdout) as BootstrapFile;
  for (const role of ['api', 'api', 'worker', 'worker'] as const) parts.push(await Part.start(`${parts.length}`, role));
  for (const part of parts) await part.ready();
});
afterAll(async () => {
  for (const part of parts) await part.end();
  await clickhouse.close();
  await postgres.stop();
  await removeDir(dir);
});

const killable: Readonly<Record<string, () => unknown>> = {
  api: () => apis()[pick(2)]?.kill(),
  worker: () => parts.filter(({ role }) => role === 'worker')[pick(2)]?.kill(),
  PostgreSQL: () => killPostmaster(join(dir, 'stores')),
  ClickHouse: async () => {
    await clickhouse.close();
    await sleep(pick(500));
    clickhouse = await startClickHouseServer({ path: join(dir, 'clickhouse'), port: clickhousePort });
  },
};
const names = Object.keys(killable);

describe(`${kills} kills of two api processes, two workers and the servers of both stores under load`, () => {
  it('lose and double nothing: the log holds what was acknowledged, ClickHouse equals the log', async () => {
    const writers = new Writers(() => apis()[pick(2)]?.url ?? '', made.project_token, events);
    const killed = new Map<string, number>();
    for (let n = 0; n < kills; n += 1) {
      // The first kills are one of each, so that a few have all.
      const name = names[n < names.length ? n : pick(names.length)] ?? '';
      await sleep(100 + pick(1400));
      await killable[name]?.();
      killed.set(name, (killed.get(name) ?? 0) + 1);
    }
    await writers.stop();
    const running = await Promise.all(parts.map((part) => part.ready()));
    for (const each of running.slice(0, 1)) await untilShipped(each);
    for (const part of parts) expect(await part.terminate()).toBe(0);

    const stores = await openStores(loadConfig(env), createLogger({ logLevel: 'warn' }), entities);
    try {
      expect(await differences(stores, writers.acknowledged)).toEqual(noDifferences);
      const counts = [...killed].map(([name, count]) => `${count} of ${name}`).join(', ');
      console.log(
        `${writers.acknowledged.size} acknowledged events, ${kills} kills (${counts}), ` +
          `${writers.refused} requests refused and sent again: 0 lost, 0 doubled, 0 misattributed`,
      );
    } finally {
      await stores.close();
    }
  }, 3_600_000);
});
