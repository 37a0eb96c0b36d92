import { column, one, question, type Question } from './question.js';

/** CTEs, joins, unions, sub-queries, LIMIT BY. */
export const shapes: readonly Question[] = [
  question(
    `with buyers as (select distinct distinct_id from events where event = 'purchased') select count() from buyers`,
    one(3),
  ),
  question(
    `with a as (select 1 as x), b as (select x + 1 as y from a) select x, y from a join b on b.y = a.x + 1`,
    one(1, 2),
  ),
  question(
    `with firsts as (select person_id, min(timestamp) as t from events group by person_id) select toString(toDate(t)) d, count() from firsts group by d order by d`,
    [
      ['2024-03-01', 1],
      ['2024-03-02', 1],
      ['2024-03-03', 1],
      ['2024-03-09', 1],
      ['2024-03-10', 1],
    ],
  ),
  question(`with s as (select uuid from events where event = 'signed up') select count() from s`, one(3)),
  question(
    `select p.properties.plan, count() from events e join persons p on e.person_id = p.id where e.event = 'purchased' group by 1 order by 2 desc`,
    [
      ['pro', 3],
      ['free', 1],
    ],
  ),
  question(`select count() from events e inner join persons p on p.id = e.person_id`, one(15)),
  question(`select count() from events e left join persons p on p.id = e.person_id`, one(16)),
  question(
    `select p.name, e.n from persons p left join (select person_id, count() as n from events where event = 'purchased' group by person_id) e on e.person_id = p.id where e.n > 0 order by p.name`,
    [
      ['ada@example.test', 2],
      ['bob@example.test', 1],
      ['cyd@example.test', 1],
    ],
  ),
  question(
    `select a.distinct_id from events a join events b on a.person_id = b.person_id where a.event = 'signed up' and b.event = 'purchased' and b.timestamp < a.timestamp + interval 1 day order by a.distinct_id`,
    column('ada', 'bob'),
  ),
  question(
    `select d.distinct_id, p.name from person_distinct_ids d join persons p on d.person_id = p.id order by 1 limit 2`,
    [
      ['ada', 'ada@example.test'],
      ['bob', 'bob@example.test'],
    ],
  ),
  question(`select count() from persons where id in (select person_id from events where event = 'purchased')`, one(3)),
  question(
    `select name from persons where id not in (select person_id from events where event = 'purchased')`,
    one('dan'),
  ),
  question(
    `select distinct_id from events where event = 'purchased' and timestamp = (select max(timestamp) from events where event = 'purchased')`,
    one('ada'),
  ),
  question(`select count() / (select count() from events) from events where event = '$pageview'`, one(0.5)),
  question(
    `select event from events where event = 'purchased' union all select event from events where event = 'signed up'`,
    column('purchased', 'purchased', 'purchased', 'purchased', 'signed up', 'signed up', 'signed up'),
  ),
  question(`select 1 as x union all select 2 union all select 1`, column(1, 1, 2)),
  question(`select 1 as x union distinct select 2 union distinct select 1`, column(1, 2)),
  question(`select sum(n) from (select 1 as n union all select 2 as n)`, one(3)),
  question(`select distinct_id, event from events order by distinct_id, timestamp limit 1 by distinct_id`, [
    ['ada', '$identify'],
    ['bob', 'signed up'],
    ['cyd', '$pageview'],
    ['dan', 'signed up'],
    ['ghost', '$pageview'],
  ]),
  question(
    `select * from (select distinct_id, event from events order by distinct_id, timestamp limit 1 by distinct_id) order by 1 limit 2`,
    [
      ['ada', '$identify'],
      ['bob', 'signed up'],
    ],
  ),
  question(
    `select if(not ('a' != 'b'), 0, -toInt(toString(length(event)))) as n from events where event like '%ed' group by if(not ('a' != 'b'), 0, -toInt(toString(length(event)))) order by n limit 1 by n`,
    column(-9),
  ),
  question(
    `select distinct_id, count() n from events group by distinct_id order by n desc, distinct_id limit 2 offset 1`,
    [
      ['bob', 4],
      ['cyd', 2],
    ],
  ),
  question(`select distinct event from events order by event limit 2`, column('$identify', '$pageview')),
  question(
    `select n from (select distinct_id, count() as n from events group by distinct_id) order by n desc limit 1`,
    one(7),
  ),
  question(`select avg(n) from (select count() as n from events group by person_id)`, one(3.2)),
  question(`select t.event from (select event from events where distinct_id = 'ghost') as t`, one('$pageview')),
  question(`select count() from events as e`, one(16)),
  question(
    `with f as (select distinct_id, min(if(event = 'signed up', timestamp, null)) s, max(if(event = 'purchased', timestamp, null)) p from events group by distinct_id) select count(s), count(p), countIf(p > s) from f`,
    one(3, 3, 2),
  ),
  question(
    `select event, count() from (select event from events where distinct_id = 'ada' union all select event from events where distinct_id = 'bob') group by event order by 2 desc, 1 limit 1`,
    one('$pageview', 5),
  ),
  question(`with x as (select 1 as persons_count) select persons_count from x`, one(1)),
  question(
    `select e.event, s.n from events e join (select event, count() n from events group by event) s on s.event = e.event where e.distinct_id = 'ghost'`,
    one('$pageview', 8),
  ),
  question(`select event as uuid, count() from events group by uuid order by 2 desc limit 1`, one('$pageview', 8)),
  question(`select count() from events where event != 'purchased' and distinct_id = 'ada'`, one(5)),
  question(`SELECT COUNT(*) FROM events WHERE event = 'x'`, one(0)),
];
