import fc from 'fast-check';
import { changesOf, type Change } from './changes.js';
import { type Model, type ModelEvent } from './model.js';
import { clockChanges, ghost, stream, type Stream, type StreamEvent, type StreamMerge } from './stream.js';

const minute = 60_000;

export interface NaiveEdge {
  readonly source: string;
  readonly target: string;
  readonly value: number;
  readonly average_conversion_time: number;
}

/** What somebody is asked in a test, in the words of the interface. */
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

const addresses = ['/', '/a', '/a/', '/b/1', '/b/2', '/b/2/', '/c?q=1', '//', '', '/é', '(x', 'a%_b'] as const;
const screens = ['/a', 'Home', 'Home/'] as const;

const visit = fc.record({
  uuid: fc.uuid({ version: 4 }),
  gap: fc.constantFrom(1, 2, 5, 7, 10, 15, 30, 31, 90),
  distinctId: fc.constantFrom('a', 'a', 'b', 'c', 'd', ghost),
  event: fc.constantFrom('$pageview', '$pageview', '$pageview', '$screen', 'buy', 'leave'),
  address: fc.option(fc.constantFrom(...addresses), { freq: 20 }),
  screen: fc.constantFrom(...screens),
  plan: fc.constantFrom('x', 'y', null),
});

/**
 * A stream of few people who look at pages and screens one after the other, over the time at which clocks change. No two events have
 * the same time: what comes first is beyond doubt.
 */
export const pathStream: fc.Arbitrary<Stream> = fc
  .tuple(stream({ maxEvents: 0 }), fc.array(visit, { minLength: 20, maxLength: 45, size: 'max' }))
  .map(([drawn, visits]) => {
    let time = Date.parse(clockChanges[drawn.zone]?.[drawn.weekStartDay % 2] ?? '') - 3 * 60 * minute;
    const taken = new Set<number>();
    const events = visits.map(({ uuid, gap, distinctId, event, address, screen, plan }): StreamEvent => {
      time += gap * minute;
      taken.add(time);
      const properties = { plan, $screen_name: screen, ...(address === null ? {} : { $current_url: address }) };
      return { uuid, event, distinctId, timestamp: new Date(time), properties };
    });
    const merges = drawn.merges.map((merge) => atFreeTime(merge, taken));
    return { ...drawn, before: events.slice(5), merges, after: events.slice(0, 5) };
  });

const atFreeTime = (merge: StreamMerge, taken: Set<number>): StreamMerge => {
  let at = merge.timestamp.getTime();
  while (taken.has(at)) at += 1;
  taken.add(at);
  return { ...merge, timestamp: new Date(at) };
};

/** What happens to the persons of such a stream, again at times of its own. */
export const pathChanges = (drawn: Stream): fc.Arbitrary<readonly Change[]> =>
  changesOf(drawn).map((changes) => {
    const taken = new Set(
      [...drawn.before, ...drawn.merges, ...drawn.after].map(({ timestamp }) => timestamp.getTime()),
    );
    return changes.map((change) =>
      change.kind === 'merge' ? { ...change, merge: atFreeTime(change.merge, taken) } : change,
    );
  });

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
/** Most questions ask for little: what asks for much is mostly about nothing. */
const orNull = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(null), weight: 5 }, { arbitrary: value, weight: 1 });
const someOf = (texts: readonly string[], max: number): fc.Arbitrary<readonly string[]> =>
  fc.oneof(
    { arbitrary: fc.constant([]), weight: 2 },
    { arbitrary: fc.array(fc.constantFrom(...texts), { maxLength: max }), weight: 1 },
  );

/** Nothing lies between two steps for whoever dropped off before the second. */
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

/** As the interface wants it. */
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

interface Visit {
  readonly at: number;
  readonly item: string;
}

/** A path with the name of who went it. */
export interface NaivePath {
  readonly person: string;
  readonly places: readonly Visit[];
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const wild = (pattern: string) => pattern.split('*').map(escaped).join('[^]*');

const itemOf = (question: PathsQuestion, { event, properties }: ModelEvent): string => {
  const key = { $pageview: '$current_url', $screen: '$screen_name' }[event];
  let item = key === undefined ? event : ((properties[key] as string | undefined) ?? '');
  if (item.length > 1 && item.endsWith('/')) item = item.slice(0, -1);
  for (const { regex, alias } of question.local_path_cleaning_filters) {
    const js = regex.startsWith('(?i)') ? new RegExp(regex.slice(4), 'g') : new RegExp(regex, 'g');
    const found = regex.startsWith('(?i)') ? new RegExp(js.source, 'gi') : js;
    item = item.replace(found, alias.replace('\\1', '$1'));
  }
  const group = question.path_groupings.findLast((pattern) => new RegExp(wild(pattern)).test(item));
  return group ?? item;
};

const isAsked = (question: PathsQuestion, { event, timestamp, properties }: ModelEvent): boolean => {
  const { include_event_types: types, include_custom_events: single } = question;
  const isIncluded =
    (types.length === 0 && single.length === 0) ||
    types.includes(event) ||
    single.includes(event) ||
    (types.includes('custom_event') && !event.startsWith('$'));
  return isIncluded && isInScope(question, timestamp, properties);
};

const isInScope = (question: PathsQuestion, timestamp: Date, properties: ModelEvent['properties']): boolean => {
  const [filter] = question.properties as readonly { operator?: string }[];
  const passes = filter === undefined || (properties.plan === 'x') === (filter.operator !== 'is_not');
  const time = timestamp.toISOString();
  return passes && time >= question.date_from && time <= question.date_to;
};

const isExcluded = (question: PathsQuestion, item: string) =>
  question.exclude_events.some((pattern) => new RegExp(`^${wild(pattern)}$`).test(item));

/** In place of sessions: the first of the attempts that got furthest says from when to when events count. */
const spanOf = (question: PathsQuestion, funnel: NaiveFunnel, events: readonly ModelEvent[]) => {
  const window = funnel.windowMinutes * minute;
  const inScope = events.filter(({ timestamp, properties }) => isInScope(question, timestamp, properties));
  const attempts = inScope
    .filter(({ event }) => event === funnel.steps[0])
    .map(({ timestamp }) => {
      const times = [timestamp.getTime()];
      for (const step of funnel.steps.slice(1)) {
        const next = inScope.find(({ event, timestamp: at }) => event === step && at.getTime() > (times.at(-1) ?? 0));
        if (!next || next.timestamp.getTime() - timestamp.getTime() > window) break;
        times.push(next.timestamp.getTime());
      }
      return times;
    });
  const reach = Math.max(0, ...attempts.map(({ length }) => length));
  const best = attempts.find(({ length }) => length === reach);
  const step = funnel.step > 0 ? funnel.step : -funnel.step - 1;
  if (!best || (funnel.step > 0 ? reach < step : reach !== step)) return null;
  const moment = best[step - 1] ?? NaN;
  return {
    before_step: { from: moment - window, to: funnel.step > 0 ? moment : moment + window },
    between_steps: { from: best[step - 2] ?? NaN, to: moment },
    after_step: { from: moment, to: moment + window },
  }[funnel.part];
};

const sessionsOf = (visits: readonly Visit[]): Visit[][] => {
  const sessions: Visit[][] = [];
  for (const visit of visits) {
    const last = sessions.at(-1);
    if (last && visit.at - (last.at(-1)?.at ?? 0) <= 30 * minute) last.push(visit);
    else sessions.push([visit]);
  }
  return sessions;
};

const cut = ({ start_point: start, end_point: end, step_limit: limit }: PathsQuestion, way: readonly Visit[]) => {
  let path = [...way];
  if (start !== null) {
    const begin = path.findIndex(({ item }) => item === start);
    if (begin < 0) return [];
    path = path.slice(begin);
  }
  if (end !== null) {
    const last = path.findIndex(({ item }, at) => item === end && (start === null || at > 0));
    if (last < 0) return [];
    path = path.slice(0, last + 1);
  }
  if (path.length <= limit) return path;
  if (end === null) return path.slice(0, limit);
  if (start === null) return path.slice(-limit);
  const side = Math.floor(limit / 2);
  return [...path.slice(0, side), { at: path[side]?.at ?? NaN, item: '...' }, ...path.slice(-side)];
};

export const naivePaths = ({ events }: Model, question: PathsQuestion): NaivePath[] => {
  const people = [...new Set(events.map(({ person }) => person?.name ?? ghost))];
  return people.flatMap((person) => {
    const mine = events.filter((event) => (event.person?.name ?? ghost) === person);
    const span = question.funnel ? spanOf(question, question.funnel, mine) : { from: -Infinity, to: Infinity };
    if (span === null) return [];
    const visits = mine
      .filter((event) => isAsked(question, event))
      .map((event): Visit => ({ at: event.timestamp.getTime(), item: itemOf(question, event) }))
      .filter(({ at, item }) => at >= span.from && at <= span.to && !isExcluded(question, item));
    const sessions = question.funnel ? [visits] : sessionsOf(visits);
    return sessions
      .map((session) =>
        cut(
          question,
          session.filter(({ item }, at) => item !== session[at + 1]?.item),
        ),
      )
      .filter(({ length }) => length > 0)
      .map((places): NaivePath => ({ person, places }));
  });
};

const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Those that are shown. */
export const naiveEdges = (paths: readonly NaivePath[], question: PathsQuestion): NaiveEdge[] => {
  const gone = new Map<string, { source: string; target: string; people: Set<string>; took: number[] }>();
  for (const { person, places } of paths) {
    for (const [at, { at: time, item }] of places.slice(1).entries()) {
      const [source, target] = [`${at + 1}_${places[at]?.item}`, `${at + 2}_${item}`];
      const key = JSON.stringify([source, target]);
      const edge = gone.get(key) ?? { source, target, people: new Set(), took: [] };
      edge.people.add(person);
      edge.took.push(time - (places[at]?.at ?? NaN));
      gone.set(key, edge);
    }
  }
  const { min_edge_weight: min, max_edge_weight: max } = question;
  const heaviest = [...gone.values()]
    .map(({ source, target, people, took }): NaiveEdge => {
      const average = took.reduce((sum, ms) => sum + ms, 0) / took.length;
      return { source, target, value: people.size, average_conversion_time: average };
    })
    .filter(({ value }) => value >= (min ?? 0) && value <= (max ?? Infinity))
    .sort((a, b) => b.value - a.value || bytes(a.source, b.source) || bytes(a.target, b.target))
    .slice(0, question.edge_limit);
  if (min !== null || max !== null) return heaviest;
  const isReached = (node: string, edges: readonly NaiveEdge[]): boolean =>
    node.startsWith('1_') || edges.some(({ source, target }) => target === node && isReached(source, edges));
  return heaviest.filter(({ source }) => isReached(source, heaviest));
};

export interface NaiveSelection {
  readonly path_start_key?: string;
  readonly path_end_key?: string;
  readonly path_dropoff_key?: string;
}

export const naivePeople = (paths: readonly NaivePath[], selection: NaiveSelection): string[] => {
  const { path_start_key: start, path_end_key: end, path_dropoff_key: dropoff } = selection;
  const chosen = paths.filter(({ places }) => {
    const keys = places.map(({ item }, at) => `${at + 1}_${item}`);
    if (dropoff !== undefined) return keys.at(-1) === dropoff;
    return (start === undefined || keys.slice(0, -1).includes(start)) && (end === undefined || keys.includes(end));
  });
  return [...new Set(chosen.map(({ person }) => person))].sort();
};
