import { type NamedActions } from '../../filters/actions/named-actions.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { assertOnlyKeys, type Fields } from '../../platform/fields/fields.js';
import { readChoice, readInteger, readJsonBoolean } from '../../platform/fields/values.js';
import { readDate } from '../../platform/time/dates.js';
import { allOf, everything, isEverything, leavesOf, type Filter } from '../../filters/reading/filter.js';
import { type EventMatch } from '../../filters/reading/event-match.js';
import { eventFilters } from '../../filters/reading/filter-fields.js';
import {
  countOperators,
  type Behaviour,
  type CountComparison,
  type Did,
  type Occurrence,
  type Window,
} from './definition.js';
import { spanUnits, type CalendarSpan } from './span.js';

const commonFields = ['type', 'key', 'value', 'event_type', 'negation', 'event_filters'];
const windowed = ['time_value', 'time_interval', 'explicit_datetime', 'explicit_datetime_to'];
const counted = ['operator', 'operator_value'];
const recent = ['seq_time_value', 'seq_time_interval'];

/** The fields that each criterion may have besides the common ones. */
export const fieldsOfCriterion: Readonly<Record<Did['did'], readonly string[]>> = {
  performed_event: windowed,
  performed_event_multiple: [...windowed, ...counted],
  performed_event_first_time: windowed,
  performed_event_sequence: [...windowed, ...recent, 'seq_event', 'seq_event_type', 'seq_event_filters'],
  performed_event_regularly: ['time_value', 'time_interval', ...counted, 'min_periods', 'total_periods'],
  stopped_performing_event: [...windowed, ...recent],
  restarted_performing_event: [...windowed, ...recent],
};

export const criteria = Object.keys(fieldsOfCriterion) as Did['did'][];

/** Fields that clients of the reference product send along; they have no effect. */
export const ignoredCriterionKeys = ['label', 'bytecode', 'bytecode_error', 'conditionHash', 'days', 'sort_key'];

export const readBehaviour = (leaf: Fields, attr: string, actions: NamedActions): Behaviour => {
  if (leaf.value === undefined || leaf.value === null) throw required(`${attr}.value`);
  const did = readChoice(leaf.value, `${attr}.value`, criteria);
  refuseMistakes(leaf, attr, did);
  const known = [...commonFields, ...fieldsOfCriterion[did]];
  assertOnlyKeys(leaf, attr, {
    known,
    rule: `${did} has ${known.join(', ')}`,
    isIgnored: (key, value) => ignoredCriterionKeys.includes(key) || value === null,
  });
  const negated = readJsonBoolean(leaf.negation, `${attr}.negation`);
  return { kind: 'behaviour', negated, at: attr, ...readDid(did, leaf, attr, actions) };
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Keys that resemble those of other criteria and questions, with what is probably meant. */
const refuseMistakes = (leaf: Fields, attr: string, did: Did['did']): void => {
  if (isGiven(leaf.event) && !isGiven(leaf.key))
    throw invalidInput(`${attr}.event is not known: did you mean key?`, `${attr}.event`);
  const count = counted.find((key) => isGiven(leaf[key]));
  if (did === 'performed_event' && count !== undefined) {
    throw invalidInput(
      `${attr}.${count} is not known: performed_event is met by one event; to compare the number of events, ` +
        'make value performed_event_multiple',
      `${attr}.${count}`,
    );
  }
};

const readDid = (did: Did['did'], leaf: Fields, attr: string, actions: NamedActions): Did => {
  const of = occurrence(leaf, attr, actions, { event: 'key', type: 'event_type', filters: 'event_filters' });
  switch (did) {
    case 'performed_event':
    case 'performed_event_first_time':
      return { did, of, window: windowOf(leaf, attr) };
    case 'performed_event_multiple':
      return { did, of, window: windowOf(leaf, attr), times: timesOf(leaf, attr) };
    case 'performed_event_sequence': {
      const then = occurrence(leaf, attr, actions, {
        event: 'seq_event',
        type: 'seq_event_type',
        filters: 'seq_event_filters',
      });
      return { did, of, then, within: spanOf(leaf, attr, 'seq_time'), window: windowOf(leaf, attr) };
    }
    case 'performed_event_regularly':
      return { did, of, ...regularityOf(leaf, attr) };
    case 'stopped_performing_event':
    case 'restarted_performing_event':
      return { did, of, ...shareOf(leaf, attr) };
  }
};

export const maxEventLength = 400;

interface OccurrenceKeys {
  readonly event: string;
  readonly type: string;
  readonly filters: string;
}

/** What `key` names: an event, or a saved action. */
export const occurrenceTypes = ['events', 'actions'] as const;

const occurrence = (leaf: Fields, attr: string, actions: NamedActions, keys: OccurrenceKeys): Occurrence => {
  const key = leaf[keys.event];
  const keyAttr = `${attr}.${keys.event}`;
  if (key === undefined || key === null || key === '') throw required(keyAttr);
  const type = readChoice(leaf[keys.type] ?? 'events', `${attr}.${keys.type}`, occurrenceTypes);
  const filter = eventFilter(leaf[keys.filters], `${attr}.${keys.filters}`);
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

/** Such an action could make a cohort depend on itself. */
export const filtersByCohort = (matches: readonly EventMatch[]): boolean =>
  matches.some(({ filter }) => leavesOf(filter).some(({ kind }) => kind === 'cohort'));

const eventFilter = (input: unknown, attr: string): Filter =>
  input === undefined || input === null ? everything : eventFilters.read(input, attr);

const requireCount = (value: unknown, attr: string, most: number): number => {
  if (value === undefined || value === null || value === '') throw required(attr);
  return readInteger(typeof value === 'string' ? value.trim() : value, attr, { min: 1, max: most });
};

/** This many units reach back further than any event. */
export const mostUnits: Readonly<Record<CalendarSpan['unit'], number>> = {
  minute: 100_000_000,
  hour: 2_000_000,
  day: 100_000,
  week: 20_000,
  month: 4_000,
  year: 300,
};

const spanOf = (leaf: Fields, attr: string, prefix: 'time' | 'seq_time'): CalendarSpan => {
  const unitAttr = `${attr}.${prefix}_interval`;
  const input = leaf[`${prefix}_interval`];
  if (input === undefined || input === null) {
    const orElse = prefix === 'time' ? `, or ${attr}.explicit_datetime` : '';
    throw required(unitAttr, `one of ${spanUnits.join(', ')}, with ${attr}.${prefix}_value${orElse}`);
  }
  const unit = readChoice(input, unitAttr, spanUnits);
  return { count: requireCount(leaf[`${prefix}_value`], `${attr}.${prefix}_value`, mostUnits[unit]), unit };
};

const windowOf = (leaf: Fields, attr: string): Window => {
  const from = dateText(leaf.explicit_datetime, `${attr}.explicit_datetime`);
  const to = dateText(leaf.explicit_datetime_to, `${attr}.explicit_datetime_to`);
  if (from !== null) return { kind: 'fixed', from, to: to };
  if (to !== null) throw required(`${attr}.explicit_datetime`);
  return { kind: 'last', span: spanOf(leaf, attr, 'time') };
};

const anyMoment = new Date('2024-01-01T00:00:00Z');

/** The text is stored as received: a relative date means another moment at each calculation. */
const dateText = (value: unknown, attr: string): string | null => {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string' && readDate(value, anyMoment, { timezone: 'UTC', weekStartDay: 0 })) return value;
  throw invalidInput(`${attr} must be an ISO date or a relative one such as -7d`, attr);
};

export const mostEvents = 1_000_000_000;

const timesOf = (leaf: Fields, attr: string): CountComparison => {
  const operator = readChoice(leaf.operator ?? 'eq', `${attr}.operator`, countOperators);
  const valueAttr = `${attr}.operator_value`;
  const value = requireCount(leaf.operator_value, valueAttr, mostEvents);
  if (operator === 'lt' && value === 1) {
    throw invalidInput(
      `${valueAttr} must be at least 2 with lt: a negated performed_event expresses "not at all"`,
      valueAttr,
    );
  }
  return { operator, value };
};

export const maxPeriods = 1000;

const regularityOf = (leaf: Fields, attr: string) => {
  const period = spanOf(leaf, attr, 'time');
  const times = timesOf(leaf, attr);
  const totalPeriods = requireCount(leaf.total_periods, `${attr}.total_periods`, maxPeriods);
  const minPeriods = requireCount(leaf.min_periods, `${attr}.min_periods`, maxPeriods);
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

/** Reads a window and its most recent part, which must be shorter. */
const shareOf = (leaf: Fields, attr: string): { window: Window; recent: CalendarSpan } => {
  const window = windowOf(leaf, attr);
  const span = spanOf(leaf, attr, 'seq_time');
  if (window.kind === 'last' && approximate(span) >= approximate(window.span)) {
    throw invalidInput(
      `${attr}.seq_time_value must make a shorter time than time_value does`,
      `${attr}.seq_time_value`,
    );
  }
  return { window, recent: span };
};
