import { isStorable, readDate } from '../../../../src/platform/time/dates.js';
import { intervals } from '../../../../src/platform/time/intervals.js';
import { bucketsOf, readRange } from '../../../../src/platform/time/range.js';
import { parseTimestamp } from '../../../../src/kernel/event-log/normalise/timestamp.js';
import {
  absoluteDate,
  isRelativeDate,
  relativeDate,
  relativePeriod,
} from '../../../../src/filters/reading/date-operand.js';
import { acceptedBy, demand, assertEqual, type ParserTarget } from '../target.js';

const now = new Date('2026-03-29T12:00:00Z');
const calendars = [
  { timezone: 'UTC', weekStartDay: 1 },
  { timezone: 'America/Sao_Paulo', weekStartDay: 0 },
  { timezone: 'Australia/Lord_Howe', weekStartDay: 0 },
  { timezone: 'Europe/Berlin', weekStartDay: 1 },
];
const mostPoints = 400;

/** Dates of events, of filters and of ranges; a line break separates the two ends of a range. */
const target: ParserTarget = {
  maxBytes: 80,
  words: [
    ...[
      '2024-03-31',
      'T10:00:00',
      '.123456',
      'Z',
      '+02:00',
      '-0330',
      '-7d',
      '24h',
      'Start',
      'End',
      '-1mStart',
      '-1q',
      'now',
    ],
    ...[
      'all',
      '9999',
      '1899-12-31',
      '2299-12-31',
      '2024-W10-1',
      '2024-060',
      '24:00',
      '1711275630',
      '1711275630400.5',
      '\n',
    ],
  ],
  run: (input) => {
    const text = input.toString('utf8');
    const [date_from = '', date_to] = text.split('\n', 2);
    const time = parseTimestamp(date_from);
    if (time) assertEqual(parseTimestamp(time.toISOString()), time, 'a time comes back as it was');
    const span = absoluteDate(date_from);
    if (span) demand(span.from <= span.until, 'a date ends after it begins');
    for (const read of [relativeDate, relativePeriod]) {
      const relative = read(date_from, now);
      demand((relative !== null) === isRelativeDate(date_from), 'a relative date is one');
      if (relative) demand(relative.from <= relative.until, 'a period ends after it begins');
    }
    for (const calendar of calendars) {
      const date = readDate(date_from, now, calendar);
      if (date) demand(date.at.isValid, 'a date is a date');
      for (const interval of intervals) assertRange({ date_from, date_to }, interval, calendar);
    }
  },
};

const assertRange = (
  range: { readonly date_from: string; readonly date_to: string | undefined },
  interval: (typeof intervals)[number],
  calendar: (typeof calendars)[number],
): void => {
  const read = acceptedBy(() => readRange(range, interval, now, calendar));
  if (!read?.from) return;
  const { from, to } = read;
  demand(from <= to && isStorable(from.getTime()) && isStorable(to.getTime()), 'a range can be stored');
  // The walk along thousands of points has tests of its own.
  const shortest = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000, month: 28 * 86_400_000 };
  if (to.getTime() - from.getTime() > mostPoints * shortest[interval]) return;
  const { starts, end, labels } = bucketsOf({ from, to }, interval, calendar);
  const first = starts[0];
  demand(first !== undefined && first <= from && end > to, 'the points cover the range');
  demand(
    starts.every((start, at) => start < (starts[at + 1] ?? end)),
    'each point begins after the one before',
  );
  assertEqual(labels.length, starts.length, 'each point has a label');
};

export default target;
