import { lines } from './lines.js';

/** Kinds of expressions that the engine has and a question may not use, and types that are made of states. */
export const expressions = lines(String.raw`
  select a ? b : c from events
  select 1 ? 2 : 3
  select event from events array join ['a'] as x
  select cast(1 as AggregateFunction(sum, UInt64))
  select 1::AggregateFunction(count)
  select cast('x' as SimpleAggregateFunction(sum, UInt64))
  select cast('x' as Object('json'))
  select '{}'::JSON.project_id
  select cast(1 as Nothing)
  select cast(1 as Nested(a UInt8))
  select cast(1, 'AggregateFunction(sum, UInt8)')
  select cast('x' as Enum8('a' = 1))
  select cast('1' as Interval)
  select cast(event as FixedString(100000000000)) from events
  select 'a'::Array(Array(Array(Array(Array(Array(Nothing))))))
  select JSONExtract('{}', 'AggregateFunction(sum, UInt64)')
  select JSONExtract('{}', concat('Str', 'ing'), event) from events where file('x') = ''
  select accurateCast(1, 'AggregateFunction(sum, UInt8)')
  select accurateCastOrNull(event, event) from events
  select reinterpret(1, 'AggregateFunction(sum, UInt8)')
  select arrayReduce('sum', [1, 2])
  select arrayReduce('sumState', [1, 2])
  select arrayReduceInRanges('sum', [(1, 2)], [1, 2])
  select initializeAggregation('uniqState', 1)
  select finalizeAggregation(initializeAggregation('sumState', 1))
  select sumMerge(s) from (select sumState(1) as s)
  select arrayMap(file, ['a'])
  select arrayMap(x -> file(x), ['/etc/passwd'])
  select arrayMap(x -> sleep(1), [1, 2])
  select arrayMap(x -> (select count() from system.tables), [1])
  select sum(sum(1)) from events
  select sum(event) over (partition by file('x')) from events
  select count() filter (where file('x') = 'y') from events
  select count(distinct file('x')) from events
  select quantile(file('x'))(1) from events
  select quantile((select 1))(1) from events
  select quantile('a')(1) from events
  select quantiles(event)(1) from events
  select sum() from events
  select count(1, 2, 3) from events
  select toTimeZone(now(), '../../../../etc/passwd')
  select toTimeZone(now(), '/etc/localtime')
  select toDateTime('2024-01-01', '../../etc/passwd')
  select toDateTime('2024-01-01', event) from events
  select formatDateTime(now(), '%Y', '../../etc/passwd')
  select match('a', '(')
  select match('a', '(?<n>a)\\1')
  select replaceRegexpAll('a', '[', 'b')
  select extractAll('a', '*')
  select toInt64('9' || 'x')
  select toUUID('not a uuid')
  select toDate('not a date')
  select 1 = 'a'
  select [1, 'a']
  select event + 1 from events
  select sum(event) from events
  select length(1)
  select arrayMap(x -> x.1, [1])
  select (1, 2).3
  select 1 where 'a'
  select -'a'
  select 'a' - interval 1 day
  select now() + now()
  select interval 1 day
  select if(1, 'a', 2)
  select array(1)[now()]
  select 1 in ('a')
  select (1, 2) in ((1, 2, 3))
  select event in (select event, uuid from events) from events
  select (select event, uuid from events limit 1)
  select (select event from events)
  select event, count() from events
  select event from events having event = 'a' and count() > 1
  select event from events where count() > 1
  select event from events group by 5
  select event from events order by 5
  select 1 as a, 2 as a, a
  select a + 1 as a from (select b as c) as d
  select x from (select 1 as y)
  select count() from events e join events e on 1 = 1
  select lambda(x, x)(1)
  select (x -> x)(1)
  select x -> x
  select arrayMap(x -> y, [1])
  select arrayMap(x, [1])
  select date '2024-13-45'
  select timestamp 'nope'
  select trim(both 'a' from file('x'))
  select extract(year from file('x'))
  select substring(file('x') from 1 for 2)
  select position('a' in file('x'))
  select overlay('a' placing file('x') from 1)
  select case when file('x') = '' then 1 end
  select 1 between file('x') and 2
  select file('x') is null
  select file('x') like 'a'
  select 'a' like 'a' escape file('x')
  select not file('x')
  select -file('x')
  select [file('x')]
  select (file('x'), 1)
  select {a: file('x')}
  select interval file('x') day
  select cast(file('x') as Int8)
  select file('x')::Int8
  select file('x')[1]
  select map(file('x'), 1)
  select 1 limit file('x')
  select 1 limit (select 1)
  select 1 offset file('x')
  select 1 limit 1 by file('x')
  select at.x at time zone file('x')
  select 'a' collate file
  select event from events order by event collate 'en; drop'
  select event from events group by rollup(file('x'))
  select event from events group by grouping sets ((event), (project_id))
  select event from events group by cube(actor)
  select nosuchfunction(1)
  select nosuchcolumn from events
  select event from nosuchtable
  select nosuchalias.event from events
  select
  from events
  select from events
  select , from events
  select event from
  select event from events where
  select event from events group by
  select (
  select )
  select [1, 2
  select 1 +
  select 1 1 1
  select event event event from events`);
