import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { FaultyLink, type LinkFault } from '../support/faulty-link.js';
import { freshStores } from '../support/fresh-stores.js';
import {
  cli,
  removeDir,
  start,
  tempDir,
  type BootstrapFile,
  type Env,
  type RunningProcess,
} from '../support/process.js';
import { answeredWithinMs } from '../support/promised-times.js';

/** The statement that the COMMIT of this test belongs to. */
const insertion = 'INSERT INTO actions';

let dir: string;
let stores: Awaited<ReturnType<typeof freshStores>>;
let link: FaultyLink;
/** Past the link. */
let pool: Pool;
let env: Env;
let made: BootstrapFile;
let service: RunningProcess;

beforeAll(async () => {
  dir = await tempDir();
  stores = await freshStores();
  link = await FaultyLink.to(stores.databaseUrl);
  pool = new Pool({ connectionString: stores.databaseUrl.href, max: 2 });
  env = { DATA_DIR: dir, DATABASE_URL: link.url.href, ALLOW_UNSAFE_DATABASE: '1' };
  const bootstrap = await cli(env, 'bootstrap', '--email', 'ada@example.test', '--project', 'Test', '--json');
  if (bootstrap.code !== 0) throw new Error(bootstrap.stderr);
  made = JSON.parse(bootstrap.stdout) as BootstrapFile;
  service = await start(env);
});
beforeEach(() => link.set('none'));
afterAll(async () => {
  service.child.kill('SIGKILL');
  await service.exited;
  await pool.end();
  await link.close();
  await stores.remove();
  await removeDir(dir);
});

interface Outcome {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  readonly ms: number;
}

const post = async (name: string): Promise<Outcome> => {
  const begun = performance.now();
  const answer = await fetch(`${service.url}/api/projects/${made.project_id}/actions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${made.personal_api_key}`,
      'content-type': 'application/json',
      'Idempotency-Key': name,
    },
    body: JSON.stringify({ name, steps: [{ event: 'seen' }] }),
  });
  const { status, headers } = answer;
  const body = (await answer.json()) as Record<string, unknown>;
  return { status, headers, body, ms: performance.now() - begun };
};

/** Sends it for as long as the service says that it may be sent again. */
const postAgain = async (name: string): Promise<Outcome> => {
  for (;;) {
    const answer = await post(name);
    const mayBeSentAgain = answer.status === 503 || answer.headers.has('retry-after');
    if (!mayBeSentAgain) return answer;
  }
};

const ids = async (name: string): Promise<number[]> =>
  (await pool.query<{ id: number }>('SELECT id FROM actions WHERE name = $1', [name])).rows.map(({ id }) => id);

const lostAnswer = {
  status: 409,
  body: {
    code: 'conflict',
    attr: 'Idempotency-Key',
    detail: expect.stringMatching(/was done, but its answer was lost.*do not send it again/),
  },
};

describe('a write with an Idempotency-Key', () => {
  it('gets its answer where the answer to its COMMIT is lost with the connection', async () => {
    const lost = link.loseCommit(insertion, 'answer');
    const answer = await post('connection');
    await lost;
    expect(answer).toMatchObject({ status: 201, body: { name: 'connection' } });
    const again = await post('connection');
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', answer.body]);
    expect(await ids('connection')).toEqual([answer.body.id]);
  });

  it('is done once where its COMMIT is lost with the connection', async () => {
    const lost = link.loseCommit(insertion, 'request');
    const answer = await post('request');
    await lost;
    expect([answer.status, await ids('request')]).toEqual([503, []]);
    const again = await postAgain('request');
    expect([again.status, await ids('request')]).toEqual([201, [again.body.id]]);
  });

  it.each<LinkFault>(['refusing', 'resetting'])(
    'is 503 where the answer to its COMMIT is lost and PostgreSQL is away from then on (%s), and the repeat says that it was done',
    async (fault) => {
      const lost = link.loseCommit(insertion, 'answer', fault);
      const answer = await post(fault);
      await lost;
      expect([answer.status, answer.ms < answeredWithinMs]).toEqual([503, true]);
      await link.set('none');
      for (const again of [await postAgain(fault), await post(fault)]) expect(again).toMatchObject(lostAnswer);
      expect(await ids(fault)).toHaveLength(1);
    },
  );

  it('is 503 where its COMMIT is lost and PostgreSQL is away from then on, and the repeat does it', async () => {
    const lost = link.loseCommit(insertion, 'request', 'resetting');
    const answer = await post('away');
    await lost;
    expect([answer.status, answer.ms < answeredWithinMs]).toEqual([503, true]);
    await link.set('none');
    const again = await postAgain('away');
    expect([again.status, await ids('away')]).toEqual([201, [again.body.id]]);
  });

  it.each(['answer', 'request'] as const)(
    'is 503 where PostgreSQL falls silent at its COMMIT (the %s is lost), and is done once',
    async (what) => {
      const name = `silent, ${what}`;
      const lost = link.loseCommit(insertion, what, 'silent');
      const answer = await post(name);
      await lost;
      expect([answer.status, answer.ms < answeredWithinMs]).toEqual([503, true]);
      await link.set('none');
      const again = await postAgain(name);
      expect(again).toMatchObject(what === 'answer' ? lostAnswer : { status: 201, body: { name } });
      expect(await ids(name)).toHaveLength(1);
    },
    30_000,
  );

  it('is not done again where the process is killed between COMMIT and its answer', async () => {
    const lost = link.loseCommit(insertion, 'answer', 'silent');
    const answer = post('killed').catch(() => null);
    await lost;
    service.child.kill('SIGKILL');
    await service.exited;
    expect(await answer).toBeNull();
    await link.set('none');
    service = await start(env);
    expect((await post('killed')).headers.get('retry-after')).toBe('1');
    // The hold of the killed process is over.
    await pool.query(`UPDATE idempotency_keys SET held_until = now() WHERE key = 'killed'`);
    expect(await post('killed')).toMatchObject(lostAnswer);
    expect(await ids('killed')).toHaveLength(1);
  });

  it('is done where the process is killed before COMMIT', async () => {
    const lost = link.loseCommit(insertion, 'request', 'silent');
    const answer = post('early').catch(() => null);
    await lost;
    service.child.kill('SIGKILL');
    await service.exited;
    expect(await answer).toBeNull();
    await link.set('none');
    service = await start(env);
    await pool.query(`UPDATE idempotency_keys SET held_until = now() WHERE key = 'early'`);
    const again = await post('early');
    expect([again.status, await ids('early')]).toEqual([201, [again.body.id]]);
  });
});
