import fc from 'fast-check';
import { addresses, screens } from './paths-stream.js';

const minute = 60_000;

/** A question of a test, in the words of the interface. */
export interface PathsQuestion {
  readonly date_from: string;
  readonly date_to: string;
  readonly include_event_types: readonly string[];
  readonly include_custom_events: readonly string[];
  readonly exclude_events: readonly string[];
  readonly path_groupings: readonly string[];
  readonly local_path_cleaning_filters: readonly { readonly regex: string; readonly alias: string }[];
  readonly properties: readonly object[];
  readonly start_point: string | null;
  readonly end_point: string | null;
  readonly step_limit: number;
  readonly edge_limit: number;
  readonly min_edge_weight: number | null;
  readonly max_edge_weight: number | null;
  readonly funnel: NaiveFunnel | null;
}

export interface NaiveFunnel {
  readonly part: 'before_step' | 'between_steps' | 'after_step';
  readonly steps: readonly string[];
  readonly windowMinutes: number;
  readonly step: number;
}

const items = [
  ...addresses.filter((address) => address !== ''),
  ...screens,
  'buy',
  'leave',
  '/b/*',
  '/b/#',
  '/a',
  'Home',
];
/** Most questions have few conditions: the answer to many conditions is mostly empty. */
const orNull = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(null), weight: 5 }, { arbitrary: value, weight: 1 });
const someOf = (texts: readonly string[], max: number): fc.Arbitrary<readonly string[]> =>
  fc.oneof(
    { arbitrary: fc.constant([]), weight: 2 },
    { arbitrary: fc.array(fc.constantFrom(...texts), { maxLength: max }), weight: 1 },
  );

/** A person who dropped off before the second step has no path between the two steps. */
const funnelPart: fc.Arbitrary<NaiveFunnel> = fc
  .record({
    part: fc.constantFrom('before_step' as const, 'between_steps' as const, 'after_step' as const),
    steps: fc.array(fc.constantFrom('$pageview', 'buy', 'leave'), { minLength: 2, maxLength: 3 }),
    windowMinutes: fc.constantFrom(15, 60, 24 * 60),
    step: fc.constantFrom(2, 2, -2),
  })
  .map((funnel) => (funnel.part === 'between_steps' ? { ...funnel, step: 2 } : funnel));

/** A question about the days around a moment. */
export const pathsQuestion = (around: number): fc.Arbitrary<PathsQuestion> =>
  fc
    .record({
      back: fc.constantFrom(60, 24 * 60, 24 * 60, 20 * 24 * 60),
      ahead: fc.constantFrom(60, 24 * 60, 24 * 60, 20 * 24 * 60),
      include_event_types: someOf(['$pageview', '$screen', 'custom_event'], 2),
      include_custom_events: someOf(['buy', 'leave', '$identify'], 1),
      exclude_events: someOf([...items, '/b*', '*é', '$*'], 2),
      path_groupings: someOf(['/b/*', '/b/2', '*', 'Ho*e', '(x', '%', 'a%_*', 'a', '/c?*'], 2),
      local_path_cleaning_filters: fc.array(
        fc.constantFrom(
          { regex: '\\d+', alias: '#' },
          { regex: '\\?(.*)$', alias: '[\\1]' },
          { regex: '^/', alias: '' },
          { regex: '(?i)HOME', alias: '/a' },
        ),
        { maxLength: 2 },
      ),
      properties: fc.constantFrom(
        [],
        [],
        [{ key: 'plan', value: 'x' }],
        [{ key: 'plan', operator: 'is_not', value: 'x' }],
      ),
      start_point: orNull(fc.constantFrom(...items)),
      end_point: orNull(fc.constantFrom(...items)),
      step_limit: fc.integer({ min: 2, max: 6 }),
      edge_limit: fc.constantFrom(1, 3, 5, 50, 50),
      min_edge_weight: orNull(fc.constantFrom(1, 2)),
      max_edge_weight: orNull(fc.constantFrom(2, 3)),
      funnel: orNull(funnelPart),
    })
    .map(({ back, ahead, ...question }) => ({
      ...question,
      date_from: new Date(around - back * minute).toISOString(),
      date_to: new Date(around + ahead * minute).toISOString(),
    }));

/** The question as the body of a request. */
export const pathsParameters = ({ funnel, ...question }: PathsQuestion): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(question).filter(([, value]) => value !== null)),
  ...(funnel && {
    funnel_paths: `funnel_path_${funnel.part}`,
    events: funnel.steps.map((id) => ({ id })),
    funnel_window_interval: funnel.windowMinutes,
    funnel_window_interval_unit: 'minute',
    funnel_step: funnel.step,
  }),
});
