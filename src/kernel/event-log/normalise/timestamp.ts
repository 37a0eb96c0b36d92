import { isStorable } from '../../../platform/time/dates.js';

import { type EventWarning, type EventWarnings, noWarnings } from './checked.js';

const hourMs = 3_600_000;
const maxFutureMs = 23 * hourMs;

const isoShape =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)? ?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?$/i;

/** Epoch seconds with ten digits or milliseconds with thirteen; shorter text is more likely a date. */
const epochShape = /^(?:\d{10}(?:\.\d+)?|\d{13}(?:\.\d+)?)$/;

/**
 * Parses ISO 8601 or SQL text (UTC when it names no zone), or an epoch in seconds or milliseconds. Returns null for
 * anything else and for times outside the years 1900 to 2299.
 */
export const parseTimestamp = (value: unknown): Date | null => {
  const time = parse(value);
  return isStorable(time) ? new Date(time) : null;
};

const parse = (value: unknown): number => {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string') return NaN;
  const text = value.trim();
  return epochShape.test(text) ? fromEpoch(Number(text)) : fromIso(text);
};

/** 1e11 is the year 5138 in seconds and 1973 in milliseconds: no captured event is in the overlap. */
const fromEpoch = (epoch: number): number => Math.trunc(Math.abs(epoch) < 1e11 ? epoch * 1000 : epoch);

const fromIso = (text: string): number => {
  const canonical = fromCanonical(text);
  if (canonical !== null) return canonical;
  const match = isoShape.exec(text);
  if (!match) return NaN;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((n) => Number(n ?? 0));
  if (year < 1000 || hour > 23 || minute > 59 || second > 59) return NaN;
  const date = dayOf(year, month, day);
  const millisecond = Number((match[7] ?? '0').padEnd(3, '0').slice(0, 3));
  return (
    date + hour * hourMs + minute * 60_000 + second * 1000 + millisecond - zoneOffset(match[8], match[9], match[10])
  );
};

/** Midnight of the day; NaN when the calendar has no such day. */
const dayOf = (year: number, month: number, day: number): number => {
  const date = Date.UTC(year, month - 1, day);
  const isReal = month >= 1 && month <= 12 && day >= 1 && (day <= 28 || new Date(date).getUTCDate() === day);
  return isReal ? date : NaN;
};

const canonicalShape = /^[1-9]\d{3}-\d\d-\d\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$/;

/**
 * Reads the output of `toISOString`, which most SDKs send, digit by digit in a tenth of the time. Returns null for any
 * other form.
 */
const fromCanonical = (text: string): number | null => {
  if (text.length !== 24 || !canonicalShape.test(text)) return null;
  const hour = twoDigits(text, 11);
  if (hour > 23) return NaN;
  const date = dayOf(twoDigits(text, 0) * 100 + twoDigits(text, 2), twoDigits(text, 5), twoDigits(text, 8));
  const millisecond = digit(text, 20) * 100 + twoDigits(text, 21);
  return date + hour * hourMs + twoDigits(text, 14) * 60_000 + twoDigits(text, 17) * 1000 + millisecond;
};

const digit = (text: string, at: number): number => text.charCodeAt(at) - 48;
const twoDigits = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1);

const zoneOffset = (sign: string | undefined, hours = '0', minutes = '0'): number => {
  if (sign === undefined) return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return NaN;
  return (sign === '-' ? -1 : 1) * (Number(hours) * hourMs + Number(minutes) * 60_000);
};

export interface EventTimeInput {
  timestamp: unknown;
  /** Milliseconds between the event and its sending; anything but a number is ignored. */
  offset: unknown;
  ignoreSentAt: boolean;
  sentAt: Date | null;
  now: Date;
}

/**
 * Returns when the event happened, by our clock. An offset wins; otherwise the sender's clock error (now − sent_at) is
 * added to the timestamp. A time that cannot be read, stored or believed (more than 23 hours ahead) becomes now, with a
 * warning.
 */
export const eventTime = (input: EventTimeInput): { timestamp: Date; warnings: EventWarnings } => {
  const { now } = input;
  const time = correctedTime(input);
  if (!isStorable(time)) {
    const source = isAbsent(input.timestamp) || typeof input.offset === 'number' ? 'offset' : 'timestamp';
    return instead(
      now,
      'ignored_invalid_timestamp',
      `${source} is not a time in the years 1900 to 2299, such as 2026-01-31T10:00:00Z; the current time is used`,
    );
  }
  if (time - now.getTime() > maxFutureMs) {
    return instead(
      now,
      'event_timestamp_in_future',
      'the event lies more than 23 hours in the future; the current time is used',
    );
  }
  return { timestamp: new Date(time), warnings: noWarnings };
};

const correctedTime = ({ timestamp, offset, ignoreSentAt, sentAt, now }: EventTimeInput): number => {
  if (typeof offset === 'number') return Math.trunc(now.getTime() - offset);
  if (isAbsent(timestamp)) return isAbsent(offset) ? now.getTime() : NaN;
  const parsed = parse(timestamp);
  if (!isStorable(parsed)) return NaN;
  const clockError = sentAt && !ignoreSentAt ? now.getTime() - sentAt.getTime() : 0;
  return parsed + clockError;
};

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

const instead = (now: Date, type: EventWarning['type'], detail: string) => ({
  timestamp: new Date(now),
  warnings: [{ type, detail }],
});
