import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { CohortsOf, isIn } from '../support/cohorts/cohorts-of.js';
import { importLines } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

/** Who did it, of which company and project, on which day of March. */
const uses: readonly (readonly [string, string, string | null, string | null, number])[] = [
  ['ada', 'opened', 'acme', 'p1', 1],
  ['bob', 'opened', 'acme', 'p2', 1],
  ['ada', 'paid', 'acme', 'p1', 2],
  ['cy', 'opened', 'bolt', null, 1],
  ['cy', 'opened', 'bolt', null, 3],
  ['dee', 'opened', 'core', 'p3', 2],
  ['dee', 'paid', 'core', 'p3', 3],
  ['eve', 'opened', null, null, 1],
  ['eve', 'paid', null, null, 2],
];

const event = (
  [distinct_id, name, company, project]: readonly [string, string, string | null, string | null],
  timestamp: string,
) => ({
  ...{ type: 'event', event: name, distinct_id, timestamp },
  properties: { $groups: { ...(company && { company }), ...(project && { project }) } },
});

let service: ServiceHandle;
let of: CohortsOf;
/** Cohorts of companies, of projects and of persons. */
let paying: number;
let others: number;
let projects: number;
let persons: number;

beforeAll(async () => {
  service = await sharedService();
  of = new CohortsOf(service, (await service.newProject()).id);
  await importLines(
    service,
    of.projectId,
    uses.map(([who, name, company, project, day]) =>
      event([who, name, company, project], `2024-03-0${day}T1${day}:00:00Z`),
    ),
  );
  const made = async (name: string, body: object) => (await of.create({ name, is_static: true, ...body })).id;
  const companies = { actor: 'group', group_type_index: 0 };
  paying = await made('Paying', { ...companies, group_keys: ['acme', 'core'] });
  others = await made('Others', { ...companies, group_keys: ['bolt'] });
  projects = await made('Projects', { actor: 'group', group_type_index: 1, group_keys: ['p1', 'p3'] });
  persons = await made('Persons', { distinct_ids: ['ada', 'cy'] });
});

afterAll(() => service.stop());

const march = { date_from: '2024-03-01', date_to: '2024-03-03' };
const ofCompanies = { aggregation_group_type_index: 0 };
const opened = (math: string, more: object = {}) => ({ events: [{ id: 'opened', math, ...more }] });
const funnel = { events: [{ id: 'opened' }, { id: 'paid' }] };
const by = (...property: (number | string)[]) => ({ breakdowns: [{ type: 'cohort', property }] });

interface Body {
  readonly attr: string;
  readonly detail: string;
  readonly count: number;
  readonly results: readonly { group_key?: string; distinct_ids: readonly string[] }[];
  readonly insight: {
    readonly series: readonly { breakdown_value: unknown; label: string; data: number[]; count: number }[];
    readonly breakdown: readonly { value: string; steps: readonly { count: number }[] }[];
  };
}

const send = async (there: CohortsOf, insight: string, parts: readonly object[]) => {
  const texts = Object.entries(Object.assign({}, ...parts) as object).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const query = Object.fromEntries(texts) as Record<string, string>;
  const { status, body, text } = await there.call('GET', `persons/${insight}`, { query });
  return { status, text, body: body as Body };
};

const asked = (insight: string, ...parts: object[]) => send(of, insight, [march, ...parts]);

const answer = async (insight: string, ...parts: object[]): Promise<Body> => {
  const { status, body, text } = await asked(insight, ...parts);
  if (status !== 200) throw new Error(text);
  return body;
};

const lines = ({ insight }: Body) => insight.series.map(({ label, data }) => [label, data]).sort();

/** Who is behind a number, of which there are as many as it says. */
const behind = async (insight: string, ...parts: object[]): Promise<string[]> => {
  const { count, results } = await answer(insight, ...parts);
  expect(results).toHaveLength(count);
  const csv = await asked(insight, ...parts, { include: 'persons', format: 'csv' });
  expect(csv.text.split('\r\n')).toHaveLength(count + 2);
  return results.map(({ group_key: key, distinct_ids: [name = ''] }) => key ?? name).sort();
};

describe('a breakdown of trends by cohorts of groups', () => {
  it('splits events, persons and groups by the groups that events name', async () => {
    const split = by(paying, others, 'all');
    expect(lines(await answer('trends', opened('total'), split))).toEqual([
      ['Others', [1, 0, 1]],
      ['Paying', [2, 1, 0]],
      ['all users', [4, 1, 1]],
    ]);
    const companies = [
      ['Others', [1, 0, 1]],
      ['Paying', [1, 1, 0]],
      ['all groups', [2, 1, 1]],
    ];
    expect(lines(await answer('trends', ofCompanies, opened('dau'), split))).toEqual(companies);
    expect(await behind('trends', ofCompanies, opened('dau'), split, { breakdown_value: paying })).toEqual([
      'acme',
      'core',
    ]);
    const second = { breakdown_value: paying, day: '2024-03-02' };
    expect(await behind('trends', ofCompanies, opened('dau'), split, second)).toEqual(['core']);
    expect(await behind('trends', opened('dau'), split, { breakdown_value: paying })).toEqual(['ada', 'bob', 'dee']);
    expect(await behind('trends', ofCompanies, opened('dau'), split)).toEqual(['acme', 'bolt', 'core']);
    const older = { breakdown: [paying, others, 'all'], breakdown_type: 'cohort' };
    expect(lines(await answer('trends', ofCompanies, opened('dau'), older))).toEqual(companies);
  });

  it('knows cohorts of other groups and of persons beside them', async () => {
    const split = by(paying, projects, persons);
    expect(lines(await answer('trends', ofCompanies, opened('dau'), split))).toEqual([
      ['Paying', [1, 1, 0]],
      ['Persons', [2, 0, 1]],
      ['Projects', [1, 1, 0]],
    ]);
    for (const [value, keys] of [
      [projects, ['acme', 'core']],
      [persons, ['acme', 'bolt']],
    ] as const)
      expect(await behind('trends', ofCompanies, opened('dau'), split, { breakdown_value: value })).toEqual(keys);
    const several = {
      breakdowns: [
        { type: 'group', group_type_index: 0, property: '$group_key' },
        { type: 'cohort', property: [paying, 'all'] },
      ],
    };
    expect(lines(await answer('trends', ofCompanies, opened('total'), several))).toEqual([
      ['None (i.e. no value)::all groups', [1, 0, 0]],
      ['acme::Paying', [2, 0, 0]],
      ['acme::all groups', [2, 0, 0]],
      ['bolt::all groups', [1, 0, 1]],
      ['core::Paying', [0, 1, 0]],
      ['core::all groups', [0, 1, 0]],
    ]);
    const one = { breakdown_value: ['acme', String(paying)] };
    expect(await behind('trends', ofCompanies, opened('total'), several, one)).toEqual(['acme']);
  });

  it.each(['weekly_active', 'first_time_for_user', 'avg_count_per_actor'])('lists whom %s counts', async (math) => {
    const total = { display: 'ActionsTable' };
    const { insight } = await answer('trends', ofCompanies, opened(math), by(paying, others), total);
    expect(insight.series.map(({ label, count }) => [label, count]).sort()).toEqual([
      ['Others', math === 'avg_count_per_actor' ? 2 : 1],
      ['Paying', math === 'avg_count_per_actor' ? 1.5 : 2],
    ]);
    for (const [value, keys] of [
      [paying, ['acme', 'core']],
      [others, ['bolt']],
    ] as const)
      expect(
        await behind('trends', ofCompanies, opened(math), by(paying, others), total, { breakdown_value: value }),
      ).toEqual(keys);
  });

  it('splits the groups of a series in a question about persons', async () => {
    const math = opened('unique_group', { math_group_type_index: 0 });
    expect(lines(await answer('trends', math, by(paying)))).toEqual([['Paying', [1, 1, 0]]]);
    expect(await behind('trends', math, by(paying), { series: 0, breakdown_value: paying })).toEqual(['acme', 'core']);
  });

  it('is refused where those who count have no event that names a group', async () => {
    for (const [kind, ...parts] of [
      ['persons', opened('first_time_for_user'), by(paying)],
      ['groups of the type 0', ofCompanies, opened('first_time_for_user'), by(persons)],
      ['groups of the type 0', ofCompanies, opened('first_time_for_user'), by('all', projects)],
    ] as const) {
      const { status, body } = await asked('trends', ...(parts as object[]));
      expect([status, body]).toMatchObject([
        400,
        { attr: 'breakdown', detail: expect.stringContaining(`must be ids of cohorts of ${kind}, which the question`) },
      ]);
    }
  });
});

describe('a breakdown of a funnel by cohorts of groups', () => {
  it('splits the groups that it counts', async () => {
    const { insight } = await answer('funnel', ofCompanies, funnel, by(paying, others, 'all'));
    const counts = insight.breakdown.map(({ value, steps }) => [value, ...steps.map(({ count }) => count)]);
    expect(counts.sort()).toEqual(
      [
        [String(others), 1, 0],
        [String(paying), 2, 2],
        ['all', 3, 2],
      ].sort(),
    );
    const split = { ...ofCompanies, ...by(paying, others) };
    const step = (value: number, funnel_step: number) =>
      behind('funnel', funnel, split, { breakdown_value: [String(value)], funnel_step });
    expect(await step(paying, 2)).toEqual(['acme', 'core']);
    expect(await step(others, 1)).toEqual(['bolt']);
    expect(await step(others, -2)).toEqual(['bolt']);
  });

  it('is refused where it counts others', async () => {
    for (const [kind, ...parts] of [
      ['persons', by(paying)],
      ['groups of the type 0', ofCompanies, by(persons)],
      ['groups of the type 0', ofCompanies, by(projects)],
    ] as const) {
      const { status, body } = await asked('funnel', funnel, ...(parts as object[]));
      expect([status, body]).toMatchObject([400, { attr: 'breakdown', detail: expect.stringContaining(kind) }]);
    }
  });
});

describe('nodes of the reference product', () => {
  it('split the groups that they count by cohorts of them', async () => {
    const breakdownFilter = { breakdown: [paying, 'all'], breakdown_type: 'cohort' };
    const dates = { dateRange: march, aggregation_group_type_index: 0, breakdownFilter };
    const source = {
      ...{ kind: 'TrendsQuery', ...dates },
      series: [{ kind: 'EventsNode', event: 'opened', math: 'dau' }],
    };
    const answered = async (query: object) => {
      const { status, body, text } = await of.call('POST', 'query', { body: { query } });
      if (status !== 200) throw new Error(text);
      return (body as { results: unknown[] }).results;
    };
    expect(await answered(source)).toMatchObject([
      { breakdown_value: 'all', data: [2, 1, 1] },
      { breakdown_value: paying, data: [1, 1, 0] },
    ]);
    const actors = { kind: 'InsightActorsQuery', source, breakdown: paying };
    expect((await answered({ kind: 'ActorsQuery', source: actors, select: ['id'] })).flat().sort()).toEqual([
      'acme',
      'core',
    ]);
    const steps = {
      ...{ kind: 'FunnelsQuery', ...dates },
      series: ['opened', 'paid'].map((name) => ({ kind: 'EventsNode', event: name })),
    };
    expect(JSON.stringify(await answered(steps))).toContain('"count":2');
  });
});

describe('the members of a cohort of groups at the time of an event', () => {
  it('filter and split trends', async () => {
    const there = new CohortsOf(service, (await service.newProject()).id);
    const before = new Date().toISOString();
    await importLines(
      service,
      there.projectId,
      ['acme', 'bolt'].map((key) => event(['ada', 'made', key, null], before)),
    );
    const { id } = await there.create({
      ...{ name: 'Then', is_static: true, actor: 'group', group_type_index: 0 },
      group_keys: ['acme'],
    });
    const persons = await there.create({ name: 'Persons', is_static: true, distinct_ids: ['ada'] });
    const moments: string[] = [];
    const tick = async () => {
      await sleep(5);
      moments.push(new Date().toISOString());
      await sleep(5);
    };
    const change = async (path: string, body: object) => {
      const { status } = await there.call('PATCH', `cohorts/${id}/${path}`, { body });
      expect(status).toBe(200);
    };
    await tick();
    await change('add_persons_to_static_cohort', { group_keys: ['bolt'] });
    await tick();
    await change('remove_person_from_static_cohort', { group_key: 'acme' });
    await tick();
    // bob is in no cohort; his events name the same companies.
    await importLines(
      service,
      there.projectId,
      moments.flatMap((timestamp) =>
        ['acme', 'bolt', null].map((key) => event(['bob', 'opened', key, null], timestamp)),
      ),
    );
    const trend = async (...parts: object[]) => {
      const total = { date_from: '-1d', display: 'ActionsTable' };
      const { status, body, text } = await send(there, 'trends', [total, ...parts]);
      if (status !== 200) throw new Error(text);
      return body;
    };
    const counts = ({ insight }: Body) => insight.series.map(({ label, count }) => [label, count]);
    const then = { at: 'event' };
    expect(counts(await trend(opened('total'), { properties: [isIn(id, then)] }))).toEqual([['opened', 4]]);
    expect(counts(await trend(opened('total'), { properties: [isIn(id)] }))).toEqual([['opened', 3]]);
    const none = { properties: [isIn(id, { ...then, operator: 'not_in' })] };
    expect(counts(await trend(opened('total'), none))).toEqual([['opened', 5]]);
    const listed = await trend(ofCompanies, opened('total'), { properties: [isIn(id, then)] });
    expect(listed.results.map(({ group_key: key }) => key).sort()).toEqual(['acme', 'bolt']);
    const split = { breakdowns: [{ type: 'cohort', property: [id, persons.id, 'all'], ...then }] };
    for (const [math, numbers] of [
      ['total', [4, 0, 9]],
      ['dau', [1, 0, 1]],
    ] as const)
      expect(new Map(counts(await trend(opened(math), split)) as [string, number][])).toEqual(
        new Map(['Then', 'Persons', 'all users'].map((label, at) => [label, numbers[at] ?? NaN])),
      );
    const first = { breakdowns: [{ type: 'cohort', property: [id], ...then }] };
    expect(counts(await trend(ofCompanies, opened('dau'), first))).toEqual([['Then', 2]]);
    // At the first event of each, acme was a member.
    expect(counts(await trend(ofCompanies, opened('first_time_for_user'), first))).toEqual([['Then', 1]]);
    const value = await trend(ofCompanies, opened('first_time_for_user'), first, { breakdown_value: id });
    expect(value.results.map(({ group_key: key }) => key)).toEqual(['acme']);
  });
});
