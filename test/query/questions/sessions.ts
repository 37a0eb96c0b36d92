import { one, question, type Question } from './question.js';

/** A session ends after a pause of more than 30 minutes. */
export const sessions: readonly Question[] = [
  question(`select count() from sessions`, one(10)),
  question(`select count(distinct person_id), sum(events) from sessions`, one(5, 16)),
  question(
    `select p.name, count(), sum(s.events), max(s.events) from sessions s join persons p on p.id = s.person_id group by p.name order by p.name`,
    [
      ['ada@example.test', 4, 7, 4],
      ['bob@example.test', 2, 4, 3],
      ['cyd@example.test', 2, 2, 1],
      ['dan', 1, 2, 2],
    ],
  ),
  question(
    `select toString(toStartOfMinute(start)), toString(toStartOfMinute(end)), events, entry_page, exit_page from sessions where events > 1 order by start`,
    [
      ['2024-03-01 08:58:00', '2024-03-01 09:10:00', 4, '/home', '/pricing'],
      ['2024-03-02 12:00:00', '2024-03-02 12:50:00', 3, '/home', '/docs'],
      ['2024-03-09 23:59:00', '2024-03-10 00:00:00', 2, '/pricing', '/pricing'],
    ],
  ),
  question(`select dateDiff('minute', start, end) from sessions order by 1 desc limit 3`, [[50], [12], [1]]),
  question(`select avg(events) from sessions`, one(1.6)),
  question(`select count() from sessions where start >= now() - interval 7 day`, one(3)),
];
