import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { CohortsOf } from '../support/cohorts/cohorts-of.js';
import { personLine } from '../support/import.js';
import { LiveClient } from '../support/live.js';
import { type Answer, type MadeKey, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { problemIn, RawConnection } from '../support/sockets.js';

/** A second, and what a busy machine adds. */
const promisedMs = 1500;

let service: ServiceHandle;
let of: CohortsOf;

beforeAll(async () => {
  service = await sharedService();
  of = new CohortsOf(service, service.project.id);
});
afterAll(() => service.stop());

const ofKey = (id: string) => `/api/personal_api_keys/${id}`;
/** Each way in which a key loses what a request needs. */
const losses: [string, (key: MadeKey) => Promise<Answer>][] = [
  ['revoked', ({ id }) => service.call('DELETE', ofKey(id))],
  ['narrowed', ({ id }) => service.call('PATCH', ofKey(id), { body: { scopes: ['api_key:read'] } })],
  [
    'limited to another project',
    async ({ id }) =>
      service.call('PATCH', ofKey(id), { body: { scoped_projects: [(await service.newProject()).id] } }),
  ],
];
const lose = async (loss: (key: MadeKey) => Promise<Answer>, key: MadeKey): Promise<void> => {
  expect([200, 204]).toContain((await loss(key)).status);
};

const head = (method: string, path: string, key: string, type: string) =>
  [
    `${method} /api/projects/${service.project.id}/${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    `Content-Type: ${type}`,
    'Transfer-Encoding: chunked',
    '',
    '',
  ].join('\r\n');
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const lastChunk = '0\r\n\r\n';

describe.each(losses)('within a second after its key was %s', (_name, loss) => {
  it('a live stream has ended', async () => {
    const key = await service.newKey();
    const client = await LiveClient.open({ url: service.url, key: key.text, projectId: service.project.id });
    await sleep(300);
    expect(client.hasEnded).toBe(false);
    await lose(loss, key);
    expect(await client.until(() => client.hasEnded, 2000)).toBeLessThan(promisedMs);
  });

  it('a stream of the changes of a cohort has ended', async () => {
    const key = await service.newKey();
    const { id } = await of.create({ is_static: true, distinct_ids: [] });
    const answer = await fetch(`${service.url}/api/projects/${of.projectId}/cohorts/${id}/changes?format=sse`, {
      headers: { authorization: `Bearer ${key.text}` },
    });
    expect(answer.status).toBe(200);
    await lose(loss, key);
    const lostAt = performance.now();
    await answer.text();
    expect(performance.now() - lostAt).toBeLessThan(promisedMs);
  });

  it('a request that waits for a change of a cohort has no answer', async () => {
    const key = await service.newKey();
    const { id } = await of.create({ is_static: true, distinct_ids: [] });
    const waiting = fetch(`${service.url}/api/projects/${of.projectId}/cohorts/${id}/changes?wait=20`, {
      headers: { authorization: `Bearer ${key.text}` },
    }).then(
      ({ status }) => status,
      () => 'cut off',
    );
    await sleep(300);
    await lose(loss, key);
    const lostAt = performance.now();
    expect(await waiting).toBe('cut off');
    expect(performance.now() - lostAt).toBeLessThan(promisedMs);
  });

  it('an import that is being sent has ended, and what comes later is not stored', async () => {
    const key = await service.newKey();
    const connection = await RawConnection.to(service.url);
    await connection.send(head('POST', 'import', key.text, 'application/x-ndjson'));
    await connection.send(chunk(`${JSON.stringify(personLine('before', {}))}\n`));
    await sleep(300);
    await lose(loss, key);
    const lostAt = performance.now();
    await connection.untilClosed(3000);
    expect(performance.now() - lostAt).toBeLessThan(promisedMs);
  });

  it.each([
    ['a list', 'GET', 'actions', () => undefined],
    ['a CSV', 'GET', 'persons?format=csv', () => undefined],
    [
      'an answer in SQL',
      'POST',
      'query',
      (id: number) => ({ query: `select countIf(matchesAction(${id})) as n from events` }),
    ],
  ] as const)('%s that took long to find has not been sent', async (_what, method, path, bodyWith) => {
    const key = await service.newKey();
    const steps = [{ event: 'a' }];
    const action = (await of.call('POST', 'actions', { body: { name: key.id, steps } })).body as { id: number };
    const ask = () =>
      service.call(method, `/api/projects/${of.projectId}/${path}`, { key: key.text, body: bodyWith(action.id) });
    expect((await ask()).status).toBe(200);
    const client = await service.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('LOCK TABLE actions, persons IN ACCESS EXCLUSIVE MODE');
      const answered = ask();
      await sleep(500);
      await lose(loss, key);
      await sleep(800);
      await client.query('COMMIT');
      const { status, body } = await answered;
      expect([status, body]).toEqual([401, expect.objectContaining({ code: 'authentication_failed' })]);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('a body that was held back changes nothing', async () => {
    const key = await service.newKey();
    const name = `held back ${key.id}`;
    const connection = await RawConnection.to(service.url);
    await connection.send(head('POST', 'actions', key.text, 'application/json'));
    await connection.send(chunk('{"name":'));
    await sleep(300);
    await lose(loss, key);
    await sleep(800);
    await connection.send(chunk(`${JSON.stringify(name)},"steps":[{"event":"a"}]}`) + lastChunk);
    await connection.until(() => connection.text.includes('\r\n\r\n{'), 3000);
    expect(problemIn(connection.text)).toMatchObject({ status: 401, code: 'authentication_failed' });
    connection.close();
    const { body } = await of.call('GET', 'actions', { query: { limit: 1000 } });
    expect(JSON.stringify(body)).not.toContain(name);
  });
});

describe('a key that keeps its rights', () => {
  it('may send a body slowly', async () => {
    const connection = await RawConnection.to(service.url);
    await connection.send(head('POST', 'actions', service.key, 'application/json'));
    await connection.send(chunk('{"name":"slow","steps"'));
    await sleep(1000);
    await connection.send(chunk(':[{"event":"a"}]}') + lastChunk);
    await connection.until(() => connection.text.includes('\r\n\r\n'), 3000);
    expect(connection.text).toMatch(/^HTTP\/1.1 201 /);
    connection.close();
  });
});
