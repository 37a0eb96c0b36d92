import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { all, CohortsOf, where } from '../support/cohorts/cohorts-of.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

const users = ['u0', 'u1', 'u2', 'u3', 'u4'];
/** What happens before each tick. At each tick every user has one event. */
const steps: readonly ((scene: Scene) => Promise<void>)[] = [
  () => Promise.resolve(),
  ({ put }) => put('A', 'u0', 'u1'),
  ({ put }) => put('B', 'u1', 'u2'),
  ({ take }) => take('A', 'u1'),
  ({ merge }) => merge('u2', 'u0'),
  ({ take }) => take('B', 'u0'),
  ({ put }) => put('A', 'u1', 'u3'),
];

class Scene {
  readonly now: Record<string, Set<string>> = { A: new Set(), B: new Set() };
  readonly personOf = new Map(users.map((user) => [user, user]));

  constructor(
    private readonly of: CohortsOf,
    readonly cohorts: Readonly<Record<string, number>>,
    private readonly ids: Readonly<Record<string, number>>,
  ) {}

  readonly put = async (cohort: string, ...names: string[]): Promise<void> => {
    const path = `cohorts/${this.cohorts[cohort]}/add_persons_to_static_cohort`;
    await this.of.call('PATCH', path, { body: { distinct_ids: names } });
    for (const name of names) this.now[cohort]?.add(name);
  };

  readonly take = async (cohort: string, name: string): Promise<void> => {
    const path = `cohorts/${this.cohorts[cohort]}/remove_person_from_static_cohort`;
    await this.of.call('PATCH', path, { body: { person_id: this.ids[name] } });
    this.now[cohort]?.delete(name);
  };

  readonly merge = async (from: string, into: string): Promise<void> => {
    await this.of.call('POST', `persons/${this.ids[into]}/merge`, { body: { distinct_ids: [from] } });
    this.personOf.set(from, into);
    for (const members of Object.values(this.now)) if (members.delete(from)) members.add(into);
  };
}

let service: ServiceHandle;
let of: CohortsOf;
let scene: Scene;
/** The members of each cohort at each tick, by the names of then. */
const past: Record<string, ReadonlySet<string>>[] = [];
const moments: string[] = [];

beforeAll(async () => {
  service = await sharedService();
  of = new CohortsOf(service, (await service.newProject()).id);
  await importLines(
    service,
    of.projectId,
    users.map((user) => personLine(user, { plan: user < 'u2' ? 'pro' : 'free' })),
  );
  const { body } = await of.call('GET', 'persons');
  const { results } = body as { results: { id: number; distinct_ids: string[] }[] };
  const ids = Object.fromEntries(results.map(({ id, distinct_ids: [name = ''] }) => [name, id]));
  const cohort = async (name: string) => (await of.create({ name, is_static: true, distinct_ids: [] })).id;
  scene = new Scene(of, { A: await cohort('A'), B: await cohort('B') }, ids);
  for (const step of steps) {
    await step(scene);
    await sleep(5);
    moments.push(new Date().toISOString());
    past.push(Object.fromEntries(Object.entries(scene.now).map(([name, members]) => [name, new Set(members)])));
    await sleep(5);
  }
  const events = moments.flatMap((timestamp, tick) =>
    users.map((user) => ({ type: 'event', event: 'buy', distinct_id: user, timestamp, properties: { tick } })),
  );
  await importLines(service, of.projectId, events);
});
afterAll(() => service.stop());

/** A person was a member while any of the persons that were merged into it was one. */
const wasIn = (cohort: string, user: string, tick: number): boolean => {
  const person = scene.personOf.get(user);
  return users.some((other) => scene.personOf.get(other) === person && past[tick]?.[cohort]?.has(other));
};

interface Visit {
  readonly user: string;
  readonly tick: number;
}

const visits: readonly Visit[] = steps.flatMap((_, tick) => users.map((user) => ({ user, tick })));
const personsOf = (some: readonly Visit[]): number => new Set(some.map(({ user }) => scene.personOf.get(user))).size;

const trends = async (query: Record<string, unknown>) => {
  const { status, body } = await of.call('GET', 'persons/trends', {
    query: Object.fromEntries(
      Object.entries({ date_from: '-1d', display: 'ActionsTable', ...query }).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  });
  return { status, body: body as TrendsBody };
};

interface TrendsBody {
  readonly attr?: string;
  readonly detail?: string;
  readonly results: { readonly distinct_ids: string[]; readonly value_at_data_point: number }[];
  readonly insight: { readonly series: { readonly breakdown_value: string | string[]; readonly count: number }[] };
}

const buys = (math: string) => [{ id: 'buy', math }];
const then = (cohort: string, more: object = {}) => ({
  type: 'cohort',
  value: scene.cohorts[cohort],
  at: 'event',
  ...more,
});
const splitBy = (...names: string[]) => [
  { type: 'cohort', property: names.map((name) => scene.cohorts[name] ?? name), at: 'event' },
];
const countsOf = (body: TrendsBody) => body.insight.series.map(({ count }) => count);

describe('trends by membership at the time of the event', () => {
  it.each(['A', 'B'])('filter the events of those who were in cohort %s then', async (cohort) => {
    const inside = visits.filter(({ user, tick }) => wasIn(cohort, user, tick));
    const { body } = await trends({ events: buys('total'), properties: [then(cohort)] });
    expect(countsOf(body)).toEqual([inside.length]);
    const listed = body.results.map((row) => [scene.personOf.get(row.distinct_ids[0] ?? ''), row.value_at_data_point]);
    const expected = users.flatMap((person) => {
      const own = inside.filter(({ user }) => scene.personOf.get(user) === person).length;
      return own > 0 ? [[person, own]] : [];
    });
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(expected));

    const outside = await trends({ events: buys('total'), properties: [then(cohort, { operator: 'not_in' })] });
    expect(countsOf(outside.body)).toEqual([visits.length - inside.length]);
  });

  it('takes a lone filter without key, and a filter of one series', async () => {
    const inside = visits.filter(({ user, tick }) => wasIn('A', user, tick)).length;
    expect(countsOf((await trends({ events: buys('total'), properties: then('A') })).body)).toEqual([inside]);
    const series = [{ id: 'buy', properties: [then('A', { key: 'id' })] }, { id: 'buy' }];
    expect(countsOf((await trends({ events: series })).body)).toEqual([inside, visits.length]);
  });

  it.each(['total', 'dau', 'weekly_active', 'first_time_for_user'])('are split with %s', async (math) => {
    const counted = (some: readonly Visit[]): number => (math === 'total' ? some.length : personsOf(some));
    const relevant = math === 'first_time_for_user' ? visits.filter(({ tick }) => tick === 0) : visits;
    const { body } = await trends({ events: buys(math), breakdowns: splitBy('A', 'all', 'B') });
    const inside = (cohort: string) => relevant.filter(({ user, tick }) => wasIn(cohort, user, tick));
    const expected = { [String(scene.cohorts.A)]: inside('A'), all: relevant, [String(scene.cohorts.B)]: inside('B') };
    const got = new Map(body.insight.series.map(({ breakdown_value: value, count }) => [String(value), count]));
    expect(got).toEqual(new Map(Object.entries(expected).map(([value, some]) => [value, counted(some)])));
    for (const [value, some] of Object.entries(expected)) {
      const list = await trends({ events: buys(math), breakdowns: splitBy('A', 'all', 'B'), breakdown_value: value });
      expect(list.body.results).toHaveLength(personsOf(some));
    }
  });

  it('are split by a property beside the cohorts', async () => {
    const { body } = await trends({
      events: buys('total'),
      breakdowns: [{ property: 'tick' }, ...splitBy('A', 'B')],
      breakdown_limit: 100,
    });
    const expected = steps.flatMap((_, tick) =>
      ['A', 'B'].flatMap((cohort) => {
        const inside = visits.filter((visit) => visit.tick === tick && wasIn(cohort, visit.user, tick)).length;
        return inside > 0 ? [[`${tick} ${scene.cohorts[cohort]}`, inside]] : [];
      }),
    );
    const got = body.insight.series.map(({ breakdown_value: value, count }) => [[value].flat().join(' '), count]);
    expect(Object.fromEntries(got)).toEqual(Object.fromEntries(expected));
  });

  it('follow a calculated cohort', async () => {
    const { id: cohort } = await of.create({ name: 'Pros', filters: all(where('plan', 'pro')) });
    const { body } = await trends({
      events: buys('total'),
      properties: [{ type: 'cohort', value: cohort, at: 'event' }],
    });
    expect(countsOf(body)).toEqual([0]);
    const now = await trends({ events: buys('total'), properties: [{ type: 'cohort', key: 'id', value: cohort }] });
    expect(countsOf(now.body)).not.toEqual([0]);
  });

  it.each([
    ['persons/trends', { properties: [{ type: 'cohort', value: 1, at: 'now' }] }, 'properties.0.at'],
    ['persons/trends', { properties: [{ type: 'event', key: 'x', value: 1, at: 'event' }] }, 'properties.0.at'],
    ['persons/trends', { breakdowns: [{ property: 'x', at: 'event' }] }, 'breakdowns.0.at'],
    ['persons/lifecycle', { properties: [{ type: 'cohort', value: 1, at: 'event' }] }, 'properties.0.at'],
    ['persons', { properties: [{ type: 'cohort', value: 1, at: 'event' }] }, 'properties.0.at'],
    ['persons/funnel', { breakdowns: [{ type: 'cohort', property: 1, at: 'event' }] }, 'breakdowns'],
  ])('are refused elsewhere: %s %j', async (path, query, attr) => {
    const sent = path === 'persons/funnel' ? { events: [{ id: 'buy' }, { id: 'buy' }], ...query } : query;
    const texts = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, JSON.stringify(value)]));
    const { status, body } = await of.call('GET', path, { query: texts });
    expect([status, body]).toMatchObject([400, { attr }]);
  });

  it('name the first moment that is known', async () => {
    const { id: cohort } = await of.create({ name: 'Old', is_static: true, distinct_ids: ['u4'] });
    await service.pool.query(
      `UPDATE cohorts SET created_at = now() - interval '9 days', changes_from = now() WHERE project_id = $1 AND id = $2`,
      [of.projectId, cohort],
    );
    const { status, body } = await trends({
      events: buys('total'),
      properties: [{ type: 'cohort', value: cohort, at: 'event' }],
    });
    expect([status, body]).toMatchObject([400, { attr: 'date_from', detail: expect.stringMatching(/not known/) }]);
  });
});
