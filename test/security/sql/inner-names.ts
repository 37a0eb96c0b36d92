import { lines } from './lines.js';

/** Names of our inner tables and columns, and what the engine adds to any table. */
export const innerNames = lines(String.raw`
  select project_id from events
  select e.project_id from events e
  select events.project_id from events
  select actor from events
  select e.actor from events e
  select o.actor from events
  select o.version from events
  select o.version from events o
  select version from events
  select e.version from events as e
  select version, is_deleted from persons
  select is_deleted from persons
  select search from persons
  select project_id from persons
  select p.project_id from persons p
  select project_id from cohorts
  select version from cohort_people
  select project_id from cohort_people
  select _part from events
  select _partition_id from events
  select _part_offset from events
  select _table from events
  select _database from events
  select _row_exists from events
  select _block_number from events
  select _shard_num from events
  select _sample_factor from events
  select __table1.project_id from events
  select __table2.actor from events
  select count() from __table1
  select columns('.*') from events
  select columns('project') from events
  select events.columns('actor') from events
  select * replace (1 as event) from events
  select * apply (sum) from events
  select * exclude (event) from events
  select * rename event as x from events
  select * ilike '%act%' from events
  select event from events where project_id = 2
  select event from events where project_id != 1 or 1 = 1
  select event from events group by project_id
  select event from events order by project_id
  select count() from events e join persons p on e.project_id != p.project_id
  select count() from events having any(project_id) = 2
  select count() over (partition by project_id) from events
  select sum(1) over w from events window w as (partition by actor)
  select event from events limit 1 by project_id
  with project_id as (select 1) select count() from events where project_id = 1
  select count() from e
  select count() from o
  with e as (select project_id from events) select * from e
  with events as (select 1 as event) select event from events
  with persons as (select 1) select * from persons
  with cohort_people as (select 1) select count() from events where person_id in cohort 1
  with sessions as (select 1), cohorts as (select 2) select 1
  with person_distinct_ids as (select 1) select 1
  with "events" as (select 1) select 1
  with EVENTS as (select 1) select 1
  with Events as (select 1) select count() from Events
  select events.event from (select 1 as event) as persons
  select x.actor from (select * from events) as x
  select x.project_id from (select * from events) as x
  select count() from events where person_id in persons
  select count() from events where event in system.tables
  select count() from events where event in distinct_id_overrides
  select 1 in events
  select 1 in system.one
  select 1 not in cohort_members
  select 1 global in (select 1)
  select event from events where event = any(select name from system.tables)
  select (select project_id from events limit 1)
  select exists (select 1 from system.tables)
  select (select count() from system.tables)
  select e.event, (select count() from persons p where p.project_id = e.project_id) from events e
  select e.event from events e where exists (select 1 from persons p where p.version = e.version)
  select events.person.project_id from events
  select person.actor from events
  select person.version from events
  select person.search from events
  select properties.x.y.z.:String.foo.actor.:Int64 from events where actor = 1
  select properties.^x from events
  select getSubcolumn(properties, 'x'), actor from events
  select tupleElement(events, 'project_id') from events
  select events from events
  select e from events e
  select untuple(e) from events e
  select toString(e.*) from events e
  select e.properties.project_id, e.project_id from events e`);
