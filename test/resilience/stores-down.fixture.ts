import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { startClickHouseServer } from '../support/clickhouse/server.mjs';
import { freshStores } from '../support/fresh-stores.js';
import { FaultyLink, type LinkFault } from '../support/faulty-link.js';
import { startTestService, type TestService } from '../support/service.js';
import { backWithinMs } from '../support/promised-times.js';

export const faults: readonly LinkFault[] = ['refusing', 'resetting', 'silent'];
export const seen = JSON.stringify([{ id: 'seen' }]);

export interface Outcome {
  readonly name: string;
  readonly status: number;
  readonly ms: number;
}

export const timed = async (name: string, ask: () => Promise<{ readonly status: number }>): Promise<Outcome> => {
  const begun = performance.now();
  const { status } = await ask();
  return { name, status, ms: Math.round(performance.now() - begun) };
};

/** A service that reaches both stores by links that can be broken. */
export class ServiceOnLinks {
  private captured = 0;

  private constructor(
    readonly service: TestService,
    readonly clickhouse: FaultyLink,
    readonly postgres: FaultyLink,
    /** Of the same database, past the links. */
    readonly pool: Pool,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<ServiceOnLinks> {
    const folder = await mkdtemp(join(tmpdir(), 'kohort-stores-down-'));
    const server = await startClickHouseServer({ path: folder });
    const clickhouse = await FaultyLink.to(server.url);
    const database = await freshStores();
    const postgres = await FaultyLink.to(database.databaseUrl);
    const service = await startTestService({
      DATABASE_URL: postgres.url.href,
      CLICKHOUSE_URL: new URL('/down', clickhouse.url).href,
      ...env,
    });
    const pool = new Pool({ connectionString: database.databaseUrl.href, max: 2 });
    return new ServiceOnLinks(service, clickhouse, postgres, pool, async () => {
      await service.stop();
      await pool.end();
      await Promise.all([clickhouse.close(), postgres.close()]);
      await server.close();
      await database.remove();
      await rm(folder, { recursive: true, force: true });
    });
  }

  async mend(): Promise<void> {
    await Promise.all([this.clickhouse.set('none'), this.postgres.set('none')]);
  }

  async capture(): Promise<Response> {
    const events = Array.from({ length: 5 }, (_, at) => ({ event: 'seen', distinct_id: `visitor ${at}` }));
    const body = JSON.stringify({ api_key: this.service.project.api_token, batch: events });
    const answer = await fetch(`${this.service.url}/batch`, { method: 'POST', body });
    if (answer.status === 200) this.captured += events.length;
    return answer;
  }

  /** Returns how long it took until an answer counts all that was captured. */
  async untilRight(): Promise<number> {
    const begun = performance.now();
    while ((await this.counted()) !== this.captured) {
      if (performance.now() - begun > 4 * backWithinMs) throw new Error('the answers did not become right');
      await sleep(50);
    }
    return Math.round(performance.now() - begun);
  }

  private async counted(): Promise<unknown> {
    const path = `/api/projects/${this.service.project.id}/persons/trends`;
    const { status, body } = await this.service.call('GET', path, { query: { include: 'insight', events: seen } });
    return status === 200 ? (body as { insight: { series: { count: number }[] } }).insight.series[0]?.count : status;
  }
}
