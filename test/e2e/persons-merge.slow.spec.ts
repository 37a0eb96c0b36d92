import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { PersonsOf } from '../support/persons.js';
import { type Answer, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

type Merged = PersonDto & { merged_persons: { id: number; uuid: string }[] };

let service: ServiceHandle;
let people: PersonsOf;
let token: string;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  const project = await service.newProject();
  people = new PersonsOf(service, project.id);
  token = project.api_token;
});

const merge = (id: number | string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  people.call('POST', `persons/${id}/merge`, { body, headers });

const merged = async (id: number | string, body: unknown, headers: Record<string, string> = {}): Promise<Merged> => {
  const answer = await merge(id, body, headers);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body as Merged;
};

const named = ({ id, uuid }: PersonDto) => ({ id, uuid });

const capture = (event: string, distinctId: string, properties: object = {}) =>
  service.call('POST', '/batch', {
    key: null,
    body: { api_key: token, batch: [{ event, distinct_id: distinctId, properties }] },
  });

/** The answer to an id whose person was merged. */
const isMergedInto = (answer: Answer, into: PersonDto, attr = 'id') =>
  expect([answer.status, answer.body]).toEqual([
    404,
    expect.objectContaining({ type: 'invalid_request', code: 'merged', attr, merged_into: named(into) }),
  ]);

const problem = ({ status, body }: Answer) => {
  const { code, attr } = body as { code: string; attr: string };
  return [status, code, attr];
};

describe('POST persons/{id}/merge', () => {
  it.each(['distinct_ids', 'persons'])(
    'by %s gives the person all ids and events; its own values win',
    async (field) => {
      const ada = await people.make(['ada'], { plan: 'pro', city: 'Ulm' });
      const bob = await people.make(['bob', 'bob-2'], { plan: 'free', nick: 'b' });
      const cy = await people.make(['cy'], { nick: 'c', size: 3 });
      const body = {
        [field]: field === 'persons' ? [bob.id, cy.uuid.toUpperCase(), bob.uuid] : ['bob-2', 'cy', 'bob'],
      };
      const { merged_persons, ...person } = await merged(ada.uuid, body);
      expect(merged_persons).toEqual([named(bob), named(cy)]);
      expect(person).toEqual({
        ...ada,
        distinct_ids: ['ada', 'bob', 'bob-2', 'cy'],
        distinct_id_count: 4,
        properties: { plan: 'pro', city: 'Ulm', nick: 'b', size: 3 },
        is_identified: true,
      });
      expect(await people.get(ada.id)).toEqual(person);
      const events = await people.events({ person_id: ada.id });
      expect(events.map(({ event, distinct_id }) => `${event} ${distinct_id}`).sort()).toEqual(
        ['ada', 'bob', 'bob-2', 'cy'].map((id) => `seen ${id}`),
      );
      const trend = await people.call('GET', 'persons/trends', {
        query: { events: '[{"id":"seen","math":"dau"}]', date_from: '2024-01-01', date_to: '2024-01-05' },
      });
      expect(trend.body).toMatchObject({ insight: { series: [{ data: [0, 1, 0, 0, 0] }] } });
      for (const gone of [bob, cy]) {
        isMergedInto(await people.call('GET', `persons/${gone.id}`), ada);
        isMergedInto(await people.call('GET', `persons/${gone.uuid}`), ada);
      }
    },
  );

  it('adds an id that has no person, with its past events, and an id of the person itself changes nothing', async () => {
    const ada = await people.make(['ada']);
    await capture('seen', 'visitor', { $process_person_profile: false });
    const { merged_persons, ...person } = await merged(ada.id, { distinct_ids: ['ada', 'visitor', 'new'] });
    expect([person.distinct_ids, merged_persons]).toEqual([['ada', 'visitor', 'new'], []]);
    expect(await people.events({ person_id: ada.id, distinct_id: 'visitor' })).toHaveLength(1);
    expect(await merged(ada.id, { distinct_ids: ['ada', 'visitor'] })).toEqual({ ...person, merged_persons: [] });
    expect(await people.activity()).toHaveLength(1);
  });

  it('writes an entry for each side, with ids and numbers only', async () => {
    const [ada, bob] = [await people.make(['ada']), await people.make(['bob@example.test'])];
    await merged(ada.id, { distinct_ids: ['bob@example.test', 'new@example.test'] }, { 'X-Request-Id': 'req-1' });
    const change = { type: 'Person', action: 'merged', field: null, before: null };
    const entries = await people.activity();
    expect(entries.map(({ activity, item_id, request_id, detail }) => [activity, item_id, request_id, detail])).toEqual(
      expect.arrayContaining([
        [
          'merge_persons',
          String(ada.id),
          'req-1',
          { name: ada.uuid, changes: [{ ...change, after: { merged_person_ids: [bob.id], distinct_ids_added: 1 } }] },
        ],
        [
          'merged_into',
          String(bob.id),
          'req-1',
          { name: bob.uuid, changes: [{ ...change, after: { merged_into: ada.id } }] },
        ],
      ]),
    );
    expect(entries).toHaveLength(2);
    expect(JSON.stringify(entries)).not.toContain('@example.test"]');
    expect((await people.activity(`persons/${ada.id}/activity`)).map(({ activity }) => activity)).toEqual([
      'merge_persons',
    ]);
  });

  it.each<[string, unknown, string]>([
    ['neither list', {}, 'distinct_ids'],
    ['both lists', { distinct_ids: ['bob'], persons: [1] }, 'persons'],
    ['an empty list', { distinct_ids: [] }, 'distinct_ids'],
    ['an empty list of persons', { persons: [] }, 'persons'],
    ['1,001 ids', { distinct_ids: Array.from({ length: 1001 }, (_, n) => `id${n}`) }, 'distinct_ids'],
    ['1,001 persons', { persons: Array.from({ length: 1001 }, (_, n) => n + 1) }, 'persons'],
    ['no text', { distinct_ids: ['bob', 5] }, 'distinct_ids'],
    ['an empty id', { distinct_ids: ['bob', ''] }, 'distinct_ids.1'],
    ['an id that many users share', { distinct_ids: ['bob', 'Anonymous'] }, 'distinct_ids.1'],
    ['an id that is too long', { distinct_ids: ['bob', 'x'.repeat(10_000)] }, 'distinct_ids.1'],
    ['no id of a person', { persons: ['bob'] }, 'persons.0'],
    ['an object', { persons: [{ id: 1 }] }, 'persons.0'],
    ['an unknown field', { person: [1] }, 'person'],
  ])('refuses %s and merges nothing', async (_, body, attr) => {
    const [ada, bob] = [await people.make(['ada']), await people.make(['bob'])];
    const answer = await merge(ada.id, body);
    expect([answer.status, (answer.body as { attr: string }).attr]).toEqual([400, attr]);
    expect([await people.get(ada.id), await people.get(bob.id)]).toEqual([ada, bob]);
    expect(await people.activity()).toEqual([]);
  });

  it('refuses the person itself, and persons whose id many users share', async () => {
    const [ada, guest] = [await people.make(['ada']), await people.make(['guest'])];
    expect(problem(await merge(ada.id, { persons: [ada.uuid] }))).toEqual([400, 'invalid_input', 'persons.0']);
    expect(problem(await merge(ada.id, { persons: [guest.id] }))).toEqual([400, 'invalid_input', 'persons.0']);
    expect(problem(await merge(guest.id, { persons: [ada.id] }))).toEqual([400, 'invalid_input', 'id']);
  });

  it('refuses properties that would be too large together, and merges nothing', async () => {
    const ada = await people.make(['ada'], { a: 'x'.repeat(400_000) });
    const [bob, cy] = [await people.make(['bob']), await people.make(['cy'], { b: 'x'.repeat(400_000) })];
    expect(problem(await merge(ada.id, { persons: [bob.id, cy.id] }))).toEqual([400, 'invalid_input', 'persons.1']);
    expect([await people.get(ada.id), await people.get(bob.id), await people.get(cy.id)]).toEqual([ada, bob, cy]);
  });

  it('names the first person that is missing or was merged, and merges none', async () => {
    const [ada, bob, cy, dee] = [
      await people.make(['ada']),
      await people.make(['bob']),
      await people.make(['cy']),
      await people.make(['dee']),
    ];
    const stranger = await new PersonsOf(service, (await service.newProject()).id).make(['bob']);
    await merged(cy.id, { persons: [dee.id] });
    isMergedInto(await merge(ada.id, { persons: [bob.id, dee.uuid, 999_999_999] }), cy, 'persons.1');
    isMergedInto(await merge(dee.id, { persons: [bob.id] }), cy);
    const details = [];
    for (const id of [999_999_999, randomUUID(), stranger.id, stranger.uuid]) {
      const answer = await merge(ada.id, { persons: [bob.id, id] });
      expect(problem(answer)).toEqual([404, 'not_found', 'persons.1']);
      details.push((answer.body as { detail: string }).detail.replace(String(id), '…'));
      expect((await merge(id, { persons: [bob.id] })).status).toBe(404);
    }
    expect(new Set(details).size).toBe(1);
    expect(await people.get(bob.id)).toEqual(bob);
  });

  it('answers a repeated Idempotency-Key with the person of now, and shows nothing that was deleted since', async () => {
    const [ada, bob] = [await people.make(['ada']), await people.make(['bob'])];
    const key = { 'Idempotency-Key': 'k' };
    const first = await merge(ada.id, { persons: [bob.id] }, key);
    await people.call('PATCH', `persons/${ada.id}`, { body: { properties: { plan: 'pro' } } });
    const again = await merge(ada.id, { persons: [bob.id] }, key);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(again.body).toEqual({ ...(first.body as object), properties: { plan: 'pro' } });
    isMergedInto(await merge(ada.id, { persons: [bob.id] }), ada, 'persons.0');
    await people.call('DELETE', `persons/${ada.id}`);
    expect((await merge(ada.id, { persons: [bob.id] }, key)).status).toBe(404);
  });

  it('takes the memberships of static cohorts along', async () => {
    const [ada, bob] = [await people.make(['ada']), await people.make(['bob'])];
    const made = await people.call('POST', 'cohorts', { body: { name: 's', is_static: true, person_ids: [bob.id] } });
    await merged(ada.id, { persons: [bob.id] });
    const members = await people.call('GET', `cohorts/${(made.body as { id: number }).id}/persons`);
    expect(members.body).toMatchObject({ count: 1, results: [{ id: ada.id }] });
  });
});

describe('the id of a merged person', () => {
  it('leads to the last person of a chain, also by captured merges, and nowhere once that one is deleted', async () => {
    const [ada, bob, cy] = [await people.make(['ada']), await people.make(['bob']), await people.make(['cy'])];
    await capture('$create_alias', 'bob', { alias: 'ada' });
    isMergedInto(await people.call('GET', `persons/${ada.uuid}`), bob);
    await merged(cy.id, { distinct_ids: ['ada'] });
    for (const gone of [ada.id, ada.uuid, bob.id, bob.uuid])
      isMergedInto(await people.call('DELETE', `persons/${gone}`), cy);
    const { rows } = await service.pool.query('SELECT 1 FROM person_redirects WHERE project_id = $1', [
      people.projectId,
    ]);
    expect(rows).toHaveLength(2);

    await people.call('DELETE', `persons/${cy.id}`);
    for (const gone of [ada.id, ada.uuid, bob.id, bob.uuid])
      expect(problem(await people.call('GET', `persons/${gone}`))).toEqual([404, 'not_found', null]);
    const left = await service.pool.query('SELECT 1 FROM person_redirects WHERE project_id = $1', [people.projectId]);
    expect(left.rows).toEqual([]);
  });

  it('is a uuid that a split gives to a person again: it names that person, and after its deletion nobody', async () => {
    const [ada, bob] = [await people.make(['ada']), await people.make(['bob'])];
    await merged(ada.id, { persons: [bob.id] });
    const split = await people.call('POST', `persons/${ada.id}/split`, { body: { distinct_ids_to_split: ['bob'] } });
    const [again] = (split.body as { split_persons: PersonDto[] }).split_persons;
    expect(again?.uuid).toBe(bob.uuid);
    expect(await people.get(bob.uuid)).toEqual(again);
    isMergedInto(await people.call('GET', `persons/${bob.id}`), ada);
    await people.call('DELETE', `persons/${bob.uuid}`);
    expect(problem(await people.call('GET', `persons/${bob.uuid}`))).toEqual([404, 'not_found', null]);
    isMergedInto(await people.call('GET', `persons/${bob.id}`), ada);
  });

  it('is no person of a bulk deletion, whose result names the other person', async () => {
    const [ada, bob] = [await people.make(['ada']), await people.make(['bob'])];
    await merged(ada.id, { persons: [bob.id] });
    const { body } = await people.call('POST', 'persons/bulk_delete', {
      body: { ids: [bob.id, bob.uuid, 999_999_999] },
    });
    const none = { id: null, uuid: null, deletion_request_id: null };
    expect(body).toEqual({
      deleted: 0,
      results: [
        { given: bob.id, result: 'merged', ...none, merged_into: named(ada) },
        { given: bob.uuid, result: 'merged', ...none, merged_into: named(ada) },
        { given: 999_999_999, result: 'not_found', ...none },
      ],
    });
    expect((await people.get(ada.id)).id).toBe(ada.id);
  });

  it('stands for the other person in an uploaded file', async () => {
    const [ada, bob] = [await people.make(['ada']), await people.make(['bob'])];
    await merged(ada.id, { persons: [bob.id] });
    const form = new FormData();
    form.set('name', 'uploaded');
    form.set('is_static', 'true');
    form.set('csv', new Blob([`person_id\n${bob.id}\n${bob.uuid}\n`]), 'a.csv');
    const made = await fetch(`${service.url}/api/projects/${people.projectId}/cohorts?wait=20`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}` },
      body: form,
    });
    const { id } = (await made.json()) as { id: number };
    expect((await people.call('GET', `cohorts/${id}/persons`)).body).toMatchObject({
      count: 1,
      results: [{ id: ada.id }],
    });
  });
});

describe('merges at the same time', () => {
  it('of two persons into each other leave one person with all ids, and the other merge learns where its person is', async () => {
    for (let round = 0; round < 15; round += 1) {
      const ada = await people.make([`ada-${round}`, `ada-2-${round}`]);
      const bob = await people.make([`bob-${round}`, `bob-2-${round}`]);
      const answers = await Promise.all([merge(ada.id, { persons: [bob.id] }), merge(bob.id, { persons: [ada.id] })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
      const [winner, loser] = answers[0]?.status === 200 ? [ada, bob] : [bob, ada];
      expect((await people.get(winner.id)).distinct_ids.sort()).toEqual(
        [...ada.distinct_ids, ...bob.distinct_ids].sort(),
      );
      isMergedInto(await people.call('GET', `persons/${loser.id}`), winner);
      const refused = answers.find(({ status }) => status === 404);
      expect((refused?.body as { merged_into: object }).merged_into).toEqual(named(winner));
    }
  });
});
