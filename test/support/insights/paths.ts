import { type Model, type ModelEvent } from './model.js';
import { type NaiveFunnel, type PathsQuestion } from './paths-question.js';
import { ghost } from './stream.js';

const minute = 60_000;

export interface NaiveEdge {
  readonly source: string;
  readonly target: string;
  readonly value: number;
  readonly persons: number;
  readonly average_conversion_time: number;
}

interface Visit {
  readonly at: number;
  readonly item: string;
}

/** A path with the name of its person. */
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

const isIncludedIn = (question: PathsQuestion, { event, timestamp, properties }: ModelEvent): boolean => {
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

/** Replaces sessions: the first of the attempts that reached the most steps decides the time in which events count. */
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
      .filter((event) => isIncludedIn(question, event))
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

/** The edges of the answer. The value of an edge counts paths, because a path takes an edge at most once. */
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
      return { source, target, value: took.length, persons: people.size, average_conversion_time: average };
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
