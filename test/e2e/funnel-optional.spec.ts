import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importLines } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let path: string;

const event = (distinct_id: string, name: string, time: string, properties: object = {}) => ({
  type: 'event',
  event: name,
  distinct_id,
  timestamp: `2024-03-01T${time}:00Z`,
  properties,
});

beforeAll(async () => {
  service = await sharedService();
  path = `/api/projects/${service.project.id}/persons/funnel`;
  await importLines(service, service.project.id, [
    // Takes both optional steps, the second one at the moment of the third step.
    event('ada', 'visit', '10:00'),
    event('ada', 'read', '10:10'),
    event('ada', 'ask', '11:00'),
    event('ada', 'pay', '11:00'),
    event('ada', 'thank', '12:00'),
    // Skips both.
    event('bob', 'visit', '10:00'),
    event('bob', 'pay', '10:30'),
    // Reads after paying only, so it does not count.
    event('bob', 'read', '10:40'),
    // Asks before reading: the later step counts, because reading does not come before it.
    event('cyd', 'visit', '10:00'),
    event('cyd', 'ask', '10:05'),
    event('cyd', 'read', '10:10'),
    event('cyd', 'pay', '10:20'),
    // Reads, and goes no farther.
    event('dan', 'visit', '10:00'),
    event('dan', 'read', '10:05'),
    // Reads in the first attempt, and pays in the time of the second attempt only.
    event('eve', 'visit', '01:00'),
    event('eve', 'read', '02:00'),
    event('eve', 'visit', '10:00'),
    event('eve', 'pay', '14:30'),
  ]);
});
afterAll(() => service.stop());

const may = { optional_in_funnel: true };
const steps = [{ id: 'visit' }, { id: 'read', ...may }, { id: 'ask', ...may }, { id: 'pay' }, { id: 'thank', ...may }];
const question = {
  events: steps,
  date_from: '2024-03-01',
  date_to: '2024-03-01',
  funnel_window_interval: 5,
  funnel_window_interval_unit: 'hour',
};

interface Answer {
  readonly count: number;
  readonly results: { readonly name: string }[];
  readonly insight: {
    readonly steps: { readonly count: number }[];
    readonly breakdown: { steps: { count: number }[] }[];
  };
}

const ask = async (more: object = {}): Promise<Answer> => {
  const { status, body } = await service.call('POST', path, { body: { ...question, ...more } });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body as Answer;
};

const namesOf = ({ results }: Answer) => results.map(({ name }) => name).sort();

describe('a funnel with optional steps', () => {
  it('counts who took them in order, and goes on without them', async () => {
    const { insight } = await ask();
    expect(insight.steps.map(({ count }) => count)).toEqual([5, 2, 2, 4, 1]);
    expect(insight.steps[1]).toMatchObject({
      name: 'read',
      optional: true,
      conversion_rate: 0.4,
      conversion_rate_from_previous: 0.4,
      average_conversion_time: null,
    });
    // Of ada an hour, of bob half an hour, of cyd 20 minutes and of eve 4.5 hours.
    expect(insight.steps[3]).toMatchObject({
      optional: false,
      conversion_rate: 0.8,
      conversion_rate_from_previous: 0.8,
      average_conversion_time: (3600 + 1800 + 1200 + 16_200) / 4,
      median_conversion_time: (1800 + 3600) / 2,
    });
    expect(insight.steps[4]).toMatchObject({ conversion_rate_from_previous: 0.25, median_conversion_time: null });
  });

  it.each([
    [1, ['ada', 'bob', 'cyd', 'dan', 'eve']],
    [2, ['ada', 'dan']],
    [3, ['ada', 'cyd']],
    [4, ['ada', 'bob', 'cyd', 'eve']],
    [5, ['ada']],
    // Those who took the step before that none may skip.
    [-2, ['bob', 'cyd', 'eve']],
    [-3, ['bob', 'dan', 'eve']],
    [-4, ['dan']],
    [-5, ['bob', 'cyd', 'eve']],
  ])('lists the persons of step %i', async (funnel_step, names) => {
    const answer = await ask({ funnel_step });
    expect([namesOf(answer), answer.count]).toEqual([names, names.length]);
  });

  it('counts alike where one event may be several steps', async () => {
    const anything = { events: [{ id: 'visit' }, { id: null, ...may }, { id: 'pay' }] };
    // Eve did something else after her first visit only; of bob nothing was between visiting and paying.
    const { insight } = await ask(anything);
    expect(insight.steps.map(({ count }) => count)).toEqual([5, 3, 4]);
    expect(namesOf(await ask({ ...anything, funnel_step: 2 }))).toEqual(['ada', 'cyd', 'dan']);
  });

  it('has the numbers of each value of a breakdown', async () => {
    const { insight } = await ask({
      breakdown: '$browser',
      breakdown_attribution_type: 'step',
      breakdown_attribution_value: 3,
    });
    expect(insight.breakdown.map((one) => one.steps.map(({ count }) => count))).toEqual([[4, 1, 2, 4, 1]]);
  });

  it('excludes between the steps that none may skip', async () => {
    const exclusions = [{ id: 'leave', funnel_from_step: 0, funnel_to_step: 3 }];
    expect((await ask({ exclusions })).insight.steps.map(({ count }) => count)).toEqual([5, 2, 2, 4, 1]);
    const read = { exclusions: [{ id: 'ask', funnel_from_step: 0, funnel_to_step: 3 }] };
    const three = [{ id: 'visit' }, { id: 'read', ...may }, { id: 'look', ...may }, { id: 'pay' }];
    // Ada asks at the moment of paying, which is not before it; cyd asks before.
    expect((await ask({ ...read, events: three })).insight.steps.map(({ count }) => count)).toEqual([4, 2, 0, 3]);
  });

  it.each([
    ['events.0.optional_in_funnel', { events: [{ id: 'visit', ...may }, { id: 'pay' }] }],
    ['events.1.optional_in_funnel', { funnel_order_type: 'strict' }],
    ['events.1.optional_in_funnel', { funnel_order_type: 'unordered' }],
    ['events.1.optional_in_funnel', { events: [{ id: 'visit' }, { id: 'pay', ...may }, { id: 'pay' }] }],
    ['events.1.optional_in_funnel', { events: [{ id: 'visit' }, { id: 'pay', optional_in_funnel: 'perhaps' }] }],
    ['funnel_viz_type', { funnel_viz_type: 'trends' }],
    ['funnel_custom_steps', { funnel_custom_steps: [2] }],
    ['exclusions', { exclusions: [{ id: 'leave', funnel_from_step: 1, funnel_to_step: 3 }] }],
    [
      'breakdown_attribution_value',
      { breakdown: 'plan', breakdown_attribution_type: 'step', breakdown_attribution_value: 1 },
    ],
  ])('refuses %s', async (attr, more) => {
    const { status, body } = await service.call('POST', path, { body: { ...question, ...more } });
    expect([status, (body as { attr: string }).attr]).toEqual([400, attr]);
  });

  it('is refused where it is a part of another question', async () => {
    for (const [route, more] of [
      ['funnel/correlation', {}],
      ['path', { funnel_paths: 'funnel_path_after_step' }],
    ] as const) {
      const answer = await service.call('POST', path.replace(/funnel$/, route), { body: { ...question, ...more } });
      expect([answer.status, (answer.body as { attr: string }).attr]).toEqual([400, 'events.1.optional_in_funnel']);
    }
  });
});
