import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalise } from './normalise.js';
import { eventTime, parseTimestamp, type EventTimeInput } from './timestamp.js';

const now = new Date('2024-03-01T12:00:00.000Z');

const timeOf = (input: Partial<EventTimeInput>) => {
  const { timestamp, warnings } = eventTime({
    timestamp: undefined,
    offset: undefined,
    ignoreSentAt: false,
    sentAt: null,
    now,
    ...input,
  });
  return [timestamp.toISOString(), ...warnings.map((warning) => warning.type)];
};

describe('a timestamp is read', () => {
  it('in the form of toISOString exactly where it names a moment', () => {
    const upTo = (max: number, digits: number) => fc.nat(max).map((n) => String(n).padStart(digits, '0'));
    const text = fc
      .tuple(upTo(2320, 4), upTo(13, 2), upTo(32, 2), upTo(25, 2), upTo(61, 2), upTo(61, 2), upTo(999, 3))
      .map(
        ([year, month, day, hour, minute, second, ms]) => `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`,
      );
    const isMoment = (text: string) => {
      const date = new Date(text);
      return !Number.isNaN(date.getTime()) && date.toISOString() === text && text >= '1900' && text < '2300';
    };
    fc.assert(
      fc.property(text, (sent) => {
        expect(parseTimestamp(sent)?.toISOString() ?? null).toBe(isMoment(sent) ? sent : null);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['2024-03-01T10:00:00.123Z', '2024-03-01T10:00:00.123Z'],
    ['2024-03-01T10:00:00.123456789Z', '2024-03-01T10:00:00.123Z'],
    ['2024-03-01T10:00:00.1Z', '2024-03-01T10:00:00.100Z'],
    ['2024-03-01T10:00:00,5Z', '2024-03-01T10:00:00.500Z'],
    ['2024-03-01T10:00:00+02:00', '2024-03-01T08:00:00.000Z'],
    ['2024-03-01T10:00:00-0530', '2024-03-01T15:30:00.000Z'],
    ['2024-03-01T10:00:00+02', '2024-03-01T08:00:00.000Z'],
    ['2024-03-01T10:00:00', '2024-03-01T10:00:00.000Z'],
    ['2024-03-01 10:00:00', '2024-03-01T10:00:00.000Z'],
    ['2024-03-01T10:00z', '2024-03-01T10:00:00.000Z'],
    ['2024-03-01', '2024-03-01T00:00:00.000Z'],
    [' 2024-02-29T23:59:59Z ', '2024-02-29T23:59:59.000Z'],
    ['1709287200123', '2024-03-01T10:00:00.123Z'],
    ['1709287200.5', '2024-03-01T10:00:00.500Z'],
    [1709287200123, '2024-03-01T10:00:00.123Z'],
    [1709287200.5, '2024-03-01T10:00:00.500Z'],
  ])('%p', (text, expected) => {
    expect(parseTimestamp(text)?.toISOString()).toBe(expected);
  });
  it.each([
    ...['soon', '', '2024', '20240301', '2024-13-01', '2023-02-29', '2024-03-01T24:00:00', '2024-03-01T10:60:00'],
    ...[
      '2024-03-01T10:00:00+24:00',
      '0050-01-01',
      '1899-12-31T23:59:59.999Z',
      '2300-01-01',
      '+012024-01-01',
      '9999-12-31',
    ],
    ...[Infinity, 1e300, -1e300, null, undefined, true, {}],
  ])('not from %p', (value) => {
    expect(parseTimestamp(value)).toBeNull();
  });
});

describe('the clock of the sender is corrected', () => {
  const timestamp = '2024-03-01T09:00:00Z';
  const sentAt = new Date('2024-03-01T09:30:00Z');
  it('by the distance between sent_at and now', () => {
    expect(timeOf({ timestamp, sentAt })).toEqual(['2024-03-01T11:30:00.000Z']);
  });
  it('not without sent_at', () => {
    expect(timeOf({ timestamp })).toEqual(['2024-03-01T09:00:00.000Z']);
  });
  it('not when $ignore_sent_at says so', () => {
    expect(timeOf({ timestamp, sentAt, ignoreSentAt: true })).toEqual(['2024-03-01T09:00:00.000Z']);
    const raw = { event: 'e', distinct_id: 'd', timestamp, properties: { $ignore_sent_at: true } };
    const outcome = normalise(raw, { now, sentAt, index: 0, engage: false });
    expect(outcome).toMatchObject({ event: { timestamp: new Date(timestamp) } });
  });
  it("by the event's own sent_at when the request has none", () => {
    const raw = { event: 'e', distinct_id: 'd', timestamp, sent_at: sentAt.toISOString() };
    const outcome = normalise(raw, { now, sentAt: null, index: 0, engage: false });
    expect(outcome).toMatchObject({ event: { timestamp: new Date('2024-03-01T11:30:00.000Z') } });
  });
  it('an offset wins over timestamp, sent_at and $ignore_sent_at', () => {
    const expected = ['2024-03-01T11:59:57.000Z'];
    expect(timeOf({ offset: 3000 })).toEqual(expected);
    expect(timeOf({ offset: 3000, timestamp, sentAt, ignoreSentAt: true })).toEqual(expected);
    expect(timeOf({ offset: 0, timestamp })).toEqual(['2024-03-01T12:00:00.000Z']);
  });
  it('an offset that is no number leaves the word to the timestamp', () => {
    expect(timeOf({ offset: 'x', timestamp })).toEqual(['2024-03-01T09:00:00.000Z']);
  });
});

describe('a time that cannot be believed becomes now, with a warning', () => {
  const nowText = now.toISOString();
  it('none is no reason for a warning', () => {
    expect(timeOf({})).toEqual([nowText]);
    expect(timeOf({ timestamp: null, offset: null })).toEqual([nowText]);
    expect(timeOf({ timestamp: '' })).toEqual([nowText]);
  });
  it.each(['soon', '2024-02-30', '9999-12-31', '0001-01-01T00:00:00Z', '1899-12-31'])('%p', (timestamp) => {
    expect(timeOf({ timestamp })).toEqual([nowText, 'ignored_invalid_timestamp']);
  });
  it('23 hours in the future are believed, a millisecond more is not', () => {
    expect(timeOf({ timestamp: '2024-03-02T11:00:00.000Z' })).toEqual(['2024-03-02T11:00:00.000Z']);
    expect(timeOf({ timestamp: '2024-03-02T11:00:00.001Z' })).toEqual([nowText, 'event_timestamp_in_future']);
    expect(timeOf({ offset: -24 * 3_600_000 })).toEqual([nowText, 'event_timestamp_in_future']);
  });
  it('nor what correction moves out of the years the stores hold', () => {
    const sentAt = new Date('2299-01-01T00:00:00Z');
    expect(timeOf({ timestamp: '1950-01-01', sentAt })).toEqual([nowText, 'ignored_invalid_timestamp']);
    expect(timeOf({ offset: 1e15 })).toEqual([nowText, 'ignored_invalid_timestamp']);
    expect(timeOf({ offset: Infinity })).toEqual([nowText, 'ignored_invalid_timestamp']);
    expect(timeOf({ offset: 'x' })).toEqual([nowText, 'ignored_invalid_timestamp']);
  });
  it('a timestamp of another type is refused', () => {
    for (const timestamp of [true, {}, []]) {
      const outcome = normalise(
        { event: 'e', distinct_id: 'd', timestamp },
        { now, sentAt: null, index: 0, engage: false },
      );
      expect(outcome).toMatchObject({ ok: false, rejection: { code: 'invalid_input' } });
    }
  });
});
