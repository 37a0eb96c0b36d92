import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/postgres/embedded/server.js';
import { noDifferences } from '../support/crash/compare-stores.js';
import { killPostmaster } from '../support/crash/postmaster.js';
import { Processes } from '../support/crash/processes.js';
import { pick } from '../support/crash/writers.js';
import { removeDir, tempDir } from '../support/process.js';

const kills = Number(process.env.CRASH_KILLS ?? 6);
const events = Number(process.env.CRASH_EVENTS ?? 4000);

let dir: string;
let postgres: EmbeddedPostgres;
let all: Processes;

beforeAll(async () => {
  dir = await tempDir();
  const quiet = createLogger({ logLevel: 'fatal' });
  postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'stores'), logger: quiet });
  all = await Processes.start(dir, postgres.url.href);
});
afterAll(async () => {
  await all.end();
  await postgres.stop();
  await removeDir(dir);
});

const faults: Readonly<Record<string, () => unknown>> = {
  api: () => all.apis[pick(2)]?.kill(),
  worker: () => all.workers[pick(2)]?.kill(),
  PostgreSQL: () => killPostmaster(join(dir, 'stores')),
  ClickHouse: () => all.restartClickHouse(pick(500)),
  'a paused api': () => all.apis[pick(2)]?.pause(pick(3_000)),
  // Longer than its leases: it goes on as one that has lost them.
  'a paused worker': () => all.workers[pick(2)]?.pause(4_000 + pick(8_000)),
};
const names = Object.keys(faults);

describe(`${kills} kills and pauses of two api processes, two workers and the servers of both stores under load`, () => {
  it('lose and double nothing: the log holds what was acknowledged, ClickHouse equals the log', async () => {
    const writers = all.writers(events);
    const killed = new Map<string, number>();
    for (let n = 0; n < kills; n += 1) {
      // The first faults are one of each, so that a few have all.
      const name = names[n < names.length ? n : pick(names.length)] ?? '';
      await sleep(100 + pick(1400));
      await faults[name]?.();
      killed.set(name, (killed.get(name) ?? 0) + 1);
    }
    await writers.stop();
    expect(await all.differences(writers.acknowledged)).toEqual(noDifferences);
    const counts = [...killed].map(([name, count]) => `${count} of ${name}`).join(', ');
    console.log(
      `${writers.acknowledged.size} acknowledged events, ${kills} faults (${counts}), ` +
        `${writers.refused} requests refused and sent again: 0 lost, 0 doubled, 0 misattributed`,
    );
  }, 3_600_000);
});
