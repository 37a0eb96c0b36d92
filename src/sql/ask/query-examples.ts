/** Questions about the demo project, for the page with the documentation of the interface. */
export const queryExamples = {
  'events of a week': {
    summary: 'What happened in the last 7 days',
    value: {
      query:
        'select event, count() as times, count(distinct person_id) as persons from events where timestamp >= now() - interval 7 day group by event order by times desc',
    },
  },
  'persons of a country': {
    summary: 'Persons by a property, with a placeholder',
    value: {
      query:
        'select id, name, properties.email, properties.orders as orders from persons where properties.country = {country} order by orders desc limit 10',
      values: { country: 'DE' },
    },
  },
  'active persons by week': {
    summary: 'Active persons of each week',
    value: {
      query:
        'select toStartOfWeek(timestamp) as week, count(distinct person_id) as persons from events group by week order by week',
    },
  },
  'revenue by payment': {
    summary: 'Sums of a number in events, by another property',
    value: {
      query:
        "select properties.method as method, count() as orders, round(sum(toFloat(properties.value)), 2) as revenue from events where event = 'order paid' group by method order by revenue desc",
    },
  },
  'sources and devices': {
    summary: 'A property of the person beside that of the event',
    value: {
      query:
        "select person.properties.first_source as source, properties.$device_type as device, count() as views from events where event = 'product viewed' group by source, device order by views desc limit 10",
    },
  },
  prices: {
    summary: 'Quantiles',
    value: {
      query:
        "select properties.category as category, round(quantile(0.5)(toFloat(properties.price))) as median, round(quantile(0.95)(toFloat(properties.price))) as high from events where event = 'product viewed' group by category order by category",
    },
  },
  'a funnel': {
    summary: 'Time from the first view of a product to the first paid order of each person, with a CTE',
    value: {
      query:
        "with firsts as (select person_id, minIf(timestamp, event = 'product viewed') as viewed, minIf(timestamp, event = 'order paid') as paid, countIf(event = 'product viewed') as views, countIf(event = 'order paid') as orders from events group by person_id) select count() as persons, round(avg(dateDiff('hour', viewed, paid))) as hours from firsts where views > 0 and orders > 0 and paid > viewed",
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
        "select event, count() as times from events where person_id in cohort 'Abandoned carts' group by event order by times desc limit 10",
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
