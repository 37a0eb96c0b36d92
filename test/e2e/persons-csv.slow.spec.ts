import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { get } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let project: ProjectDto;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await service.newProject();
});

const path = (rest = '') => `/api/projects/${project.id}/persons${rest}`;
const load = (...lines: object[]) => importLines(service, project.id, lines);

const csv = async (rest = '', query: Record<string, string | number> = {}): Promise<string[]> => {
  const answer = await service.call('GET', path(rest), { query: { format: 'csv', ...query } });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+\.csv"$/);
  const lines = answer.text.split('\r\n');
  expect(lines.pop()).toBe('');
  return lines;
};
const listed = async () => ((await service.call('GET', path())).body as { results: PersonDto[] }).results;
const day = (n: number) => `2024-01-0${n}T00:00:00.000Z`;

describe('persons as CSV', () => {
  it('have the columns of the contract, every key in alphabetical order, and no formula', async () => {
    await load(
      personLine('ada', { zeta: 1, email: 'ada@example.test', nested: { a: [1, 'x'] } }, { created_at: day(1) }),
    );
    await load(
      personLine(
        ['018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e', 'bob'],
        { '=key,': '=1+1', 'a.b': 'with "quotes"', minus: -5, yes: true, gone: null },
        { created_at: day(2) },
      ),
    );
    const [bob, ada] = await listed();
    expect(await csv()).toEqual([
      'id,uuid,name,created_at,distinct_ids,"properties.=key,",properties.a.b,properties.email,properties.gone,properties.minus,properties.nested,properties.yes,properties.zeta',
      `${bob?.id},${bob?.uuid},bob,${day(2)},bob;018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e,'=1+1,"with ""quotes""",,,-5,,true,`,
      `${ada?.id},${ada?.uuid},ada@example.test,${day(1)},ada,,,ada@example.test,,,"{""a"":[1,""x""]}",,1`,
    ]);
  });

  it('are one row for a single person, with its keys only', async () => {
    await load(personLine('ada', { plan: 'pro' }, { created_at: day(1) }), personLine('bob', { other: 1 }));
    const ada = (await listed()).find(({ name }) => name === 'ada');
    const row = `${ada?.id},${ada?.uuid},ada,${day(1)},ada,pro`;
    expect(await csv(`/${ada?.id}`)).toEqual(['id,uuid,name,created_at,distinct_ids,properties.plan', row]);
    expect(await csv(`/${ada?.id}/distinct_ids`)).toEqual(['distinct_id,looks_generated', 'ada,false']);
    const [header, timeline] = await csv(`/${ada?.id}/properties_timeline`);
    expect(header).toBe(
      'id,uuid,name,created_at,distinct_ids,points,crucial_property_keys,date_from,date_to,properties.plan',
    );
    expect(timeline).toMatch(/,\[\],\[\],/);
  });

  it('are everyone without a limit, and a page with one', async () => {
    await load(...Array.from({ length: 2500 }, (_, n) => personLine(`p${n}`, { n, half: n % 2, [`k${n % 3}`]: 'x' })));
    const header =
      'id,uuid,name,created_at,distinct_ids,properties.half,properties.k0,properties.k1,properties.k2,properties.n';
    const everyone = await csv();
    expect([everyone.length, everyone[0]]).toEqual([2501, header]);
    expect(new Set(everyone.map((line) => line.split(',')[0])).size).toBe(2501);
    const half = await csv('', { properties: '[{"key":"half","value":1}]' });
    expect([half.length, half[0]]).toEqual([1251, header]);
    expect(half.slice(1)).toEqual(everyone.slice(1).filter((line) => line.split(',')[5] === '1'));
    expect(await csv('', { limit: 10, offset: 5 })).toEqual([header, ...everyone.slice(6, 16)]);
    expect(await csv('', { distinct_id: 'nobody' })).toEqual(['id,uuid,name,created_at,distinct_ids']);
    for (const bound of ['created_after', 'created_before'])
      expect((await csv('', { [bound]: '2024-01-01' })).length).toBe(bound === 'created_after' ? 2501 : 1);
    expect((await csv('/properties')).length).toBe(6);
    expect((await csv('/values', { key: 'n' })).length).toBe(2501);
    expect((await csv('/values', { key: 'half' })).sort()).toEqual(['0,1250', '1,1250', 'name,count']);
  });

  it('have no column missing for persons who come while they are written', async () => {
    await load(...Array.from({ length: 3000 }, (_, n) => personLine(`p${n}`, { n, text: 'x'.repeat(2000) })));
    const answer = await fetch(`${service.url}${path()}?format=csv`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    await load(personLine('late', { unknown: 1 }, { created_at: '2000-01-01T00:00:00Z' }));
    const lines = (await answer.text()).trimEnd().split('\r\n');
    expect(lines[0]).toBe('id,uuid,name,created_at,distinct_ids,properties.n,properties.text');
    expect(lines.length).toBe(3001);
  });

  it('stop the work behind them when the client goes away, and leave nothing on disk', async () => {
    await load(...Array.from({ length: 4000 }, (_, n) => personLine(`p${n}`, { n, text: 'x'.repeat(4000) })));
    for (const query of ['', '&properties=[{"key":"n","operator":"is_set"}]']) {
      const request = get(`${service.url}${path()}?format=csv${encodeURI(query)}`, {
        headers: { authorization: `Bearer ${service.key}` },
      });
      const [answer] = (await once(request, 'response')) as [{ once: (name: string, done: () => void) => void }];
      await new Promise<void>((resolve) => answer.once('data', resolve));
      request.destroy();
    }
    const pool = service.pool;
    const idle = async () =>
      pool.totalCount === pool.idleCount &&
      !(await readdir(tmpdir())).some((name) => name.includes(`-${process.pid}-spool-`));
    for (let n = 0; n < 100 && !(await idle()); n += 1) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await idle()).toBe(true);
  });

  it('are given to one project while downloads of another do not move', async () => {
    const text = 'x'.repeat(30_000);
    await load(...Array.from({ length: 1000 }, (_, n) => personLine(`p${n}`, { n, text })));
    const { port, hostname } = new URL(service.url);
    const stalled = Array.from({ length: 4 }, () => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.write(`GET ${path()}?format=csv HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n\r\n`);
      return socket.pause();
    });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const refused = await service.call('GET', path(), { query: { format: 'csv' } });
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10']);
    project = await service.newProject();
    await load(personLine('ada', { plan: 'pro' }));
    const started = Date.now();
    expect(await csv()).toHaveLength(2);
    expect(Date.now() - started).toBeLessThan(5_000);
    for (const socket of stalled) socket.destroy();
  });

  it('have a thousand columns for properties at most, and lose none of the others', async () => {
    const junk = (n: number) => Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`!${n}.${at}`, at]));
    await load(...Array.from({ length: 12 }, (_, n) => personLine(`p${n}`, { ...junk(n), plan: 'pro' })));
    const ways: Record<string, string>[] = [{}, { properties: '[{"key":"plan","value":"pro"}]' }];
    for (const query of ways) {
      const lines = await csv('', query);
      const header = lines[0]?.split(',') ?? [];
      expect(header).toHaveLength(5 + 1_000 + 1);
      expect(header.slice(-2)).toEqual(['properties.plan', 'properties']);
      const cells = lines.slice(1).map((line) => line.split(',"')[0]?.split(',') ?? []);
      const shown = cells.map((row) => row.slice(5).filter((cell) => cell !== '').length);
      const others = lines.slice(1).map((line) => (line.match(/""!\d+\.\d+"":/g) ?? []).length);
      expect(shown.map((count, at) => count + (others[at] ?? 0))).toEqual(new Array(12).fill(5_001));
    }
  });

  it('are refused in a format nobody knows', async () => {
    for (const rest of ['', '/1', '/values', '/properties', '/1/distinct_ids', '/1/properties_timeline']) {
      const { status, body } = await service.call('GET', path(rest), { query: { format: 'xml' } });
      expect([rest, status, (body as { attr: string }).attr]).toEqual([rest, 400, 'format']);
    }
  });
});
