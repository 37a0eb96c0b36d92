import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startClickHouseServer, type ClickHouseServer } from '../support/clickhouse/server.mjs';
import { freshStores } from '../support/fresh-stores.js';
import { PostgresWith } from '../support/postgres-with.js';
import {
  cli,
  launch,
  removeDir,
  start,
  tempDir,
  terminate,
  type BootstrapFile,
  type Env,
  type RunningProcess,
} from '../support/process.js';
import { Traffic } from '../support/traffic.js';
import { until } from '../support/until.js';

let dir: string;
let server: ClickHouseServer;

beforeAll(async () => {
  dir = await tempDir();
  server = await startClickHouseServer({ path: join(dir, 'clickhouse') });
});
afterAll(async () => {
  await server.close();
  await removeDir(dir);
});

const running = new Set<RunningProcess>();
const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const service of running) {
    service.child.kill('SIGKILL');
    await service.exited;
  }
  running.clear();
  for (const end of ended.splice(0)) await end();
});

const clickhouse = async (statement: string): Promise<string> => {
  const answer = await fetch(server.url, { method: 'POST', body: statement });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text.trim();
};
const exists = async (database: string) => (await clickhouse(`EXISTS DATABASE ${database}`)) === '1';
const eventsIn = async (database: string) => Number(await clickhouse(`SELECT count() FROM ${database}.events`));

const started = async (env: Env): Promise<RunningProcess> => {
  const service = await start(env);
  running.add(service);
  return service;
};
const stop = async (service: RunningProcess): Promise<void> => {
  await terminate(service);
  running.delete(service);
};
const refusal = async (env: Env): Promise<string> => {
  const service = await launch({ ...env, LOG_LEVEL: 'fatal' });
  running.add(service);
  expect((await service.exited).code).toBe(1);
  return service.output().trim();
};
const checks = async ({ url }: RunningProcess) => {
  const answer = await fetch(`${url}/_readyz`);
  const { checks: found } = (await answer.json()) as { checks: { projection: { ok: boolean; detail: string } } };
  return { status: answer.status, ...found.projection };
};

/** An installation with a database of its own in each store. */
const install = async (name: string, databaseUrl?: URL) => {
  const stores = databaseUrl ? { databaseUrl, env: { DATABASE_URL: databaseUrl.href } } : await freshStores();
  ended.unshift(async () => {
    if ('remove' in stores) await stores.remove();
    for (const database of [name, `${name}_other`]) await clickhouse(`DROP DATABASE IF EXISTS ${database} SYNC`);
  });
  const at = (database: string): Env => ({
    ...stores.env,
    CLICKHOUSE_CLUSTER: undefined,
    DATA_DIR: join(dir, name),
    CLICKHOUSE_URL: new URL(`/${database}`, server.url).href,
    PROJECTION_WAIT_MS: '300',
  });
  const words = ['bootstrap', '--email', 'ada@example.test', '--project', 'Test', '--json'];
  const bootstrap = await cli(at(name), ...words);
  if (bootstrap.code !== 0) throw new Error(bootstrap.stderr);
  const postgres = async <Row extends object>(statement: string): Promise<Row[]> => {
    const client = new Client({ connectionString: stores.databaseUrl.href });
    await client.connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end();
    }
  };
  return { name, at, postgres, made: JSON.parse(bootstrap.stdout) as BootstrapFile };
};

/** Asks all the time. Every answer counts what was accepted, or is a 503. */
const askingAllTheTime = (traffic: Traffic) => {
  const refusals = new Set<string>();
  let asking = true;
  const end = (async () => {
    for (; asking; await sleep(20)) {
      const { status, count, detail } = await traffic.question();
      if (status === 200) expect(count).toBe(traffic.accepted);
      else expect(status).toBe(503);
      if (status !== 200) refusals.add(detail.replace(/\d[\d,]*/g, 'n'));
    }
  })();
  end.catch(() => undefined);
  return async () => {
    asking = false;
    await end;
    return refusals;
  };
};
const beingFilled =
  /^Analytics are being filled from the event log, (?:n of n rows are there|which has not started yet): ask again later$/;

describe('the projection', () => {
  let one: Awaited<ReturnType<typeof install>>;
  let turn = 0;

  beforeEach(async () => {
    one = await install(`identity_${(turn += 1)}`);
  });

  /** A process for all roles with a few events that were counted. */
  const withTraffic = async (): Promise<{ service: RunningProcess; traffic: Traffic }> => {
    const service = await started(one.at(one.name));
    const traffic = new Traffic(service, one.made);
    await traffic.go(2);
    await traffic.untilRight();
    return { service, traffic };
  };

  it('is not begun in a database that does not exist, and fills an empty one before that answers', async () => {
    const { service, traffic } = await withTraffic();
    await stop(service);
    const other = `${one.name}_other`;
    expect(await refusal(one.at(other))).toMatch(new RegExp(`has no database \\S+/${other}.*projection rebuild`));
    expect(await exists(other)).toBe(false);
    await clickhouse(`CREATE DATABASE ${other}`);
    const moved = await started(one.at(other));
    const there = traffic.at(moved);
    const answers = askingAllTheTime(there);
    await there.untilRight();
    await answers();
    expect(moved.output()).toContain('filled again from PostgreSQL');
    expect(await eventsIn(other)).toBe(there.accepted);
    // The first database has an old copy now, and is not taken for the projection.
    await there.go(2);
    await there.untilRight();
    await stop(moved);
    const back = await started(one.at(one.name));
    const again = there.at(back);
    const answersAgain = askingAllTheTime(again);
    await again.untilRight();
    for (const detail of await answersAgain()) expect(detail).toMatch(beingFilled);
    expect(await eventsIn(one.name)).toBe(again.accepted);
  });

  it('that is dropped below running processes is not made again silently, and is filled before it answers', async () => {
    const worker = await started({ ...one.at(one.name), ROLE: 'worker' });
    const api = await started({ ...one.at(one.name), ROLE: 'api' });
    const traffic = new Traffic(api, one.made);
    await traffic.go(2);
    await traffic.untilRight();
    await clickhouse(`DROP DATABASE ${one.name} SYNC`);
    const answers = askingAllTheTime(traffic);
    await until(async () => (await checks(worker)).status === 503);
    await until(async () => !(await checks(api)).ok);
    expect(await checks(api)).toMatchObject({ status: 200, detail: expect.stringContaining('has no database') });
    expect((await traffic.capture()).status).toBe(200);
    await sleep(3_000);
    expect(await exists(one.name)).toBe(false);
    await clickhouse(`CREATE DATABASE ${one.name}`);
    await until(async () => (await checks(api)).ok, { withinMs: 30_000 });
    expect((await checks(worker)).status).toBe(200);
    expect(await answers()).toContain('Analytics cannot be reached at the moment');
    await traffic.untilRight();
    expect(await eventsIn(one.name)).toBe(traffic.accepted);
  });

  it('that is dropped below running processes is made again when asked for', async () => {
    const { service, traffic } = await withTraffic();
    await clickhouse(`DROP DATABASE ${one.name} SYNC`);
    const answers = askingAllTheTime(traffic);
    const rebuild = await cli(one.at(one.name), 'projection', 'rebuild', '--json');
    expect([rebuild.code, JSON.parse(rebuild.stdout)]).toMatchObject([0, { events: traffic.accepted }]);
    await until(async () => (await checks(service)).ok, { withinMs: 30_000 });
    await answers();
    await traffic.untilRight();
  });

  it('gets all shipments: a worker whose address names another database is refused', async () => {
    const worker = await started({ ...one.at(one.name), ROLE: 'worker' });
    const api = await started({ ...one.at(one.name), ROLE: 'api' });
    const other = `${one.name}_other`;
    expect(await refusal({ ...one.at(other), ROLE: 'worker' })).toContain('has no database');
    await clickhouse(`CREATE DATABASE ${other}`);
    const traffic = new Traffic(api, one.made);
    const refused = refusal({ ...one.at(other), ROLE: 'worker' });
    await traffic.go(40);
    expect(await refused).toMatch(/not the database to which the other processes ship/);
    await traffic.untilRight();
    expect([await eventsIn(one.name), await clickhouse(`SHOW TABLES FROM ${other}`)]).toEqual([traffic.accepted, '']);
    expect((await checks(worker)).ok).toBe(true);
  });

  it('of another installation is refused by name, and gets nothing when it takes the place of a dropped one', async () => {
    const { service, traffic } = await withTraffic();
    const two = await install(`${one.name}_two`);
    const second = await started(two.at(two.name));
    const ofSecond = new Traffic(second, two.made);
    await ofSecond.go(1);
    await ofSecond.untilRight();
    await stop(second);
    expect(await refusal(one.at(two.name))).toContain(`${two.name} has the data of another installation`);
    await clickhouse(`RENAME DATABASE ${one.name} TO ${one.name}_other`);
    await clickhouse(`RENAME DATABASE ${two.name} TO ${one.name}`);
    await until(async () => !(await checks(service)).ok);
    expect((await checks(service)).detail).toContain('has the data of another installation');
    const answers = askingAllTheTime(traffic);
    for (let n = 0; n < 10; n += 1) expect((await traffic.capture()).status).toBe(200);
    await sleep(3_000);
    expect(await answers()).toContain('Analytics cannot be reached at the moment');
    expect(await eventsIn(one.name)).toBe(ofSecond.accepted);
    await clickhouse(`RENAME DATABASE ${one.name} TO ${two.name}`);
    await clickhouse(`RENAME DATABASE ${one.name}_other TO ${one.name}`);
    await traffic.untilRight();
    expect(await eventsIn(one.name)).toBe(traffic.accepted);
  });

  it('gets nothing from processes of a release that is older than the one that has migrated', async () => {
    const worker = await started({ ...one.at(one.name), ROLE: 'worker' });
    const api = await started({ ...one.at(one.name), ROLE: 'api' });
    const traffic = new Traffic(api, one.made);
    await traffic.go(2);
    await traffic.untilRight();
    const before = await eventsIn(one.name);
    // The newer release says so before it queues rows with columns that these processes do not know.
    await one.postgres('UPDATE projection_state SET version = version + 1');
    expect((await traffic.capture()).status).toBe(200);
    await until(async () => (await checks(worker)).status === 503);
    expect((await checks(worker)).detail).toMatch(/a newer release has migrated.*ships nothing any more/);
    const metrics = await (await fetch(`${worker.url}/metrics`)).text();
    expect(metrics).toContain('kohort_clickhouse_fault{fault="not_ours"} 1');
    expect(metrics).toContain('kohort_clickhouse_fault{fault="being_filled"} 0');
    expect((await traffic.capture()).status).toBe(200);
    await sleep(3_000);
    expect([await eventsIn(one.name), (await checks(api)).status]).toEqual([before, 200]);
    expect(await refusal({ ...one.at(one.name), ROLE: 'worker' })).toContain('a newer release has migrated');
    await one.postgres('UPDATE projection_state SET version = version - 1');
    await traffic.untilRight();
    expect(await eventsIn(one.name)).toBe(traffic.accepted);
  });
});

describe('a database that has what PostgreSQL has lost', () => {
  let postgres: PostgresWith;
  let one: Awaited<ReturnType<typeof install>>;
  let turn = 0;

  beforeEach(async () => {
    postgres = await PostgresWith.start(join(dir, `set_back_${(turn += 1)}`), {});
    ended.push(() => postgres.stop());
    one = await install(`ahead_${turn}`, postgres.url);
  });

  const env = (role: string): Env => ({ ...one.at(one.name), ROLE: role });
  const kept = async () =>
    Number((await one.postgres<{ n: string }>(`SELECT count(*) AS n FROM events WHERE event = 'seen'`))[0]?.n);
  const untilItCounts = (traffic: Traffic, events: number) =>
    until(async () => (await traffic.question()).count === events, { withinMs: 120_000 });

  it('is filled again at the next start, and answers nothing before', async () => {
    const service = await started(env('all'));
    const traffic = new Traffic(service, one.made);
    await traffic.go(2);
    await traffic.untilRight();
    await postgres.keep();
    await traffic.go(2);
    await traffic.untilRight();
    service.child.kill('SIGKILL');
    await service.exited;
    running.delete(service);
    await postgres.goBack();
    const left = await kept();
    expect([left < traffic.accepted, await eventsIn(one.name)]).toEqual([true, traffic.accepted]);
    const again = await started(env('all'));
    const counts = new Set<number | null>();
    await until(async () => {
      const { status, count } = await traffic.at(again).question();
      if (status === 200) counts.add(count);
      return status === 200;
    });
    expect([...counts]).toEqual([left]);
    expect(again.output()).toContain('has what PostgreSQL has lost: it is filled again from PostgreSQL');
    expect(await eventsIn(one.name)).toBe(left);
    await stop(again);
    const third = await started(env('all'));
    expect(third.output()).not.toContain('it is filled again');
    expect(await cli(env('all'), 'verify', '--json')).toMatchObject({ code: 0 });
  }, 300_000);

  it('is filled again below running processes', async () => {
    const api = await started(env('api'));
    const workers = [await started(env('worker')), await started(env('worker'))];
    const traffic = new Traffic(api, one.made);
    await traffic.go(5);
    await traffic.untilRight();
    await postgres.keep();
    await traffic.go(20);
    await traffic.untilRight();
    await postgres.goBack();
    const left = await kept();
    expect(left).toBeLessThan(traffic.accepted);
    await untilItCounts(traffic, left);
    const { status } = await traffic.capture(7);
    expect(status).toBe(200);
    await untilItCounts(traffic, left + 7);
    expect(await eventsIn(one.name)).toBe(await kept());
    for (const process of [api, ...workers]) await until(async () => (await checks(process)).ok);
    expect(await cli(env('api'), 'verify', '--json')).toMatchObject({ code: 0 });
  }, 300_000);
});
