import { lines } from './lines.js';

/** A backquote, which cannot stand in the text below. */
const backquote = '¦';

/** Quotes, backslashes, comments, letters that look like others, placeholders. */
export const quoting: readonly string[] = lines(String.raw`
  select '
  select "
  select ¦
  select 'a\'
  select 'a\' from events
  select 'a\\' from system.tables
  select 'a'' from system.tables
  select '\'' from system.tables where 'a' = '\''
  select "a\" from system.tables
  select "event\" from events
  select "event"" from events
  select ¦event\¦ from events
  select ¦a¦¦b¦ from system.tables
  select "a""b" from events
  select "e.project_id" from events
  select "e"."project_id" from events
  select ¦e¦.¦project_id¦ from events
  select "events.project_id" from events
  select ¦o.actor¦ from events
  select "actor\0" from events
  select "'" from events
  select "x' or '1'='1" from events
  select ¦x" or 1=1 --¦ from events
  select event from "system"."tables"
  select event from ¦system¦.¦tables¦
  select event from "system.tables"
  select event from ¦system.tables¦
  select count() from 'events'
  select event from 'system.tables'
  select event from "events; drop table events"
  select event from ¦events¦ final
  select event from events/**/final
  select event from/**/system/**/./**/tables
  select event from system . tables
  select event from system -- x\n. tables
  select 1 /* unclosed
  select 1 /* /* nested */ settings a = 1 */ settings b = 2
  select 1 -- x\rsettings a = 1; select 2 from system.tables where
  select 1 # from events
  select 1 //
  select 1 --\u0000 x \ y; from
  select $$a$$ from system.tables
  select $tag$ a $tag$ from system.tables
  select E'\x41' from system.tables
  select x'73797374656d' from system.one
  select U&'\0041' from system.tables
  select N'a' from system.tables
  select _utf8'a' from system.tables
  select 'a' 'b' from system.tables
  select @@version
  select @a
  select :a
  select ?
  select $1
  select {a:String}
  select {a:Identifier} from events
  select event from {t:Identifier}
  select {a}
  select {}
  select { a b }
  select {a.b}
  select {'a'}
  select {{a}}
  select event from {t}
  select event as {t} from events
  select event from events {t}
  select {f}(1)
  select f{f}(1) from events
  select properties.{p} from events
  select event from events where {w} limit {n
  select event from events where event in cohort
  select event from events where person_id in cohort ''
  select event from events where person_id in cohort -1
  select event from events where person_id in cohort 1.5
  select event from events where person_id in cohort 99999999999999999999
  select event from events where person_id in cohort (select 1)
  select event from events where person_id in cohort 'x' or 'y
  select event from events where person_id in cohort '\') or 1 = 1 --'
  select event from events where person_id in cohort 1; select 1
  select event from events where inCohort(person_id, 'x'' or 1 = 1 --')
  select event from events where inCohort(person_id, event)
  select event from events where inCohort(person_id, (select 1))
  select event from events where inCohort(person_id)
  select event from events where matchesAction(event)
  select event from events where matchesAction('x'') or 1 = 1 --')
  select event from events where matchesAction()
  select event from events where matchesAction(1 + 1)
  sеlect 1
  ѕelect 1
  ｓｅｌｅｃｔ 1
  select 1 from еvents
  select 1 from eventѕ
  select 1 from ｅｖｅｎｔｓ
  select еvent from events
  select event from ѕystem.tables
  select ﬁle('/etc/passwd')
  select ｆile('/etc/passwd')
  select fıle('/etc/passwd')
  select FİLE('/etc/passwd')
  select sleep\u2060(3)
  select slееp(3)
  select ʻaʼ from events
  select ‘a’ from events
  select “event” from events
  select event from events where event ＝ 'a'
  select 1；select 2
  select\ufeffevent from events where
  select event\u202e from events
  select event\u200b from system\u200b.tables`).map((line) =>
  line
    .replaceAll(backquote, '`')
    .replaceAll('\\n', '\n')
    .replaceAll('\\r', '\r')
    .replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
);
