import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { exported, exportedLines, importBytes, type Kind } from '../support/exports.js';
import { PersonsOf } from '../support/persons.js';
import { recordedQuestions, type RecordedQuestion } from '../support/recorded-questions.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let source: ProjectDto;
/** Imported with the persons first, and with the events first. */
let copies: ProjectDto[];

const headers = { 'X-Test-Now': '2026-03-01T12:00:00.000Z' };

const capture = async (...batch: object[]): Promise<void> => {
  const answer = await fetch(`${service.url}/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: source.api_token, batch }),
  });
  expect(answer.status).toBe(200);
};

const event = (name: string, distinctId: string, day: number, properties: object = {}) => ({
  event: name,
  distinct_id: distinctId,
  timestamp: `2026-02-${String(day).padStart(2, '0')}T10:00:00.000Z`,
  properties,
});

/** Every type of property, and the keys that stores and formats escape. */
const everyType = {
  price: 4.5,
  whole: 12345678901,
  long: 1e300,
  yes: true,
  none: null,
  text: 'Zürich "quoted" \\ back\nline 🙂',
  date: '2026-01-31T00:00:00Z',
  list: ['a', 1, null, { deep: [true] }],
  nested: { a: { b: 1 }, '': '' },
  'with.dot': 1,
  '100%': 'x',
  'a%2Eb': 'y',
  '': 'empty key',
  $groups: { company: 'acme' },
};

const scene = async (): Promise<void> => {
  const of = new PersonsOf(service, source.id);
  const path = (rest: string) => ({ $current_url: `https://shop.example.test${rest}`, $pathname: rest });
  await capture(
    event('$pageview', 'anonymous-1', 2, path('/start')),
    event('signed up', 'ada', 3, { ...everyType, $set: { plan: 'free', email: 'ada@example.test', ...everyType } }),
    event('$identify', 'ada', 3, { $anon_distinct_id: 'anonymous-1', $set: { name: 'Ada Lovelace' } }),
    event('bought', 'ada', 9, { price: 5, $set: { plan: 'pro' } }),
    event('$pageview', 'ada-phone', 10, path('/end')),
    event('$create_alias', 'ada', 10, { alias: 'ada-phone' }),
  );
  await capture(
    event('$pageview', 'ben', 4, { ...path('/start'), $set: { plan: 'pro', seats: 3 } }),
    event('$identify', 'ben', 4, { $anon_distinct_id: 'ben-cookie' }),
    event('$pageview', 'cleo', 5, { ...path('/start'), $set_once: { plan: 'pro', first: 'yes' } }),
    event('$identify', 'cleo', 5),
    event('bought', 'cleo', 12, { price: 20 }),
    event('$merge_dangerously', 'ben', 13, { alias: 'cleo' }),
    event('cancelled', 'ben-cookie', 14, { $unset: ['seats'] }),
  );
  await capture(
    event('$pageview', 'dora', 6, { ...path('/start'), $set: { plan: 'pro', email: 'dora@example.test' } }),
    event('$identify', 'dora', 6, { $anon_distinct_id: 'dora-shared' }),
    event('bought', 'dora-shared', 7, { price: 7 }),
    event('signed up', 'dora', 8),
    event('$pageview', 'emil', 6, { ...path('/start'), $set: { plan: 'pro' } }),
    event('bought', 'emil', 20, { price: 1 }),
    event('$groupidentify', 'company-acme', 6, { $group_type: 'company', $group_key: 'acme', $group_set: { size: 9 } }),
    event('$pageview', 'visitor', 15, { ...path('/start'), $process_person_profile: false }),
    event('$pageview', 'visitor', 16, { ...path('/end'), $process_person_profile: false }),
    event('$pageview', 'fay', 17, { ...path('/start'), $set: { plan: 'pro', email: 'fay@example.test' } }),
  );
  const dora = await of.ofDistinctId('dora');
  const split = await of.call('POST', `persons/${dora.id}/split`, {
    body: { distinct_ids_to_split: ['dora-shared'] },
  });
  expect(split.status).toBe(200);
  const emil = await of.ofDistinctId('emil');
  expect((await of.call('DELETE', `persons/${emil.id}`)).status).toBe(204);
  const fay = await of.ofDistinctId('fay');
  const edited = await of.call('PATCH', `persons/${fay.id}`, { body: { properties: { plan: 'free', city: 'Bern' } } });
  expect(edited.status).toBe(200);
  const gone = await of.call('POST', `persons/${fay.id}/delete_property`, { body: { $unset: 'email' } });
  expect(gone.status).toBe(200);
};

beforeAll(async () => {
  service = await sharedService();
  source = await service.newProject('Source');
  await scene();
  const [persons, events] = await Promise.all([
    exported(service, source.id, 'persons'),
    exported(service, source.id, 'events'),
  ]);
  expect([persons.status, events.status]).toEqual([200, 200]);
  copies = [await service.newProject('Persons first'), await service.newProject('Events first')];
  for (const [copy, order] of [
    [copies[0], [persons, events]],
    [copies[1], [events, persons]],
  ] as const) {
    for (const { bytes } of order) await importBytes(service, copy?.id ?? 0, bytes);
  }
});
afterAll(() => service.stop());

const ask = async ({ id }: ProjectDto, { path, query, body }: Omit<RecordedQuestion, 'name'>): Promise<unknown> => {
  const options = body ? { body, headers } : { query, headers };
  const answer = await service.call(body ? 'POST' : 'GET', `/api/projects/${id}/${path}`, options);
  expect([path, answer.status]).toEqual([path, 200]);
  return comparable(answer.body);
};

/** Ids belong to a project; everything else must be equal. */
const comparable = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    const list: unknown[] = value.map(comparable);
    return list.every(isActor) ? [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : list;
  }
  if (typeof value === 'string') return value.replace(/\/projects\/\d+\//g, '/projects/…/');
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !isActor(value) || !['id', 'uuid'].includes(key));
  return Object.fromEntries(
    entries.map(([key, inner]) => [
      key,
      key === 'name' && isActor(value) && /^\d+$/.test(String(inner)) ? '…' : comparable(inner),
    ]),
  );
};

const isActor = (value: unknown): boolean => typeof value === 'object' && value !== null && 'distinct_ids' in value;

const personsOf = async ({ id }: ProjectDto): Promise<unknown[]> => {
  const { body } = await service.call('GET', `/api/projects/${id}/persons`, { query: { limit: 100 } });
  return (body as { results: PersonDto[] }).results
    .map(({ id: _id, uuid: _uuid, distinct_ids, ...person }) => ({ ...person, distinct_ids: [...distinct_ids].sort() }))
    .sort((a, b) => (String(a.distinct_ids) < String(b.distinct_ids) ? -1 : 1));
};

describe('a project that was exported and imported', () => {
  it('has the same persons: distinct ids, properties, creation and identification', async () => {
    const persons = await personsOf(source);
    expect(persons.map((person) => (person as PersonDto).distinct_ids)).toEqual([
      ['ada', 'ada-phone', 'anonymous-1'],
      ['ben', 'ben-cookie', 'cleo'],
      ['dora'],
      ['dora-shared'],
      ['fay'],
    ]);
    for (const copy of copies) expect(await personsOf(copy)).toEqual(persons);
  });

  it('has the same events, which changed no person again', async () => {
    const events = await exportedLines(service, source.id, 'events');
    expect(events.length).toBeGreaterThan(20);
    expect(events.find((one) => one.event === 'signed up' && one.distinct_id === 'ada')?.properties).toMatchObject(
      everyType,
    );
    for (const copy of copies) expect(await exportedLines(service, copy.id, 'events')).toEqual(events);
  });

  it.each(recordedQuestions)('gives the same answer about $name', async ({ name: _, ...question }) => {
    const answer = await ask(source, question);
    for (const copy of copies) expect(await ask(copy, question)).toEqual(answer);
  });

  it.each([
    ['breakdown by a property of persons', { breakdown: 'plan', breakdown_type: 'person' }],
    ['breakdown by a property of events', { breakdown: 'price', breakdown_type: 'event' }],
    [
      'filter by a date',
      { properties: JSON.stringify([{ key: 'date', operator: 'is_date_before', value: '2026-02-01' }]) },
    ],
    [
      'filter by a nested value',
      { properties: JSON.stringify([{ key: 'list', operator: 'icontains', value: 'deep' }]) },
    ],
    ['filter by a group', { properties: JSON.stringify([{ key: '$groups', operator: 'icontains', value: 'acme' }]) }],
    ['filter by a key with a dot', { properties: JSON.stringify([{ key: 'with.dot', operator: 'gt', value: 0 }]) }],
    [
      'unique actors',
      {
        events: JSON.stringify([
          { id: '$pageview', math: 'dau' },
          { id: null, math: 'dau' },
        ]),
      },
    ],
    ['sums', { events: JSON.stringify([{ id: 'bought', math: 'sum', math_property: 'price' }]) }],
  ])('gives the same trends: %s', async (_, more) => {
    const events = JSON.stringify([{ id: '$pageview' }, { id: 'signed up' }, { id: 'bought' }]);
    const query = { include: 'insight', events, date_from: '2026-02-01', date_to: '2026-02-28', ...more };
    const question = { path: 'persons/trends', query: query as Record<string, string> };
    const answer = await ask(source, question);
    for (const copy of copies) expect(await ask(copy, question)).toEqual(answer);
  });

  it('has the same members in every cohort', async () => {
    const did = (key: string, more: object) => ({
      ...{
        type: 'behavioral',
        value: 'performed_event',
        key,
        event_type: 'events',
        time_value: 60,
        time_interval: 'day',
      },
      ...more,
    });
    const definitions = [
      [{ type: 'person', key: 'plan', value: 'pro' }],
      [did('bought', {})],
      [did('$pageview', {}), did('bought', { negation: true })],
      [did('bought', { value: 'performed_event_multiple', operator: 'gte', operator_value: 1 })],
    ];
    const membersOf = async (project: ProjectDto, values: object[]) => {
      const of = new PersonsOf(service, project.id);
      const filters = { properties: { type: 'AND', values } };
      const made = (await of.call('POST', 'cohorts', { body: { name: 'C', filters }, headers })).body as { id: number };
      for (let n = 0; n < 300; n += 1) {
        const cohort = (await of.call('GET', `cohorts/${made.id}`)).body as { is_calculating: boolean };
        if (!cohort.is_calculating) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const { body } = await of.call('GET', `cohorts/${made.id}/persons`);
      return (body as { results: PersonDto[] }).results.map(({ distinct_ids }) => [...distinct_ids].sort()).sort();
    };
    for (const values of definitions) {
      const members = await membersOf(source, values);
      expect(members.length).toBeGreaterThan(0);
      for (const copy of copies) expect(await membersOf(copy, values)).toEqual(members);
    }
  });

  it('changes nothing when its own export comes back', async () => {
    const before = await personsOf(source);
    for (const kind of ['persons', 'events'] as Kind[]) {
      const { bytes } = await exported(service, source.id, kind);
      expect(await importBytes(service, source.id, bytes)).toMatchObject({ events: 0 });
    }
    expect(await personsOf(source)).toEqual(before);
  });
});
