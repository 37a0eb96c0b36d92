import { column, one, question, type Question } from './question.js';

export const windows: readonly Question[] = [
  question(
    `select distinct_id, row_number() over (partition by distinct_id order by timestamp) as n from events where event = 'purchased' order by distinct_id, n`,
    [
      ['ada', 1],
      ['ada', 2],
      ['bob', 1],
      ['cyd', 1],
    ],
  ),
  question(
    `select toInt(properties.quantity) q, sum(q) over (order by timestamp rows between unbounded preceding and current row) from events where event = 'purchased' order by timestamp`,
    [
      [2, 2],
      [1, 3],
      [4, 7],
      [1, 8],
    ],
  ),
  question(
    `select distinct_id, count() over (partition by distinct_id) as n from events where event = 'purchased' order by distinct_id, n`,
    [
      ['ada', 2],
      ['ada', 2],
      ['bob', 1],
      ['cyd', 1],
    ],
  ),
  question(`select count() over () from events where event = 'signed up'`, column(3, 3, 3)),
  question(
    `select event, lagInFrame(event) over (partition by distinct_id order by timestamp rows between unbounded preceding and unbounded following) as before from events where distinct_id = 'bob' order by timestamp`,
    [
      ['signed up', ''],
      ['$pageview', 'signed up'],
      ['$pageview', '$pageview'],
      ['purchased', '$pageview'],
    ],
  ),
  question(
    `select event, leadInFrame(event) over (order by timestamp rows between unbounded preceding and unbounded following) from events where distinct_id = 'cyd' order by timestamp`,
    [
      ['$pageview', 'purchased'],
      ['purchased', ''],
    ],
  ),
  question(
    `select distinct_id, rank() over (order by n desc), dense_rank() over (order by n desc) from (select distinct_id, count() n from events group by distinct_id) order by n desc, distinct_id`,
    [
      ['ada', 1, 1],
      ['bob', 2, 2],
      ['cyd', 3, 3],
      ['dan', 3, 3],
      ['ghost', 5, 4],
    ],
  ),
  question(
    `select first_value(event) over (partition by distinct_id order by timestamp), event from events where distinct_id = 'dan' order by timestamp`,
    [
      ['signed up', 'signed up'],
      ['signed up', '$pageview'],
    ],
  ),
  question(
    `select distinct_id, max(toFloat(properties.price)) over w, min(toFloat(properties.price)) over w from events where event = 'purchased' window w as (partition by distinct_id) order by timestamp`,
    [
      ['ada', 10.5, 1.25],
      ['bob', 5, 5],
      ['cyd', 20, 20],
      ['ada', 10.5, 1.25],
    ],
  ),
  question(
    `select avg(toInt(properties.quantity)) over (order by timestamp rows between 1 preceding and current row) from events where event = 'purchased' order by timestamp`,
    column(2, 1.5, 2.5, 2.5),
  ),
  question(
    `select day, n, sum(n) over (order by day) from (select toDate(timestamp) as day, count() as n from events group by day) order by day limit 3`,
    [
      ['2024-03-01', 5, 5],
      ['2024-03-02', 3, 8],
      ['2024-03-03', 2, 10],
    ],
  ),
  question(
    `select count() from (select distinct_id, row_number() over (partition by distinct_id order by timestamp) n from events) where n = 1`,
    one(5),
  ),
];
