import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProjectContext } from '../../src/kernel/access/project-context.js';
import { everything } from '../../src/filters/reading/filter.js';
import { parseFilters } from '../../src/filters/reading/filter-fields.js';
import { QuestionWarnings, UnknownEvents, withoutCheck } from '../../src/filters/warnings/question-warnings.js';
import {
  propertiesOfFilters,
  UnknownProperties,
  type NamedProperty,
} from '../../src/filters/warnings/unknown-properties.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { QueryTooExpensive } from '../../src/platform/clickhouse/errors.js';
import { migrateClickHouse } from '../../src/platform/clickhouse/schema/migrate.js';
import { clickhouseMigrations } from '../../src/kernel/projection/schema/migrations.js';
import { projectedProperties } from '../../src/kernel/projection/schema/property.sql.js';

let folder: string;
let clickhouse: ClickHouse;

const rare = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`a${at}`, 1]));
const longKey = 'k'.repeat(150);
const now = new Date('2024-01-22T12:00:00Z');
const projectOf = (id: number, signal?: AbortSignal) => ({ id, signal }) as unknown as ProjectContext;
const project = projectOf(1);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-names-'));
  clickhouse = await ClickHouse.open({ embeddedPath: folder }, { info: () => undefined });
  await migrateClickHouse(clickhouse, clickhouseMigrations);
  const event = (projectId: number, name: string, properties: object, at: number) => ({
    ...{ project_id: projectId, uuid: `00000000-0000-4000-8000-00000000000${at}`, event: name, distinct_id: 'ada' },
    ...{ actor: 1, timestamp: now, received_at: now, version: 1, properties: projectedProperties({ ...properties }) },
  });
  await clickhouse.insert('events', [
    event(1, 'viewed', { plan: 'pro', address: { city: 'Rome' } }, 1),
    event(1, 'viewed', { plan: 'pro', price: '12' }, 2),
    event(1, 'paid', { price: 'none' }, 3),
    event(2, 'refunded', { coupon: 'x' }, 4),
    // Project 3 has very many properties, of which one is frequent.
    event(3, 'seen', { ...rare, plan: 'pro', [longKey]: 'text' }, 5),
    event(3, 'seen', { plan: 'pro' }, 6),
  ]);
  const person = { uuid: '00000000-0000-4000-8000-000000000000', is_identified: true, created_at: now, is_deleted: 0 };
  const properties = projectedProperties({ email: 'ada@example.test' });
  await clickhouse.insert('persons', [{ ...person, project_id: 1, id: 1, version: 1, properties }]);
});
afterAll(async () => {
  await clickhouse.close();
  await rm(folder, { recursive: true, force: true });
});

/** The number of statements that are sent meanwhile. */
const statements = async (work: () => Promise<unknown>): Promise<number> => {
  const query = jest.spyOn(clickhouse, 'query');
  await work();
  const { length } = query.mock.calls;
  query.mockRestore();
  return length;
};

/** Runs `work` while the engine refuses each statement. */
const whileTooExpensive = async <T>(work: () => Promise<T>): Promise<T> => {
  const query = jest.spyOn(clickhouse, 'query').mockRejectedValue(new QueryTooExpensive('rows'));
  try {
    return await work();
  } finally {
    query.mockRestore();
  }
};

const matches = (...names: readonly (string | null)[]) => names.map((event) => ({ event, filter: everything }));

describe('the events that a question names', () => {
  const warned = async (...names: readonly (string | null)[]) =>
    (await new UnknownEvents(clickhouse).warnings(project, matches(...names))).map(({ detail }) => detail);
  const listed = 'GET catalogue/events lists those that have';

  it.each([
    [['viewed', 'paid', null], []],
    [['viewd', 'viewd'], ['no event named viewd has arrived: did you mean viewed?']],
    [
      ['viewed', 'payd', 'refunded'],
      ['no event named payd has arrived: did you mean paid?', `no event named refunded has arrived: ${listed}`],
    ],
    [['q'.repeat(300)], [`no event named ${'q'.repeat(100)} has arrived: ${listed}`]],
  ])('%j are warned of with %j', async (names, details) => {
    expect(await warned(...names)).toEqual(details);
  });

  it('are warned of ten times at most, with a hint about the first ones', async () => {
    const names = Array.from({ length: 11 }, (_, at) => `paid${at}`);
    const details = await warned(...names);
    expect(details).toHaveLength(10);
    expect(details[0]).toBe('no event named paid0 has arrived: did you mean paid?');
    expect(details.map((detail) => detail.includes('did you mean'))).toEqual(details.map((_, at) => at < 3));
  });

  it('are looked for until they have arrived, in each project', async () => {
    const events = new UnknownEvents(clickhouse);
    const ask = (id: number, ...names: string[]) => statements(() => events.warnings(projectOf(id), matches(...names)));
    expect([await ask(1, 'viewed'), await ask(1, 'viewed'), await ask(1, 'viewd'), await ask(1, 'viewd')]).toEqual([
      1, 0, 1, 1,
    ]);
    expect([await ask(2, 'viewed'), await ask(2, 'viewed'), await ask(1)]).toEqual([1, 1, 0]);
  });

  it('have a warning that says so where looking for them is too expensive', async () => {
    const [warning, ...more] = await whileTooExpensive(() =>
      new UnknownEvents(clickhouse).warnings(project, matches('viewd', 'payed')),
    );
    expect(more).toEqual([]);
    expect(warning).toEqual({
      code: 'not_checked',
      detail: 'the check whether viewd, payed has ever arrived took too long: ask again to have it checked',
    });
  });

  it('have no warning where the question is given up', async () => {
    const given = projectOf(1, AbortSignal.abort());
    await expect(new UnknownEvents(clickhouse).warnings(given, matches('viewd'))).rejects.toBeDefined();
  });
});

describe('the properties that a question names', () => {
  const named = (source: 'event' | 'person', key: string, place: NamedProperty['in'] = 'filter') =>
    ({ source, key, in: place }) as const;
  const warned = async (...properties: NamedProperty[]) =>
    (await new UnknownProperties(clickhouse).warnings(project, properties)).map(({ code, detail }) => [code, detail]);

  it('have a warning that says so where looking for them is too expensive', async () => {
    expect(await whileTooExpensive(() => warned(named('event', 'plna')))).toEqual([
      ['not_checked', 'the check whether plna has ever arrived took too long: ask again to have it checked'],
    ]);
  });

  it('are not left unsaid when the engine has other work for two seconds', async () => {
    const busy = clickhouse.query.bind(clickhouse);
    const query = jest.spyOn(clickhouse, 'query').mockImplementation(async (statement, options) => {
      // The engine ends a statement when its time on the clock is over, whoever had the processor.
      if ((options.timeoutMs ?? 5_000) < 2_000) throw new QueryTooExpensive('time');
      return busy(statement, options);
    });
    try {
      expect(await warned(named('event', 'plna'))).toMatchObject([['unknown_property', expect.anything()]]);
    } finally {
      query.mockRestore();
    }
  });

  it.each([
    [named('event', 'plan'), null],
    [named('person', 'email', 'breakdown'), null],
    [named('event', 'price', 'math'), null],
    [named('event', 'plna'), 'no event has a property named plna: did you mean plan?'],
    [named('person', 'emial', 'sql'), 'no person has a property named emial: did you mean email?'],
    [
      named('event', 'coupon'),
      'no event has a property named coupon: GET catalogue/properties?kind=event lists those there are',
    ],
    [
      named('person', 'q'.repeat(300)),
      `no person has a property named ${'q'.repeat(100)}: GET catalogue/properties?kind=person lists those there are`,
    ],
    [
      named('event', 'address.city'),
      'no event has a property named address.city: address is one property, and only SQL reads what is in it',
    ],
    [named('event', 'prize', 'math'), 'no event has a property named prize: did you mean price?'],
    [
      named('event', 'email'),
      'no event has a property named email: it is a property of persons, so name the type person',
    ],
    [
      named('person', 'plan'),
      'no person has a property named plan: it is a property of events, so name the type event',
    ],
    [
      named('event', 'email', 'breakdown'),
      'no event has a property named email: it is a property of persons, so set breakdown_type to person',
    ],
    [
      named('event', 'email', 'math'),
      'no event has a property named email: it is a property of persons, and math takes properties of events',
    ],
    [
      named('event', 'email', 'sql'),
      'no event has a property named email: it is a property of persons, so write person.properties.email',
    ],
    [
      named('person', 'plan', 'sql'),
      'no person has a property named plan: it is a property of events, so select it from events',
    ],
  ] as const)('%j are warned of with %j', async (property, detail) => {
    expect(await warned(property)).toEqual(detail === null ? [] : [['unknown_property', detail]]);
  });

  it('are warned of where math finds only texts, before those that are unknown', async () => {
    expect(await warned(named('event', 'plna'), named('event', 'plan', 'math'), named('event', 'plan'))).toEqual([
      ['no_number', 'no event has a number in plan, and math leaves out what is no number'],
      ['unknown_property', 'no event has a property named plna: did you mean plan?'],
    ]);
  });

  it('are compared with the most frequent ones, and quoted in part', async () => {
    const ask = async (property: NamedProperty) =>
      (await new UnknownProperties(clickhouse).warnings(projectOf(3), [property])).map(({ detail }) => detail);
    expect(await ask(named('event', 'plna'))).toEqual(['no event has a property named plna: did you mean plan?']);
    expect(await ask(named('event', longKey, 'math'))).toEqual([
      `no event has a number in ${'k'.repeat(100)}, and math leaves out what is no number`,
    ]);
  });

  it('are hinted at in their own source', async () => {
    const details = await warned(named('event', 'emial'), named('person', 'plna'), named('person', 'emial'));
    expect(details.map(([, detail]) => detail)).toEqual([
      'no event has a property named emial: GET catalogue/properties?kind=event lists those there are',
      'no person has a property named plna: GET catalogue/properties?kind=person lists those there are',
      'no person has a property named emial: did you mean email?',
    ]);
  });

  it('are five at most, and looked for until they were found', async () => {
    const many = Array.from({ length: 6 }, (_, at) => named('event', `x${at}`));
    expect(await warned(...many)).toHaveLength(5);
    const properties = new UnknownProperties(clickhouse);
    const ask = (...some: NamedProperty[]) => statements(() => properties.warnings(project, some));
    expect([await ask(), await ask(named('event', 'plan')), await ask(named('event', 'plan'))]).toEqual([0, 1, 0]);
    // As a number it was not looked for yet, and there are only texts.
    expect([await ask(named('event', 'plan', 'math')), await ask(named('event', 'plan', 'math'))]).toEqual([2, 2]);
    expect([await ask(named('person', 'email')), await ask(named('person', 'email'), named('event', 'plan'))]).toEqual([
      1, 0,
    ]);
    await expect(
      properties.warnings(projectOf(1, AbortSignal.abort()), [named('event', 'plna')]),
    ).rejects.toBeDefined();
  });

  it('are those of filters that nothing passes without the property', () => {
    const filters = [
      { key: 'a', value: 1 },
      { type: 'person', key: 'b', operator: 'gt', value: 1 },
      { key: 'c', operator: 'is_set' },
      ...['is_not', 'not_icontains', 'not_regex', 'is_not_set'].map((operator) => ({ key: 'd', operator, value: 'x' })),
      { key: 'd', operator: 'not_between', value: [1, 2] },
      { key: 'd', value: 1, negation: true },
      { type: 'event_metadata', key: 'event', value: 'x' },
      { type: 'cohort', key: 'id', value: 3 },
    ];
    const allowed = ['event', 'person', 'cohort', 'event_metadata'] as const;
    expect(propertiesOfFilters([parseFilters(filters, 'properties', { defaultType: 'event', allowed })])).toEqual([
      named('event', 'a'),
      named('person', 'b'),
      named('event', 'c'),
    ]);
  });
});

describe('the warnings of a question', () => {
  it('are about its events, its filters and its other properties', async () => {
    const all = new QuestionWarnings(clickhouse);
    const filter = parseFilters([{ key: 'plna', value: 1 }], 'p', { defaultType: 'event', allowed: ['event'] });
    const properties = [{ source: 'person', key: 'emial', in: 'breakdown' }] as const;
    const asked = { matches: matches('viewd'), filters: [filter] };
    const codes = async (more: object) => (await all.of(project, { ...asked, ...more })).map(({ code }) => code);
    expect(await codes({ properties })).toEqual(['unknown_event', 'unknown_property', 'unknown_property']);
    expect(await codes({})).toEqual(['unknown_event', 'unknown_property']);
  });
});

describe('a question whose names cannot be looked for', () => {
  it('has a warning that names them, and none without names', () => {
    const filter = parseFilters([{ key: 'plan', value: 'pro' }], 'p', { defaultType: 'event', allowed: ['event'] });
    expect(withoutCheck({ matches: matches('viewed', null), filters: [filter] })).toMatchObject([
      { code: 'not_checked', detail: expect.stringContaining('viewed, plan') },
    ]);
    expect(withoutCheck({ matches: matches(null), filters: [] })).toEqual([]);
  });
});
