import { describe, expect, it } from '@jest/globals';
import { allTables } from '../../src/sql/tables/all-tables.js';
import { QueryFault } from '../../src/sql/fault.js';
import { maxExportedRows, maxRows } from '../../src/sql/ask/query-input.js';
import { compile } from '../../src/platform/clickhouse/sql.js';
import { compiledQuestion } from './compiled-question.js';

const written = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));

/** The statement with its values in the places where they are bound, or the message of the fault. */
const outcome = async (text: string): Promise<string> => {
  try {
    const { query, query_params: values } = compile(await compiledQuestion(text));
    return query.replaceAll('`', '').replace(/\{(\w+):[^}]*\}/g, (_, name: string) => written(values[name]));
  } catch (error) {
    if (error instanceof QueryFault) return `refused: ${error.detail}`;
    throw error;
  }
};

/** Each list is written out once more: an entry that is removed, or means something else, must be a decision. */
const lists: Readonly<Record<string, readonly (readonly [text: string, contains: string])[]>> = {
  'types of casts': (
    [
      ...[8, 16, 32, 64, 128, 256].flatMap((bits) => [
        [`Int${bits}`, `Int${bits}`],
        [`UInt${bits}`, `UInt${bits}`],
      ]),
      ...['Float32', 'Float64', 'String', 'Date', 'Date32', 'DateTime', 'Bool', 'UUID'].map((name) => [name, name]),
      ['boolean', 'Bool'],
      ['tinyint', 'Int8'],
      ['smallint', 'Int16'],
      ['int', 'Int32'],
      ['integer', 'Int32'],
      ['bigint', 'Int64'],
      ['float', 'Float64'],
      ['real', 'Float32'],
      ['double', 'Float64'],
      ['double precision', 'Float64'],
      ['text', 'String'],
      ['varchar', 'String'],
      ['varchar(20)', 'String'],
      ['char', 'String'],
      ['timestamp', 'DateTime'],
      ['Nullable(Int8)', 'Nullable(Int8)'],
      ['LowCardinality(String)', 'LowCardinality(String)'],
      ['Array(Int8)', 'Array(Int8)'],
      ['Map(String, Int8)', 'Map(String, Int8)'],
      ['Tuple(String, Int8)', 'Tuple(String, Int8)'],
      ['FixedString(3)', 'FixedString(3)'],
      ['DateTime64(3)', 'DateTime64(3)'],
      [`DateTime64(3, 'UTC')`, `DateTime64(3, 'UTC')`],
      ['Decimal(10, 2)', 'Decimal(10, 2)'],
      ['Decimal(10)', 'Decimal(10, 0)'],
      ['Decimal', 'Decimal(18, 4)'],
      ['numeric(10, 2)', 'Decimal(10, 2)'],
    ] as [string, string][]
  ).map(([type, name]) => [`select cast(5 as ${type})`, `CAST(5, ${JSON.stringify(name)})`]),
  operators: (
    [
      ['2 or 5', ' OR '],
      ['2 and 5', ' AND '],
      ['2 xor 5', 'xor('],
      ['2 = 5', ' = '],
      ['2 == 5', ' = '],
      ['2 != 5', ' != '],
      ['2 <> 5', ' != '],
      ['2 < 5', ' < '],
      ['2 <= 5', ' <= '],
      ['2 > 5', ' > '],
      ['2 >= 5', ' >= '],
      ['2 + 5', ' + '],
      ['2 - 5', ' - '],
      ['2 * 5', ' * '],
      ['2 / 5', ' / '],
      ['2 % 5', ' % '],
      [`'a' || 'b'`, ' || '],
      ['not 5', 'NOT '],
      ['- length(5)', '(- length('],
      ['5 is null', 'isNull('],
      ['5 is not null', 'isNotNull('],
      ['5 is true', 'isNull(5) AND isNull(true)'],
      ['5 is not true', '(NOT if(isNull(5)'],
      ['5 is false', 'isNull(false)'],
      ['5 is not false', '(NOT if(isNull(5) OR isNull(false)'],
      ['5 is distinct from 2', '(NOT if(isNull(5)'],
      ['5 is not distinct from 2', 'if(isNull(5)'],
    ] as const
  ).map(([text, contains]) => [`select ${text}`, contains]),
  intervals: ['Second', 'Minute', 'Hour', 'Day', 'Week', 'Month', 'Quarter', 'Year'].flatMap((unit) => [
    [`select interval 5 ${unit.toLowerCase()}`, `toInterval${unit}(5)`] as const,
    [`select dateDiff('${unit.toLowerCase()}s', now(), now())`, `dateDiff("${unit.toLowerCase()}", `] as const,
  ]),
  'parts of times': (
    [
      ['second', 'toSecond'],
      ['minute', 'toMinute'],
      ['hour', 'toHour'],
      ['day', 'toDayOfMonth'],
      ['month', 'toMonth'],
      ['quarter', 'toQuarter'],
      ['year', 'toYear'],
    ] as const
  ).map(([part, name]) => [`select extract(${part} from now())`, `${name}(`]),
  'syntax of functions': [
    [`select substring('abc' from 2 for 1)`, 'substring("abc", 2, 1)'],
    [`select trim(' a ')`, 'trimBoth("'],
    [`select trim(leading 'x' from 'xa')`, 'trimLeft("xa", "x")'],
    [`select trim(trailing 'x' from 'ax')`, 'trimRight("ax", "x")'],
    [`select position('b' in 'abc')`, 'position("abc", "b")'],
    ['select ceil(1.5)', 'ceil(1.5)'],
    ['select floor(1.5, 1)', 'floor(1.5, 1)'],
  ],
  joins: (
    [
      ['join', 'INNER JOIN'],
      ['inner join', 'INNER JOIN'],
      ['left join', 'LEFT JOIN'],
      ['left outer join', 'LEFT JOIN'],
      ['right join', 'RIGHT JOIN'],
      ['right outer join', 'RIGHT JOIN'],
      ['full join', 'FULL JOIN'],
      ['full outer join', 'FULL JOIN'],
    ] as const
  )
    .map(([words, ours]): readonly [string, string] => [
      `select 1 from events e ${words} persons p on p.id = e.person_id`,
      `GLOBAL ALL ${ours} `,
    ])
    .concat([['select 1 from events e cross join persons p', 'CROSS JOIN '] as const])
    .concat([['select 1 from events e, persons p', 'CROSS JOIN '] as const]),
  clauses: [
    ['select event from events group by event with rollup', 'WITH ROLLUP'],
    ['select event from events group by event with cube', 'WITH CUBE'],
    ['select event from events group by all', 'GROUP BY ALL'],
    ['select 1 union all select 2', 'UNION ALL'],
    ['select 1 union distinct select 2', 'UNION DISTINCT'],
    ['select 1 union select 2', 'UNION DISTINCT'],
    ['select sum(1) over (rows 1 preceding)', 'ROWS '],
    ['select sum(1) over (order by 1 range unbounded preceding)', 'RANGE '],
    ['select any(1) ignore nulls', 'IGNORE NULLS'],
    ['select any(1) respect nulls', 'RESPECT NULLS'],
  ],
  'short forms': [
    [`select toFloat('5')`, 'accurateCastOrNull("5", "Float64")'],
    [`select toInt('5')`, 'accurateCastOrNull("5", "Int64")'],
    ...['now', 'current_timestamp', 'localtimestamp', 'localtime'].map((name): [string, string] => [
      `select ${name}()`,
      'toDateTime("',
    ]),
    ['select now64()', 'toDateTime64("'],
    ...['utcTimestamp', 'utc_timestamp'].map((name): [string, string] => [`select ${name}()`, "'UTC')"]),
    ...['today', 'curdate', 'current_date'].map((name): [string, string] => [`select ${name}()`, 'toDate(toDateTime(']),
    ['select yesterday()', ' - 1)'],
    ...['dateAdd', 'date_add', 'timestampAdd', 'timestamp_add'].map((name): [string, string] => [
      `select ${name}(day, 1, now())`,
      ' + toIntervalDay(1)',
    ]),
    ...['dateSub', 'date_sub', 'timestampSub', 'timestamp_sub'].map((name): [string, string] => [
      `select ${name}(day, 1, now())`,
      ' - toIntervalDay(1)',
    ]),
    ...['dateDiff', 'date_diff', 'timestampDiff', 'timestamp_diff'].map((name): [string, string] => [
      `select ${name}(day, now(), now())`,
      'dateDiff("day", ',
    ]),
    ['select age(day, now(), now())', 'age("day", '],
    ['select toDate(properties.x) from events', 'toDate(parseDateTime64BestEffortOrNull('],
    ['select toDateTime(properties.x) from events', 'parseDateTime64BestEffortOrNull('],
    ['select toStartOfWeek(timestamp) from events', ', 0)'],
  ],
};

describe.each(Object.entries(lists))('the %s', (_, texts) => {
  it.each(texts)('have %s', async (text, contains) => {
    const statement = await outcome(text);
    expect([text, statement.includes(contains) ? contains : statement]).toEqual([text, contains]);
  });
});

/** Each column, and that of a table of another name. */
const columns: Readonly<Record<string, string>> = {
  events:
    'uuid event distinct_id person_id timestamp received_at properties person.id person.uuid person.name person.properties person.is_identified person.created_at $group_0 group_0.id group_0.index group_0.key group_0.name group_0.properties group_0.created_at',
  groups: 'id index key name properties created_at',
  persons: 'id uuid name properties is_identified created_at',
  person_distinct_ids: 'distinct_id person_id',
  cohorts: 'id name is_static created_at',
  cohort_people: 'cohort_id person_id',
  cohort_groups: 'cohort_id group_id index key',
  sessions: 'person_id start end events entry_page exit_page $start_timestamp $end_timestamp $session_duration',
};

describe('the tables', () => {
  it('are these, with these columns', () => {
    const all = allTables.map(({ name, columns: own, nested }) => [
      name,
      [...own, ...nested].map((column) => column.name).join(' '),
    ]);
    expect(Object.fromEntries(all)).toEqual(columns);
  });

  it.each(Object.entries(columns).flatMap(([table, names]) => names.split(' ').map((name) => [table, name])))(
    '%s has %s',
    async (table, name) => {
      expect(await outcome(`select ${name} from ${table}`)).toMatch(/^SELECT/);
    },
  );

  it.each(['project_id', 'version', 'actor', 'is_deleted', 'distinct_ids', 'e', 'p'])(
    'have no column %s',
    async (name) => {
      for (const table of Object.keys(columns))
        expect(await outcome(`select ${name} from ${table}`)).toMatch(/^refused: There is no column/);
    },
  );
});

/** The last value within a limit, and the first one beyond it. */
const limits: readonly (readonly [what: string, within: string, beyond: string])[] = [
  ['the length of a FixedString', `select cast('a' as FixedString(1000))`, `select cast('a' as FixedString(1001))`],
  ['the least length of it', `select cast('a' as FixedString(1))`, `select cast('a' as FixedString(0))`],
  ['the digits of a DateTime64', `select cast('a' as DateTime64(9))`, `select cast('a' as DateTime64(10))`],
  ['the digits of a Decimal', 'select cast(1 as Decimal(76, 76))', 'select cast(1 as Decimal(77, 2))'],
  ['the places of a Decimal', 'select cast(1 as Decimal(76, 76))', 'select cast(1 as Decimal(76, 77))'],
  [
    'the name of a zone',
    `select cast('a' as DateTime64(3, '${'a'.repeat(60)}'))`,
    `select cast('a' as DateTime64(3, '${'a'.repeat(61)}'))`,
  ],
  ['the signs of a zone', `select cast('a' as DateTime64(3, 'A/B_c-1+2'))`, `select cast('a' as DateTime64(3, 'A b'))`],
  ['the rows of a frame', 'select sum(1) over (rows 1000000 preceding)', 'select sum(1) over (rows 1000001 preceding)'],
  ['the largest number', `select ${2n ** 64n - 1n}`, 'select 1e309'],
];

describe('a limit', () => {
  it.each(limits)('%s: is where it was', async (_, within, beyond) => {
    expect(await outcome(within)).toMatch(/^SELECT/);
    expect(await outcome(beyond)).toMatch(/^refused/);
  });

  it('of the rows of an answer, and of a file, is that of the contract', () => {
    expect([maxRows, maxExportedRows]).toEqual([50_000, 1_000_000]);
  });
});
