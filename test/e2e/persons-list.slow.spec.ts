import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { foldPersonCounts } from '../../src/kernel/identity/write.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

interface PersonPage {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
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
const pool = () => service.pool;

const list = async (query: Record<string, string | number | string[]> = {}): Promise<PersonPage> => {
  const answer = await service.call('GET', path(), { query });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body as PersonPage;
};
const names = async (query: Record<string, string | number | string[]> = {}) => {
  const { count, results } = await list(query);
  expect(count).toBe(results.length);
  return results.map(({ distinct_ids }) => distinct_ids[0]);
};
const follow = async (link: string): Promise<PersonPage> => {
  const { pathname, search } = new URL(link);
  return (await service.call('GET', pathname + search)).body as PersonPage;
};

const day = (n: number) => `2024-01-${String(n).padStart(2, '0')}T00:00:00.000Z`;

describe('the list of persons', () => {
  beforeEach(async () => {
    await load(
      personLine(
        'ada',
        { email: 'Ada@Example.test', plan: 'pro', age: 36 },
        { created_at: day(1), is_identified: true },
      ),
      personLine(['bob', 'bob-2'], { email: 'bob@example.test', plan: 'free' }, { created_at: day(2) }),
      personLine('cy', { plan: 'free', 'a.b': "it's" }, { created_at: day(3) }),
    );
    await load(personLine('dee', { email: 'dee@other.test' }, { created_at: day(3) }));
  });

  it('is newest first, and the younger of two of the same moment comes first', async () => {
    expect(await names()).toEqual(['dee', 'cy', 'bob', 'ada']);
  });

  it('takes every filter of the contract, and all of them together', async () => {
    const ada = (await list({ distinct_id: 'ada' })).results[0];
    const filter = (key: string, value: unknown, operator = 'exact') => JSON.stringify([{ key, value, operator }]);
    const expected: [Record<string, string | string[]>, string[]][] = [
      [{ distinct_id: 'bob-2' }, ['bob']],
      [{ distinct_id: ['bob-2', 'ada', 'bob', 'nobody'] }, ['bob', 'ada']],
      [{ distinct_id: 'nobody' }, []],
      [{ email: 'ADA@example.TEST' }, ['ada']],
      [{ email: 'example.test' }, []],
      [{ search: ' EXAMPLE.test ' }, ['bob', 'ada']],
      [{ search: 'bob-2' }, ['bob']],
      [{ search: 'bob-' }, ['bob']],
      [{ search: 'bob-3' }, []],
      [{ search: ada?.uuid.toUpperCase() ?? '' }, ['ada']],
      [{ search: '  ' }, ['dee', 'cy', 'bob', 'ada']],
      [{ search: '%' }, []],
      [{ properties: filter('plan', ['free']) }, ['cy', 'bob']],
      [{ properties: filter('plan', 'free', 'is_not') }, ['dee', 'ada']],
      [{ properties: filter('a.b', "it's") }, ['cy']],
      [{ properties: filter('age', 36) }, ['ada']],
      [{ properties: '{"plan":"free"}' }, ['cy', 'bob']],
      [{ created_after: day(2) }, ['dee', 'cy']],
      [{ created_before: day(2) }, ['ada']],
      [{ created_after: '2024-01-02', created_before: '2024-01-04', distinct_id: ['cy', 'ada'] }, ['cy']],
      [{ is_identified: 'true' }, ['ada']],
      [{ uuid: ada?.uuid ?? '' }, ['ada']],
      [{ key_identifier: 'bob-2' }, ['bob']],
      [{ key_identifier: 'dee@other.test' }, ['dee']],
      [
        { search: 'example', properties: filter('plan', 'free'), created_after: day(1), distinct_id: ['bob', 'ada'] },
        ['bob'],
      ],
      [{ properties: filter('plan', 'free'), created_before: day(3) }, ['bob']],
      [{ properties: filter('plan', 'free'), distinct_id: 'nobody' }, []],
    ];
    for (const [query, found] of expected) expect([query, await names(query)]).toEqual([query, found]);
  });

  it('refuses what it cannot read, by name', async () => {
    const refused: [Record<string, string>, string][] = [
      [{ limit: '0' }, 'limit'],
      [{ limit: '1001' }, 'limit'],
      [{ limit: 'ten' }, 'limit'],
      [{ offset: '-1' }, 'offset'],
      [{ format: 'xml' }, 'format'],
      [{ cohort: 'x' }, 'cohort'],
      [{ cohort: '4711' }, 'cohort'],
      [{ properties: '{' }, 'properties'],
      [{ properties: '[{"key":"a","value":1,"type":"event"}]' }, 'properties.0.type'],
      [{ properties: '[{"key":"a","valu":1}]' }, 'properties.0.valu'],
      [{ created_after: 'yesterday' }, 'created_after'],
      [{ uuid: 'x' }, 'uuid'],
      [{ is_identified: 'maybe' }, 'is_identified'],
      [{ cursor: 'x' }, 'cursor'],
      [{ cursor: Buffer.from('["a","9999999999999999999","1"]').toString('base64url') }, 'cursor'],
      [{ cursor: Buffer.from('["a","1"]').toString('base64url') }, 'cursor'],
    ];
    for (const [query, attr] of refused) {
      const { status, body } = await service.call('GET', path(), { query });
      expect([query, status, (body as { attr: string }).attr]).toEqual([query, 400, attr]);
    }
  });

  it('shows a person in the moment its capture is acknowledged', async () => {
    const sent = await fetch(`${service.url}/capture`, {
      method: 'POST',
      body: JSON.stringify({ api_key: project.api_token, event: 'x', distinct_id: 'eve', $set: { plan: 'new' } }),
    });
    expect(sent.status).toBe(200);
    expect((await list()).count).toBe(5);
    expect((await names())[0]).toBe('eve');
    expect(await names({ properties: '[{"key":"plan","value":"new"}]' })).toEqual(['eve']);
  });

  it('walks there and back, in either store, and by offset', async () => {
    for (const query of [{}, { search: 'test' }] as Record<string, string>[]) {
      const all = await names(query);
      const seen: (string | undefined)[] = [];
      let page = await list({ ...query, limit: 1 });
      expect(page.previous).toBeNull();
      const pages = [page];
      while (page.next !== null) pages.push((page = await follow(page.next)));
      for (const { results, count } of pages) {
        seen.push(results[0]?.distinct_ids[0]);
        expect([results.length, count]).toEqual([1, all.length]);
      }
      expect(seen).toEqual(all);
      for (let at = all.length - 2; at >= 0; at -= 1) {
        expect(page.previous).not.toBeNull();
        page = await follow(page.previous ?? '');
        expect(page.results[0]?.distinct_ids[0]).toBe(all[at]);
      }
      expect(page.previous).toBeNull();
      expect((await list({ ...query, limit: 2, offset: 1 })).results.map(({ name }) => name)).toEqual(
        (await list(query)).results.slice(1, 3).map(({ name }) => name),
      );
    }
  });

  it('keeps the moments that a cursor names to the microsecond', async () => {
    for (let n = 0; n < 6; n += 1) {
      const at = `2024-02-01T00:00:00.00000${n}Z`;
      await pool().query(
        `INSERT INTO persons (project_id, uuid, properties, is_identified, created_at) VALUES ($1, gen_random_uuid(), $2, false, $3)`,
        [project.id, JSON.stringify({ n }), at],
      );
    }
    await pool().query(`INSERT INTO person_counts VALUES ($1, 77, 6)`, [project.id]);
    const seen: unknown[] = [];
    for (let page = await list({ limit: 1 }); ; page = await follow(page.next)) {
      seen.push((page.results[0]?.properties as { n?: number }).n);
      if (page.next === null) break;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1, 0, undefined, undefined, undefined, undefined]);
  });
});

describe('the count of persons', () => {
  const truth = async () =>
    Number(
      (await pool().query<{ n: string }>('SELECT count(*) AS n FROM persons WHERE project_id = $1', [project.id]))
        .rows[0]?.n,
    );
  const capture = (...events: object[]) =>
    fetch(`${service.url}/batch`, {
      method: 'POST',
      body: JSON.stringify({ api_key: project.api_token, batch: events }),
    }).then(({ status }) => expect(status).toBe(200));

  it('is exact through new persons, merges and repetitions, and stays so when its slots are put together', async () => {
    const check = async (count: number) =>
      expect([await truth(), (await list({ limit: 1 })).count]).toEqual([count, count]);
    await check(0);
    await capture(
      { event: 'a', distinct_id: 'one' },
      { event: 'a', distinct_id: 'two' },
      { event: 'a', distinct_id: 'three' },
    );
    await check(3);
    await capture({ event: '$identify', distinct_id: 'one', properties: { $anon_distinct_id: 'two' } });
    await check(2);
    await capture({ event: '$identify', distinct_id: 'one', properties: { $anon_distinct_id: 'new-anon' } });
    await check(2);
    await Promise.all(Array.from({ length: 40 }, (_, n) => capture({ event: 'a', distinct_id: `p${n % 25}` })));
    await check(27);
    await pool().query('INSERT INTO person_counts SELECT $1, n, 1 FROM generate_series(1000, 1099) AS n', [project.id]);
    expect((await list({ limit: 1 })).count).toBe(127);
    await foldPersonCounts(pool(), project.id);
    const slots = await pool().query('SELECT slot FROM person_counts WHERE project_id = $1', [project.id]);
    expect(slots.rowCount).toBe(1);
    expect((await list({ limit: 1 })).count).toBe(127);
    await capture({ event: 'a', distinct_id: 'last' });
    expect((await list({ limit: 1 })).count).toBe(128);
  });
});

describe('a walk by next', () => {
  it('neither skips nor repeats a person while others are added and removed', async () => {
    const stable = Number(process.env.WALK_PERSONS ?? 3000);
    const at = (n: number) => new Date(Date.UTC(2024, 0, 1) + Math.floor(n / 3) * 60_000).toISOString();
    for (let from = 0; from < stable; from += 2000) {
      await load(
        ...Array.from({ length: Math.min(2000, stable - from) }, (_, n) =>
          personLine(`s${from + n}`, { kind: 'stable' }, { created_at: at(from + n) }),
        ),
      );
    }
    let running = true;
    const disturb = async () => {
      for (let round = 0; running; round += 1) {
        const ids = Array.from({ length: 10 }, (_, n) => `x${round}-${n}`);
        await load(
          ...ids.map((id, n) =>
            personLine(id, { kind: 'moving' }, { created_at: at((round * 131 + n * 977) % stable) }),
          ),
        );
        const { results } = await list({ distinct_id: ids.slice(0, 5) });
        await pool().query(
          `WITH gone AS (DELETE FROM persons WHERE project_id = $1 AND id = ANY ($2::bigint[]) RETURNING id)
           INSERT INTO person_counts SELECT $1, $3, -count(*) FROM gone`,
          [project.id, results.map(({ id }) => id), round + 10_000],
        );
      }
    };
    const disturbance = disturb();
    try {
      for (const query of [{}, { properties: '[{"key":"kind","value":"stable"}]' }] as Record<string, string>[]) {
        const seen: string[] = [];
        for (let page = await list({ ...query, limit: 500 }); ; page = await follow(page.next)) {
          seen.push(...page.results.map(({ distinct_ids }) => distinct_ids[0] ?? ''));
          if (page.next === null) break;
        }
        expect(new Set(seen).size).toBe(seen.length);
        const met = new Set(seen);
        const missed = Array.from({ length: stable }, (_, n) => `s${n}`).filter((id) => !met.has(id));
        expect([query, missed]).toEqual([query, []]);
      }
    } finally {
      running = false;
      await disturbance;
    }
    const pages = [];
    for (let page = await list({ limit: 1000 }); ; page = await follow(page.next)) {
      pages.push(...page.results);
      if (page.next === null) break;
    }
    expect((await list({ limit: 1 })).count).toBe(pages.length);
  }, 300_000);
});

describe('a person of many distinct ids', () => {
  const many = 3000;

  it('shows human ids first, tells how many there are, and lists all of them', async () => {
    const generated = Array.from({ length: many }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
    await load(personLine(['big', ...generated.slice(0, 500)], {}, { created_at: day(1) }));
    await load(personLine(['big', ...generated.slice(500), 'human-last'], {}), personLine('small'));
    const big = async () => (await list({ distinct_id: 'big' })).results[0];
    const listed = await big();
    expect([listed?.distinct_ids.length, listed?.distinct_id_count]).toEqual([100, many + 2]);
    expect(listed?.distinct_ids.slice(0, 3)).toEqual(['big', 'human-last', generated[0]]);
    const one = (await service.call('GET', path(`/${listed?.id}`))).body as PersonDto;
    expect([one.distinct_ids.length, one.distinct_id_count, one.distinct_ids[999]]).toEqual([
      1000,
      many + 2,
      generated[997],
    ]);

    const seen: string[] = [];
    interface Ids {
      count: number;
      next: string | null;
      results: { distinct_id: string; looks_generated: boolean }[];
    }
    let page = (await service.call('GET', path(`/${listed?.uuid}/distinct_ids`), { query: { limit: 1000 } }))
      .body as Ids;
    for (;;) {
      seen.push(...page.results.map(({ distinct_id }) => distinct_id));
      expect(page.count).toBe(many + 2);
      if (page.next === null) break;
      page = (await follow(page.next)) as unknown as Ids;
    }
    expect(seen).toEqual(['big', ...generated, 'human-last']);

    await load(personLine(['big', 'one-more', 'small']));
    expect((await big())?.distinct_id_count).toBe(many + 4);
    expect((await list()).count).toBe(1);

    const body = { distinct_ids_to_split: ['one-more', 'small'] };
    const split = await service.call('POST', path(`/${listed?.id}/split`), { body });
    expect([split.status, (split.body as PersonDto).distinct_id_count]).toEqual([200, many + 2]);
    expect([(await big())?.distinct_id_count, (await list()).count]).toEqual([many + 2, 3]);
    expect((await service.call('DELETE', path(`/${listed?.id}`))).status).toBe(204);
    expect((await list()).count).toBe(2);
    expect((await pool().query('SELECT FROM distinct_id_counts WHERE project_id = $1', [project.id])).rowCount).toBe(0);
  });
});

describe('a person that is found by a distinct id', () => {
  it('has the id, also while the id goes from one person to another', async () => {
    await load(personLine(['ada', 'tablet']), personLine('bob'));
    const wrong: unknown[] = [];
    let isOver = false;
    let reads = 0;
    const read = async () => {
      while (!isOver) {
        reads += 1;
        const { count, results } = await list({ distinct_id: 'tablet' });
        if (count !== 1 || !results[0]?.distinct_ids.includes('tablet')) wrong.push(results);
      }
    };
    const readers = Array.from({ length: 6 }, read);
    for (let round = 0; round < 25; round += 1) {
      const [owner] = (await list({ distinct_id: 'tablet' })).results;
      const split = { body: { distinct_ids_to_split: ['tablet'] } };
      expect((await service.call('POST', path(`/${owner?.id}/split`), split)).status).toBe(200);
      const into = (await list({ distinct_id: round % 2 ? 'ada' : 'bob' })).results[0];
      const merged = { body: { distinct_ids: ['tablet'] } };
      expect((await service.call('POST', path(`/${into?.id}/merge`), merged)).status).toBe(200);
    }
    isOver = true;
    await Promise.all(readers);
    expect([wrong, reads > 25]).toEqual([[], true]);
  });
});
