import { beforeAll, describe, expect, it } from '@jest/globals';
import { check } from '../check/check.js';
import { QueryParser } from '../parse/parser.js';
import { namesCompared } from './names-compared.js';

let parser: QueryParser;
beforeAll(async () => {
  parser = await QueryParser.open();
});

const namesOf = async (query: string) => {
  const { events, properties } = namesCompared(check(await parser.parse(query, 1), {}));
  return { events, properties: properties.map(({ source, key }) => `${source} ${key}`) };
};

describe('the names that a question expects to have arrived', () => {
  it.each([
    ["select 1 from events where event = 'paid'", ['paid'], []],
    ["select 1 from events as e where 'paid' = e.event or event in ('seen', 'left')", ['paid', 'seen', 'left'], []],
    ["select countIf(event = 'paid') from events", ['paid'], []],
    ['select properties.plan from events', [], ['event plan']],
    ['select e.properties.plan, person.properties.tier from events as e', [], ['event plan', 'person tier']],
    ['select p.properties.tier from persons as p', [], ['person tier']],
  ])('are in %s', async (query, events, properties) => {
    const names = await namesOf(query);
    expect([[...names.events].sort(), names.properties.sort()]).toEqual([[...events].sort(), [...properties].sort()]);
  });

  it.each([
    ["select 1 from events where event != 'paid' or event not in ('seen')"],
    ["select 1 from events where distinct_id = 'ada' and event = distinct_id"],
    ["select event from (select upper(event) as event from events) where event = 'PAID'"],
    ['select properties.plan from (select person.properties as properties from events)'],
    ['select properties.plan from events join persons on events.person_id = persons.id'],
  ])('are not in %s', async (query) => {
    expect(await namesOf(query)).toEqual({ events: [], properties: [] });
  });
});
