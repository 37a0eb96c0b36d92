import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startOf } from '../support/insights/buckets.js';
import {
  naiveJourneys,
  naiveSteps,
  reachOf,
  secondsBetween,
  type Journey,
  type NaiveBreakdown,
  type NaiveEntity,
  type NaiveFunnel,
} from '../support/insights/funnel.js';
import { loadStream } from '../support/insights/load.js';
import { modelOf, personName } from '../support/insights/model.js';
import { clockChanges, stream, type Stream } from '../support/insights/stream.js';
import { walk } from '../support/insights/walk.js';
import { startTestService, type TestService } from '../support/service.js';

const streams = Number(process.env.FUNNEL_STREAMS ?? 3);
const questionsAStream = 8;
const hour = 3_600_000;
const day = 24 * hour;

const windows = [
  [30, 'minute', hour / 2],
  [1, 'second', 1000],
  [6, 'hour', 6 * hour],
  [3, 'day', 3 * day],
  [1, 'month', 30 * day],
] as const;

interface Asked {
  readonly steps: readonly NaiveEntity[];
  readonly order: NaiveFunnel['order'];
  readonly window: (typeof windows)[number];
  readonly exclusions: NaiveFunnel['exclusions'];
  readonly breakdown: NaiveBreakdown | null;
  readonly days: number;
}

const entity: fc.Arbitrary<NaiveEntity> = fc.record(
  {
    id: fc.constantFrom<string | null>('open', 'buy', 'leave', 'open', 'buy', 'leave', null),
    plan: fc.constantFrom('x', '2'),
  },
  { requiredKeys: ['id'] },
);

const asked: fc.Arbitrary<Asked> = fc
  .record({
    steps: fc.array(entity, { minLength: 1, maxLength: 5 }),
    order: fc.constantFrom<NaiveFunnel['order']>('ordered', 'ordered', 'strict', 'unordered'),
    window: fc.constantFrom(...windows),
    spoilers: fc.array(fc.tuple(entity, fc.nat(3), fc.nat(3)), { maxLength: 2 }),
    breakdown: fc.option(
      fc.record({
        key: fc.constantFrom('plan', 'size', "o'b.c $1"),
        source: fc.constantFrom<'event' | 'person'>('event', 'event', 'person'),
        attribution: fc.constantFrom<NaiveBreakdown['attribution']>('first_touch', 'last_touch', 'all_events', 0, 1, 2),
        limit: fc.constantFrom(1, 2, 25),
      }),
    ),
    days: fc.constantFrom(2, 20),
  })
  .map(({ spoilers, breakdown, ...rest }) => {
    const last = rest.steps.length - 1;
    const places = spoilers.map(([one, a, b]) => ({
      ...one,
      from: rest.order === 'unordered' ? 0 : Math.min(a, b),
      to: rest.order === 'unordered' ? last : Math.max(a, b),
    }));
    const { attribution = 'first_touch' } = breakdown ?? {};
    const step = typeof attribution === 'number' ? Math.min(attribution, last) : attribution;
    return {
      ...rest,
      exclusions: places.filter(({ from, to }) => from < to && to <= last),
      breakdown: breakdown && { ...breakdown, attribution: step },
    };
  });

const wireEntity = ({ id, plan }: NaiveEntity) => ({
  id,
  ...(plan === undefined ? {} : { properties: [{ type: 'event', key: 'plan', value: plan }] }),
});

const wire = ({ steps, order, window, exclusions, breakdown }: Asked, { from, to }: NaiveFunnel): object => ({
  events: steps.map(wireEntity),
  funnel_order_type: order,
  funnel_window_interval: window[0],
  funnel_window_interval_unit: window[1],
  exclusions: exclusions.map((one) => ({
    ...wireEntity(one),
    funnel_from_step: one.from,
    funnel_to_step: one.to,
  })),
  date_from: from.toISOString(),
  date_to: to.toISOString(),
  ...(breakdown && {
    breakdown: breakdown.key,
    breakdown_type: breakdown.source,
    breakdown_limit: breakdown.limit,
    ...(typeof breakdown.attribution === 'number'
      ? { breakdown_attribution_type: 'step', breakdown_attribution_value: breakdown.attribution }
      : { breakdown_attribution_type: breakdown.attribution }),
  }),
});

interface Step {
  readonly count: number;
  readonly average_conversion_time: number | null;
  readonly median_conversion_time: number | null;
}

interface Insight {
  readonly steps?: readonly Step[];
  readonly breakdown?: readonly { readonly value: string; readonly steps: readonly Step[] }[];
  readonly bins?: readonly { readonly count: number }[];
  readonly average_conversion_time?: number | null;
  readonly series?: readonly {
    readonly days: string[];
    readonly reached_from: number[];
    readonly reached_to: number[];
  }[];
}

interface Listed {
  readonly distinct_ids: readonly string[];
}

const rounded = ({ count, average_conversion_time, median_conversion_time }: Step) => ({
  count,
  average_conversion_time: average_conversion_time === null ? null : Math.round(average_conversion_time * 1000),
  median_conversion_time: median_conversion_time === null ? null : Math.round(median_conversion_time * 1000),
});

const funnelOf = ({ steps, order, window, exclusions, days }: Asked, { zone }: Stream, given: Stream): NaiveFunnel => {
  const changes = (clockChanges[zone] ?? []).map((text) => Date.parse(text));
  const events = [...given.before, ...given.after].map(({ timestamp }) => timestamp.getTime());
  const near = events.length === 0 ? 0 : events.reduce((sum, time) => sum + time, 0) / events.length;
  const [change = 0] = [...changes].sort((a, b) => Math.abs(a - near) - Math.abs(b - near));
  const [from, to] = [new Date(change - days * day), new Date(change + days * day)];
  return { steps, order, windowMs: window[2], exclusions, from, to };
};

describe('a funnel of random events, steps and limits', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const ask = async (path: string, body: object): Promise<Insight> => {
    const answer = await service.call('POST', path, { body: { ...body, include: 'insight' } });
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    return (answer.body as { insight: Insight }).insight;
  };

  const namesOf = async (path: string, body: object): Promise<string[]> => {
    const query = Object.fromEntries(
      Object.entries({ ...body, include: 'persons', limit: 3 }).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    return (await walk<Listed>(service, path, query)).map(personName).sort();
  };

  const actors = (journeys: readonly Journey[]) => journeys.map(({ actor }) => actor).sort();

  /** The entrances of the naive attempts, by the label of their interval. */
  const checkTrends = async (path: string, body: object, funnel: NaiveFunnel, given: Stream, journeys: Journey[]) => {
    const { series = [] } = await ask(path, { ...body, funnel_viz_type: 'trends' });
    const entered = (least: number) => {
      const starts = journeys.flatMap(({ actor, attempts }) =>
        attempts
          .filter(({ length }) => length >= least)
          .map(([start = 0]) => `${startOf('day', new Date(start), given).toISOString()} ${actor}`),
      );
      return new Set(starts).size;
    };
    const sum = (numbers: readonly number[] = []) => numbers.reduce((all, number) => all + number, 0);
    expect([sum(series[0]?.reached_from), sum(series[0]?.reached_to)]).toEqual([
      entered(1),
      entered(funnel.steps.length),
    ]);
    const busiest = series[0]?.reached_from.findIndex((number) => number > 0) ?? -1;
    if (busiest < 0) return;
    for (const drop_off of [false, true]) {
      const there = await namesOf(path, {
        ...body,
        funnel_viz_type: 'trends',
        entrance_period_start: series[0]?.days[busiest],
        drop_off,
      });
      const [from = 0, to = 0] = [series[0]?.reached_from[busiest], series[0]?.reached_to[busiest]];
      expect(there.length).toBe(drop_off ? from - to : to);
    }
  };

  const checkTimes = async (path: string, body: object, funnel: NaiveFunnel, journeys: Journey[]) => {
    const last = funnel.steps.length - 1;
    const through = journeys.filter((journey) => reachOf(journey) > last);
    const { bins = [], average_conversion_time: average } = await ask(path, {
      ...body,
      funnel_viz_type: 'time_to_convert',
    });
    const times = last === 0 ? [] : through.map((journey) => secondsBetween(journey, 0, last));
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(times.length);
    if (times.length === 0) expect(average).toBeNull();
    else expect(average).toBeCloseTo(times.reduce((sum, time) => sum + time, 0) / times.length, 3);
  };

  const check = async (given: Stream, path: string, question: Asked) => {
    const model = modelOf(given);
    const funnel = funnelOf(question, given, given);
    const body = wire(question, funnel);
    const journeys = naiveJourneys(model, funnel, question.breakdown);
    const insight = await ask(path, body);
    if (question.breakdown === null) {
      expect(insight.steps?.map(rounded)).toEqual(naiveSteps(funnel, journeys).map(rounded));
      for (const at of funnel.steps.keys()) {
        const step = at + 1;
        const reached = journeys.filter((journey) => reachOf(journey) > at);
        expect(await namesOf(path, { ...body, funnel_step: step })).toEqual(actors(reached));
        if (at === 0) continue;
        const dropped = journeys.filter((journey) => reachOf(journey) === at);
        expect(await namesOf(path, { ...body, funnel_step: -step })).toEqual(actors(dropped));
      }
      await checkTrends(path, body, funnel, given, journeys);
      await checkTimes(path, body, funnel, journeys);
      return;
    }
    const values = [...new Set(journeys.map(({ value }) => value))];
    const wanted = values.map((value) => {
      const own = journeys.filter((journey) => journey.value === value);
      return { value, steps: naiveSteps(funnel, own).map(rounded) };
    });
    const got = (insight.breakdown ?? []).map(({ value, steps }) => ({ value, steps: steps.map(rounded) }));
    const byValue = (a: { value: string }, b: { value: string }) => (a.value < b.value ? -1 : 1);
    expect(got.sort(byValue)).toEqual(wanted.sort(byValue));
    for (const value of values) {
      const own = journeys.filter((journey) => journey.value === value);
      expect(await namesOf(path, { ...body, breakdown_value: [value] })).toEqual(actors(own));
    }
  };

  it(
    'counts, times and lists the persons that a naive reading of the events does',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          stream({ maxEvents: 60 }),
          fc.array(asked, { minLength: questionsAStream, maxLength: questionsAStream }),
          async (given, questions) => {
            const project = await loadStream(service, given);
            for (const question of questions) {
              await check(given, `/api/projects/${project.id}/persons/funnel`, question);
            }
          },
        ),
        { numRuns: streams, endOnFailure: true },
      );
    },
    60_000 * (1 + streams),
  );
});
