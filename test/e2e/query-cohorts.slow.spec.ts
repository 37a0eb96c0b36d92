import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ActivityEntryDto } from '../../src/activity/activity.dto.js';
import { type CohortDto, type RecalculatedCohortDto } from '../../src/cohorts/cohort.dto.js';
import { type PreviewDto } from '../../src/cohorts/preview/preview.dto.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { CohortsOf } from '../support/cohorts/cohorts-of.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: CohortsOf;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const fresh = async () => {
  of = new CohortsOf(service, (await service.newProject()).id);
  await load();
};

const event = (distinct_id: string, name: string, day: number, properties: object = {}) => ({
  type: 'event',
  event: name,
  distinct_id,
  timestamp: `2026-01-0${day}T10:00:00Z`,
  properties,
});

/** ada and cy are on the plan pro; ada bought three times, bob once. */
const load = () =>
  importLines(service, of.projectId, [
    personLine('ada', { plan: 'pro', email: 'ada@example.test' }),
    personLine(['bob', 'bob-2'], { plan: 'free' }),
    personLine('cy', { plan: 'pro' }),
    event('ada', 'bought', 1, { size: 3 }),
    event('ada', 'bought', 2, { size: 5 }),
    event('ada', 'bought', 3, { size: 1 }),
    event('bob-2', 'bought', 2, { size: 4 }),
    event('cy', 'opened', 1, { friend: 'bob', boss: 'ada' }),
  ]);

const byQuery = (query: unknown, more: object = {}) => of.create({ name: 'q', is_static: true, query, ...more });
const pros = "select id as person_id from persons where properties.plan = 'pro'";
const buyers = "select person_id from events where event = 'bought'";

const person = async (distinctId: string): Promise<PersonDto> => {
  const page = (await of.call('GET', 'persons', { query: { distinct_id: distinctId } })).body as {
    results: PersonDto[];
  };
  const [found] = page.results;
  if (!found) throw new Error(`there is no ${distinctId}`);
  return found;
};

const rerun = async (id: number): Promise<RecalculatedCohortDto> => (await of.recalculate(id)) as RecalculatedCohortDto;

const unknownUuid = '00000000-0000-4000-8000-000000000000';

const previewed = async (query: string): Promise<[number, number[]]> => {
  const { count, results } = (await of.call('POST', 'cohorts/preview', { body: { query } })).body as PreviewDto;
  return [count, results.map(({ id }) => id)];
};

const refused = async (method: 'POST' | 'PATCH', path: string, body: object): Promise<Record<string, unknown>> => {
  const answer = await of.call(method, path, { body });
  expect([answer.status, answer.body]).toEqual([400, expect.anything()]);
  return answer.body as Record<string, unknown>;
};

describe('a static cohort by query', () => {
  beforeAll(fresh);

  it.each<[string, unknown, string[]]>([
    ['ids of persons', pros, ['ada', 'cy']],
    ['ids of the persons of events, each person once', buyers, ['ada', 'bob']],
    ['uuids', "select uuid as person_id from persons where properties.plan = 'free'", ['bob']],
    ['uuids as text', 'select upper(toString(person.uuid)) as person_id from events', ['ada', 'bob', 'cy']],
    ['the id of persons under its own name', "select id from persons where properties.plan = 'pro'", ['ada', 'cy']],
    ['distinct ids', "select distinct_id from events where event = 'bought'", ['ada', 'bob']],
    ['distinct ids in properties', 'select properties.friend as distinct_id from events', ['bob']],
    [
      'person_id where both are selected',
      "select 'bob' as distinct_id, person_id from events where event = 'opened'",
      ['cy'],
    ],
    ['groups', `${buyers} group by person_id having count() >= 2`, ['ada']],
    ['a LIMIT of its own', 'select person_id from events order by timestamp desc, event limit 1', ['ada']],
    ['a union', `${buyers} union all select person_id from events where event = 'opened'`, ['ada', 'bob', 'cy']],
    ['a CTE', `with b as (${buyers}) select person_id from b where person_id in (${pros})`, ['ada']],
    ['no person', "select distinct_id from events where event = 'never'", []],
    ['values that name no person', "select arrayJoin(['nobody', NULL, '', 'bob']) as distinct_id", ['bob']],
    ['numbers that are no ids', 'select arrayJoin([0, -5, 999999999]) as person_id', []],
    ['an object', { kind: 'HogQLQuery', query: pros }, ['ada', 'cy']],
    [
      'an object with values',
      {
        kind: 'HogQLQuery',
        query: 'select id as person_id from persons where properties.plan = {plan}',
        values: { plan: 'free' },
      },
      ['bob'],
    ],
    ['a table around it', { kind: 'DataTableNode', source: { kind: 'HogQLQuery', query: pros } }, ['ada', 'cy']],
    [
      'a chart around it',
      {
        kind: 'DataVisualizationNode',
        source: { kind: 'HogQLQuery', query: pros },
        chartSettings: { showLegend: true },
      },
      ['ada', 'cy'],
    ],
  ])('has the persons of %s', async (_, query, members) => {
    const cohort = await byQuery(query);
    expect(cohort).toMatchObject({
      is_static: true,
      is_calculating: false,
      query,
      count: members.length,
      last_calculation: expect.any(String),
      calculation_error: null,
    });
    expect(await of.names(cohort.id)).toEqual(members);
    expect((await of.cohort(cohort.id)).query).toEqual(query);
    const preview = (await of.call('POST', 'cohorts/preview', { body: { query } })).body as PreviewDto;
    expect([preview.count, preview.criteria]).toEqual([members.length, []]);
    expect(preview.results.map(({ distinct_ids }) => [...distinct_ids].sort()[0]).sort()).toEqual(members);
  });

  it('may read other cohorts, and be read by them', async () => {
    const first = await byQuery(pros);
    const second = await byQuery(`${buyers} and person_id in cohort ${first.id}`);
    expect(await of.names(second.id)).toEqual(['ada']);
    const dynamic = await of.create({
      filters: { properties: { type: 'AND', values: [{ type: 'cohort', key: 'id', value: second.id }] } },
    });
    expect(await of.names(dynamic.id)).toEqual(['ada']);
  });

  it('is written to the log with its query and its runs', async () => {
    const { id } = await byQuery(pros);
    await of.change(id, { query: buyers });
    await rerun(id);
    const page = (await of.call('GET', `cohorts/${id}/activity`)).body as { results: ActivityEntryDto[] };
    expect(page.results.map(({ activity, detail }) => [activity, detail.changes])).toEqual([
      ['recalculated', []],
      ['updated', [{ type: 'Cohort', action: 'changed', field: 'query', before: pros, after: buyers }]],
      ['created', [expect.objectContaining({ after: expect.objectContaining({ query: pros }) })]],
    ]);
  });
});

describe('the members', () => {
  beforeEach(fresh);

  it('are there at once, and stay when the answer of the query changes', async () => {
    const answer = await of.call('POST', 'cohorts', { body: { name: 'q', is_static: true, query: pros } });
    expect([answer.status, answer.body]).toMatchObject([201, { count: 2, is_calculating: false }]);
    await importLines(service, of.projectId, [personLine('dan', { plan: 'pro' })]);
    const { id } = answer.body as CohortDto;
    expect(await of.names(id)).toEqual(['ada', 'cy']);
    expect(await of.cohort(id)).toMatchObject({ count: 2 });
  });

  it('follow merges, before the query and after it', async () => {
    const [ada, bob] = [await person('ada'), await person('bob')];
    await of.call('POST', `persons/${ada.id}/merge`, { body: { distinct_ids: ['bob'] } });
    const byId = await byQuery(`select ${bob.id} as person_id`);
    expect(await of.names(byId.id)).toEqual(['ada']);
    const uuids = `select arrayJoin(['${bob.uuid}', upper('${bob.uuid}'), '${unknownUuid}', NULL]) as person_id`;
    expect(await of.names((await byQuery(uuids)).id)).toEqual(['ada']);
    expect(await previewed(uuids)).toEqual([1, [ada.id]]);
    // The merged person and the one it went to are one member.
    const twice = await byQuery(`select arrayJoin(['${bob.uuid}', '${ada.uuid}', '${bob.id}']) as person_id`);
    expect(twice.count).toBe(1);
    expect(await previewed(`select arrayJoin(['${bob.uuid}', '${ada.uuid}']) as person_id`)).toEqual([1, [ada.id]]);
    const byEvents = await byQuery("select person_id from events where properties.size = '4'");
    expect(await of.names(byEvents.id)).toEqual(['ada']);
    const both = await byQuery(pros);
    await of.call('POST', `persons/${ada.id}/merge`, { body: { distinct_ids: ['cy'] } });
    expect(await of.names(both.id)).toEqual(['ada']);
    expect(await rerun(both.id)).toMatchObject({ count: 1, members_came: 0, members_went: 0 });
  });
});

describe('another run', () => {
  beforeEach(fresh);

  it('replaces the members, and says how many came and went', async () => {
    const { id } = await byQuery(pros);
    await importLines(service, of.projectId, [personLine('dan', { plan: 'pro' }), personLine('eve', { plan: 'pro' })]);
    const { id: cy } = await person('cy');
    await of.call('PATCH', `persons/${cy}`, { body: { properties: { plan: 'free' } } });
    expect(await rerun(id)).toMatchObject({ count: 3, members_came: 2, members_went: 1, is_calculating: false });
    expect(await of.names(id)).toEqual(['ada', 'dan', 'eve']);
    expect(await rerun(id)).toMatchObject({ count: 3, members_came: 0, members_went: 0 });
  });

  it('removes who was added by hand or file, unless the query selects that person', async () => {
    const { id } = await byQuery(pros);
    await of.call('PATCH', `cohorts/${id}/add_persons_to_static_cohort`, { body: { distinct_ids: ['bob'] } });
    await of.upload('PATCH', `cohorts/${id}?wait=30`, {}, 'distinct_id\nada\nbob\n');
    expect(await of.names(id)).toEqual(['ada', 'bob', 'cy']);
    expect(await rerun(id)).toMatchObject({ count: 2, members_came: 0, members_went: 1 });
    expect(await of.names(id)).toEqual(['ada', 'cy']);
  });

  it('brings back who was removed by hand', async () => {
    const { id } = await byQuery(pros);
    const { id: ada } = await person('ada');
    await of.call('PATCH', `cohorts/${id}/remove_person_from_static_cohort`, { body: { person_id: ada } });
    expect(await of.names(id)).toEqual(['cy']);
    expect(await rerun(id)).toMatchObject({ count: 2, members_came: 1, members_went: 0 });
  });

  it('of a query that has become wrong is refused, and the members stay', async () => {
    const inner = await byQuery(pros);
    const { id } = await byQuery(`${buyers} and person_id in cohort ${inner.id}`);
    await of.change(inner.id, { deleted: true });
    expect(await refused('POST', `cohorts/${id}/recalculate`, {})).toMatchObject({
      attr: 'query',
      line: 1,
      column: 77,
    });
    expect(await of.names(id)).toEqual(['ada']);
  });

  it('does nothing to an uploaded list, and says of a dynamic cohort only what every answer says', async () => {
    const uploaded = await of.create({ is_static: true, distinct_ids: ['ada'] });
    expect(await rerun(uploaded.id)).toMatchObject({ count: 1, members_came: null, members_went: null });
    const dynamic = await of.create({
      filters: { properties: { type: 'AND', values: [{ type: 'person', key: 'plan', value: 'pro' }] } },
    });
    expect(await rerun(dynamic.id)).toMatchObject({ count: 2, members_came: null, members_went: null });
  });
});

describe('a change of the query', () => {
  beforeEach(fresh);

  it('runs it, and the record sent back with another name does not', async () => {
    const cohort = await byQuery({ kind: 'HogQLQuery', query: pros });
    const changed = await of.change(cohort.id, { query: buyers });
    expect(changed).toMatchObject({ count: 2, query: buyers });
    expect(await of.names(cohort.id)).toEqual(['ada', 'bob']);
    await importLines(service, of.projectId, [event('cy', 'bought', 4)]);
    expect(await of.change(cohort.id, { ...changed, name: 'Buyers' })).toMatchObject({ name: 'Buyers', count: 2 });
    expect(await of.names(cohort.id)).toEqual(['ada', 'bob']);
  });

  it('gives an uploaded list a query, whose persons take the place of the list', async () => {
    const { id } = await of.create({ is_static: true, distinct_ids: ['bob', 'cy'] });
    expect(await of.change(id, { query: pros })).toMatchObject({ query: pros, count: 2 });
    expect(await of.names(id)).toEqual(['ada', 'cy']);
  });

  it('to null makes it a list that is no longer run', async () => {
    const { id } = await byQuery(pros);
    expect(await of.change(id, { query: null })).toMatchObject({ query: null, count: 2 });
    await importLines(service, of.projectId, [personLine('dan', { plan: 'pro' })]);
    expect(await rerun(id)).toMatchObject({ count: 2, members_came: null });
    expect(await of.names(id)).toEqual(['ada', 'cy']);
  });
});

describe('more persons than one request adds', () => {
  it('are added and removed in the background', async () => {
    of = new CohortsOf(service, (await service.newProject()).id);
    const many = 6_200;
    const lines = Array.from({ length: many }, (_, at) => personLine(`p${at}`, { half: at < many / 2 ? 'a' : 'b' }));
    await importLines(service, of.projectId, lines);
    const all = "select id as person_id from persons where properties.half in ('a', 'b')";
    const cohort = await byQuery(all);
    expect(cohort).toMatchObject({ count: many, is_calculating: false });
    await of.change(cohort.id, { query: "select id as person_id from persons where properties.half = 'b'" });
    expect(await of.cohort(cohort.id)).toMatchObject({ count: many / 2 });
    expect(await rerun(cohort.id)).toMatchObject({ count: many / 2, members_came: 0, members_went: 0 });
    await of.change(cohort.id, { query: all });
    expect(await rerun(cohort.id)).toMatchObject({ count: many });
    // Few remain: they are added at once, and the others are removed step by step.
    expect(
      await of.change(cohort.id, { query: "select distinct_id from person_distinct_ids where distinct_id = 'p1'" }),
    ).toMatchObject({ count: 1, is_calculating: false });
    expect(await of.names(cohort.id)).toEqual(['p1']);
  });
});

const wrong: readonly (readonly [string, unknown, object])[] = [
  ['text that is no SQL', 'selct 1', { code: 'parse_error', line: 1, column: 1 }],
  ['an unknown column', 'select\n  person_idd as person_id from events', { line: 2, column: 3 }],
  ['another table', 'select person_id from system.tables', { line: 1 }],
  ['another statement', 'drop table events', { line: 1 }],
  ['no column that names persons', 'select event, count() from events group by event', { line: 1, column: 1 }],
  ['the id of another table', 'select id from cohorts', { line: 1, column: 1 }],
  [
    'a fault in the text of an object',
    { kind: 'HogQLQuery', query: 'select x as person_id from events' },
    { column: 8 },
  ],
  ['a fault that the engine finds', 'select toInt(event) / toDate(1) as person_id from events', {}],
  ['a placeholder without a value', 'select {x} as person_id', { line: 1, column: 9 }],
];

describe('a query that is wrong', () => {
  beforeAll(fresh);

  it.each(wrong)('for %s is a 400 with its place, wherever it is sent', async (_, query, place) => {
    const { id } = await of.create({ is_static: true, distinct_ids: ['ada'] });
    const { count } = (await of.call('GET', 'cohorts')).body as { count: number };
    for (const fault of [
      await refused('POST', 'cohorts', { name: 'q', is_static: true, query }),
      await refused('POST', 'cohorts/preview', { query }),
      await refused('PATCH', `cohorts/${id}`, { query }),
    ])
      expect(fault).toMatchObject({ type: 'validation_error', attr: 'query', ...place });
    expect((await of.call('GET', 'cohorts')).body).toMatchObject({ count });
    expect(await of.cohort(id)).toMatchObject({ query: null, count: 1 });
  });

  it.each<[string, object, string]>([
    ['of another kind', { query: { kind: 'ActorsQuery' }, is_static: true }, 'query.kind'],
    ['that is a number', { query: 5, is_static: true }, 'query'],
    ['that is empty', { query: '', is_static: true }, 'query'],
    ['of a dynamic cohort', { query: pros }, 'query'],
    [
      'beside filters',
      {
        query: pros,
        is_static: true,
        filters: { properties: { type: 'AND', values: [{ type: 'person', key: 'a', value: 1 }] } },
      },
      'query',
    ],
    ['beside a list', { query: pros, is_static: true, distinct_ids: ['ada'] }, 'query'],
  ])('%s is refused', async (_, body, attr) => {
    expect(await refused('POST', 'cohorts', { name: 'q', ...body })).toMatchObject({ attr });
  });
});

describe('the rights of a query', () => {
  beforeEach(fresh);

  it('need query:read beside the scope of the route', async () => {
    const { id } = await byQuery(pros);
    const uploaded = await of.create({ is_static: true, distinct_ids: ['ada'] });
    const key = (scopes: readonly ('cohort:write' | 'query:read' | 'person:read')[]) =>
      service.newKey({ scopes, projectIds: [of.projectId] });
    const [without, withQuery] = [
      await key(['cohort:write', 'person:read']),
      await key(['cohort:write', 'person:read', 'query:read']),
    ];
    const calls = [
      ['POST', 'cohorts', { name: 'q', is_static: true, query: pros }, 201],
      ['POST', 'cohorts/preview', { query: pros }, 200],
      ['PATCH', `cohorts/${id}`, { query: buyers }, 200],
      ['POST', `cohorts/${id}/recalculate`, undefined, 200],
    ] as const;
    for (const [method, path, body, status] of calls) {
      const denied = await of.call(method, path, { body, key: without.text });
      expect([path, denied.status, denied.body, denied.headers['x-required-scopes']]).toMatchObject([
        path,
        403,
        { code: 'permission_denied', detail: 'The API key lacks the scope query:read' },
        'query:read',
      ]);
      expect((await of.call(method, path, { body, key: withQuery.text })).status).toBe(status);
    }
    // What runs no query needs no such scope.
    const record = await of.cohort(id);
    const renamed = await of.call('PATCH', `cohorts/${id}`, { body: { ...record, name: 'r' }, key: without.text });
    expect(renamed.status).toBe(200);
    const again = await of.call('POST', `cohorts/${uploaded.id}/recalculate`, { key: without.text });
    expect(again.status).toBe(200);
  });

  it('do not reach another project', async () => {
    const foreign = new CohortsOf(service, (await service.newProject()).id);
    await importLines(service, foreign.projectId, [personLine('zoe', { plan: 'pro' }), personLine('yan', {})]);
    const foreigner = async (distinct_id: string): Promise<PersonDto> => {
      const page = await foreign.call('GET', 'persons', { query: { distinct_id } });
      return (page.body as { results: PersonDto[] }).results[0] as PersonDto;
    };
    const [zoe, yan] = [await foreigner('zoe'), await foreigner('yan')];
    await foreign.call('POST', `persons/${zoe.id}/merge`, { body: { distinct_ids: ['yan'] } });
    const others = `select arrayJoin(['${zoe.id}', '${zoe.uuid}', '${yan.uuid}']) as person_id`;
    expect((await byQuery(others)).count).toBe(0);
    expect(await previewed(others)).toEqual([0, []]);
    expect((await byQuery("select 'zoe' as distinct_id")).count).toBe(0);
    expect(await of.names((await byQuery('select id from persons')).id)).toEqual(['ada', 'bob', 'cy']);
  });
});
