import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../../src/platform/telemetry/logger.js';
import { loadConfig } from '../../../src/platform/config/config.js';
import { entities } from '../../../src/app/entities.js';
import { migrateStores } from '../../../src/kernel/projection/identity/migrate-stores.js';
import { openStores } from '../../../src/kernel/stores/open-stores.js';
import { startClickHouseServer, type ClickHouseServer } from '../clickhouse/server.mjs';
import { cli, freePort, type BootstrapFile, type Env } from '../process.js';
import { differences } from './compare-stores.js';
import { Part } from './part.js';
import { untilShipped } from './until-shipped.js';
import { pick, Writers } from './writers.js';

/** Two api processes and two workers on a server of each store. */
export class Processes {
  readonly parts: Part[] = [];

  private constructor(
    private readonly dir: string,
    private readonly clickhousePort: number,
    private clickhouse: ClickHouseServer,
    readonly env: Env,
    readonly made: BootstrapFile,
  ) {}

  static async start(dir: string, databaseUrl: string, more: Env = {}): Promise<Processes> {
    const port = await freePort();
    const clickhouse = await startClickHouseServer({ path: join(dir, 'clickhouse'), port });
    const env = {
      DATABASE_URL: databaseUrl,
      CLICKHOUSE_URL: new URL('/kohort', clickhouse.url).href,
      DATA_DIR: join(dir, 'cli'),
      LOG_LEVEL: 'warn',
      DATABASE_POOL_SIZE: '12',
      ...more,
    };
    const bootstrap = await cli(env, 'bootstrap', '--email', 'ada@example.test', '--project', 'Test', '--json');
    if (bootstrap.code !== 0) throw new Error(bootstrap.stderr);
    const all = new Processes(dir, port, clickhouse, env, JSON.parse(bootstrap.stdout) as BootstrapFile);
    for (const role of ['api', 'api', 'worker', 'worker'] as const)
      all.parts.push(await Part.start(role, { ...env, DATA_DIR: join(dir, String(all.parts.length)) }));
    for (const part of all.parts) await part.ready();
    return all;
  }

  get apis(): readonly Part[] {
    return this.parts.filter(({ role }) => role === 'api');
  }

  get workers(): readonly Part[] {
    return this.parts.filter(({ role }) => role === 'worker');
  }

  /** Send at least so many events, each request to any api. */
  writers(events: number, token = this.made.project_token, writers?: number): Writers {
    return new Writers(() => this.anyApi(), token, events, writers);
  }

  async newProject(name: string): Promise<{ readonly id: number; readonly api_token: string }> {
    return (await this.ask('POST', '/api/projects', { name })) as { id: number; api_token: string };
  }

  /** Asks any api, and demands that it answers. */
  async ask(method: string, path: string, body?: object): Promise<object | null> {
    const answer = await fetch(`${this.anyApi()}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.made.personal_api_key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} is answered with ${answer.status}: ${text}`);
    return text === '' ? null : (JSON.parse(text) as object);
  }

  anyApi(): string {
    return this.apis[pick(this.apis.length)]?.url ?? '';
  }

  /** Sends a statement to the server of ClickHouse itself. */
  async clickhouseDoes(statement: string): Promise<void> {
    const answer = await fetch(this.clickhouse.url, { method: 'POST', body: statement });
    if (!answer.ok) throw new Error(await answer.text());
  }

  /** `isEmpty`: with a disk that has nothing. */
  async restartClickHouse(pauseMs: number, { isEmpty = false } = {}): Promise<void> {
    await this.clickhouse.close();
    await sleep(pauseMs);
    if (isEmpty) await rm(join(this.dir, 'clickhouse'), { recursive: true });
    this.clickhouse = await startClickHouseServer({ path: join(this.dir, 'clickhouse'), port: this.clickhousePort });
  }

  /** Stops all processes once everything is shipped, and compares the stores with what was acknowledged. */
  async differences(acknowledged: ReadonlySet<string>): ReturnType<typeof differences> {
    const [ofFirst] = await this.differencesOf(new Map([[this.made.project_id, acknowledged]]));
    return ofFirst as Awaited<ReturnType<typeof differences>>;
  }

  /** The same for several projects, by their ids. */
  async differencesOf(acknowledged: ReadonlyMap<number, ReadonlySet<string>>) {
    const [first] = await Promise.all(this.parts.map((part) => part.ready()));
    if (first) await untilShipped(first);
    const codes = await Promise.all(this.parts.map((part) => part.terminate()));
    if (codes.some((code) => code !== 0)) throw new Error(`the processes ended with ${codes.join(', ')}`);
    const stores = await openStores(loadConfig(this.env), createLogger({ logLevel: 'warn' }), entities, migrateStores);
    try {
      return await Promise.all([...acknowledged].map(([id, uuids]) => differences(stores, uuids, id)));
    } finally {
      await stores.close();
    }
  }

  async end(): Promise<void> {
    for (const part of this.parts) await part.end();
    await this.clickhouse.close();
  }
}
