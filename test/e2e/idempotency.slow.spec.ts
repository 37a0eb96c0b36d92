import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Pool } from 'pg';
import { IdempotencyKeys } from '../../src/kernel/idempotency/idempotency-keys.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { PersonsOf } from '../support/persons.js';
import { type Answer, type CallOptions } from '../support/service-handle.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

let service: TestService;
let people: PersonsOf;
let pool: Pool;

beforeAll(async () => {
  service = await startTestService();
  pool = service.app.get(Postgres).pool;
});
afterAll(() => service.stop());
beforeEach(async () => {
  people = new PersonsOf(service, (await service.newProject()).id);
});

const post = (path: string, key: string, body: object, { headers, ...options }: CallOptions = {}) =>
  people.call('POST', path, { ...options, body, headers: { ...headers, 'Idempotency-Key': key } });
const isReplayed = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true';
const rowsOfProject = async () =>
  (
    await pool.query<{ held_until: Date; status: number | null }>(
      'SELECT held_until, status FROM idempotency_keys WHERE project_id = $1',
      [people.projectId],
    )
  ).rows;

/** As a run leaves the key that stores no answer. */
const runDied = (heldUntil: string, lastCommit = 'last_commit') =>
  pool.query(
    `UPDATE idempotency_keys SET status = NULL, held_until = ${heldUntil}, last_commit = ${lastCommit} WHERE project_id = $1`,
    [people.projectId],
  );

/** While `work` runs, nobody else can lock the person. */
const whileLocked = async (personId: number, work: () => Promise<void>): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM persons WHERE project_id = $1 AND id = $2 FOR UPDATE', [
      people.projectId,
      personId,
    ]);
    await work();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
};

describe('an Idempotency-Key', () => {
  it('gets the same request the stored answer, and the request is not run again', async () => {
    const ada = await people.make(['ada', 'b', 'c']);
    const first = await post(`persons/${ada.id}/split`, 'k', { distinct_ids_to_split: ['c'] });
    const again = await post(`persons/${ada.id}/split`, 'k', { distinct_ids_to_split: ['c'] });
    expect([first.status, isReplayed(first)]).toEqual([200, false]);
    expect([again.status, again.body, isReplayed(again)]).toEqual([200, first.body, true]);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(await people.activity()).toHaveLength(1);
  });

  it('shows nothing any more of persons that were deleted after the answer', async () => {
    const ada = await people.make(['ada-secret', 'b-secret', 'c'], { email: 'ada@secret.test' });
    const first = await post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null });
    const { split_persons } = first.body as { split_persons: { id: number }[] };
    await people.call('DELETE', `persons/${split_persons[0]?.id}`);
    const some = await post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null });
    expect([some.status, isReplayed(some), some.body]).toMatchObject([
      200,
      true,
      { split_persons: [{ distinct_ids: ['c'] }] },
    ]);
    await post('persons/bulk_delete', 'bulk', { distinct_ids: ['ada-secret'] });
    const gone = await post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null });
    expect([gone.status, gone.text.includes('secret')]).toEqual([404, false]);
    const { rows } = await pool.query<{ body: string }>('SELECT body FROM idempotency_keys WHERE project_id = $1', [
      people.projectId,
    ]);
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('secret');
  });

  it('repeats what was deleted in bulk, where running again would say not_found', async () => {
    const ada = await people.make(['ada']);
    const first = await post('persons/bulk_delete', 'k', { ids: [ada.id] });
    expect((await post('persons/bulk_delete', 'k', { ids: [ada.id] })).body).toEqual(first.body);
    const other = await post('persons/bulk_delete', 'other', { ids: [ada.id] });
    expect(other.body).toMatchObject({ deleted: 0, results: [{ result: 'not_found' }] });
  });

  it('repeats the answer in the format asked for', async () => {
    const ada = await people.make(['ada', 'b']);
    const options = { query: { format: 'csv' } };
    const first = await post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null }, options);
    const again = await post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null }, options);
    expect([isReplayed(again), again.text]).toEqual([true, first.text]);
    expect(again.headers['content-type']).toBe('text/csv; charset=utf-8');
  });

  it('is 409 with another body, or for another person', async () => {
    const [ada, bob] = [await people.make(['ada', 'a2']), await people.make(['bob', 'b2'])];
    await post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null });
    for (const answer of [
      await post(`persons/${ada.id}/split`, 'k', { main_distinct_id: 'ada' }),
      await post(`persons/${bob.id}/split`, 'k', { main_distinct_id: null }),
    ]) {
      expect([answer.status, answer.headers['retry-after']]).toEqual([409, undefined]);
      expect(answer.body).toMatchObject({ code: 'conflict', attr: 'Idempotency-Key' });
    }
    expect((await people.get(bob.id)).distinct_id_count).toBe(2);
  });

  it('is 409 with Retry-After while the request runs, and its heart beats', async () => {
    const ada = await people.make(['ada', 'b']);
    let running: Promise<Answer> | null = null;
    await whileLocked(ada.id, async () => {
      running = post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null });
      running.catch(() => null);
      await until(async () => (await rowsOfProject()).length === 1);
      const answer = await post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null });
      expect([answer.status, answer.headers['retry-after']]).toEqual([409, '1']);
      const [before] = await rowsOfProject();
      await until(async () => ((await rowsOfProject())[0]?.held_until ?? 0) > (before?.held_until ?? 0));
    });
    const first = await (running as unknown as Promise<Answer>);
    const again = await post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null });
    expect([first.status, isReplayed(again), again.body]).toEqual([200, true, first.body]);
  });

  it('runs one of many equal requests at once', async () => {
    const ada = await people.make(['ada', 'b']);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null })),
    );
    const ran = answers.filter((answer) => answer.status === 200 && !isReplayed(answer));
    expect(ran).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 200) expect(answer.body).toEqual(ran[0]?.body);
      else expect([answer.status, answer.headers['retry-after']]).toEqual([409, '1']);
    }
    expect(await people.activity()).toHaveLength(1);
  });

  it('does not keep a failure: the same key may be tried again, also with what is right', async () => {
    const ada = await people.make(['ada']);
    expect((await post('persons/bulk_delete', 'k', { ids: ['x'] })).status).toBe(400);
    expect((await post(`persons/999999/split`, 'k', { main_distinct_id: null })).status).toBe(404);
    expect(await rowsOfProject()).toEqual([]);
    const answer = await post('persons/bulk_delete', 'k', { ids: [ada.id] });
    expect([answer.status, isReplayed(answer)]).toEqual([200, false]);
  });

  it('frees itself when its run has died before it committed anything', async () => {
    const ada = await people.make(['ada', 'b']);
    await post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null });
    await runDied(`now() + interval '5 seconds'`, 'NULL');
    const early = await post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null });
    expect([early.status, early.headers['retry-after']]).toEqual([409, '1']);
    // The last time is one of a clock that has been set back since.
    for (const time of ['now()', `now() + interval '1 hour'`]) {
      await runDied(time, 'NULL');
      const answer = await post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null });
      expect([answer.status, isReplayed(answer), answer.body]).toMatchObject([200, false, { split_persons: [] }]);
    }
  });

  it('whose run has died behind its COMMIT says for a day that the request was done', async () => {
    const ada = await people.make(['ada']);
    const send = (time: string, body: object = { ids: [ada.id] }) =>
      post('persons/bulk_delete', 'k', body, { headers: { 'X-Test-Now': `2030-01-${time}Z` } });
    await send('01T10:00:00');
    await runDied(`now() + interval '5 seconds'`);
    const early = await send('01T10:00:10');
    expect([early.status, early.headers['retry-after']]).toEqual([409, '1']);
    await runDied('now()');
    const answer = await send('02T09:59:59');
    expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([
      409,
      undefined,
      expect.objectContaining({ attr: 'Idempotency-Key', detail: expect.stringContaining('do not send it again') }),
    ]);
    expect((await send('02T09:59:59', { ids: [1] })).body).toMatchObject({
      detail: expect.stringContaining('another'),
    });
    expect(await send('02T10:00:00')).toMatchObject({ status: 200, body: { deleted: 0 } });
  });

  it('lets only one of two runs commit when it was taken from the first', async () => {
    const ada = await people.make(['ada', 'b']);
    let [paused, next]: (Promise<Answer> | null)[] = [null, null];
    await whileLocked(ada.id, async () => {
      paused = post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null });
      paused.catch(() => null);
      await until(async () => (await rowsOfProject()).length === 1);
      await pool.query('UPDATE idempotency_keys SET held_until = now() WHERE project_id = $1', [people.projectId]);
      next = post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null });
      next.catch(() => null);
      await until(async () => ((await rowsOfProject())[0]?.held_until ?? 0) > new Date());
    });
    const answers = await Promise.all([paused, next] as unknown as Promise<Answer>[]);
    expect(answers.map(({ status }) => status)).toEqual([503, 200]);
    expect(await people.activity()).toHaveLength(1);
  });

  it('is remembered for 24 hours', async () => {
    const ada = await people.make(['ada']);
    const at = (time: string) => ({ headers: { 'X-Test-Now': `2030-01-${time}Z` } });
    const body = { ids: [ada.id] };
    await post('persons/bulk_delete', 'k', body, at('01T10:00:00'));
    expect(isReplayed(await post('persons/bulk_delete', 'k', body, at('02T09:59:59')))).toBe(true);
    const later = await post('persons/bulk_delete', 'k', body, at('02T10:00:00'));
    expect([isReplayed(later), later.body]).toMatchObject([false, { deleted: 0 }]);
  });

  it('belongs to a user, a project and a route: elsewhere the same text is another key', async () => {
    const ada = await people.make(['ada', 'b']);
    const body = { ids: [999_999] };
    await post('persons/bulk_delete', 'k', body);
    const sameUser = await service.newKey({ scopes: ['person:write'] });
    const otherUser = await service.newKey({ email: 'bob@example.test' });
    expect(isReplayed(await post('persons/bulk_delete', 'k', body, { key: sameUser.text }))).toBe(true);
    expect(isReplayed(await post('persons/bulk_delete', 'k', body, { key: otherUser.text }))).toBe(false);
    expect((await post(`persons/${ada.id}/split`, 'k', { main_distinct_id: null })).status).toBe(200);
    people = new PersonsOf(service, (await service.newProject()).id);
    expect(isReplayed(await post('persons/bulk_delete', 'k', body))).toBe(false);
  });

  it.each([
    ['empty', ''],
    ['longer than 255 characters', 'k'.repeat(256)],
    ['not printable', 'a\tb'],
    ['not ASCII', 'clé'],
  ])('that is %s is refused', async (_, key) => {
    const answer = await post('persons/bulk_delete', key, { ids: [1] });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ attr: 'Idempotency-Key' })]);
  });

  it('may have 255 characters of any printable ASCII', async () => {
    const key = `~!"#$%&'()*+,-./:;<=>?@[\\]^_ ${'k'.repeat(226)}`;
    expect(key).toHaveLength(255);
    await post('persons/bulk_delete', key, { ids: [1] });
    expect(isReplayed(await post('persons/bulk_delete', key, { ids: [1] }))).toBe(true);
  });

  it('stays with its run while another process takes PostgreSQL to be some seconds behind or ahead, but not hours', async () => {
    const postgres = service.app.get(Postgres);
    const [keys, now] = [service.app.get(IdempotencyKeys), new Date()];
    const request = { projectId: service.project.id, userId: 1, route: 'r', key: 'k', hash: Buffer.from('h') };
    const claim = await keys.claim(request, now);
    const seen = async (aheadMs: number) => {
      const clock = jest.spyOn(postgres.clock, 'now').mockReturnValueOnce(new Date(now.getTime() + aheadMs));
      const { kind } = await keys.claim(request, now);
      clock.mockRestore();
      return kind;
    };
    expect(claim.kind).toBe('ours');
    expect([await seen(-10_000), await seen(10_000), await seen(-3_600_000)]).toEqual(['running', 'running', 'ours']);
  });

  it('is swept away when it is older than a day', async () => {
    await post('persons/bulk_delete', 'k', { ids: [1] });
    const keys = service.app.get(IdempotencyKeys);
    await keys.sweep(new Date());
    expect(await rowsOfProject()).toHaveLength(1);
    await keys.sweep(new Date(Date.now() + 25 * 3_600_000));
    expect(await rowsOfProject()).toEqual([]);
  });
});
