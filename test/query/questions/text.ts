import { column, one, question, type Question } from './question.js';

/** Texts, numbers, conversions and conditions. */
export const texts: readonly Question[] = [
  question(`select 1`, one(1)),
  question(`select 1 + 2 * 3, 7 % 4, 7 / 2, intDiv(7, 2), -5 + 2`, one(7, 3, 3.5, 3, -3)),
  question(`select 'it''s', 'it\\'s', 'a\\\\b'`, one("it's", "it's", 'a\\b')),
  question(`select 'a' || 'b' || 'c'`, one('abc')),
  question(
    `select concat('a', 'b'), lower('AbC'), upper('AbC'), length('abc'), reverse('abc')`,
    one('ab', 'abc', 'ABC', 3, 'cba'),
  ),
  question(`select substring('example', 2, 3), left('example', 2), right('example', 2)`, one('xam', 'ex', 'le')),
  question(
    `select trim('  a '), replaceAll('a-b-c', '-', '+'), replaceOne('a-b-c', '-', '+')`,
    one('a', 'a+b+c', 'a+b-c'),
  ),
  question(`select splitByChar(',', 'a,b,c'), splitByString('--', 'a--b')`, one(['a', 'b', 'c'], ['a', 'b'])),
  question(
    `select 'example' like 'ex%', 'example' ilike 'EX%', 'example' not like '%z%', 'a' not ilike 'A'`,
    one(1, 1, 1, 0),
  ),
  question(`select match('example', '^ex.*e$'), extract('id-42', '[0-9]+')`, one(1, '42')),
  question(`select position('example', 'amp'), startsWith('example', 'ex'), endsWith('example', 'x')`, one(3, 1, 0)),
  question(`select lengthUTF8('Zoë'), length('Zoë'), upperUTF8('zoë')`, one(3, 4, 'ZOË')),
  question(`select toString(42), toString(1.5), '42'::Int64 + 1, cast('7' as Int64)`, one('42', '1.5', 43, 7)),
  question(
    `select toInt(properties.quantity) + 1 from events where event = 'purchased' order by timestamp`,
    column(3, 2, 5, 2),
  ),
  question(`select round(2.678, 1), floor(2.7), ceil(2.1), abs(-3), pow(2, 10), sqrt(16)`, one(2.7, 2, 3, 3, 1024, 4)),
  question(`select greatest(1, 5, 3), least(4, 2, 9), sign(-7)`, one(5, 2, -1)),
  question(`select case when 1 > 2 then 'a' when 2 > 1 then 'b' else 'c' end`, one('b')),
  question(
    `select case event when 'purchased' then 'won' else 'other' end as k, count() from events group by k order by k`,
    [
      ['other', 12],
      ['won', 4],
    ],
  ),
  question(`select case 5 when 1 then 'a' end`, one(null)),
  question(`select if(1 = 1, 'yes', 'no'), multiIf(0, 'a', 1, 'b', 'c')`, one('yes', 'b')),
  question(`select 5 in (1, 5), 5 not in (1, 5), 3 between 1 and 4, 3 not between 1 and 4`, one(1, 0, 1, 0)),
  question(`select 1 = 1 and 2 > 1 or 2 = 3`, one(1)),
  question(`select not (1 = 2), 1 != 2, 1 <> 2, 2 >= 2, 1 <= 0`, one(1, 1, 1, 1, 0)),
  question(`select true, false`, one(true, false)),
  question(`select (1, 'a'), tuple(2, 'b')`, one([1, 'a'], [2, 'b'])),
  question(`select (1, 'a').2, tupleElement((5, 6), 1)`, one('a', 5)),
  question(
    `select distinct_id from events where (event, distinct_id) in (('purchased', 'bob'), ('signed up', 'dan')) order by timestamp`,
    column('bob', 'dan'),
  ),
  question(
    `select domain('https://example.test/a?b=1'), path('https://example.test/a?b=1')`,
    one('example.test', '/a'),
  ),
  question(
    `select domain(properties.$current_url), count() from events where properties.$current_url is not null group by 1`,
    [['example.test', 2]],
  ),
  question(
    `select extractURLParameter(properties.$current_url, 'ref') from events where properties.$current_url like '%ref=%'`,
    one('a'),
  ),
  question(`select lower(event) as e, count() from events where e ilike '%SIGN%' group by e`, one('signed up', 3)),
  question(
    `select distinct event from events where event like 's%' or event = 'purchased' order by event`,
    column('purchased', 'signed up'),
  ),
  question(`select "event" from "events" where "distinct_id" = 'ghost'`, one('$pageview')),
  question("select `event` from `events` where `distinct_id` = 'ghost'", one('$pageview')),
  question(
    `select event -- the name\nfrom events /* all of
  them */ where distinct_id = 'ghost' -- ; drop`,
    one('$pageview'),
  ),
  question(`select '--', '/* */', ';', '{x}', 'in cohort 5'`, one('--', '/* */', ';', '{x}', 'in cohort 5')),
  question(`select 0x1F, 1e3, .5`, one(31, 1000, 0.5)),
  question(`select toTypeName(1 = 1), toTypeName('a')`, one('UInt8', 'String')),
  question(`select empty(''), notEmpty('a')`, one(1, 1)),
  question(`select leftPad('7', 3, '0'), repeat('ab', 2)`, one('007', 'abab')),
];
