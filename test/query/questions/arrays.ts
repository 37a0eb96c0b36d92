import { column, one, question, type Question } from './question.js';

const items = `JSONExtract(ifNull(properties.items, '[]'), 'Array(String)')`;

/** Arrays, tuples, lambdas, JSON in properties. */
export const arrays: readonly Question[] = [
  question(`select [1, 2, 3], array('a', 'b'), []`, one([1, 2, 3], ['a', 'b'], [])),
  question(`select [10, 20, 30][1], [10, 20, 30][-1]`, one(10, 30)),
  question(`select arrayMap(x -> x * 2, [1, 2, 3])`, one([2, 4, 6])),
  question(`select arrayFilter(x -> x > 1, [1, 2, 3]), arrayCount(x -> x > 1, [1, 2, 3])`, one([2, 3], 2)),
  question(`select arrayMap((x, y) -> x + y, [1, 2], [10, 20])`, one([11, 22])),
  question(`select arrayExists(x -> x = 2, [1, 2]), arrayAll(x -> x > 0, [1, 2])`, one(1, 1)),
  question(`select arraySum([1, 2, 3]), arrayMin([3, 1]), arrayMax([3, 1]), arrayAvg([1, 2])`, one(6, 1, 3, 1.5)),
  question(
    `select arraySort([3, 1, 2]), arrayReverseSort([3, 1, 2]), arrayReverse([3, 1, 2])`,
    one([1, 2, 3], [3, 2, 1], [2, 1, 3]),
  ),
  question(`select arraySort(x -> -x, [3, 1, 2])`, one([3, 2, 1])),
  question(
    `select has([1, 2], 2), hasAny([1, 2], [2, 3]), hasAll([1, 2], [2, 3]), indexOf(['a', 'b'], 'b')`,
    one(1, 1, 0, 2),
  ),
  question(
    `select arrayDistinct([1, 1, 2]), arrayConcat([1], [2, 3]), arraySlice([1, 2, 3, 4], 2, 2)`,
    one([1, 2], [1, 2, 3], [2, 3]),
  ),
  question(`select arrayStringConcat(['a', 'b'], '-'), length([1, 2, 3]), empty([])`, one('a-b', 3, 1)),
  question(`select arrayJoin([1, 2, 3]) as n order by n desc`, column(3, 2, 1)),
  question(
    `select arrayZip([1, 2], ['a', 'b'])`,
    one([
      [1, 'a'],
      [2, 'b'],
    ]),
  ),
  question(`select arrayEnumerate(['a', 'b', 'c']), range(3), range(1, 7, 2)`, one([1, 2, 3], [0, 1, 2], [1, 3, 5])),
  question(`select arrayFold((acc, x) -> acc + x, [1, 2, 3], toInt64(10))`, one(16)),
  question(`select arrayElement([5, 6], 2), arrayUniq([1, 1, 2]), arrayPushBack([1], 2)`, one(6, 2, [1, 2])),
  question(`select arrayMap(t -> t.1, [(1, 'a'), (2, 'b')])`, one([1, 2])),
  question(`select arrayCumSum([1, 2, 3]), arrayDifference([1, 3, 6])`, one([1, 3, 6], [0, 2, 3])),
  question(`select arrayFlatten([[1], [2, 3]]), arrayCompact([1, 1, 2, 1])`, one([1, 2, 3], [1, 2, 1])),
  question(`select length(${items}) from events where event = 'purchased' order by timestamp`, column(2, 1, 0, 3)),
  question(
    `select arrayJoin(${items}) as item, count() from events where event = 'purchased' group by item order by count() desc, item`,
    [
      ['pen', 4],
      ['book', 1],
      ['cup', 1],
    ],
  ),
  question(`select count() from events where has(${items}, 'pen')`, one(3)),
  question(`select arrayFilter(i -> i != 'pen', ${items}) from events where event = 'purchased' order by timestamp`, [
    [['book']],
    [[]],
    [[]],
    [['cup']],
  ]),
  question(
    `select JSONExtractString('{"a":{"b":"c"}}', 'a', 'b'), JSONExtractInt('{"n":5}', 'n'), JSONExtractRaw('{"a":[1]}', 'a')`,
    one('c', 5, '[1]'),
  ),
  question(
    `select JSONHas('{"a":1}', 'a'), JSONLength('[1,2]'), JSONExtractBool('{"a":true}', 'a'), JSONExtractFloat('{"a":1.5}', 'a')`,
    one(1, 2, 1, 1.5),
  ),
  question(`select JSONExtractArrayRaw('[1,"a"]'), JSONType('{"a":1}')`, one(['1', '"a"'], 'Object')),
  question(`select properties.nested.a.b from events where uuid = '00000000-0000-4000-8000-000000000009'`, one('7')),
  question(
    `select properties['nested']['a']['b'] from events where uuid = '00000000-0000-4000-8000-000000000009'`,
    one('7'),
  ),
  question(
    `select JSONExtractInt(properties.nested, 'a', 'b') from events where properties.nested is not null`,
    one(7),
  ),
  question(
    `select JSONExtractInt(properties, 'nested', 'a', 'b') from events where properties.nested is not null`,
    one(7),
  ),
  question(`select JSONExtractString(properties, '$pathname') from events where distinct_id = 'ghost'`, one('/home')),
  question(
    `select person.properties.address.city from events where event = 'signed up' order by timestamp`,
    column('London', null, null),
  ),
  question(
    `select JSONExtractString(properties.address, 'city') from persons where properties.address is not null`,
    one('London'),
  ),
  question(
    `select JSONExtract(assumeNotNull(properties.tags), 'Array(String)') from persons where properties.tags is not null`,
    one(['a', 'b']),
  ),
  question(`select map('a', 1, 'b', 2)['b']`, one(2)),
  question(`select mapKeys(map('a', 1)), mapValues(map('a', 1))`, one(['a'], [1])),
  question(
    `select groupArray((event, toHour(timestamp))) from (select event, timestamp from events where distinct_id = 'cyd' order by timestamp)`,
    one([
      ['$pageview', 9],
      ['purchased', 9],
    ]),
  ),
  question(
    `select arrayStringConcat(arrayMap(x -> x.2, arraySort(groupArray((timestamp, event)))), ' > ') from events where distinct_id = 'bob'`,
    one('signed up > $pageview > $pageview > purchased'),
  ),
];
