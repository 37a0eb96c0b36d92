import { type NamedActions } from '../../filters/actions/action-lookup.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { fieldReader } from '../../platform/fields/declaration.js';
import { type Fields, readChoice } from '../../platform/fields/values.js';
import { type EventMatch, type Filter, allOf, isEverything, leavesOf } from '../../filters/reading/filter.js';
import { counted, criteria, criterionFields, criterionRecords, maxEventLength, mostUnits } from './criterion-fields.js';
import { type Behaviour, type CountComparison, type Did, type Occurrence, type Window } from './definition.js';
import { spanUnits, type CalendarSpan } from './span.js';

const readerOf = (leaf: Fields, attr: string) => fieldReader(criterionFields, leaf, attr);

type Read = ReturnType<typeof readerOf>;

/** `members` is the index of the type of the groups of a cohort of groups; null in a cohort of persons. */
export const readBehaviour = (
  leaf: Fields,
  attr: string,
  actions: NamedActions,
  members: number | null = null,
): Behaviour => {
  if (leaf.value === undefined || leaf.value === null) throw required(`${attr}.value`);
  const did = readChoice(leaf.value, `${attr}.value`, criteria);
  refuseMistakes(leaf, attr, did);
  criterionRecords[did].reader(leaf, attr);
  const read = readerOf(leaf, attr);
  const negated = read('negation');
  const groupType = groupTypeOf(read, attr, members);
  refusePersonsOfPerson(read, attr, groupType);
  return { kind: 'behaviour', negated, at: attr, groupType, ...readDid(did, read, attr, actions) };
};

const groupTypeOf = (read: Read, attr: string, members: number | null): number | null => {
  const sent = read('group_type_index');
  if (members === null || sent === null || sent === members) return sent ?? members;
  const path = `${attr}.group_type_index`;
  throw invalidInput(`${path} must be ${members}, that of the cohort, or be left out`, path);
};

const refusePersonsOfPerson = (read: Read, attr: string, groupType: number | null): void => {
  if (groupType !== null || read('count_of') === 'events') return;
  throw invalidInput(
    `${attr}.count_of must be events, because the criterion is about one person: with group_type_index it is about a group`,
    `${attr}.count_of`,
  );
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Refuses keys that resemble keys of other criteria, and suggests the probable one. */
const refuseMistakes = (leaf: Fields, attr: string, did: Did['did']): void => {
  if (isGiven(leaf.event) && !isGiven(leaf.key))
    throw invalidInput(`${attr}.event is not known: did you mean key?`, `${attr}.event`);
  const count = Object.keys(counted).find((key) => isGiven(leaf[key]));
  if (did === 'performed_event' && count !== undefined) {
    throw invalidInput(
      `${attr}.${count} is not known: performed_event is met by one event; to compare the number of events, ` +
        'make value performed_event_multiple',
      `${attr}.${count}`,
    );
  }
};

const readDid = (did: Did['did'], read: Read, attr: string, actions: NamedActions): Did => {
  const of = occurrence(read, attr, actions, { event: 'key', type: 'event_type', filters: 'event_filters' });
  switch (did) {
    case 'performed_event':
    case 'performed_event_first_time':
      return { did, of, window: windowOf(read, attr) };
    case 'performed_event_multiple':
      return { did, countOf: read('count_of'), of, window: windowOf(read, attr), times: timesOf(read, attr) };
    case 'performed_event_sequence': {
      const then = occurrence(read, attr, actions, {
        event: 'seq_event',
        type: 'seq_event_type',
        filters: 'seq_event_filters',
      });
      return { did, of, then, within: spanOf(read, attr, 'seq_time'), window: windowOf(read, attr) };
    }
    case 'performed_event_regularly':
      return { did, countOf: read('count_of'), of, ...regularityOf(read, attr) };
    case 'stopped_performing_event':
    case 'restarted_performing_event':
      return { did, of, ...shareOf(read, attr) };
  }
};

interface OccurrenceKeys {
  readonly event: 'key' | 'seq_event';
  readonly type: 'event_type' | 'seq_event_type';
  readonly filters: 'event_filters' | 'seq_event_filters';
}

const occurrence = (read: Read, attr: string, actions: NamedActions, keys: OccurrenceKeys): Occurrence => {
  const key = read(keys.event);
  const keyAttr = `${attr}.${keys.event}`;
  const type = read(keys.type);
  const filter = read(keys.filters);
  if (type === 'actions') return occurrenceOfAction(key, keyAttr, filter, actions);
  if (typeof key !== 'string' || key.length > maxEventLength) {
    throw invalidInput(
      `${keyAttr} must be the name of an event, text of at most ${maxEventLength} characters`,
      keyAttr,
    );
  }
  return { key, matches: [{ event: key, filter }], action: null };
};

const occurrenceOfAction = (key: unknown, at: string, own: Filter, actions: NamedActions): Occurrence => {
  const { id, matches } = actions.get(key, at);
  if (filtersByCohort(matches)) throw invalidInput(`${at} names action ${id}: ${noCohortsInSteps}`, at);
  const both = matches.map(({ event, filter }) => ({ event, filter: isEverything(own) ? filter : allOf(filter, own) }));
  return { key: String(id), matches: both, action: { id, at } };
};

export const noCohortsInSteps =
  'the steps of an action that a cohort names must not filter by cohorts; use a criterion of type cohort instead';

/** True if an action filters by cohorts: in a definition it could make a cohort depend on itself. */
export const filtersByCohort = (matches: readonly EventMatch[]): boolean =>
  matches.some(({ filter }) => leavesOf(filter).some(({ kind }) => kind === 'cohort'));

const spanOf = (read: Read, attr: string, prefix: 'time' | 'seq_time'): CalendarSpan => {
  const unit = read(`${prefix}_interval`);
  if (unit === null) {
    const orElse = prefix === 'time' ? `, or ${attr}.explicit_datetime` : '';
    throw required(
      `${attr}.${prefix}_interval`,
      `one of ${spanUnits.join(', ')}, with ${attr}.${prefix}_value${orElse}`,
    );
  }
  return { count: read(`${prefix}_value`, mostUnits[unit]), unit };
};

const windowOf = (read: Read, attr: string): Window => {
  const from = read('explicit_datetime');
  const to = read('explicit_datetime_to');
  if (from !== null) return { kind: 'fixed', from, to };
  if (to !== null) throw required(`${attr}.explicit_datetime`);
  return { kind: 'last', span: spanOf(read, attr, 'time') };
};

const timesOf = (read: Read, attr: string): CountComparison => {
  const operator = read('operator');
  const value = read('operator_value');
  if (operator === 'lt' && value === 1) {
    const valueAttr = `${attr}.operator_value`;
    throw invalidInput(
      `${valueAttr} must be at least 2 with lt: a negated performed_event expresses "not at all"`,
      valueAttr,
    );
  }
  return { operator, value };
};

const regularityOf = (read: Read, attr: string) => {
  const period = spanOf(read, attr, 'time');
  const times = timesOf(read, attr);
  const totalPeriods = read('total_periods');
  const minPeriods = read('min_periods');
  if (minPeriods > totalPeriods) {
    throw invalidInput(`${attr}.min_periods must not be larger than total_periods`, `${attr}.min_periods`);
  }
  if (period.count * totalPeriods > mostUnits[period.unit]) {
    throw invalidInput(`${attr}.total_periods reaches back too far`, `${attr}.total_periods`);
  }
  return { period, times, minPeriods, totalPeriods };
};

const approximate = ({ count, unit }: CalendarSpan): number =>
  count * { minute: 1, hour: 60, day: 1440, week: 10_080, month: 43_200, year: 525_600 }[unit];

/** Reads a window and its recent part, which must be shorter. */
const shareOf = (read: Read, attr: string): { window: Window; recent: CalendarSpan } => {
  const window = windowOf(read, attr);
  const span = spanOf(read, attr, 'seq_time');
  if (window.kind === 'last' && approximate(span) >= approximate(window.span)) {
    throw invalidInput(
      `${attr}.seq_time_value must make a shorter time than time_value does`,
      `${attr}.seq_time_value`,
    );
  }
  return { window, recent: span };
};
