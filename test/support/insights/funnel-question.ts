import fc from 'fast-check';
import { fewFilters, testAccountFilters, type Leaf } from './filters.js';
import { type Interval } from './buckets.js';
import { breakdownQuery, naiveBreakdown } from './breakdown.js';
import { type NaiveEntity, type NaiveFunnel, type NaiveSplit } from './funnel.js';
import { clockChanges, type Stream } from './stream.js';

const hour = 3_600_000;
const day = 24 * hour;

const windows = [
  [30, 'minute', hour / 2],
  [1, 'second', 1000],
  [6, 'hour', 6 * hour],
  [3, 'day', 3 * day],
  [1, 'month', 30 * day],
] as const;

/** What makes a funnel, with random values. */
export interface FunnelSettings {
  readonly steps: readonly NaiveEntity[];
  /** The places of the steps that persons may skip. */
  readonly optional?: readonly number[];
  readonly order: NaiveFunnel['order'];
  readonly window: (typeof windows)[number];
  readonly exclusions: NaiveFunnel['exclusions'];
  /** So many before and after the clocks change. */
  readonly days: number;
  readonly filters: readonly Leaf[];
  readonly withoutTestAccounts: boolean;
}

export interface FunnelQuestion extends FunnelSettings {
  readonly split: NaiveSplit | null;
  readonly viz: 'steps' | 'time_to_convert' | 'trends';
  readonly interval: Extract<Interval, 'hour' | 'day' | 'week' | 'month'>;
  readonly between: { readonly from: number; readonly to: number };
}

const name = fc.constantFrom<string | null>('open', 'buy', 'leave', 'open', 'buy', 'leave', null);

const entity: fc.Arbitrary<NaiveEntity> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ id: name }) },
  { weight: 1, arbitrary: fc.record({ id: name, plan: fc.constantFrom('x', '2') }) },
);

/** Few steps and seldom an exclusion, so that some persons get somewhere. */
export const funnelSettings: fc.Arbitrary<FunnelSettings> = fc
  .record({
    steps: fc.oneof(
      { weight: 6, arbitrary: fc.array(entity, { minLength: 2, maxLength: 3 }) },
      { weight: 1, arbitrary: fc.array(entity, { minLength: 1, maxLength: 5 }) },
    ),
    order: fc.constantFrom<NaiveFunnel['order']>('ordered', 'ordered', 'strict', 'unordered'),
    window: fc.constantFrom(...windows, ...windows.slice(2)),
    spoilers: fc.option(fc.array(fc.tuple(entity, fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 2 }), { freq: 1 }),
    days: fc.constantFrom(2, 20, 20),
    filters: fewFilters,
    withoutTestAccounts: fc.constantFrom(false, false, false, true),
  })
  .map(({ spoilers, ...rest }) => {
    const last = rest.steps.length - 1;
    const places = (spoilers ?? []).map(([one, a, b]) => ({
      ...one,
      from: rest.order === 'unordered' ? 0 : Math.min(a, b),
      to: rest.order === 'unordered' ? last : Math.max(a, b),
    }));
    const isStep = ({ id, plan, from, to }: (typeof places)[number]) =>
      rest.steps.slice(from, to + 1).some((step) => step.id === id && (plan === undefined || step.plan === plan));
    return { ...rest, exclusions: places.filter((one) => one.from < one.to && one.to <= last && !isStep(one)) };
  });

/** Every third step, as far as it may be optional. */
const optionalOf = ({ steps, exclusions, days }: FunnelSettings): number[] => {
  const mayBe = (order: number) =>
    order > 0 &&
    (order + steps.length + days) % 3 !== 1 &&
    exclusions.every(({ from, to }) => from !== order && to !== order);
  const chosen = [...steps.keys()].filter(mayBe);
  // A step whose events are all events of the next required one cannot be optional.
  return chosen.filter((order) => {
    const [step, next] = [steps[order], steps.find((_, other) => other > order && !chosen.includes(other))];
    return next?.id !== step?.id || (next?.plan !== undefined && next.plan !== step?.plan);
  });
};

export const funnelQuestion: fc.Arbitrary<FunnelQuestion> = fc
  .record({
    funnel: funnelSettings,
    split: fc.option(
      fc.record({
        breakdown: naiveBreakdown,
        attribution: fc.constantFrom<NaiveSplit['attribution']>('first_touch', 'last_touch', 'all_events', 0, 1, 2),
      }),
      { freq: 1 },
    ),
    viz: fc.constantFrom<FunnelQuestion['viz']>('steps', 'steps', 'time_to_convert', 'trends'),
    fine: fc.constantFrom('hour' as const, 'day' as const),
    coarse: fc.constantFrom('week' as const, 'week' as const, 'month' as const),
    ends: fc.option(fc.tuple(fc.nat(4), fc.nat(4))),
  })
  .map(({ funnel, split, viz, fine, coarse, ends }) => {
    const last = funnel.steps.length - 1;
    const { attribution = 'first_touch' } = split ?? {};
    const optional = funnel.order === 'ordered' && viz === 'steps' ? optionalOf(funnel) : [];
    const attributed = typeof attribution === 'number' ? Math.min(attribution, last) : attribution;
    const step = optional.some((order) => order === attributed) ? 0 : attributed;
    const [from, to] = [...(ends ?? [0, last])].map((end) => Math.min(end, last)).sort((a, b) => a - b);
    return {
      ...funnel,
      optional,
      split: split && { ...split, attribution: step },
      viz,
      // Few points: the persons of several are listed.
      interval: funnel.days > 2 ? coarse : fine,
      between: from === to ? { from: 0, to: last } : { from: from ?? 0, to: to ?? last },
    };
  });

/** The question about the days around that change of clocks which the stream is about. */
export const funnelOf = (settings: FunnelSettings, { zone, before, after }: Stream): NaiveFunnel => {
  const { steps, order, window, exclusions, days, filters, withoutTestAccounts } = settings;
  const times = [...before, ...after].map(({ timestamp }) => timestamp.getTime());
  const near = times.length === 0 ? 0 : times.reduce((sum, time) => sum + time, 0) / times.length;
  const changes = (clockChanges[zone] ?? []).map((text) => Date.parse(text));
  const [change = 0] = [...changes].sort((a, b) => Math.abs(a - near) - Math.abs(b - near));
  const { optional = [] } = settings;
  const required = [...steps.keys()].filter((at) => !optional.includes(at));
  return {
    steps: required.flatMap((at) => steps[at] ?? []),
    optional: optional.map((at) => ({
      ...(steps[at] ?? { id: '' }),
      after: required.findLastIndex((other) => other < at),
      order: at,
    })),
    order,
    windowMs: window[2],
    exclusions: exclusions.map((one) => ({ ...one, from: required.indexOf(one.from), to: required.indexOf(one.to) })),
    from: new Date(change - days * day),
    to: new Date(change + days * day),
    filters: [...filters, ...(withoutTestAccounts ? testAccountFilters : [])],
  };
};

const wireEntity = ({ id, plan }: NaiveEntity) => ({
  id,
  ...(plan === undefined ? {} : { properties: [{ type: 'event', key: 'plan', value: plan }] }),
});

export const funnelParameters = (
  { steps, optional = [], order, window, exclusions, filters, withoutTestAccounts }: FunnelSettings,
  { from, to }: NaiveFunnel,
): object => ({
  events: steps.map((step, at) => ({
    ...wireEntity(step),
    ...(optional.includes(at) && { optional_in_funnel: true }),
  })),
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
  ...(filters.length > 0 && { properties: filters }),
  filter_test_accounts: withoutTestAccounts,
});

export const splitParameters = (split: NaiveSplit | null): object =>
  split === null
    ? {}
    : {
        ...breakdownQuery(split.breakdown),
        ...(typeof split.attribution === 'number'
          ? { breakdown_attribution_type: 'step', breakdown_attribution_value: split.attribution }
          : { breakdown_attribution_type: split.attribution }),
      };
