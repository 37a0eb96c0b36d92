import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let people: PersonsOf;

beforeAll(async () => {
  service = await sharedService();
  people = new PersonsOf(service, service.project.id);
});
afterAll(() => service.stop());

/** The same storm every time. */
const dice = (seed: number) => {
  let state = seed;
  return (sides: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
};

const sql = async <T extends object>(text: string): Promise<T[]> =>
  (await service.pool.query<T>(text, [people.projectId])).rows;

const capture = (distinctId: string, other: string | null) =>
  service.call('POST', '/batch', {
    key: null,
    body: {
      api_key: service.project.api_token,
      batch: [
        other === null
          ? { event: 'seen', distinct_id: distinctId }
          : { event: '$merge_dangerously', distinct_id: distinctId, properties: { alias: other } },
      ],
    },
  });

it('merges, splits, edits and deletions at once leave every distinct id with exactly one whole person', async () => {
  const roll = dice(7);
  const ids = Array.from({ length: 24 }, (_, at) => `id${at}`);
  const anyId = () => ids[roll(ids.length)] ?? '';
  for (const id of ids) await capture(id, null);

  const personOf = async (distinctId: string): Promise<string | null> => {
    const [row] = await sql<{ person_id: string }>(
      `SELECT person_id FROM person_distinct_ids WHERE project_id = $1 AND distinct_id = '${distinctId}'`,
    );
    return row?.person_id ?? null;
  };
  const write = async (): Promise<number> => {
    const [id, other, kind] = [anyId(), anyId(), roll(14)];
    if (kind < 4) return (await capture(id, id === other ? null : other)).status;
    const person = (await personOf(id)) ?? '999999';
    if (kind < 7)
      return (await people.call('POST', `persons/${person}/split`, { body: { main_distinct_id: null } })).status;
    if (kind < 8) return (await people.call('DELETE', `persons/${person}`)).status;
    if (kind >= 10) {
      const second = (await personOf(other)) ?? '999999';
      const body = kind < 12 || second === person ? { distinct_ids: [other] } : { persons: [second] };
      return (await people.call('POST', `persons/${person}/merge`, { body })).status;
    }
    if (kind < 9) return (await people.call('POST', 'persons/bulk_delete', { body: { distinct_ids: [id] } })).status;
    return (await people.call('PATCH', `persons/${person}`, { body: { properties: { [`k${roll(1e6)}`]: 1 } } })).status;
  };
  const statuses: number[] = [];
  for (let wave = 0; wave < 30; wave += 1) {
    statuses.push(...(await Promise.all(Array.from({ length: 10 }, () => write()))));
  }
  expect(statuses.filter((status) => ![200, 204, 404].includes(status))).toEqual([]);
  expect(statuses.filter((status) => status !== 404).length).toBeGreaterThan(150);

  // Whatever lost its person gets one by its next event.
  for (const id of ids) await capture(id, null);
  const owners = await sql<{ distinct_id: string; person_id: string }>(
    'SELECT distinct_id, person_id FROM person_distinct_ids WHERE project_id = $1',
  );
  expect(owners.map(({ distinct_id }) => distinct_id).sort()).toEqual([...ids].sort());
  const whole = await sql<{ id: string }>('SELECT id FROM persons WHERE project_id = $1 ORDER BY id');
  expect(whole.map(({ id }) => id)).toEqual(
    [...new Set(owners.map(({ person_id }) => person_id))].sort((a, b) => Number(a) - Number(b)),
  );

  // Every redirect leads from a person that is gone to one that is there.
  const astray = await sql(
    `SELECT 1 FROM person_redirects AS r WHERE project_id = $1 AND (
       NOT EXISTS (SELECT FROM persons AS p WHERE p.project_id = $1 AND p.id = r.target)
       OR EXISTS (SELECT FROM persons AS p WHERE p.project_id = $1 AND p.id = r.source))`,
  );
  expect(astray).toEqual([]);

  // And ClickHouse says the same of every event as the truth does.
  const byPerson = new Map<string, string[]>();
  for (const { distinct_id, person_id } of owners)
    byPerson.set(person_id, [...(byPerson.get(person_id) ?? []), distinct_id]);
  for (const [personId, own] of byPerson) {
    const [stored] = await sql<{ count: string }>(
      `SELECT count(*) FROM events WHERE project_id = $1 AND distinct_id IN ('${own.join("','")}')`,
    );
    const { body } = await people.call('GET', 'events', { query: { person_id: personId, limit: 1 } });
    expect([personId, (body as { count: number }).count]).toEqual([personId, Number(stored?.count)]);
  }
}, 180_000);
