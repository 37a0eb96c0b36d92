import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

let service: TestService;
let cohorts: string;

beforeAll(async () => {
  service = await startTestService();
  cohorts = `/api/projects/${service.project.id}/cohorts`;
});
afterAll(() => service.stop());

const formOf = (csv: string, fields: Readonly<Record<string, string>> = {}): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: 'Up', is_static: 'true', ...fields })) form.set(name, value);
  form.set('csv', new Blob([csv], { type: 'text/csv' }), 'members.csv');
  return form;
};
const send = (body: FormData) =>
  fetch(`${service.url}${cohorts}`, { method: 'POST', headers: { authorization: `Bearer ${service.key}` }, body });
const problemOf = async (answer: Response) => {
  const { status, attr, detail } = (await answer.json()) as { status: number; attr: string | null; detail: string };
  return [status, attr, detail];
};

/** A form that has started, and whose file has not ended. */
const beginUpload = async (): Promise<Socket> => {
  const { port, hostname } = new URL(service.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  const part = (head: string, body: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}`;
  socket.write(
    `POST ${cohorts} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nContent-Length: 1000000\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\n\r\n${part('name="name"', 'Up\r\n')}${part('name="csv"; filename="a"', 'ada@example.test\n')}`,
  );
  await sleep(300);
  return socket;
};
const uploadFolders = async () => (await readdir(tmpdir())).filter((name) => name.includes(`-${process.pid}-upload-`));
const untilRemoved = () => until(async () => (await uploadFolders()).length === 0, { withinMs: 5_000 });

describe('uploads', () => {
  it('of one project leave the requests of another answered, and no more than two of them run', async () => {
    const other = await service.newProject();
    const csv = `distinct_id\n${Array.from({ length: 15_000 }, (_, n) => `${'x'.repeat(90)}${n}\n`).join('')}`;
    let isOver = false;
    const uploads = Promise.all(
      Array.from({ length: 17 }, async () => {
        const answer = await send(formOf(csv));
        await answer.text();
        return [answer.status, answer.headers.get('retry-after')];
      }),
    ).finally(() => (isOver = true));
    const statuses: number[] = [];
    while (!isOver) {
      statuses.push((await service.call('GET', `/api/projects/${other.id}/persons`)).status);
      await sleep(20);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    const answers = await uploads;
    expect(answers.filter(([status]) => status === 201).length).toBeGreaterThanOrEqual(2);
    for (const answer of answers)
      expect([
        [201, null],
        [503, '5'],
      ]).toContainEqual(answer);
  });

  it('wait on disk where no other user can read them, and are removed when the client goes away', async () => {
    const socket = await beginUpload();
    const [folder] = await uploadFolders();
    const path = join(tmpdir(), folder ?? '');
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(path)) expect((await stat(join(path, name))).mode & 0o777).toBe(0o600);
    socket.destroy();
    await untilRemoved();
  });

  it('that stop for half a minute are ended and give their place back', async () => {
    const sockets = [await beginUpload(), await beginUpload()];
    expect((await send(formOf('ada'))).status).toBe(503);
    const started = Date.now();
    await Promise.all(sockets.map((socket) => once(socket, 'close')));
    expect(Date.now() - started).toBeLessThan(40_000);
    await untilRemoved();
    expect((await send(formOf('ada'))).status).toBe(201);
  });

  it('have text of a bounded size', async () => {
    const long = 'x'.repeat(1024 ** 2 + 1);
    expect(await problemOf(await send(formOf('ada', { description: long })))).toEqual([
      400,
      'csv',
      expect.stringMatching(/Field value too long.* 1 MB each/),
    ]);
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}`, 'x']));
    expect(await problemOf(await send(formOf('ada', many)))).toEqual([400, 'csv', expect.stringMatching(/Too many/)]);
    const heavy = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`f${n}`, 'x'.repeat(1_000_000)]));
    expect(await problemOf(await send(formOf('ada', heavy)))).toEqual([413, null, expect.stringMatching(/5 MB/)]);
    expect(await problemOf(await send(formOf('ada', { groups: '['.repeat(200) })))).toEqual([
      400,
      'groups',
      expect.stringMatching(/100 levels/),
    ]);
    await untilRemoved();
  });

  it('that are no CSV are refused before anything is stored, a long one too', async () => {
    const csv = `distinct_id\n${Array.from({ length: 30_000 }, (_, n) => `user-${n}\n`).join('')}"open`;
    const before = ((await service.call('GET', cohorts)).body as { count: number }).count;
    expect(await problemOf(await send(formOf(csv)))).toEqual([400, 'csv', expect.stringMatching(/not closed/)]);
    expect(((await service.call('GET', cohorts)).body as { count: number }).count).toBe(before);
  });
});
