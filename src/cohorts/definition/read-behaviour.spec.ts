import { describe, expect, it } from '@jest/globals';
import {
  did,
  multiple,
  plan,
  readOne,
  refusalOf,
  regularly,
  sequence,
  stopped,
} from '../../../test/support/cohorts/reading.js';

const everything = { kind: 'group', combine: 'AND', parts: [] };
const at = 'filters.properties.values.0';
const paid = { key: 'paid', matches: [{ event: 'paid', filter: everything }], action: null };
const month = { kind: 'last', span: { count: 30, unit: 'day' } };
const behaviour = { kind: 'behaviour', negated: false, groupType: null, at, of: paid };

describe('a criterion about events', () => {
  it.each([
    [did(), { did: 'performed_event', window: month }],
    [did({ negation: true, event_type: 'events' }), { did: 'performed_event', window: month, negated: true }],
    [
      did({ value: 'performed_event_first_time', time_value: ' 30 ' }),
      { did: 'performed_event_first_time', window: month },
    ],
    [
      multiple(),
      { did: 'performed_event_multiple', countOf: 'events', window: month, times: { operator: 'gte', value: 2 } },
    ],
    [
      multiple({ operator: null, operator_value: '1' }),
      { did: 'performed_event_multiple', countOf: 'events', window: month, times: { operator: 'eq', value: 1 } },
    ],
    [
      multiple({ operator: 'lt' }),
      { did: 'performed_event_multiple', countOf: 'events', window: month, times: { operator: 'lt', value: 2 } },
    ],
    [
      multiple({ operator: 'lte', operator_value: 1 }),
      { did: 'performed_event_multiple', countOf: 'events', window: month, times: { operator: 'lte', value: 1 } },
    ],
    [
      sequence(),
      {
        did: 'performed_event_sequence',
        then: { key: 'left', matches: [{ event: 'left', filter: everything }], action: null },
        within: { count: 1, unit: 'hour' },
        window: month,
      },
    ],
    [
      regularly(),
      {
        did: 'performed_event_regularly',
        countOf: 'events',
        period: month.span,
        times: { operator: 'eq', value: 1 },
        minPeriods: 1,
        totalPeriods: 2,
      },
    ],
    [
      regularly({ min_periods: 2 }),
      {
        did: 'performed_event_regularly',
        countOf: 'events',
        period: month.span,
        times: { operator: 'eq', value: 1 },
        minPeriods: 2,
        totalPeriods: 2,
      },
    ],
    [stopped(), { did: 'stopped_performing_event', window: month, recent: { count: 7, unit: 'day' } }],
    [
      stopped({ value: 'restarted_performing_event' }),
      { did: 'restarted_performing_event', window: month, recent: { count: 7, unit: 'day' } },
    ],
    [
      did({ explicit_datetime: '-30d', explicit_datetime_to: '', time_value: null }),
      { did: 'performed_event', window: { kind: 'fixed', from: '-30d', to: null } },
    ],
    [
      did({ explicit_datetime: '2024-01-01', explicit_datetime_to: '2024-02-01' }),
      { did: 'performed_event', window: { kind: 'fixed', from: '2024-01-01', to: '2024-02-01' } },
    ],
    // With dates the recent part may be of any length.
    [
      stopped({ explicit_datetime: '2024-01-01', seq_time_value: 90 }),
      {
        did: 'stopped_performing_event',
        window: { kind: 'fixed', from: '2024-01-01', to: null },
        recent: { count: 90, unit: 'day' },
      },
    ],
    [did({ key: 'e'.repeat(400) }), { did: 'performed_event', window: month, of: expect.anything() }],
    // Fields that clients send along have no effect.
    [did({ label: 'Paid', days: 7, total_periods: null }), { did: 'performed_event', window: month }],
  ])('%j is read', (criterion, expected) => {
    expect(readOne(criterion)).toEqual({ ...behaviour, ...expected });
  });

  it('may have filters, and be about an action, whose steps it restricts', () => {
    const leaf = (value: string, path: string) => ({
      ...{ kind: 'property', source: 'event', key: 'size', operator: 'exact', values: [value] },
      at: path,
    });
    const small = { ...everything, parts: [leaf('small', `${at}.event_filters.0`)] };
    const event_filters = [{ key: 'size', value: 'small' }];
    const occurrence = (criterion: object) => {
      const one = readOne(criterion);
      return one?.kind === 'behaviour' ? one.of : null;
    };
    expect(occurrence(did({ event_filters }))).toEqual({ ...paid, matches: [{ event: 'paid', filter: small }] });
    const ofStep = (...parts: object[]) => ({ ...everything, parts: [{ ...everything, parts }] });
    const big = ofStep(leaf('big', 'actions.7.steps.1.properties.0'));
    expect(occurrence(did({ key: 7, event_type: 'actions' }))).toEqual({
      key: '7',
      matches: [
        { event: 'paid', filter: ofStep() },
        { event: 'gave', filter: big },
      ],
      action: { id: 7, at: `${at}.key` },
    });
    expect(occurrence(did({ key: 7, event_type: 'actions', event_filters }))?.matches).toEqual([
      { event: 'paid', filter: { ...everything, parts: [ofStep(), small] } },
      { event: 'gave', filter: { ...everything, parts: [big, small] } },
    ]);
  });

  it.each([
    [did({ value: null }), 'required', '.value', 'is required'],
    [did({ value: undefined }), 'required', '.value', 'is required'],
    [did({ value: 'did_it' }), 'invalid_input', '.value', 'one of'],
    [did({ key: undefined, event: 'paid' }), 'invalid_input', '.event', 'did you mean key'],
    [did({ event: 'paid' }), 'invalid_input', '.event', 'performed_event has type, key'],
    [did({ operator: 'gte' }), 'invalid_input', '.operator', 'performed_event_multiple'],
    [did({ operator_value: 2 }), 'invalid_input', '.operator_value', 'performed_event_multiple'],
    [did({ min_periods: 2 }), 'invalid_input', '.min_periods', 'performed_event has'],
    [did({ key: undefined }), 'required', '.key', 'is required'],
    [did({ key: null }), 'required', '.key', 'is required'],
    [did({ key: '' }), 'required', '.key', 'is required'],
    [did({ key: 5 }), 'invalid_input', '.key', 'name of an event'],
    [did({ key: 'e'.repeat(401) }), 'invalid_input', '.key', 'name of an event'],
    [did({ event_type: 'elements' }), 'invalid_input', '.event_type', 'events, actions'],
    [did({ key: 9, event_type: 'actions' }), 'invalid_input', '.key', 'no action 9'],
    [did({ key: 8, event_type: 'actions' }), 'invalid_input', '.key', 'must not filter by cohorts'],
    [did({ event_filters: [plan] }), 'invalid_input', '.event_filters.0.type', 'event, event_metadata'],
    [did({ negation: 1 }), 'invalid_input', '.negation', 'true or false'],
    [
      did({ time_interval: undefined }),
      'required',
      '.time_interval',
      'or filters.properties.values.0.explicit_datetime',
    ],
    [did({ time_interval: null }), 'required', '.time_interval', 'one of minute, hour'],
    [did({ time_interval: 'fortnight' }), 'invalid_input', '.time_interval', 'one of minute'],
    [did({ time_value: undefined }), 'required', '.time_value', 'is required'],
    [did({ time_value: null }), 'required', '.time_value', 'is required'],
    [did({ time_value: '' }), 'required', '.time_value', 'is required'],
    [did({ time_value: 0 }), 'invalid_input', '.time_value', 'from 1 to 100000'],
    [did({ explicit_datetime: 'then' }), 'invalid_input', '.explicit_datetime', 'ISO date'],
    [did({ explicit_datetime: 5 }), 'invalid_input', '.explicit_datetime', 'ISO date'],
    [did({ explicit_datetime_to: '2024-01-01' }), 'required', '.explicit_datetime', 'is required'],
    [multiple({ operator: 'ne' }), 'invalid_input', '.operator', 'eq, exact, gt'],
    [multiple({ operator_value: undefined }), 'required', '.operator_value', 'is required'],
    [multiple({ operator_value: 1_000_000_001 }), 'invalid_input', '.operator_value', '1000000000'],
    [multiple({ operator: 'lt', operator_value: 1 }), 'invalid_input', '.operator_value', 'at least 2'],
    [sequence({ seq_event: null }), 'required', '.seq_event', 'is required'],
    [sequence({ seq_event_type: 'x' }), 'invalid_input', '.seq_event_type', 'events, actions'],
    [sequence({ seq_event_filters: 3 }), 'invalid_input', '.seq_event_filters', 'list of filters'],
    [sequence({ seq_time_value: null }), 'required', '.seq_time_value', 'is required'],
    [regularly({ min_periods: null }), 'required', '.min_periods', 'is required'],
    [regularly({ total_periods: null }), 'required', '.total_periods', 'is required'],
    [regularly({ total_periods: 1001 }), 'invalid_input', '.total_periods', 'from 1 to 1000'],
    [regularly({ min_periods: 3 }), 'invalid_input', '.min_periods', 'must not be larger'],
  ])('%j is refused: %s %s', (criterion, code, path, words) => {
    expect(refusalOf(criterion)).toEqual([code, `${at}${path}`, expect.stringContaining(words)]);
  });

  it('about a unit of time that it lacks names the date in its place only where it may have one', () => {
    expect(refusalOf(sequence({ seq_time_interval: null }))).toEqual([
      'required',
      `${at}.seq_time_interval`,
      `${at}.seq_time_interval is required: one of minute, hour, day, week, month, year, with ${at}.seq_time_value`,
    ]);
  });

  it.each([
    ['minute', 100_000_000],
    ['hour', 2_000_000],
    ['day', 100_000],
    ['week', 20_000],
    ['month', 4_000],
    ['year', 300],
  ])('by the %s reaches back %d of them at most, all its periods together', (time_interval, most) => {
    expect(readOne(did({ time_interval, time_value: most }))).toBeDefined();
    expect(refusalOf(did({ time_interval, time_value: most + 1 }))[1]).toBe(`${at}.time_value`);
    const half = { time_interval, time_value: most / 2 };
    expect(readOne(regularly(half))).toBeDefined();
    expect(refusalOf(regularly({ ...half, total_periods: 3 })).slice(1)).toEqual([
      `${at}.total_periods`,
      `${at}.total_periods reaches back too far`,
    ]);
  });

  it.each([
    [60, 'minute', 1, 'hour'],
    [24, 'hour', 1, 'day'],
    [7, 'day', 1, 'week'],
    [30, 'day', 1, 'month'],
    [365, 'day', 1, 'year'],
  ])('is about a recent time of less than %d %ss where the whole is %d %s', (count, unit, whole, time_interval) => {
    const recent = (seq_time_value: number) =>
      stopped({ time_value: whole, time_interval, seq_time_value, seq_time_interval: unit });
    expect(readOne(recent(count - 1))).toBeDefined();
    expect(refusalOf(recent(count))).toEqual([
      'invalid_input',
      `${at}.seq_time_value`,
      `${at}.seq_time_value must make a shorter time than time_value does`,
    ]);
  });
});
