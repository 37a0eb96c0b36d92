/** Questions about the demo project, for the page with the documentation of the interface. */
export const queryExamples = {
  'events of a week': {
    summary: 'What happened in the last 7 days',
    value: {
      query:
        'select event, count() as times, count(distinct person_id) as persons from events where timestamp >= now() - interval 7 day group by event order by times desc',
    },
  },
  'persons of a plan': {
    summary: 'Persons by a property, with a placeholder',
    value: {
      query:
        'select id, name, properties.email, created_at from persons where properties.plan = {plan} order by created_at desc limit 10',
      values: { plan: 'pro' },
    },
  },
  'active persons by week': {
    summary: 'Active persons of each week',
    value: {
      query:
        'select toStartOfWeek(timestamp) as week, count(distinct person_id) as persons from events group by week order by week',
    },
  },
  'revenue by plan': {
    summary: 'Sums of a number in events, by another property',
    value: {
      query:
        "select properties.plan as plan, count() as payments, sum(toFloat(properties.amount)) as revenue from events where event = 'paid' group by plan order by revenue desc",
    },
  },
  'plans and systems': {
    summary: 'A property of the person beside that of the event',
    value: {
      query:
        "select person.properties.plan as plan, properties.$os as system, count() as views from events where event = 'report viewed' group by plan, system order by views desc limit 10",
    },
  },
  'load times': {
    summary: 'Quantiles',
    value: {
      query:
        "select properties.report_type as type, round(quantile(0.5)(toFloat(properties.load_ms))) as median, round(quantile(0.95)(toFloat(properties.load_ms))) as slow from events where event = 'report viewed' group by type order by type",
    },
  },
  'a funnel': {
    summary: 'Time from the first sign-up to the first payment of each person, with a CTE',
    value: {
      query:
        "with firsts as (select person_id, minIf(timestamp, event = 'signed up') as signed_up, minIf(timestamp, event = 'paid') as paid, countIf(event = 'signed up') as signups, countIf(event = 'paid') as payments from events group by person_id) select count() as persons, round(avg(dateDiff('hour', signed_up, paid))) as hours from firsts where signups > 0 and payments > 0 and paid > signed_up",
    },
  },
  'numbered events': {
    summary: 'The first event of each person, with a window',
    value: {
      query:
        'select event, count() as persons from (select event, row_number() over (partition by person_id order by timestamp, uuid) as place from events) where place = 1 group by event order by persons desc',
    },
  },
  'a cohort': {
    summary: 'What the persons of a cohort do',
    value: {
      query:
        "select event, count() as times from events where person_id in cohort 'Signed up and did not pay' group by event order by times desc limit 10",
    },
  },
  sessions: {
    summary: 'The pages on which sessions begin',
    value: {
      query:
        'select entry_page, count() as sessions, round(avg(events), 1) as events from sessions where entry_page is not null group by entry_page order by sessions desc limit 10',
    },
  },
} as const;
