import { DateTime } from 'luxon';
import { type NaiveFilter, naivelyHolds } from '../../filters/naive.js';
import { type Clock } from '../insights/buckets.js';
import { actorOf, type Model, type ModelEvent } from '../insights/model.js';
import { type Subject, type Subjects } from './subjects.js';

/** Cohort definitions once more, one person or group after the other over plain lists, from the JSON that is sent. */
export type Leaf = Readonly<Record<string, unknown>> & { readonly type: string };
export interface Group {
  readonly type: 'AND' | 'OR';
  readonly values: readonly Node[];
}
export type Node = Leaf | Group;

export interface NaiveScene extends Subjects {
  readonly model: Model;
  readonly clock: Clock;
  readonly now: Date;
  /** Names of the members of cohorts, by id. */
  readonly cohorts: ReadonlyMap<number, readonly string[]>;
  /** The steps of actions, by id. */
  readonly actions: ReadonlyMap<number, readonly Step[]>;
}

/** A step of an action. Null stands for any event. */
export interface Step {
  readonly event: string | null;
  readonly properties: readonly NaiveFilter[];
}

export const naiveMembers = (root: Group, scene: NaiveScene): string[] =>
  scene.subjects
    .filter((subject) => holds(root, subject, scene))
    .map(({ name }) => name)
    .sort();

const holds = (node: Node, subject: Subject, scene: NaiveScene): boolean => {
  if ('values' in node) {
    const group = node as Group;
    if (group.values.length === 0) return false;
    const results = group.values.map((part) => holds(part, subject, scene));
    return group.type === 'AND' ? results.every(Boolean) : results.some(Boolean);
  }
  const held = leafHolds(node, subject, scene);
  return node.negation === true ? !held : held;
};

const leafHolds = (leaf: Leaf, subject: Subject, scene: NaiveScene): boolean => {
  if (leaf.type === 'cohort') return scene.cohorts.get(Number(leaf.value))?.includes(subject.name) ?? false;
  if (leaf.type === 'behavioral')
    return behaves(leaf, eventsOf(leaf, 'key', 'event_filters', subject, scene), subject, scene);
  const of = { event: {}, person: subject.properties, metadata: nothing, cohorts: new Set<number>() };
  // A filter on a group reads its properties as one on a person does.
  const filter = { ...leaf, type: 'person', negation: false } as unknown as NaiveFilter;
  return naivelyHolds(filter, of, scene.now);
};

const nothing = { timestamp: new Date(0), distinct_id: '', event: '' };

/** The events in which a subject did what the leaf names. */
const eventsOf = (leaf: Leaf, key: string, filters: string, subject: Subject, scene: NaiveScene): ModelEvent[] =>
  scene.model.events
    .filter((event) => scene.whose(event) === subject && isMeant(leaf, key, event, scene))
    .filter((event) => passes((leaf[filters] ?? []) as NaiveFilter[], event, scene));

const timeOf = ({ timestamp }: ModelEvent): number => timestamp.getTime();

/** True if the event is the one that the leaf names, or matches a step of the action that it names. */
const isMeant = (leaf: Leaf, key: string, event: ModelEvent, scene: NaiveScene): boolean => {
  if (leaf[key === 'key' ? 'event_type' : 'seq_event_type'] !== 'actions') return event.event === leaf[key];
  const steps = scene.actions.get(Number(leaf[key])) ?? [];
  return steps.some(
    ({ event: name, properties }) => (name === null || name === event.event) && passes(properties, event, scene),
  );
};

const passes = (filters: readonly NaiveFilter[], event: ModelEvent, { now }: NaiveScene): boolean => {
  const metadata = { timestamp: event.timestamp, distinct_id: event.distinctId, event: event.event };
  const person = event.person?.properties ?? null;
  const subject = { event: event.properties, person, metadata, cohorts: new Set<number>() };
  return filters.every((filter) => naivelyHolds(filter, subject, now));
};

const back = ({ now, clock }: NaiveScene, count: number, unit: string): DateTime =>
  DateTime.fromJSDate(now, { zone: clock.zone }).minus({ [`${unit}s`]: count });

const ago = (scene: NaiveScene, count: unknown, unit: unknown): number => {
  const at = back(scene, Number(count), String(unit));
  return (unit === 'minute' || unit === 'hour' ? at : at.startOf('day')).toMillis();
};

const windowOf = (leaf: Leaf, scene: NaiveScene): { from: number; to: number } => {
  const now = scene.now.getTime();
  if (typeof leaf.explicit_datetime !== 'string')
    return { from: ago(scene, leaf.time_value, leaf.time_interval), to: now };
  const day = (text: string) => DateTime.fromISO(text, { zone: scene.clock.zone });
  const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);
  const { explicit_datetime: from, explicit_datetime_to: to } = leaf;
  if (typeof to !== 'string') return { from: day(from).toMillis(), to: now };
  return { from: day(from).toMillis(), to: (isDay(to) ? day(to).endOf('day') : day(to)).toMillis() };
};

const compare = (count: number, operator: unknown, threshold: number): boolean => {
  if (count === 0) return false;
  switch (operator ?? 'eq') {
    case 'gt':
      return count > threshold;
    case 'gte':
      return count >= threshold;
    case 'lt':
      return count < threshold;
    case 'lte':
      return count <= threshold;
    default:
      return count === threshold;
  }
};

const seconds: Readonly<Record<string, number>> = {
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
};

const behaves = (leaf: Leaf, events: readonly ModelEvent[], subject: Subject, scene: NaiveScene): boolean => {
  const times = events.map(timeOf);
  if (leaf.value === 'performed_event_regularly') return regularly(leaf, events, scene);
  const { from, to } = windowOf(leaf, scene);
  const inside = times.filter((time) => time >= from && time <= to);
  const recent = () => ago(scene, leaf.seq_time_value, leaf.seq_time_interval);
  switch (leaf.value) {
    case 'performed_event':
      return inside.length > 0;
    case 'performed_event_multiple':
      return compare(
        countOf(
          leaf,
          events.filter((event) => timeOf(event) >= from && timeOf(event) <= to),
        ),
        leaf.operator,
        Number(leaf.operator_value),
      );
    case 'performed_event_first_time': {
      const first = Math.min(...times);
      return times.length > 0 && first >= from && first <= to;
    }
    case 'stopped_performing_event':
      return inside.length > 0 && !inside.some((time) => time >= recent());
    case 'restarted_performing_event':
      return (
        inside.some((time) => time >= recent()) &&
        times.some((time) => time < recent()) &&
        !inside.some((time) => time < recent())
      );
    case 'performed_event_sequence': {
      const then = eventsOf(leaf, 'seq_event', 'seq_event_filters', subject, scene)
        .map(timeOf)
        .filter((t) => t >= from && t <= to);
      const most = Number(leaf.seq_time_value) * (seconds[String(leaf.seq_time_interval)] ?? 0) * 1000;
      return inside.some((first) => then.some((second) => second > first && second - first <= most));
    }
    default:
      throw new Error(`Unknown criterion ${String(leaf.value)}`);
  }
};

/** The number of events or, of what a group did, of the persons who did them. */
const countOf = (leaf: Leaf, events: readonly ModelEvent[]): number =>
  leaf.count_of === 'persons' ? new Set(events.map(actorOf)).size : events.length;

const regularly = (leaf: Leaf, events: readonly ModelEvent[], scene: NaiveScene): boolean => {
  let kept = 0;
  for (let period = 0; period < Number(leaf.total_periods); period += 1) {
    const edge = (n: number) => back(scene, Number(leaf.time_value) * n, String(leaf.time_interval)).toMillis();
    const within = events.filter((event) => timeOf(event) > edge(period + 1) && timeOf(event) <= edge(period));
    if (compare(countOf(leaf, within), leaf.operator, Number(leaf.operator_value))) kept += 1;
  }
  return kept >= Number(leaf.min_periods);
};
