import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Random } from '../../src/app/demo/random.js';
import { startClickHouseServer, type ClickHouseServer } from '../support/clickhouse/server.mjs';
import { freshStores } from '../support/fresh-stores.js';
import { GroupClient } from '../support/linearizable/group-clients.js';
import { type GroupsInput, groupsModel } from '../support/linearizable/groups.js';
import { recordHistory, type Target } from '../support/linearizable/history-client.js';
import { type Operation, linearize } from '../support/linearizable/linearize.js';
import { PersonClient } from '../support/linearizable/person-clients.js';
import { type PersonsInput, personsModel } from '../support/linearizable/persons.js';
import {
  type BootstrapFile,
  cli,
  type Env,
  freePort,
  removeDir,
  type RunningProcess,
  start,
  tempDir,
} from '../support/process.js';

const fewHistories = 60;
const histories = Number(process.env.HISTORIES ?? fewHistories);
const atOnce = 12;
const size = { clients: 4, operations: 6, names: 4 };
const seed = Number(process.env.SEED ?? (histories > fewHistories ? Date.now() % 1_000_000 : 20_260_301));

let dir: string;
let stores: Awaited<ReturnType<typeof freshStores>>;
let clickhouse: ClickHouseServer;
let made: BootstrapFile;
const apis: { env: Env; process: RunningProcess }[] = [];

beforeAll(async () => {
  dir = await tempDir();
  stores = await freshStores();
  clickhouse = await startClickHouseServer({ path: join(dir, 'clickhouse'), port: await freePort() });
  const env = { ...stores.env, CLICKHOUSE_URL: new URL('/kohort', clickhouse.url).href, LOG_LEVEL: 'fatal' };
  const words = ['bootstrap', '--email', 'ada@example.test', '--project', 'Test', '--json'];
  const bootstrap = await cli({ ...env, DATA_DIR: join(dir, 'cli') }, ...words);
  if (bootstrap.code !== 0) throw new Error(bootstrap.stderr);
  made = JSON.parse(bootstrap.stdout) as BootstrapFile;
  for (const name of ['one', 'other']) {
    const own = { ...env, DATA_DIR: join(dir, name), PORT: String(await freePort()), ROLE: 'all' };
    apis.push({ env: own, process: await start(own) });
  }
});
afterAll(async () => {
  for (const { process: running } of apis) {
    running.child.kill('SIGKILL');
    await running.exited;
  }
  await clickhouse.close();
  await stores.remove();
  await removeDir(dir);
});

/** The end of a transaction whose connection is lost is not known to the process that began it. */
const loseConnections = async (): Promise<void> => {
  const client = new Client({ connectionString: stores.env.DATABASE_URL });
  await client.connect();
  // Those of the service: Citus has some of its own, as a superuser.
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
  );
  await client.end();
};

const kill = async (api: (typeof apis)[number]): Promise<void> => {
  api.process.child.kill('SIGKILL');
  await api.process.exited;
  api.process = await start(api.env);
};

const lineOf = ({ input, began, ended, result }: Operation<PersonsInput | GroupsInput, unknown>): string => {
  const times = [began, ended].map((at) => at.toFixed(1)).join('–');
  const what =
    'events' in input
      ? input.events.map(({ event, distinctId, merge, person }) => ({ event, distinctId, merge, ...person }))
      : input;
  return `${times} ${JSON.stringify(what)} → ${JSON.stringify(result)}`;
};

type Given = [target: Target, name: string, random: Random, of: typeof size];

interface Recorded {
  readonly history: readonly Operation<PersonsInput | GroupsInput, unknown>[];
  /** The operations, if no order explains them. */
  readonly faults: readonly string[];
}

const recordPersons = async (...given: Given): Promise<Recorded> => {
  const history = await recordHistory(PersonClient, ...given);
  return { history, faults: linearize(history, personsModel) === null ? history.map(lineOf) : [] };
};

/** Of fewer names, because a group has but one key: all clients are to meet. */
const recordGroups = async (target: Target, name: string, random: Random, of: typeof size): Promise<Recorded> => {
  const history = await recordHistory(GroupClient, target, name, random, { ...of, names: 2 });
  return { history, faults: linearize(history, groupsModel) === null ? history.map(lineOf) : [] };
};

describe('what clients do with the same persons and groups at the same time, through two processes', () => {
  it(`has an order that explains all answers, also when processes and connections are lost (seed ${seed})`, async () => {
    const target: Target = {
      urls: () => apis.map(({ process: running }) => running.url),
      projectId: made.project_id,
      token: made.project_token,
      key: made.personal_api_key,
    };
    // Until a type is known, no group of it is found.
    const body = { group_type: 'account', group_key: 'first' };
    const headers = { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' };
    const first = { method: 'POST', headers, body: JSON.stringify(body) };
    expect((await fetch(`${target.urls()[0]}/api/projects/${target.projectId}/groups`, first)).status).toBe(201);
    const victims = [...apis.map((api) => () => kill(api)), loseConnections];
    let [finished, kills, unanswered, operations] = [0, 0, 0, 0];
    let isOver = false;
    const killing = (async () => {
      while (!isOver) {
        await sleep(150);
        await victims[kills % victims.length]?.();
        kills += 1;
      }
    })();
    const faults: string[] = [];
    const line = async () => {
      while (finished < histories && faults.length === 0) {
        const number = (finished += 1);
        const record = number % 2 === 0 ? recordPersons : recordGroups;
        const { history, faults: found } = await record(target, `h${number}`, new Random(seed + number), size);
        operations += history.length;
        unanswered += history.filter(({ result }) => result === undefined).length;
        faults.push(...found);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, line));
    isOver = true;
    await killing;
    expect(faults).toEqual([]);
    expect([kills > 0, operations]).toEqual([true, histories * size.clients * size.operations]);
    console.info(
      `${histories} histories, ${operations} operations, ${unanswered} of them without an answer; ${kills} kills`,
    );
  }, 3_000_000);
});
