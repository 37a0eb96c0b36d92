import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/postgres/embedded/server.js';
import { noDifferences } from '../support/crash/compare-stores.js';
import { type Part } from '../support/crash/part.js';
import { Processes } from '../support/crash/processes.js';
import { pick } from '../support/crash/writers.js';
import { removeDir, tempDir } from '../support/process.js';
import { until } from '../support/until.js';

const rounds = Number(process.env.ROLLS ?? 1);
const clients = 6;
const probeMs = 100;

let dir: string;
let postgres: EmbeddedPostgres;
let all: Processes;

beforeAll(async () => {
  dir = await tempDir();
  postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'stores'), logger: createLogger({ logLevel: 'fatal' }) });
  // Longer than two probes of the balancer, also where each takes its whole second.
  all = await Processes.start(dir, postgres.url.href, { SHUTDOWN_DELAY_MS: '3000' });
}, 120_000);
afterAll(async () => {
  await all.end();
  await postgres.stop();
  await removeDir(dir);
});

/** Sends requests to the processes that were ready at the last probe, as balancers do. */
class Balancer {
  private ready: readonly Part[];
  private isStopped = false;
  private readonly probing: Promise<void>;

  constructor(private readonly parts: readonly Part[]) {
    this.ready = parts;
    this.probing = this.probe();
  }

  get url(): string {
    return this.ready[pick(this.ready.length)]?.url ?? '';
  }

  uses(part: Part): boolean {
    return this.ready.includes(part);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.probing;
  }

  private async probe(): Promise<void> {
    while (!this.isStopped) {
      const isReady = await Promise.all(
        this.parts.map((part) =>
          fetch(`${part.url}/_readyz`, { signal: AbortSignal.timeout(1_000) }).then(
            ({ status }) => status === 200,
            // On a busy machine an answer can be late: that does not say that the process is going to end.
            ({ name }: Error) => name === 'TimeoutError' && this.uses(part),
          ),
        ),
      );
      this.ready = this.parts.filter((_, n) => isReady[n]);
      await sleep(probeMs);
    }
  }
}

describe(`${rounds} restarts of each of two api processes and two workers, one after the other, under load`, () => {
  it('fail no request, and lose and double nothing', async () => {
    const balancer = new Balancer(all.apis);
    const { project_id: project, project_token: token, personal_api_key: key } = all.made;
    const failures: string[] = [];
    const acknowledged = new Set<string>();
    let questions = 0;
    let isStopped = false;

    const capture = async () => {
      const uuids = Array.from({ length: 10 }, () => randomUUID());
      const batch = uuids.map((uuid) => ({ uuid, event: 'seen', distinct_id: `user-${pick(50)}` }));
      const answer = await fetch(`${balancer.url}/batch`, {
        method: 'POST',
        body: JSON.stringify({ api_key: token, batch }),
      });
      if (answer.status === 200) for (const uuid of uuids) acknowledged.add(uuid);
      else failures.push(`${answer.status} ${await answer.text()}`);
    };
    const question = async () => {
      const path = `api/projects/${project}/persons/trends?include=insight&events=${encodeURIComponent('[{"id":"seen"}]')}`;
      const answer = await fetch(`${balancer.url}/${path}`, { headers: { authorization: `Bearer ${key}` } });
      questions += 1;
      if (answer.status !== 200) failures.push(`${answer.status} ${await answer.text()}`);
    };
    const send = async (client: number) => {
      while (!isStopped) {
        await (client % 3 === 0 ? question() : capture()).catch((error: Error) => {
          failures.push(`${error.message} ${String(error.cause)}`);
        });
        await sleep(pick(20));
      }
    };
    const sending = Array.from({ length: clients }, (_, client) => send(client));
    for (let round = 0; round < rounds; round += 1)
      for (const part of all.parts) {
        await sleep(500);
        await part.replace();
        // The balancer sees the new process before the next one ends.
        if (part.role === 'api') await until(() => balancer.uses(part), { withinMs: 60_000 });
      }
    isStopped = true;
    await Promise.all(sending);
    await balancer.stop();
    expect(failures).toEqual([]);
    expect([acknowledged.size > 100, questions > 10]).toEqual([true, true]);
    expect(await all.differences(acknowledged)).toEqual(noDifferences);
    console.log(
      `${acknowledged.size} acknowledged events, ${questions} questions, ${rounds * all.parts.length} restarts: 0 failed requests`,
    );
  }, 3_600_000);
});
