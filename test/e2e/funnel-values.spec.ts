import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importLines } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let path: string;

const event = (distinct_id: string, at: string, name: string, session: string | null, plan: string) => ({
  type: 'event',
  event: name,
  distinct_id,
  timestamp: `2024-${at}:00Z`,
  properties: { plan, ...(session !== null && { $session_id: session }) },
});

beforeAll(async () => {
  service = await sharedService();
  path = `/api/projects/${service.project.id}`;
  await importLines(service, service.project.id, [
    // Two sessions of ada: one with both steps, and one that has the second step only in another session.
    event('ada', '03-01T10:00', 'view', 's1', 'free'),
    event('ada', '03-01T10:05', 'buy', 's1', 'free'),
    event('ada', '03-02T10:00', 'view', 's2', 'pro'),
    event('ada', '03-02T11:00', 'buy', 's3', 'pro'),
    // Two persons in one session.
    event('bob', '03-03T10:00', 'view', 's4', 'free'),
    event('cyd', '03-03T10:10', 'buy', 's4', 'pro'),
    event('dan', '03-03T10:00', 'view', null, 'free'),
    event('dan', '03-03T10:10', 'buy', null, 'free'),
  ]);
});
afterAll(() => service.stop());

interface Steps {
  readonly steps?: readonly { readonly count: number }[];
  readonly breakdown?: readonly { readonly value: string; readonly steps: readonly { readonly count: number }[] }[];
}

const asked = {
  events: [{ id: 'view' }, { id: 'buy' }],
  date_from: '2024-03-01',
  date_to: '2024-03-04',
  include: 'insight',
};

const ask = async (more: object): Promise<{ status: number; body: unknown }> =>
  service.call('POST', `${path}/persons/funnel`, { body: { ...asked, ...more } });

const countsOf = async (more: object) => {
  const { status, body } = await ask(more);
  expect([status, body]).toEqual([200, expect.anything()]);
  const { steps, breakdown } = (body as { insight: Steps }).insight;
  return (
    steps?.map(({ count }) => count) ??
    breakdown?.map(({ value, steps: own }) => [value, own.map(({ count }) => count)])
  );
};

const sessions = { funnel_aggregate_by_hogql: 'properties.$session_id' };

describe('a funnel of the values of an expression', () => {
  it('counts sessions, and leaves out events without one', async () => {
    expect(await countsOf({})).toEqual([3, 2]);
    expect(await countsOf(sessions)).toEqual([3, 2]);
    expect(await countsOf({ ...sessions, funnel_order_type: 'unordered' })).toEqual([4, 2]);
    expect(await countsOf({ funnel_aggregate_by_hogql: 'distinct_id' })).toEqual([3, 2]);
    expect(await countsOf({ ...sessions, date_from: '2024-03-02' })).toEqual([2, 1]);
  });

  it('counts persons by the expression for them', async () => {
    expect(await countsOf({ funnel_aggregate_by_hogql: 'person_id', date_from: '2024-03-02' })).toEqual([3, 2]);
    expect((await ask({ funnel_aggregate_by_hogql: 'person.id', include: 'persons' })).status).toBe(200);
  });

  it('splits by a property of events', async () => {
    expect(await countsOf({ ...sessions, breakdown: 'plan' })).toEqual([
      ['free', [2, 2]],
      ['pro', [1, 0]],
    ]);
    expect(await countsOf({ ...sessions, breakdown: 'plan', breakdown_attribution_type: 'all_events' })).toEqual([
      ['free', [2, 1]],
      ['pro', [1, 0]],
    ]);
  });

  it.each([
    [{ include: 'persons' }, 'funnel_aggregate_by_hogql'],
    [{ include: null }, 'funnel_aggregate_by_hogql'],
    [{ aggregation_group_type_index: 0 }, 'funnel_aggregate_by_hogql'],
    [{ breakdown: ['all'], breakdown_type: 'cohort' }, 'funnel_aggregate_by_hogql'],
    [{ funnel_aggregate_by_hogql: 'count()' }, 'funnel_aggregate_by_hogql'],
  ])('refuses %j', async (more, attr) => {
    const { status, body } = await ask({ ...sessions, ...more });
    expect([status, (body as { attr: string }).attr]).toEqual([400, attr]);
  });

  it('is a node, which has no list of persons and is no part of another question', async () => {
    const query = {
      kind: 'FunnelsQuery',
      series: asked.events.map(({ id }) => ({ kind: 'EventsNode', event: id })),
      dateRange: { date_from: '2024-03-02', date_to: '2024-03-04' },
      funnelsFilter: { funnelAggregateByHogQL: 'properties.$session_id' },
    };
    const node = async (one: object) => service.call('POST', `${path}/query`, { body: { query: one } });
    const { results } = (await node(query)).body as { results: { count: number }[] };
    expect(results.map(({ count }) => count)).toEqual([2, 1]);
    const actors = { kind: 'FunnelsActorsQuery', source: query, funnelStep: 1 };
    const correlation = { kind: 'FunnelCorrelationQuery', source: actors, funnelCorrelationType: 'events' };
    const paths = {
      kind: 'PathsQuery',
      funnelPathsFilter: { funnelPathType: 'funnel_path_after_step', funnelSource: query },
    };
    for (const one of [{ kind: 'ActorsQuery', source: actors }, correlation, paths]) {
      const { status, body } = await node(one);
      const { attr } = body as { attr: string };
      expect([status, attr]).toEqual([400, expect.stringMatching(/funnelsFilter\.funnelAggregateByHogQL$/)]);
    }
  });
});
