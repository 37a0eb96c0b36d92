import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { noDifferences } from '../support/crash/compare-stores.js';
import { Processes } from '../support/crash/processes.js';
import { pick } from '../support/crash/writers.js';
import { hasPostgresPair, PostgresPair } from '../support/postgres-pair.js';
import { removeDir, tempDir } from '../support/process.js';

const failovers = Number(process.env.FAILOVERS ?? 2);
const events = Number(process.env.CRASH_EVENTS ?? 4000);

(hasPostgresPair() ? describe : describe.skip)(`${failovers} failovers of PostgreSQL to its replica under load`, () => {
  let dir: string;
  let postgres: PostgresPair;
  let all: Processes;

  beforeAll(async () => {
    dir = await tempDir();
    postgres = await PostgresPair.start();
    all = await Processes.start(dir, postgres.url, { ALLOW_UNSAFE_DATABASE: '1' });
  }, 120_000);
  afterAll(async () => {
    await all.end();
    await postgres.stop();
    await removeDir(dir);
  });

  it('lose and double nothing, and every process goes on with the other server within 5 s', async () => {
    const writers = all.writers(events);
    const waits: number[] = [];
    for (let n = 0; n < failovers; n += 1) {
      await sleep(500 + pick(1_500));
      await postgres.failOver(pick(2_000));
      const promoted = performance.now();
      await Promise.all(all.parts.map((part) => part.ready()));
      waits.push(performance.now() - promoted);
      await sleep(500);
      await postgres.follow();
    }
    await writers.stop();
    expect(Math.max(...waits)).toBeLessThan(5_000);
    expect(await all.differences(writers.acknowledged)).toEqual(noDifferences);
    console.log(
      `${writers.acknowledged.size} acknowledged events, ${failovers} failovers, ${writers.refused} requests refused and sent again, ` +
        `ready after at most ${Math.round(Math.max(...waits))} ms: 0 lost, 0 doubled, 0 misattributed`,
    );
  }, 3_600_000);
});
