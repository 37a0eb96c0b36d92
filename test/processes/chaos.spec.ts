import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Checker } from '../support/crash/checker.js';
import { noDifferences } from '../support/crash/compare-stores.js';
import { Part } from '../support/crash/part.js';
import { Processes } from '../support/crash/processes.js';
import { pick, type Writers } from '../support/crash/writers.js';
import { hasPostgresPair, PostgresPair } from '../support/postgres-pair.js';
import { cli, launch, removeDir, tempDir } from '../support/process.js';
import { join } from 'node:path';

const rounds = Number(process.env.CHAOS ?? 1);
const events = Number(process.env.CRASH_EVENTS ?? 4000);
/** Time for a ClickHouse that was empty to be filled, on a machine that does much else. */
const rightWithinMs = 120_000;

(hasPostgresPair() ? describe : describe.skip)(`${rounds} rounds of everything that goes wrong with stores`, () => {
  let dir: string;
  let postgres: PostgresPair;
  let all: Processes;
  let writers: Writers;

  beforeAll(async () => {
    dir = await tempDir();
    // The service must see to it that what it acknowledges is on the disk, and at the replica.
    postgres = await PostgresPair.start(['synchronous_commit=off', 'wal_writer_delay=10s']);
    all = await Processes.start(dir, postgres.url, { PROJECTION_WAIT_MS: '300' });
  }, 120_000);
  afterAll(async () => {
    await all.end();
    await postgres.stop();
    await removeDir(dir);
  });

  const statement = async (text: string): Promise<void> => {
    const client = new Client({ connectionString: postgres.writingUrl });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  const refused = async (database: string, reason: string): Promise<void> => {
    const CLICKHOUSE_URL = new URL(`/${database}`, all.env.CLICKHOUSE_URL).href;
    const worker = await launch({ ...all.env, ROLE: 'worker', DATA_DIR: join(dir, 'refused'), CLICKHOUSE_URL });
    const { code } = await worker.exited;
    expect([code, worker.output()]).toEqual([1, expect.stringContaining(reason)]);
  };
  const faults: readonly (readonly [string, () => Promise<void> | void])[] = [
    ['a process is killed', () => all.parts[pick(all.parts.length)]?.kill()],
    ['a worker has an address with a misspelt database', () => refused('kohrot', 'has no database')],
    [
      'a worker has the address of an empty database',
      async () => {
        await all.clickhouseDoes('CREATE DATABASE IF NOT EXISTS other');
        await refused('other', 'not the database to which the other processes ship');
      },
    ],
    [
      'the database of ClickHouse is dropped, and made again',
      async () => {
        await all.clickhouseDoes('DROP DATABASE kohort SYNC');
        await sleep(500 + pick(3_000));
        await all.clickhouseDoes('CREATE DATABASE kohort');
      },
    ],
    [
      'ClickHouse comes back with an empty disk',
      async () => {
        await all.restartClickHouse(pick(2_000), { isEmpty: true });
        await all.clickhouseDoes('CREATE DATABASE kohort');
      },
    ],
    ['ClickHouse is away', () => all.restartClickHouse(3_000)],
    [
      'an api has the address of a replica',
      async () => {
        const part = await Part.start('api', {
          ...all.env,
          DATA_DIR: join(dir, 'replica'),
          DATABASE_URL: postgres.followingUrl,
          // Each start beside a console writes a link to sign in with.
          CONSOLE: 'off',
        });
        const checker = new Checker(() => part.url, all.made, writers);
        await checker.untilFresh(rightWithinMs);
        const batch = [{ event: 'seen', distinct_id: 'ada' }];
        const body = JSON.stringify({ api_key: all.made.project_token, batch });
        expect((await fetch(`${part.url}/batch`, { method: 'POST', body })).status).toBe(503);
        await checker.stop();
        await part.end();
        expect(checker.wrong).toEqual([]);
      },
    ],
    [
      'the server of PostgreSQL is killed, and its replica takes its place',
      async () => {
        await postgres.failOver(pick(2_000));
        await sleep(2_000);
        await postgres.follow();
      },
    ],
    [
      'a newer release has migrated, and is taken back',
      async () => {
        await statement('UPDATE projection_state SET version = version + 1');
        await sleep(4_000);
        await statement('UPDATE projection_state SET version = version - 1');
      },
    ],
    ['all processes are killed', () => all.parts.forEach((part) => part.kill())],
  ];

  it('lose and double nothing, and no answer meanwhile is wrong', async () => {
    writers = all.writers(events, undefined, 1);
    const checker = new Checker(() => all.anyApi(), all.made, writers);
    for (let round = 0; round < rounds; round += 1)
      for (const [fault, happens] of faults) {
        await happens();
        await checker.untilFresh(rightWithinMs).catch((error: Error) => {
          throw new Error(`after "${fault}": ${error.message}`, { cause: error });
        });
        expect([fault, checker.wrong]).toEqual([fault, []]);
      }
    await writers.stop();
    await checker.untilFresh(rightWithinMs);
    await checker.stop();
    expect([checker.wrong, checker.answers > 20]).toEqual([[], true]);
    expect(await all.differences(writers.acknowledged)).toEqual(noDifferences);
    expect(await cli(all.env, 'verify', '--json')).toMatchObject({ code: 0 });
    console.log(
      `${writers.acknowledged.size} acknowledged events, ${rounds * faults.length} faults, ${checker.answers} answers: ` +
        '0 lost, 0 doubled, 0 misattributed, 0 wrong answers',
    );
  }, 3_600_000);
});
