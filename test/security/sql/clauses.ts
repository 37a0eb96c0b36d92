import { lines } from './lines.js';

/** What a question may not have beside its SELECT, each by itself. */
export const clauses = lines(String.raw`
  select 1 settings max_execution_time = 0
  select 1 SETTINGS readonly = 0
  select count() from events settings max_threads = 100, max_memory_usage = 0
  select count() from (select 1 settings max_rows_to_read = 0)
  select 1 format JSON
  select 1 format Native
  select 1 into outfile '/tmp/kohort-out'
  select 1 into outfile '/tmp/kohort-out' truncate format CSV
  select 1 into outfile '/tmp/kohort-out' append
  select 1 into t
  select 1 into t from events
  select * into t from persons
  select event from events final
  select event from events sample 0.1
  select event from events sample 1/10 offset 1/2
  select event from events prewhere event = 'a'
  select event from events e final prewhere 1
  select event from events tablesample (10 percent)
  select event from events array join [1, 2] as x
  select event from events left array join properties as x
  select event from events order by event with fill
  select toDate(timestamp) from events order by 1 with fill from 1 to 1000000000000
  select number from events order by 1 with fill step 0.000000001 interpolate (number as 1)
  with recursive r as (select 1 as n union all select n + 1 from r) select count() from r
  with recursive r as (select 1) select * from r
  select 1 for update
  select 1 for share
  select top 5 event from events
  select distinct on (event) event from events
  select event from events fetch first 5 rows only
  select event from events order by event limit 5 with ties
  select event from events limit -1
  select event from events limit 0.5
  select event from events lock in share mode
  select event from only events
  select event from lateral (select 1)
  select event from events, lateral (select events.event) x
  select event from events pivot (count(event) for event in ('a'))
  select event from events match_recognize (pattern (a))
  select event from events for system_time as of '2020-01-01'
  select event from events connect by prior event = event
  select event from events asof join persons on events.person_id = persons.id
  select event from events paste join persons
  select event from events global any left join persons on persons.id = events.person_id
  select event from events natural join persons
  select event from events cross apply (select 1)
  select event from events qualify row_number() over () = 1 settings a = 1
  select event from events with (nolock)
  select event from events partition (p)
  select event from events use index (x)
  select event from events with ordinality
  select 1 except select 1 settings a = 1
  select sql_no_cache 1
  select high_priority event from events
  table events
  values (1), (2)
  (values (1))
  select * from (values (1), (2))
  select 1 union all values (1)
  select 1; select 2
  select 1; drop table events
  select 1;; select 2
  select 1; -- \n drop table events
  ; drop table events
  explain select 1
  explain ast select 1
  explain pipeline select 1
  describe table events
  show tables
  show create table events
  show settings
  exists table events
  use system
  set max_execution_time = 0
  set role admin
  insert into events select * from events
  insert into function file('/tmp/kohort-out') select 1
  insert into function url('http://127.0.0.1:1/') select 1
  with x as (insert into events values (1) returning 1) select * from x
  with x as (delete from events) select 1
  create table t as select 1
  create temporary table t (a Int8)
  create function f as x -> x
  create view v as select 1
  create dictionary d (a Int8)
  create named collection c as a = 1
  drop table events
  drop database kohort
  truncate table events
  alter table events delete where 1
  alter table events update event = 'x' where 1
  delete from events where 1
  update events set event = 'x'
  optimize table events final
  rename table events to e2
  detach table events
  attach table t from '/tmp' (a Int8) engine = File(CSV)
  system shutdown
  system flush logs
  system drop dns cache
  system reload config
  kill query where 1
  grant all on *.* to default
  revoke all on *.* from default
  backup table events to Disk('default', 'x')
  restore all from Disk('default', 'x')
  copy events to '/tmp/kohort-out'
  call p()
  begin transaction
  commit
  execute immediate 'select 1'
  prepare p as select 1
  select event from events where 1 = 1 union select name from system.tables
  select 1 union all (select name from system.tables)
  select 1 intersect select 1 from system.one
  select 1 except select 1 from system.one`);
