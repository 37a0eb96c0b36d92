import { column, one, question, type Question } from './question.js';

/** Dates in a project in UTC; the present is 15 March 2024, 12:00. */
export const times: readonly Question[] = [
  question(`select toString(today()), toString(yesterday())`, one('2024-03-15', '2024-03-14')),
  question(
    `select toString(now64()) like '2024-03-15 12:00:00%', toString(toDate(UTCTimestamp()))`,
    one(1, '2024-03-15'),
  ),
  question(`select toString(toDate(localtime())), toString(current_date())`, one('2024-03-15', '2024-03-15')),
  question(`select toString(now())`, one('2024-03-15 12:00:00')),
  question(`select now() = now()`, one(1)),
  question(`select count() from events where timestamp >= now() - interval 7 day`, one(4)),
  question(`select count() from events where timestamp >= now() - INTERVAL 1 WEEK`, one(4)),
  question(`select count() from events where timestamp >= now() - toIntervalDay(7)`, one(4)),
  question(`select count() from events where timestamp > now() - INTERVAL 36 HOUR`, one(1)),
  question(`select count() from events where timestamp > now() - interval 1 month`, one(16)),
  question(`select count() from events where timestamp >= '2024-03-09'`, one(4)),
  question(
    `select count() from events where timestamp >= toDate('2024-03-09') and timestamp < toDate('2024-03-10')`,
    one(1),
  ),
  question(`select count() from events where timestamp >= toDateTime('2024-03-10 00:00:00')`, one(3)),
  question(`select count() from events where toDate(timestamp) = '2024-03-01'`, one(5)),
  question(`select count() from events where timestamp between '2024-03-02' and '2024-03-03'`, one(3)),
  question(`select count() from events where toStartOfMonth(timestamp) = '2024-03-01'`, one(16)),
  question(`select toDate(timestamp) as day, count() from events group by day order by day`, [
    ['2024-03-01', 5],
    ['2024-03-02', 3],
    ['2024-03-03', 2],
    ['2024-03-08', 2],
    ['2024-03-09', 1],
    ['2024-03-10', 2],
    ['2024-03-15', 1],
  ]),
  question(
    `select toString(dateTrunc('day', timestamp)) as d, count() from events where event = 'purchased' group by d order by d`,
    [
      ['2024-03-01 00:00:00', 1],
      ['2024-03-03 00:00:00', 1],
      ['2024-03-08 00:00:00', 2],
    ],
  ),
  question(
    `select toString(toDate(date_trunc('month', timestamp))) m, count() from events group by m`,
    one('2024-03-01', 16),
  ),
  question(
    `select toString(dateTrunc('hour', timestamp)) from events where distinct_id = 'ada' order by timestamp limit 2`,
    column('2024-03-01 08:00:00', '2024-03-01 09:00:00'),
  ),
  question(`select toString(toDate(toStartOfWeek(timestamp))) w, count() from events group by w order by w`, [
    ['2024-02-25', 8],
    ['2024-03-03', 5],
    ['2024-03-10', 3],
  ]),
  question(`select toString(toDate(toMonday(timestamp))) w, count() from events group by w order by w`, [
    ['2024-02-26', 10],
    ['2024-03-04', 5],
    ['2024-03-11', 1],
  ]),
  question(`select toDayOfWeek(timestamp) d, count() from events group by d order by d`, [
    [5, 8],
    [6, 4],
    [7, 4],
  ]),
  question(`select toHour(timestamp) h, count() from events where event = 'purchased' group by h order by h`, [
    [8, 1],
    [9, 1],
    [10, 2],
  ]),
  question(
    `select toYear(timestamp), toMonth(timestamp), toDayOfMonth(timestamp), toMinute(timestamp), toSecond(timestamp) from events where distinct_id = 'dan' order by timestamp limit 1`,
    one(2024, 3, 9, 59, 59),
  ),
  question(
    `select toString(toStartOfHour(timestamp)), toString(toStartOfMinute(timestamp)) from events where uuid = '00000000-0000-4000-8000-000000000013'`,
    one('2024-03-09 23:00:00', '2024-03-09 23:59:00'),
  ),
  question(
    `select toString(toStartOfInterval(timestamp, interval 15 minute)) from events where uuid = '00000000-0000-4000-8000-000000000008'`,
    one('2024-03-02 12:45:00'),
  ),
  question(`select dateDiff('day', toDateTime('2024-03-01 23:00:00'), toDateTime('2024-03-02 01:00:00'))`, one(1)),
  question(
    `select dateDiff('minute', min(timestamp), max(timestamp)) from events where distinct_id = 'bob' and event != 'purchased'`,
    one(50),
  ),
  question(
    `select toString(dateAdd(day, 1, toDate('2024-02-28'))), toString(dateAdd(toDate('2024-02-29'), interval 1 year))`,
    one('2024-02-29', '2025-02-28'),
  ),
  question(
    `select toString(toDate('2024-01-31') + interval 1 month), toString(addDays(toDate('2024-03-01'), -1))`,
    one('2024-02-29', '2024-02-29'),
  ),
  question(`select toString(subtractHours(toDateTime('2024-03-01 01:00:00'), 2))`, one('2024-02-29 23:00:00')),
  question(
    `select formatDateTime(timestamp, '%Y/%m/%d %H:%i') from events where distinct_id = 'ghost'`,
    one('2024/03/10 11:00'),
  ),
  question(`select toUnixTimestamp(timestamp) from events where distinct_id = 'ghost'`, one(1710068400)),
  question(
    `select toUnixTimestamp64Milli(timestamp) from events where uuid = '00000000-0000-4000-8000-000000000013'`,
    one(1710028799999),
  ),
  question(`select toString(toDateTime('2024-03-01T10:00:00Z'))`, one('2024-03-01 10:00:00')),
  question(
    `select toString(toTimeZone(toDateTime('2024-07-01 12:00:00'), 'America/New_York'))`,
    one('2024-07-01 08:00:00'),
  ),
  question(`select toString(fromUnixTimestamp(0))`, one('1970-01-01 00:00:00')),
  question(`select toYYYYMM(timestamp) m, count() from events group by m`, one(202403, 16)),
  question(`select max(timestamp) > min(timestamp) from events`, one(1)),
  question(
    `select toString(min(toDate(timestamp))), toString(max(toDate(timestamp))) from events`,
    one('2024-03-01', '2024-03-15'),
  ),
  question(`select toDate('2024-03-01') = '2024-03-01', toDate('2024-03-01') < toDate('2024-03-02')`, one(1, 1)),
  question(`select age('day', toDateTime('2024-03-01 23:00:00'), toDateTime('2024-03-02 01:00:00'))`, one(0)),
  question(
    `select toString(toStartOfYear(timestamp)) y, toString(toStartOfQuarter(timestamp)) from events limit 1 by y`,
    one('2024-01-01', '2024-01-01'),
  ),
  question(
    `select arrayMap(n -> toString(toDate('2024-03-01') + toIntervalDay(n)), range(3))`,
    one(['2024-03-01', '2024-03-02', '2024-03-03']),
  ),
];
