import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { importLines, personLine } from '../support/import.js';
import { walk } from '../support/insights/walk.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

interface PersonPage {
  readonly count: number;
  readonly next: string | null;
  readonly results: PersonDto[];
}

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

const page = async (query: Record<string, string | number>): Promise<PersonPage> => {
  const answer = await service.call('GET', path(), { query });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body as PersonPage;
};

/** The first distinct ids of the persons that are found, in alphabetical order. */
const found = async (search: string, query: Record<string, string> = {}): Promise<(string | undefined)[]> => {
  const { count, results } = await page({ ...query, search });
  expect(count).toBe(results.length);
  return results.map(({ distinct_ids }) => distinct_ids[0]).sort();
};

const capture = async (...batch: object[]): Promise<void> => {
  const answer = await fetch(`${service.url}/batch`, {
    method: 'POST',
    body: JSON.stringify({ api_key: project.api_token, batch }),
  });
  expect(answer.status).toBe(200);
};

describe('a search of persons', () => {
  it('finds parts of the e-mail, of the names and of distinct ids in any case', async () => {
    await load(
      personLine(['ada', 'phone-4711'], { email: 'Ada@Analytical.test', name: 'Ada Lovelace' }),
      personLine('bob', { username: 'The Builder', nickname: 'Hammer' }),
      personLine('cyd', { email: 'cyd@example.test', plan: 'lovelace' }),
    );
    const expected: [string, string[]][] = [
      ['LOVEL', ['ada']],
      ['ada lovelace', ['ada']],
      ['a@ana', ['ada']],
      ['PHONE-47', ['ada']],
      ['builder', ['bob']],
      ['hammer', []],
      ['.test', ['ada', 'cyd']],
      ['y', ['ada', 'cyd']],
      ['ob', ['bob']],
      ['lovelace ada', []],
      ['test4711', []],
      ['zzz', []],
    ];
    for (const [term, ids] of expected) expect([term, await found(term)]).toEqual([term, ids]);
  });

  it('takes every character for itself', async () => {
    const texts = [
      '50%off',
      '50xoff',
      'a_b',
      'axb',
      'back\\slash',
      "it's",
      '"quoted"',
      '日本語',
      'ÉCOLE',
      'ΟΔΟΣΑ',
      '👩‍👧',
    ];
    await load(...texts.map((name, n) => personLine(`p${n}`, { name })));
    const expected: [string, string[]][] = [
      ['0%o', ['50%off']],
      ['%', ['50%off']],
      ['_', ['a_b']],
      ['a_b', ['a_b']],
      ['\\', ['back\\slash']],
      ['k\\s', ['back\\slash']],
      ["t's", ["it's"]],
      ['"q', ['"quoted"']],
      ['本', ['日本語']],
      ['本語', ['日本語']],
      ['école', ['ÉCOLE']],
      ['δος', ['ΟΔΟΣΑ']],
      ['👧', ['👩‍👧']],
      ['%%', []],
    ];
    for (const [term, names] of expected) {
      const { results } = await page({ search: term });
      expect([term, results.map(({ name }) => name)]).toEqual([term, names]);
    }
    const refused = await service.call('GET', path(), { query: { search: '50%off\0' } });
    expect(refused.status).toBe(400);
  });

  it('finds the names of the project’s own display properties, as soon as they are set', async () => {
    await load(personLine('ada', { company: 'Analytical Engines', email: 'ada@example.test' }), personLine('bob', {}));
    expect(await found('engines')).toEqual([]);
    const patched = await service.call('PATCH', `/api/projects/${project.id}`, {
      body: { person_display_name_properties: ['company', 'email'] },
    });
    expect(patched.status).toBe(200);
    expect(await found('ENGINES')).toEqual(['ada']);
    expect(await found('ada@')).toEqual(['ada']);
    expect(await found('bob')).toEqual(['bob']);
  });

  it('finds what a person has after changes, merges and splits, and not what it had', async () => {
    await load(personLine('ada', { email: 'ada@example.test' }), personLine('bob-visitor', {}));
    const [ada] = (await page({ search: 'ada@' })).results;
    await capture({ event: 'x', distinct_id: 'ada', $set: { email: 'countess@example.test' } });
    expect([await found('ada@'), await found('countess')]).toEqual([[], ['ada']]);

    await capture({ event: '$identify', distinct_id: 'ada', properties: { $anon_distinct_id: 'fresh-device' } });
    expect(await found('sh-dev')).toEqual(['ada']);
    await capture({ event: '$identify', distinct_id: 'ada', properties: { $anon_distinct_id: 'bob-visitor' } });
    expect(await found('b-visit')).toEqual(['ada']);

    const split = await service.call('POST', path(`/${ada?.id}/split`), {
      body: { distinct_ids_to_split: ['fresh-device'] },
    });
    expect(split.status).toBe(200);
    expect([await found('sh-dev'), await found('b-visit')]).toEqual([['fresh-device'], ['ada']]);
    expect((await page({ search: 'fresh' })).results[0]?.id).not.toBe(ada?.id);

    expect((await service.call('DELETE', path(`/${ada?.id}`))).status).toBe(204);
    expect([await found('countess'), await found('b-visit')]).toEqual([[], []]);
  });

  it('finds a person of very many distinct ids by those that look chosen, and by each whole id', async () => {
    const generated = (n: number) => `0198a7b6-0000-7000-8000-${String(n).padStart(12, '0')}`;
    await load(personLine([...Array.from({ length: 130 }, (_, n) => generated(n)), 'chosen-late'], {}));
    expect(await found('chosen-l')).toHaveLength(1);
    expect(await found('8000-000000000042')).toHaveLength(1);
    expect(await found('8000-000000000120')).toHaveLength(0);
    expect(await found(generated(120))).toHaveLength(1);
  });

  it('finds the whole uuid, and never a part of it', async () => {
    await load(personLine('ada', {}), personLine('bob', {}));
    const [bob] = (await page({ search: 'bob' })).results;
    expect(await found(bob?.uuid.toUpperCase() ?? '')).toEqual(['bob']);
    expect(await found(bob?.uuid.slice(0, 23) ?? '')).toEqual([]);
  });

  it('finds persons of its own project only, also by their whole ids', async () => {
    const lines = [personLine(['ada', 'shared'], { email: 'ada@example.test' })];
    await load(...lines);
    const [foreign] = (await page({ search: 'ada' })).results;
    project = await service.newProject();
    for (const term of ['ada', 'shared', 'a', '@example', foreign?.uuid ?? '']) expect(await found(term)).toEqual([]);
    await load(...lines);
    expect(await found('shared')).toEqual(['ada']);
    expect((await page({ search: 'shared' })).results[0]?.id).not.toBe(foreign?.id);
  });

  it('combines with all other filters, in lists, walks and CSV', async () => {
    await load(
      ...Array.from({ length: 12 }, (_, n) =>
        personLine(`user-${n}`, { plan: n % 2 ? 'pro' : 'free' }, { created_at: `2024-01-${10 + n}T00:00:00Z` }),
      ),
    );
    const pro = { properties: '[{"key":"plan","value":"pro"}]' };
    expect(await found('user-1', pro)).toEqual(['user-1', 'user-11']);
    expect(await found('ser-', { distinct_id: 'user-3' })).toEqual(['user-3']);
    const people = await walk<PersonDto>(service, path(), { search: 'USER', limit: '5' });
    expect(people.map(({ name }) => name)).toEqual(Array.from({ length: 12 }, (_, n) => `user-${11 - n}`));
    expect((await page({ search: 'user', limit: 5 })).count).toBe(12);
    expect((await page({ search: 'user', offset: 10 })).count).toBe(12);
    expect((await page({ search: 'user', offset: 20 })).count).toBe(12);
    const csv = await service.call('GET', path(), { query: { search: 'user-1', format: 'csv' } });
    expect(csv.text.trim().split('\n')).toHaveLength(4);
  });

  it('agrees with a plain comparison of texts', async () => {
    const letters = fc.constantFrom('a', 'B', '%', '_', '\\', ' ', 'é', 'É', '本', '-', '1', '*', "'");
    const text = fc.string({ unit: letters, minLength: 1, maxLength: 7 }).filter((value) => value.trim() !== '');
    const people = fc.sample(fc.record({ email: text, name: text, id: text }), { numRuns: 60, seed: 7 });
    await load(...people.map(({ email, name, id }, n) => personLine(`${n}:${id}`, { email, name })));
    const holds = (term: string) =>
      people.flatMap(({ email, name, id }, n) =>
        [email, name, `${n}:${id}`].some((value) => value.toLowerCase().includes(term)) ? [`${n}:${id}`] : [],
      );
    const short = fc.string({ unit: letters, minLength: 1, maxLength: 4 }).filter((value) => value.trim() !== '');
    await fc.assert(
      fc.asyncProperty(short, async (term) => {
        expect(await found(term)).toEqual(holds(term.trim().toLowerCase()).sort());
      }),
      { numRuns: 150 },
    );
  });
});
