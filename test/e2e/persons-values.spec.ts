import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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

const load = (...lines: object[]) => importLines(service, project.id, lines);

interface Counts {
  readonly count: number;
  readonly next: string | null;
  readonly results: { name: unknown; count: number }[];
}
const ask = async (rest: string, query: Record<string, string | number> = {}): Promise<Counts> => {
  const answer = await service.call('GET', `/api/projects/${project.id}/persons/${rest}`, { query });
  expect(answer.status).toBe(200);
  return answer.body as Counts;
};
const pairs = async (rest: string, query: Record<string, string | number> = {}) => {
  const { count, results } = await ask(rest, query);
  expect(count).toBe(results.length);
  return results.map(({ name, count: persons }) => [name, persons]);
};

describe('values of a property', () => {
  beforeEach(() =>
    load(
      personLine('a', { plan: 'pro', age: 30, vip: true, list: [1, 'x'], 'a.b': 'Dots', '100%': 'p' }),
      personLine('b', { plan: 'Pro_max', age: '30', vip: false, object: { k: 1 }, empty: '' }),
      personLine('c', { plan: 'pro', age: 30, vip: true, nothing: null, price: 1.5 }),
      personLine('d', { plan: 'free', age: 4 }),
      {
        type: 'event',
        event: 'x',
        distinct_id: 'a',
        timestamp: '2024-01-01T00:00:00Z',
        properties: { plan: 'event', n: 1 },
      },
      { type: 'event', event: 'y', distinct_id: 'a', timestamp: '2024-01-01T00:00:00Z', properties: { plan: 'event' } },
    ),
  );

  it('are counted in persons, most frequent first, and keep their type', async () => {
    expect(await pairs('values', { key: 'plan' })).toEqual([
      ['pro', 2],
      ['Pro_max', 1],
      ['free', 1],
    ]);
    expect(await pairs('values', { key: 'age' })).toEqual([
      [30, 2],
      [30, 1].map((n, at) => (at === 0 ? String(n) : n)),
      [4, 1],
    ]);
    expect(await pairs('values', { key: 'vip' })).toEqual([
      [true, 2],
      [false, 1],
    ]);
    expect(await pairs('values', { key: 'price' })).toEqual([[1.5, 1]]);
    expect(await pairs('values', { key: 'list' })).toEqual([['[1,"x"]', 1]]);
    expect(await pairs('values', { key: 'object' })).toEqual([['{"k":1}', 1]]);
    expect(await pairs('values', { key: 'a.b' })).toEqual([['Dots', 1]]);
    for (const key of ['nothing', 'empty', 'unknown', "'; DROP"]) expect(await pairs('values', { key })).toEqual([]);
  });

  it('are narrowed by text in any case, in which nothing is a wildcard', async () => {
    expect(await pairs('values', { key: 'plan', value: 'PRO' })).toEqual([
      ['pro', 2],
      ['Pro_max', 1],
    ]);
    expect(await pairs('values', { key: 'plan', value: '_' })).toEqual([['Pro_max', 1]]);
    expect(await pairs('values', { key: 'plan', value: '%' })).toEqual([]);
  });

  it('of events are counted in events', async () => {
    expect(await pairs('values', { key: 'plan', type: 'event' })).toEqual([['event', 2]]);
  });

  it('are the keys when no key is named', async () => {
    const keys = [
      ['age', 4],
      ['plan', 4],
      ['vip', 3],
      ['100%', 1],
      ['a.b', 1],
      ['empty', 1],
      ['list', 1],
      ['object', 1],
      ['price', 1],
    ];
    expect(await pairs('values')).toEqual(keys);
    expect(await pairs('properties')).toEqual(keys);
    expect(await pairs('values', { value: 'A.' })).toEqual([['a.b', 1]]);
    expect(await pairs('values', { type: 'event' })).toEqual([
      ['plan', 2],
      ['n', 1],
    ]);
  });

  it('are paged, twenty at first', async () => {
    await load(...Array.from({ length: 30 }, (_, n) => personLine(`n${n}`, { n })));
    const first = await ask('values', { key: 'n' });
    expect([first.count, first.results.length]).toEqual([30, 20]);
    const { pathname, search } = new URL(first.next ?? '');
    const second = (await service.call('GET', pathname + search)).body as Counts;
    expect(new Set([...first.results, ...second.results].map(({ name }) => name)).size).toBe(30);
    expect([second.next, (await ask('values', { key: 'n', offset: 99 })).count]).toEqual([null, 30]);
  });

  it('of any size take little room', async () => {
    await load(
      personLine('big', { text: 'x'.repeat(300_000) }),
      personLine('big2', { text: `${'x'.repeat(299_999)}y` }),
    );
    const { results } = await ask('values', { key: 'text' });
    expect(results.map(({ name }) => [(name as string).length, (name as string).at(-1)])).toEqual([
      [1001, '…'],
      [1001, '…'],
    ]);
  });

  it('are refused for a type that nothing has', async () => {
    const { status, body } = await service.call('GET', `/api/projects/${project.id}/persons/values`, {
      query: { type: 'group' },
    });
    expect([status, (body as { attr: string }).attr]).toEqual([400, 'type']);
  });
});
