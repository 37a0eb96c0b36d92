import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { freshStores } from '../../support/fresh-stores.js';
import { Postgres } from '../../../src/platform/postgres/postgres.js';
import { ProjectTokens, tokenMaxAgeMs } from '../../../src/kernel/projects/project-tokens.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let pool: Pool;
let ids: number[];

beforeAll(async () => {
  stores = await freshStores();
  pool = new Pool({ connectionString: stores.databaseUrl.href });
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO projects (uuid, name, api_token, timezone, week_start_day, person_display_name_properties,
       test_account_filters, path_cleaning_filters, created_at)
     SELECT gen_random_uuid(), 'p', 'phc_' || n, 'UTC', 0, '[]', '[]', '[]', now() FROM generate_series(1, 3) n
     RETURNING id`,
  );
  ids = rows.map(({ id }) => id);
});
afterAll(async () => {
  await pool.end();
  await stores.remove();
});

/** Tokens of a process of their own, which counts its statements and can delay or fail them. */
const ofProcess = () => {
  const postgres = new Postgres(pool);
  const state = { statements: 0, fault: null as Error | null, delayMs: 0 };
  const query = postgres.query.bind(postgres) as (...args: unknown[]) => Promise<unknown>;
  Object.assign(postgres, {
    query: async (...args: unknown[]) => {
      state.statements += 1;
      if (state.fault) throw state.fault;
      const answer = await query(...args);
      await sleep(state.delayMs);
      return answer;
    },
  });
  const tokens = new ProjectTokens(postgres);
  let lookedUp = 0;
  return {
    state,
    find: async (token: string) => (await tokens.find(token, () => (lookedUp += 1)))?.id ?? null,
    lookedUp: () => lookedUp,
  };
};

const rename = (id: number | undefined, token: string) =>
  pool.query('UPDATE projects SET api_token = $2 WHERE id = $1', [id, token]);

describe('the tokens that a process knows', () => {
  it('cost one statement in half a second, however many captures and tokens there are', async () => {
    const { find, state, lookedUp } = ofProcess();
    for (const [at, id] of ids.entries()) expect(await find(`phc_${at + 1}`)).toBe(id);
    expect([state.statements, lookedUp()]).toEqual([3, 3]);
    const begunAt = performance.now();
    let captures = 0;
    while (performance.now() - begunAt < 2400) {
      for (const at of [1, 2, 3]) expect(await find(`phc_${at}`)).toBe(ids[at - 1]);
      captures += 3;
      await sleep(1);
    }
    expect(captures).toBeGreaterThan(300);
    expect(state.statements - 3).toBeGreaterThanOrEqual(2);
    expect(state.statements - 3).toBeLessThanOrEqual(5);
    expect(lookedUp()).toBe(3);
  });

  it('cost nothing while none arrives', async () => {
    const { find, state } = ofProcess();
    await find('phc_1');
    await sleep(1200);
    expect(state.statements).toBe(1);
  });

  it('are forgotten within a second, with captures and without', async () => {
    const [busy, idle] = [ofProcess(), ofProcess()];
    await Promise.all([busy.find('phc_2'), idle.find('phc_2')]);
    await rename(ids[1], 'phc_changed');
    const changedAt = performance.now();
    while ((await busy.find('phc_2')) !== null) await sleep(5);
    expect(performance.now() - changedAt).toBeLessThan(1000);
    await sleep(1000 - (performance.now() - changedAt));
    expect([await idle.find('phc_2'), await idle.find('phc_changed')]).toEqual([null, ids[1]]);
    await rename(ids[1], 'phc_2');
  });

  it('are unknown to each process a second after their project is deleted', async () => {
    await pool.query(
      `UPDATE projects SET previous_api_token = 'phc_old', previous_api_token_until = now() + interval '1 hour' WHERE id = $1`,
      [ids[1]],
    );
    const processes = [ofProcess(), ofProcess()];
    const found = (token: string) => Promise.all(processes.map(({ find }) => find(token)));
    expect([await found('phc_2'), await found('phc_old')]).toEqual([
      [ids[1], ids[1]],
      [ids[1], ids[1]],
    ]);
    await pool.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [ids[1]]);
    await sleep(tokenMaxAgeMs);
    expect([await found('phc_2'), await found('phc_old')]).toEqual([
      [null, null],
      [null, null],
    ]);
    await pool.query(
      'UPDATE projects SET deleted_at = NULL, previous_api_token = NULL, previous_api_token_until = NULL WHERE id = $1',
      [ids[1]],
    );
  });

  it('are answered while a statement is slow, and looked up before the answer after a second', async () => {
    const { find, state } = ofProcess();
    await find('phc_1');
    state.delayMs = 400;
    await sleep(600);
    const beforeAnswer = performance.now();
    expect(await find('phc_1')).toBe(ids[0]);
    expect(performance.now() - beforeAnswer).toBeLessThan(100);
    await sleep(1600);
    const late = performance.now();
    expect(await Promise.all([find('phc_1'), find('phc_1')])).toEqual([ids[0], ids[0]]);
    expect(performance.now() - late).toBeGreaterThan(350);
    expect(state.statements).toBe(3);
    state.delayMs = 1300;
    await sleep(1100);
    expect(await find('phc_1')).toBe(ids[0]);
  });

  it('are not answered from memory for longer than a second when PostgreSQL is away, and later again', async () => {
    const { find, state } = ofProcess();
    await find('phc_3');
    state.fault = new Error('away');
    await sleep(600);
    expect(await find('phc_3')).toBe(ids[2]);
    await sleep(500);
    await expect(find('phc_3')).rejects.toThrow('away');
    state.fault = null;
    expect(await find('phc_3')).toBe(ids[2]);
  });
});
