import { column, one, question, type Question } from './question.js';

const purchases = `from events where event = 'purchased'`;

/** What is absent: comparisons, logic, aggregates, order, conversions. */
export const nulls: readonly Question[] = [
  question(`select null`, one(null)),
  question(`select null = 1, null + 1, null is null, 1 is null`, one(null, null, 1, 0)),
  question(`select null and 0, null and 1, null or 1, null or 0, not null`, one(0, null, 1, null, null)),
  question(`select coalesce(null, null, 3), ifNull(null, 'x'), nullIf(2, 2), nullIf(2, 3)`, one(3, 'x', null, 2)),
  question(`select isNull(properties.coupon), isNotNull(properties.coupon) ${purchases} order by timestamp`, [
    [1, 0],
    [1, 0],
    [0, 1],
    [1, 0],
  ]),
  question(`select count() ${purchases} and properties.coupon = 'SPRING'`, one(1)),
  question(`select count() ${purchases} and not (properties.coupon = 'SPRING')`, one(0)),
  question(`select count() ${purchases} and properties.coupon = null`, one(0)),
  question(`select count(properties.coupon), count(), count(*) ${purchases}`, one(1, 4, 4)),
  question(
    `select sum(toFloat(properties.age)), avg(toFloat(properties.age)), count(properties.age) from persons`,
    one(65, 32.5, 2),
  ),
  question(`select sum(toFloat(properties.age)) from persons where properties.age is null`, one(null)),
  question(`select min(properties.age), max(properties.age) from persons`, one(29, 36)),
  question(
    `select properties.coupon ${purchases} order by properties.coupon asc nulls first limit 2`,
    column(null, null),
  ),
  question(`select properties.coupon ${purchases} order by properties.coupon desc limit 1`, one('SPRING')),
  question(`select properties.coupon ${purchases} order by properties.coupon limit 1`, one('SPRING')),
  question(`select properties.age from persons order by toInt(properties.age) desc`, column(36, 29, null, null)),
  question(`select toInt('abc'), toFloat('abc'), toInt('12'), toFloat('1.5')`, one(null, null, 12, 1.5)),
  question(`select toInt64OrNull('x'), toInt64OrZero('x'), toFloat64OrNull('2.5')`, one(null, 0, 2.5)),
  question(`select if(null, 1, 2), multiIf(null, 1, 1, 2, 3)`, one(2, 2)),
  question(
    `select count(if(properties.no_such > 'a', null, event)), sum(case when properties.no_such > 'a' then null else length(event) - length(event) + 2 end) from events`,
    one(16, 32),
  ),
  question(`select concat('a', null), length(null), upper(null)`, one(null, null, null)),
  question(`select ifNull(properties.coupon, 'none') c, count() ${purchases} group by c order by c`, [
    ['SPRING', 1],
    ['none', 3],
  ]),
  question(`select properties.coupon, count() ${purchases} group by properties.coupon order by count()`, [
    ['SPRING', 1],
    [null, 3],
  ]),
  question(`select uniq(properties.coupon), count(distinct properties.coupon) ${purchases}`, one(1, 1)),
  question(`select distinct properties.coupon ${purchases} order by 1`, column('SPRING', null)),
  question(`select arraySort(groupArray(properties.coupon)) ${purchases}`, one(['SPRING'])),
  question(`select any(properties.coupon) ${purchases}`, one('SPRING')),
  question(`select countIf(properties.coupon = 'SPRING') ${purchases}`, one(1)),
  question(`select countIf(properties.coupon is null) ${purchases}`, one(3)),
  question(`select assumeNotNull(properties.coupon) ${purchases} and properties.coupon is not null`, one('SPRING')),
];
