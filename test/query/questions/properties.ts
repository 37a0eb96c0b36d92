import { column, one, question, type Question } from './question.js';

const views = `from events where event = '$pageview' order by timestamp`;
const paths = column('/home', '/pricing', '/home', '/docs', '/home', '/pricing', '/home', '/home');
const systems = column('Mac', 'Mac', 'Linux', 'Linux', 'Windows', 'iOS', null, 'iOS');

/** Every spelling of a property, and what a property of each JSON type is read as. */
export const properties: readonly Question[] = [
  question(`select properties.$pathname ${views}`, paths),
  question(`select properties['$pathname'] ${views}`, paths),
  question(`SELECT properties."$pathname" ${views}`, paths),
  question('select properties.`$pathname` ' + views, paths),
  question(`select events.properties.$pathname ${views}`, paths),
  question(`select e.properties.$pathname from events e where e.event = '$pageview' order by e.timestamp`, paths),
  question(`select e.properties['$pathname'] from events as e where e.event = '$pageview' order by e.timestamp`, paths),
  question(`select properties.$os as system ${views}`, systems),
  question(`select properties['weird key'] from events where distinct_id = 'dan' and event = '$pageview'`, one('x')),
  question('select properties."weird key" from events where properties."weird key" = \'x\'', one('x')),
  question(`select properties['it''s'] from events where uuid = '00000000-0000-4000-8000-000000000014'`, one('quote')),
  question(`select properties['it\\'s'] from events where uuid = '00000000-0000-4000-8000-000000000014'`, one('quote')),
  question(`select properties['a.b'] from events where distinct_id = 'dan' order by timestamp`, column(null, 'dotted')),
  question(`select count() from events where properties.nothing_of_that_name is null`, one(16)),
  question(`select count() from events where properties.$os is not null`, one(7)),
  question(`select person.properties.plan, count() from events group by person.properties.plan order by count() desc`, [
    ['pro', 9],
    ['free', 4],
    [null, 3],
  ]),
  question(
    `select person.properties['email'] from events where event = 'purchased' order by timestamp`,
    column('ada@example.test', 'bob@example.test', 'cyd@example.test', 'ada@example.test'),
  ),
  question(
    `select e.person.properties.email from events as e where e.event = 'purchased' order by e.timestamp limit 1`,
    one('ada@example.test'),
  ),
  question(`select count() from events where person.properties.plan = 'pro' and event = 'purchased'`, one(3)),
  question(`select count() from events where person.properties.plan = properties.plan`, one(2)),
  question(
    `select id = person_id from events e join persons p on e.person_id = p.id where e.event = 'signed up'`,
    column(1, 1, 1),
  ),
  question(`select count() from events where person.id = person_id and event = 'signed up'`, one(3)),
  question(`select person.is_identified from events where event = 'signed up' order by timestamp`, [
    [true],
    [false],
    [false],
  ]),
  question(
    `select name from persons order by name`,
    column('ada@example.test', 'bob@example.test', 'cyd@example.test', 'dan'),
  ),
  question(
    `select properties.email from persons order by created_at`,
    column('ada@example.test', 'bob@example.test', 'cyd@example.test', null),
  ),
  question(`select p.properties.plan from persons p order by p.created_at`, column('pro', 'free', 'pro', null)),
  question(
    `select persons.properties.plan from persons order by persons.created_at`,
    column('pro', 'free', 'pro', null),
  ),
  question(`select properties.age from persons order by created_at`, column(36, 29, null, null)),
  question(`select toInt(properties.age) from persons order by created_at`, column(36, 29, null, null)),
  question(
    `select toFloat(properties.price) from events where event = 'purchased' order by timestamp`,
    column(10.5, 5, 20, 1.25),
  ),
  question(`select sum(toFloat(properties.price)) from events where event = 'purchased'`, one(36.75)),
  question(`select sum(toFloat(properties.price)) from events`, one(48.75)),
  question(`select sum(properties.price::Float64) from events where event = 'purchased'`, one(36.75)),
  question(`select sum(cast(properties.price as Nullable(Float64))) from events`, one(48.75)),
  question(`select sum(toFloat(properties.price) * toInt(properties.quantity)) from events`, one(107.25)),
  question(`select properties.flag from events where properties.flag = 'true'`, one('true')),
  question(`select properties.vip from persons order by created_at`, column('true', 'false', null, null)),
  question(`select properties.items from events where event = 'purchased' order by timestamp`, [
    ['["book","pen"]'],
    ['["pen"]'],
    ['[]'],
    ['["pen","pen","cup"]'],
  ]),
  question(
    `select properties.nested from events where uuid = '00000000-0000-4000-8000-000000000009'`,
    one('{"a":{"b":7}}'),
  ),
  question(
    `select properties.coupon from events where event = 'purchased' order by timestamp`,
    column(null, null, 'SPRING', null),
  ),
  question(`select count() from events where toFloat(properties.price) between 5 and 12`, one(3)),
  question(
    `select properties.address from persons where properties.email = 'ada@example.test'`,
    one('{"city":"London"}'),
  ),
  question(`select count() from persons where is_identified`, one(1)),
  question(`select count(), count(distinct id), count(distinct uuid) from persons`, one(4, 4, 4)),
  question(`select distinct_id from person_distinct_ids order by distinct_id`, column('ada', 'bob', 'cyd', 'dan')),
];
