import { passesAll, type Leaf } from './filters.js';
import { compareLists, textOf, textsOf, type NaiveBreakdown } from './breakdown.js';
import { type Model, type ModelEvent } from './model.js';

/** A step or an exclusion: events of a name (null: any), of one value of `plan` where it is named. */
export interface NaiveEntity {
  readonly id: string | null;
  readonly plan?: string;
}

export interface NaiveFunnel {
  /** Those that none may skip. */
  readonly steps: readonly NaiveEntity[];
  /** Steps that persons may skip: the one before them among `steps`, and their place among all. */
  readonly optional?: readonly (NaiveEntity & { readonly after: number; readonly order: number })[];
  readonly order: 'ordered' | 'strict' | 'unordered';
  readonly windowMs: number;
  readonly exclusions: readonly (NaiveEntity & { readonly from: number; readonly to: number })[];
  readonly from: Date;
  readonly to: Date;
  /** What every event has to pass. */
  readonly filters: readonly Leaf[];
}

export interface NaiveSplit {
  readonly breakdown: NaiveBreakdown;
  readonly attribution: 'first_touch' | 'last_touch' | 'all_events' | number;
}

/** The times at which an attempt took its steps, as many as it took, and the places of the optional steps it took. */
export interface Attempt extends ReadonlyArray<number> {
  readonly taken?: readonly number[];
}

export interface Journey {
  readonly actor: string;
  /** The JSON of the values of the breakdown. */
  readonly value: string;
  readonly attempts: readonly Attempt[];
}

/** Some events are no longer what a step asks for when another value of the breakdown is looked at. */
type Is = (event: ModelEvent, step: number) => boolean;

const matches = (event: ModelEvent, { id, plan }: NaiveEntity): boolean =>
  (id === null || event.event === id) && (plan === undefined || textOf(event.properties.plan) === plan);

const timesOf = (events: readonly ModelEvent[]): number[] =>
  [...new Set(events.map(({ timestamp }) => timestamp.getTime()))].sort((a, b) => a - b);

const isSpoilt = (funnel: NaiveFunnel, events: readonly ModelEvent[], attempt: Attempt): boolean =>
  funnel.exclusions.some((exclusion) => {
    const [start = 0, from, to] = [attempt[0], attempt[exclusion.from], attempt[exclusion.to]];
    if (from === undefined) return false;
    return timesOf(events.filter((event) => matches(event, exclusion))).some(
      (time) => time > from && (to === undefined ? time <= start + funnel.windowMs : time < to),
    );
  });

/** The greatest number of consecutive steps, from a step on, that have an event of their own among some events. */
const runOf = ({ steps }: NaiveFunnel, events: readonly ModelEvent[], from: number, is: Is): number => {
  const stepOf = new Map<ModelEvent, number>();
  const findEvent = (step: number, tried: Set<ModelEvent>): boolean =>
    events.some((event) => {
      if (!is(event, step) || tried.has(event)) return false;
      tried.add(event);
      const other = stepOf.get(event);
      // The step that has the event may find another one.
      if (other !== undefined && !findEvent(other, tried)) return false;
      stepOf.set(event, step);
      return true;
    });
  let step = from;
  while (step < steps.length && findEvent(step, new Set())) step += 1;
  return step - from;
};

/** The events at each moment from a start on, as far as the window goes. */
const momentsFrom = ({ windowMs }: NaiveFunnel, events: readonly ModelEvent[], start: number) =>
  timesOf(events)
    .filter((time) => time >= start && time <= start + windowMs)
    .map((time) => ({ time, events: events.filter(({ timestamp }) => timestamp.getTime() === time) }));

/** Each moment takes as many of the next steps as it can. */
const orderedAttempt = (funnel: NaiveFunnel, events: readonly ModelEvent[], start: number, is: Is): Attempt => {
  const attempt: number[] = [];
  for (const moment of momentsFrom(funnel, events, start)) {
    const run = runOf(funnel, moment.events, attempt.length, is);
    attempt.push(...Array.from({ length: run }, () => moment.time));
  }
  return attempt;
};

const weightOf = (funnel: NaiveFunnel, event: ModelEvent, is: Is): number => {
  const bits = [
    ...funnel.exclusions.map((exclusion) => matches(event, exclusion)),
    ...funnel.steps.map((_, step) => is(event, step)),
  ];
  return bits.reduce((weight, bit, at) => weight + (bit ? 2 ** at : 0), 0);
};

/**
 * The events of the first moment that are no step come before the attempt; later moments must have no such event before the
 * last step. Of several numbers of steps at the first moment, the one that leads farthest counts, and of those the greatest.
 */
const strictAttempt = (funnel: NaiveFunnel, events: readonly ModelEvent[], start: number, is: Is): Attempt => {
  const [first, ...later] = momentsFrom(funnel, events, start);
  const attempts = Array.from({ length: first ? runOf(funnel, first.events, 0, is) : 0 }, (_, at) => {
    const attempt = Array.from({ length: at + 1 }, () => start);
    for (const moment of later) {
      const run = runOf(funnel, moment.events, attempt.length, is);
      attempt.push(...Array.from({ length: run }, () => moment.time));
      if (run < moment.events.length) break;
    }
    return attempt;
  });
  return attempts.reduce((best, attempt) => (attempt.length >= best.length ? attempt : best), []);
};

/** Who asks for more chooses first. */
const choosers = (steps: readonly NaiveEntity[]): number[] => {
  const openness = ({ id, plan }: NaiveEntity) => (id === null ? 2 : 0) + (plan === undefined ? 1 : 0);
  return [...steps.keys()].sort((a, b) => {
    const [one, other] = [steps[a], steps[b]];
    return (one && other ? openness(one) - openness(other) : 0) || a - b;
  });
};

const unorderedAttempt = (funnel: NaiveFunnel, events: readonly ModelEvent[], start: number, is: Is): Attempt => {
  const timeOf = ({ timestamp }: ModelEvent) => timestamp.getTime();
  const inOrder = events
    .filter((event) => timeOf(event) >= start)
    .sort((a, b) => timeOf(a) - timeOf(b) || weightOf(funnel, a, is) - weightOf(funnel, b, is));
  const taken = new Set<ModelEvent>();
  for (const step of choosers(funnel.steps)) {
    const event = inOrder.find((one) => is(one, step) && !taken.has(one));
    if (event) taken.add(event);
  }
  const times = [...taken]
    .map(timeOf)
    .filter((time) => time <= start + funnel.windowMs)
    .sort((a, b) => a - b);
  return isSpoilt(funnel, events, times) ? [start] : times;
};

/** True if one event could be both. */
const mayShare = (a: NaiveEntity, b: NaiveEntity): boolean => a.id === null || b.id === null || a.id === b.id;

/** The optional steps of an attempt, found from the last one of each gap to the first. */
const withOptional = (funnel: NaiveFunnel, events: readonly ModelEvent[], attempt: Attempt): Attempt => {
  const taken: number[] = [];
  for (const [at, time] of attempt.entries()) {
    const step = funnel.steps[at] ?? { id: '' };
    const after = attempt[at + 1];
    // What is taken next: nothing in the gap may come after it, nor at its moment if it could be the same event.
    const next = after === undefined ? [] : [{ entity: funnel.steps[at + 1] ?? { id: '' }, time: after }];
    for (const one of (funnel.optional ?? []).filter((each) => each.after === at).reverse()) {
      const found = timesOf(events.filter((event) => matches(event, one))).find(
        (moment) => moment > time || (moment === time && !mayShare(one, step)),
      );
      if (found === undefined || found > (attempt[0] ?? 0) + funnel.windowMs) continue;
      if (next.some((later) => found > later.time || (found === later.time && mayShare(one, later.entity)))) continue;
      taken.push(one.order);
      next.push({ entity: one, time: found });
    }
  }
  return Object.assign([...attempt], { taken });
};

/** All attempts of one actor; `starts` are the steps that an attempt may begin with. */
const attemptsOf = (
  funnel: NaiveFunnel,
  events: readonly ModelEvent[],
  is: Is,
  starts: readonly number[],
): Attempt[] => {
  const times = timesOf(events.filter((event) => starts.some((step) => is(event, step))));
  if (funnel.order === 'unordered') return times.map((start) => unorderedAttempt(funnel, events, start, is));
  const attemptFrom = funnel.order === 'strict' ? strictAttempt : orderedAttempt;
  return times
    .map((start) => attemptFrom(funnel, events, start, is))
    .filter((attempt) => !isSpoilt(funnel, events, attempt))
    .map((attempt) => withOptional(funnel, events, attempt));
};

/** What each person did that a funnel looks at. */
export const actorsOf = ({ events }: Model, { from, to, filters }: NaiveFunnel): Map<string, ModelEvent[]> => {
  const actors = new Map<string, ModelEvent[]>();
  for (const event of events) {
    if (event.timestamp < from || event.timestamp > to || !passesAll(filters, event)) continue;
    const actor = event.person?.name ?? event.distinctId;
    actors.set(actor, [...(actors.get(actor) ?? []), event]);
  }
  return actors;
};

const unique = (values: readonly string[]): string[] => [...new Set(values)];

/** The values of the first or last event that has one of its own; without such an event those of the person alone. */
const touched = (
  events: readonly ModelEvent[],
  { parts }: NaiveBreakdown,
  textsOfEvent: (event: ModelEvent) => string[],
  type: 'first_touch' | 'last_touch',
): string[] => {
  const all = events.map((event) => ({ time: event.timestamp.getTime(), texts: textsOfEvent(event) }));
  const candidates = all
    .filter(({ texts }) => texts.some((text, at) => text !== '' && parts[at]?.type === 'event'))
    .sort((a, b) => a.time - b.time || compareLists(a.texts, b.texts));
  const found = type === 'first_touch' ? candidates[0] : candidates.at(-1);
  return found?.texts ?? parts.map(({ type: source }, at) => (source === 'person' ? (all[0]?.texts[at] ?? '') : ''));
};

const journeysOfActor = (
  funnel: NaiveFunnel,
  actor: string,
  events: readonly ModelEvent[],
  split: NaiveSplit | null,
  texts: (event: ModelEvent) => string[],
): Journey[] => {
  const plain: Is = (event, step) => matches(event, funnel.steps[step] ?? { id: '' });
  const all = [...funnel.steps.keys()];
  const starts = funnel.order === 'unordered' ? all : [0];
  if (split === null) return [{ actor, value: '', attempts: attemptsOf(funnel, events, plain, starts) }];
  const { breakdown, attribution } = split;
  const valueOf = (event: ModelEvent) => JSON.stringify(texts(event));
  if (breakdown.parts.every(({ type }) => type === 'person')) {
    const value = events[0] ? valueOf(events[0]) : '';
    return [{ actor, value, attempts: attemptsOf(funnel, events, plain, starts) }];
  }
  if (attribution === 'first_touch' || attribution === 'last_touch') {
    const isStep = (event: ModelEvent) =>
      all.some((step) => plain(event, step)) || (funnel.optional ?? []).some((one) => matches(event, one));
    const own = events.filter(isStep);
    // Other events, such as those of an exclusion, have no value but those of the person.
    const value = touched(own.length > 0 ? own : events, breakdown, texts, attribution);
    return [{ actor, value: JSON.stringify(value), attempts: attemptsOf(funnel, events, plain, starts) }];
  }
  if (attribution === 'all_events') {
    return unique(events.map(valueOf)).map((value) => {
      const own = events.filter((event) => valueOf(event) === value);
      return { actor, value, attempts: attemptsOf(funnel, own, plain, starts) };
    });
  }
  return starts.flatMap((start) => {
    const attributed = (start + attribution) % funnel.steps.length;
    return unique(events.filter((event) => plain(event, attributed)).map(valueOf)).map((value) => {
      const is: Is = (event, step) => plain(event, step) && (step !== attributed || valueOf(event) === value);
      return { actor, value, attempts: attemptsOf(funnel, events, is, [start]) };
    });
  });
};

const merged = (journeys: readonly Journey[]): Journey[] => {
  const all = new Map<string, Journey>();
  for (const journey of journeys) {
    const key = JSON.stringify([journey.actor, journey.value]);
    all.set(key, { ...journey, attempts: [...(all.get(key)?.attempts ?? []), ...journey.attempts] });
  }
  return [...all.values()].filter(({ attempts }) => attempts.length > 0);
};

/** The events that a funnel reads, among whose numbers bins find their bounds. */
const eventsRead = (funnel: NaiveFunnel, actors: ReadonlyMap<string, readonly ModelEvent[]>): ModelEvent[] => {
  const all = [...funnel.steps, ...(funnel.optional ?? []), ...funnel.exclusions];
  const read = (event: ModelEvent) => all.some((one) => matches(event, one));
  return [...actors.values()].flat().filter((event) => funnel.order === 'strict' || read(event));
};

/** The journeys of all actors, one for each value of the breakdown that an actor counts for; the rare values are "Other". */
export const naiveJourneys = (model: Model, funnel: NaiveFunnel, split: NaiveSplit | null): Journey[] => {
  const actors = actorsOf(model, funnel);
  const texts = split === null ? () => [] : textsOf(split.breakdown, eventsRead(funnel, actors));
  const journeys = merged(
    [...actors].flatMap(([actor, events]) => journeysOfActor(funnel, actor, events, split, texts)),
  );
  if (split === null) return journeys;
  const sizes = new Map<string, number>();
  for (const { value } of journeys) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  const list = (value: string) => JSON.parse(value) as string[];
  const kept = [...sizes]
    .sort(([a, n], [b, m]) => m - n || compareLists(list(a), list(b)))
    .slice(0, split.breakdown.limit)
    .map(([value]) => value);
  return merged(
    journeys.map((journey) => (kept.includes(journey.value) ? journey : { ...journey, value: '["Other"]' })),
  );
};

export const reachOf = ({ attempts }: Journey): number => Math.max(...attempts.map(({ length }) => length));

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return mean([sorted[Math.floor(middle)] ?? NaN, sorted[Math.ceil(middle)] ?? NaN]);
};

/** Seconds from one step to another: of each person the mean over the attempts that got as far as it ever did. */
export const secondsBetween = (journey: Journey, from: number, to: number): number => {
  const reach = reachOf(journey);
  const best = journey.attempts.filter(({ length }) => length === reach);
  return mean(best.map((attempt) => ((attempt[to] ?? NaN) - (attempt[from] ?? NaN)) / 1000));
};

/** A step among all, and its index among those that none may skip. */
interface Place {
  readonly order: number;
  readonly isOptional: boolean;
  /** Of an optional step that of the one before it. */
  readonly step: number;
}

export const placesOf = ({ steps, optional = [] }: NaiveFunnel): Place[] => {
  const all = [
    ...optional.map(({ order, after }) => ({ order, isOptional: true, step: after })),
    ...steps.map((_, step) => ({ order: -1, isOptional: false, step })),
  ];
  const free = Array.from({ length: all.length }, (_, order) => order).filter(
    (order) => !optional.some((one) => one.order === order),
  );
  return all
    .map((place) => (place.isOptional ? place : { ...place, order: free[place.step] ?? -1 }))
    .sort((a, b) => a.order - b.order);
};

/** True if the person took the step in one of the attempts that got as far as it ever did. */
export const hasTaken = (journey: Journey, { order, isOptional, step }: Place): boolean => {
  const reach = reachOf(journey);
  if (!isOptional) return reach > step;
  return journey.attempts.some((attempt) => attempt.length === reach && attempt.taken?.includes(order) === true);
};

export const naiveSteps = (funnel: NaiveFunnel, journeys: readonly Journey[]) =>
  placesOf(funnel).map((place) => {
    const { step, isOptional } = place;
    const there = journeys.filter((journey) => hasTaken(journey, place));
    const times = isOptional || step === 0 ? [] : there.map((journey) => secondsBetween(journey, step - 1, step));
    return {
      count: there.length,
      average_conversion_time: times.length === 0 ? null : mean(times),
      median_conversion_time: times.length === 0 ? null : median(times),
    };
  });
