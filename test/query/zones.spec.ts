import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { comparable, Questions } from './asking.js';
import { column, one, question, type Question } from './questions/question.js';
import { captured } from './questions/scene.js';

/** The night of 31 March has no hour from two to three in Berlin, that of 27 October has it twice. */
const moments = [
  '2024-03-30T22:59:00Z',
  '2024-03-30T23:00:00Z',
  '2024-03-31T00:30:00Z',
  '2024-03-31T01:30:00Z',
  '2024-03-31T21:59:00Z',
  '2024-03-31T22:00:00Z',
  '2024-10-27T00:30:00Z',
  '2024-10-27T01:30:00Z',
  '2024-10-27T23:00:00Z',
];
const seconds = (moment: string): number => Date.parse(moment) / 1000;

const inBerlin: readonly Question[] = [
  question(`select toDate(timestamp) d, count() from events group by d order by d`, [
    ['2024-03-30', 1],
    ['2024-03-31', 4],
    ['2024-04-01', 1],
    ['2024-10-27', 2],
    ['2024-10-28', 1],
  ]),
  question(
    `select formatDateTime(timestamp, '%H:%i') from events order by timestamp limit 6`,
    column('23:59', '00:00', '01:30', '03:30', '23:59', '00:00'),
  ),
  question(`select toHour(timestamp) from events order by timestamp`, column(23, 0, 1, 3, 23, 0, 2, 2, 0)),
  question(`select toString(toStartOfDay(timestamp)) d, count() from events group by d order by d limit 2`, [
    ['2024-03-30 00:00:00', 1],
    ['2024-03-31 00:00:00', 4],
  ]),
  question(
    `select toUnixTimestamp(toStartOfDay(timestamp)) from events order by timestamp limit 3`,
    column(seconds('2024-03-29T23:00:00Z'), seconds('2024-03-30T23:00:00Z'), seconds('2024-03-30T23:00:00Z')),
  ),
  question(
    `select toUnixTimestamp(toStartOfDay(timestamp)) from events order by timestamp desc limit 2`,
    column(seconds('2024-10-27T23:00:00Z'), seconds('2024-10-26T22:00:00Z')),
  ),
  question(
    `select count(distinct toStartOfHour(timestamp)) from events where toDate(timestamp) = '2024-10-27'`,
    one(2),
  ),
  question(`select toString(toDate(toStartOfWeek(timestamp))) w, count() from events group by w order by w`, [
    ['2024-03-24', 1],
    ['2024-03-31', 5],
    ['2024-10-27', 3],
  ]),
  question(`select toString(toDate(dateTrunc('month', timestamp))) m, count() from events group by m order by m`, [
    ['2024-03-01', 5],
    ['2024-04-01', 1],
    ['2024-10-01', 3],
  ]),
  question(
    `select toString(toDate(dateTrunc('day', timestamp))) d, count() from events group by d order by d limit 2`,
    [
      ['2024-03-30', 1],
      ['2024-03-31', 4],
    ],
  ),
  question(`select toString(now())`, one('2024-03-31 14:00:00')),
  question(
    `select toString(now() - interval 1 day), toString(now() - interval 24 hour)`,
    one('2024-03-30 14:00:00', '2024-03-30 13:00:00'),
  ),
  question(`select count() from events where timestamp >= '2024-03-31'`, one(8)),
  question(
    `select count() from events where timestamp >= '2024-03-31 00:00:00' and timestamp < '2024-04-01 00:00:00'`,
    one(4),
  ),
  question(
    `select count() from events where timestamp >= toDate('2024-03-31') and timestamp < toDate('2024-04-01')`,
    one(4),
  ),
  question(`select count() from events where timestamp >= toDateTime('2024-03-31 00:00:00')`, one(8)),
  question(`select count() from events where timestamp >= toStartOfDay(now())`, one(8)),
  question(`select count() from events where timestamp >= {since}`, one(8), { since: '2024-03-31' }),
  question(`select dateDiff('hour', toDateTime('2024-03-30 12:00:00'), toDateTime('2024-03-31 12:00:00'))`, one(23)),
  question(`select dateDiff('day', toDateTime('2024-03-30 12:00:00'), toDateTime('2024-03-31 12:00:00'))`, one(1)),
  question(`select toUnixTimestamp(toDateTime('2024-03-31 03:30:00'))`, one(seconds('2024-03-31T01:30:00Z'))),
  question(
    `select toString(toTimeZone(timestamp, 'UTC')) from events order by timestamp limit 1`,
    one('2024-03-30 22:59:00.000'),
  ),
  question(`select toUnixTimestamp(min(timestamp)) from events`, one(seconds('2024-03-30T22:59:00Z'))),
  question(`select toString(toDate(created_at)), toHour(created_at) from persons`, one('2024-03-30', 23)),
  question(`select toDayOfWeek(timestamp) d, count() from events group by d order by d`, [
    [1, 2],
    [6, 1],
    [7, 6],
  ]),
];

let service: ServiceHandle;
let questions: Questions;

beforeAll(async () => {
  service = await sharedService();
  const { id } = service.project;
  const settings = await service.call('PATCH', `/api/projects/${id}`, { body: { timezone: 'Europe/Berlin' } });
  expect(settings.status).toBe(200);
  questions = new Questions(service, id, '2024-03-31T12:00:00.000Z');
  await captured(
    service,
    service.project,
    moments.map((timestamp) => ({ distinct_id: 'ada', event: 'seen', timestamp })),
  );
});

afterAll(() => service.stop());

describe('a project in Berlin', () => {
  it.each(inBerlin.map((question) => [question.sql, question] as const))('%s', async (_, { sql, rows, values }) => {
    expect(comparable(sql, await questions.rows(sql, values ? { values } : {}))).toEqual(comparable(sql, rows));
  });
});
