/** Events of at most 64 days, in the words of a question. */
export interface EventsOfDays {
  /** FROM and WHERE, which leaves no other days. */
  readonly from: string;
  readonly first: string;
}

/** The days of each person as a number with a bit for each: the form that the guide of SQL advises. */
const bits = ({ first }: EventsOfDays): string =>
  `groupBitOr(bitShiftLeft(toUInt64(1), toDate(timestamp) - toDate('${first}'))) as days`;

/** Columns: the number of days, and how many persons were active on so many. */
export const stickinessByBits = (events: EventsOfDays): string => `
  select bitCount(days) as active, count() as n from (
    select person_id, ${bits(events)} ${events.from} group by person_id)
  group by active order by active`;

/** Columns: a day, the number of days after it, and how many of the persons of the day were active then. */
export const retentionByBits = (events: EventsOfDays): string => `
  select toDate('${events.first}') + start as day, later, sum(persons) as n from (
    select start, persons, arrayJoin(bitPositionsToArray(bitShiftRight(days, start))) as later from (
      select days, persons, arrayJoin(bitPositionsToArray(days)) as start from (
        select days, count() as persons from (
          select person_id, ${bits(events)} ${events.from} group by person_id)
        group by days)))
  group by day, later order by day, later`;

/**
 * Columns: a day, a state, and its persons. The first of the days only tells the states of the second; `last` counts from the first.
 * A person of an earlier time has 0 as the day of creation, which is no day of the answer.
 */
export const lifecycleByBits = (events: EventsOfDays, last: number): string => `
  select toDate('${events.first}') + x.1 as day, ['new', 'returning', 'resurrecting', 'dormant'][x.2] as state, n from (
    select sum(persons) as n, arrayJoin(arrayConcat(
      arrayMap(d -> (d, multiIf(d = created, 1, bitTest(days, d - 1), 2, 3)),
        arrayFilter(d -> d > 0, bitPositionsToArray(days))),
      arrayMap(d -> (d + 1, 4),
        arrayFilter(d -> d < ${last} and not bitTest(days, d + 1), bitPositionsToArray(days))))) as x
    from (
      select days, created, count() as persons from (
        select a.days as days, p.created as created
        from (select person_id, ${bits(events)} ${events.from} group by person_id) as a
        left join (
          select id, toDate(created_at) - toDate('${events.first}') as created
          from persons where created_at >= '${events.first}') as p on p.id = a.person_id)
      group by days, created)
    group by x)
  order by day, state`;
