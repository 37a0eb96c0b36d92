import { column, one, question, type Question } from './question.js';

const bought = `from events where event = 'purchased'`;
const price = 'toFloat(properties.price)';

export const aggregates: readonly Question[] = [
  question(`select count() from events`, one(16)),
  question(`select count(*) from persons`, one(4)),
  question(`select event, count() from events group by event order by count() desc, event`, [
    ['$pageview', 8],
    ['purchased', 4],
    ['signed up', 3],
    ['$identify', 1],
  ]),
  question(`select event, count() as n from events group by 1 order by 2 desc, 1 limit 2`, [
    ['$pageview', 8],
    ['purchased', 4],
  ]),
  question(`select count(distinct person_id), uniq(person_id), uniqExact(person_id) from events`, one(5, 5, 5)),
  question(`select count(distinct distinct_id) ${bought}`, one(3)),
  question(`select sum(${price}), min(${price}), max(${price}), avg(${price}) ${bought}`, one(36.75, 1.25, 20, 9.1875)),
  question(
    `select quantile(0.5)(${price}), median(${price}), quantileExact(0.5)(${price}) ${bought}`,
    one(7.75, 7.75, 10.5),
  ),
  question(`select quantile(0.9)(${price}) ${bought}`, one(17.15)),
  question(`select quantiles(0, 0.5, 1)(${price}) ${bought}`, one([1.25, 7.75, 20])),
  question(`select countIf(event = 'purchased'), countIf(event = 'signed up') from events`, one(4, 3)),
  question(
    `select sumIf(${price}, distinct_id = 'ada'), avgIf(${price}, distinct_id = 'ada') ${bought}`,
    one(11.75, 5.875),
  ),
  question(
    `select uniqIf(person_id, event = 'purchased') / uniqIf(person_id, event = 'signed up') from events`,
    one(1),
  ),
  question(
    `select argMin(properties.source, timestamp), argMax(properties.source, timestamp) from events where event = 'signed up'`,
    one('ad', 'friend'),
  ),
  question(
    `select groupArray(distinct_id) from (select distinct_id ${bought} order by timestamp)`,
    one(['ada', 'bob', 'cyd', 'ada']),
  ),
  question(`select arraySort(groupUniqArray(distinct_id)) ${bought}`, one(['ada', 'bob', 'cyd'])),
  question(`select distinct_id, count() as n from events group by distinct_id having n > 2 order by n desc`, [
    ['ada', 7],
    ['bob', 4],
  ]),
  question(
    `select distinct_id from events group by distinct_id having countIf(event = 'purchased') = 0 order by distinct_id`,
    column('dan', 'ghost'),
  ),
  question(`select any(distinct_id) from events where distinct_id = 'cyd'`, one('cyd')),
  question(`select count() from events where event = 'nothing of that name'`, one(0)),
  question(
    `select sum(toInt(properties.quantity)) from events where event = 'purchased' group by distinct_id order by 1`,
    column(1, 3, 4),
  ),
  question(
    `select person.properties.plan as plan, sum(${price}) as revenue ${bought} group by plan order by revenue desc`,
    [
      ['pro', 31.75],
      ['free', 5],
    ],
  ),
  question(
    `select round(countIf(properties.$pathname = '/home') / count() * 100, 1) from events where event = '$pageview'`,
    one(62.5),
  ),
  question(`select topK(1)(properties.$pathname) from events where event = '$pageview'`, one(['/home'])),
  question(`select min(properties.$pathname), max(properties.$pathname) from events`, one('/docs', '/pricing')),
  question(
    `select toDate(timestamp) as day, uniq(person_id) from events group by day having uniq(person_id) > 1 order by day`,
    [
      ['2024-03-03', 2],
      ['2024-03-08', 2],
      ['2024-03-10', 2],
    ],
  ),
  question(
    `select stddevPop(x), varPop(x) from (select toFloat(properties.quantity) as x ${bought} and distinct_id = 'ada')`,
    one(0.5, 0.25),
  ),
  question(`select count(distinct event) from events`, one(4)),
  question(
    `select windowFunnel(86400)(toUnixTimestamp(timestamp), event = 'signed up', event = 'purchased') as level from events where distinct_id in ('ada', 'bob', 'dan') group by distinct_id order by distinct_id`,
    column(2, 2, 1),
  ),
  question(
    `select retention(event = 'signed up', event = 'purchased') from events group by distinct_id order by distinct_id`,
    [[[1, 1]], [[1, 1]], [[0, 0]], [[1, 0]], [[0, 0]]],
  ),
  question(
    `select distinct_id, event, count() from events where distinct_id in ('bob', 'cyd') group by distinct_id, event order by distinct_id, event`,
    [
      ['bob', '$pageview', 2],
      ['bob', 'purchased', 1],
      ['bob', 'signed up', 1],
      ['cyd', '$pageview', 1],
      ['cyd', 'purchased', 1],
    ],
  ),
];
