import { column, one, question, type Question } from './question.js';

const three = `(select arrayJoin([1, 2, 3]) as n)`;

/** Grammar that is used less often: each kind of node, field, operator and unit that is allowed is in some question. */
export const forms: readonly Question[] = [
  question(`select all event from events where distinct_id = 'ghost'`, one('$pageview')),
  question(`select n from ${three} order by n desc nulls last limit 1 offset 1`, one(2)),
  question(`select n from ${three} order by n limit 1, 2`, column(2, 3)),
  question(`select n from ${three} order by n limit 2 offset 1 rows`, column(2, 3)),
  question(`select n from ${three} qualify row_number() over (order by n) = 2`, one(2)),
  question(
    `select sum(n) over w from ${three} window w as (order by n rows unbounded preceding) order by n`,
    column(1, 3, 6),
  ),
  question(
    `select sum(n) over (order by n rows between 1 preceding and 1 following) from ${three} order by n`,
    column(3, 6, 5),
  ),
  question(
    `select sum(n) over (order by n range between unbounded preceding and current row) from ${three} order by n`,
    column(1, 3, 6),
  ),
  question(
    `select sum(n) over (order by n rows between current row and unbounded following) from ${three} order by n`,
    column(6, 5, 3),
  ),
  question(`select * except (n) from (select 1 as n, 2 as m)`, one(2)),
  question(`select * except (n, k) from (select 1 as n, 2 as m, 3 as k)`, one(2)),
  question(`select count() from (select 1 as n) a global join (select 1 as n) b on a.n = b.n`, one(1)),
  question(`select array[1, 2], substr('example', 2, 3), trim('xax', 'x')`, one([1, 2], 'xam', 'a')),
  question(
    `select sum(n) over (w rows unbounded preceding) from ${three} window w as (order by n) order by n`,
    column(1, 3, 6),
  ),
  question(`select t.* from ${three} as t order by 1`, column(1, 2, 3)),
  question(`select * from (select 1 as n, 2 as m)`, one(1, 2)),
  question(`select count() from events where event in (select event from events where distinct_id = 'dan')`, one(11)),
  question(`select count() from events where exists (select 1 from persons where is_identified)`, one(16)),
  question(`select count() from events where not exists (select 1 from persons where is_identified)`, one(0)),
  question(
    `select 1 where 1 is distinct from 2 and 1 is not distinct from 1 and null is not distinct from null`,
    one(1),
  ),
  question(`select count() from persons where is_identified is true`, one(1)),
  question(`select count() from persons where is_identified is not true`, one(3)),
  question(`select count() from persons where is_identified is false`, one(3)),
  question(`select count() from persons where is_identified is not false`, one(1)),
  question(`select 1 xor 1, 1 xor 0, +5, -(2), 5 % 3, 2 < 3, 3 <= 3, 'a' || 'b'`, one(0, 1, 5, -2, 2, 1, 1, 'ab')),
  question(
    `select extract(year from toDate('2024-03-05')), extract(month from toDate('2024-03-05')), extract(day from toDate('2024-03-05')), extract(quarter from toDate('2024-03-05'))`,
    one(2024, 3, 5, 1),
  ),
  question(
    `select extract(hour from toDateTime('2024-03-05 06:07:08')), extract(minute from toDateTime('2024-03-05 06:07:08')), extract(second from toDateTime('2024-03-05 06:07:08'))`,
    one(6, 7, 8),
  ),
  question(`select substring('example' from 2 for 3), substring('example' from 6)`, one('xam', 'le')),
  question(
    `select trim(both 'x' from 'xax'), trim(leading 'x' from 'xax'), trim(trailing 'x' from 'xax')`,
    one('a', 'ax', 'xa'),
  ),
  question(`select position('c' in 'abc'), ceil(1.234, 1), floor(1.27, 1), ceil(1.2)`, one(3, 1.3, 1.2, 2)),
  question(
    `select toString(date '2024-03-05'), toString(timestamp '2024-03-05 06:07:08')`,
    one('2024-03-05', '2024-03-05 06:07:08'),
  ),
  question(
    `select toString(toDateTime('2024-01-31 00:00:00') + interval 1 second + interval 1 minute + interval 1 hour)`,
    one('2024-01-31 01:01:01'),
  ),
  question(
    `select toString(toDate('2024-01-31') + interval 1 quarter), toString(toDate('2024-01-31') + interval 2 weeks), toString(toDate('2024-02-29') - interval 1 year)`,
    one('2024-04-30', '2024-02-14', '2023-02-28'),
  ),
  question(`select toString(toDate('2024-01-31') + interval '2' day)`, one('2024-02-02')),
  question(`select n, count() from ${three} group by all order by n`, [
    [1, 1],
    [2, 1],
    [3, 1],
  ]),
  question(
    `select event, count() from events where distinct_id = 'dan' group by event with rollup order by count(), event`,
    [
      ['$pageview', 1],
      ['signed up', 1],
      ['', 2],
    ],
  ),
  question(`select a.n, b.m from (select 1 as n) a cross join (select arrayJoin([1, 2]) as m) b order by b.m`, [
    [1, 1],
    [1, 2],
  ]),
  question(
    `select n, m from (select arrayJoin([1, 2]) as n, 'a' as m) a join (select 2 as n) b using (n)`,
    one(2, 'a'),
  ),
  question(
    `select count() from (select arrayJoin([1, 2]) as n) a right join (select arrayJoin([2, 3]) as n) b on a.n = b.n`,
    one(2),
  ),
  question(
    `select count() from (select arrayJoin([1, 2]) as n) a full join (select arrayJoin([2, 3]) as n) b on a.n = b.n`,
    one(3),
  ),
  question(
    `select count() from (select arrayJoin([1, 2]) as n) a left outer join (select arrayJoin([2, 3]) as n) b on a.n = b.n`,
    one(2),
  ),
  question(`(select 1 as x) union all (select 2) order by x desc limit 1`, one(2)),
  question(`select any(x) ignore nulls from (select arrayJoin([null, 'a']) as x)`, one('a')),
  question(`select lambda.n from (select 5 as n) as lambda`, one(5)),
  question(`select arrayMap((x) -> x + 1, [1])`, one([2])),
  question(
    `select sumIf(n, n > 1), countIf(n > 1), uniqExactIf(n, n > 1), avgOrNull(n), sumDistinct(n), sumArray([n]) from ${three}`,
    one(5, 2, 2, 2, 6, 6),
  ),
  question(`select [1, 2][1], (1, (2, 3)).2.1, map('a', [5])['a'][1]`, one(1, 2, 5)),
  question(
    `select cast('5' as Nullable(Int64)), cast([1] as Array(String)), '2024-03-05'::Date = toDate('2024-03-05'), cast('1.5' as Decimal(10, 2)) = toDecimal64('1.5', 2)`,
    one(5, ['1'], 1, 1),
  ),
  question(`select distinct n % 2 as odd from ${three} order by odd`, column(0, 1)),
  question(`select count(distinct n % 2) from ${three}`, one(2)),
];
