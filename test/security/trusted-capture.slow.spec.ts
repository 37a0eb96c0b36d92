import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

const attacks = Number(process.env.ATTACKS ?? 20_000);
const seed = Number(process.env.SEED ?? 20_260_301);
const batchSize = 100;

const ofPersons = ['plan', 'a.b', 'größe', '__proto__', 'constructor', '$role'];
const ofGroups = ['seats', 'a.b', 'constructor'];
/** Names that are not protected, though they resemble those that are. */
const others = ['Plan', 'plan ', 'a', 'b', 'a%2Eb', 'größe', 'plan\0', '$set', '$browser', 'name', 'toString'];

const victims = Array.from({ length: 12 }, (_, nth) => `victim-${nth}`);
const visitors = Array.from({ length: 6 }, (_, nth) => `visitor-${nth}`);
const attackers = Array.from({ length: 6 }, (_, nth) => `attacker-${nth}`);
const companies = ['acme', 'globex', 'a.b'];

type Values = Readonly<Record<string, unknown>>;
/** Made by entries, as JSON.parse makes objects: `__proto__` becomes an own property. */
const valuesOf = (names: readonly string[], of: string): Values =>
  Object.fromEntries(names.map((name, nth) => [name, `${of} ${nth}`]));
/** What a server with a key has set before the attacks. Some have none of the properties. */
const truth = new Map<string, Values>([
  ...victims.map((id, nth) => [id, valuesOf(ofPersons.slice(0, nth % 7), id)] as const),
  ...visitors.map((id, nth) => [id, valuesOf(ofPersons.slice(nth), id)] as const),
]);
const truthOfGroups = new Map(companies.map((key, nth) => [key, valuesOf(ofGroups.slice(nth), key)] as const));

const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...new Set([...ofPersons, ...ofGroups])) },
  fc.constantFrom(...others),
);
const value = fc.constantFrom<unknown>('stolen', 0, null, true, [], {}, ['plan'], { plan: 'stolen' }, 'x'.repeat(50));
const object = fc
  .array(fc.tuple(name, value), { maxLength: 4 })
  .map((entries) => Object.fromEntries(entries) as object);
const operator = fc.oneof(
  { weight: 4, arbitrary: object },
  { weight: 2, arbitrary: fc.array(name, { maxLength: 4 }) },
  fc.array(fc.oneof(name, value), { maxLength: 3 }),
  value,
  object.map((inner) => ({ $set: inner, properties: inner })),
);
const id = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...victims) },
  { weight: 2, arbitrary: fc.constantFrom(...visitors) },
  { weight: 3, arbitrary: fc.constantFrom(...attackers) },
  fc.integer({ min: 0, max: 400 }).map((nth) => `new-${nth}`),
);
const operators = (names: readonly string[]) =>
  fc.record(Object.fromEntries(names.map((each) => [each, operator])), { requiredKeys: [] });
const persons = ['$set', '$set_once', '$unset', 'set', '$SET', '$delete'];

const attack = fc
  .record({
    event: fc.constantFrom(
      ...['$identify', '$create_alias', '$merge_dangerously', '$merge_dangerously', '$set', '$unset', '$groupidentify'],
      ...['$groupidentify', '$pageview', '$delete_person_property', '$exception', 'signed up', '$merge_dangerously '],
    ),
    distinct_id: id,
    top: operators(persons),
    properties: operators([...persons, '$group_set', '$group_set_once', '$group_unset']),
    links: fc.record({ alias: id, $anon_distinct_id: id, distinct_id: id, $distinct_id: id }, { requiredKeys: [] }),
    profile: fc.constantFrom<object>(
      ...[{}, {}, {}, { $process_person_profile: true }, { $process_person_profile: false }],
      { $process_person_profile: 'false' },
    ),
    group: fc.constantFrom(...companies, 'unknown'),
    type: fc.constantFrom('company', 'company', 'team'),
  })
  .map(({ event, distinct_id, top, properties, links, profile, group, type }) => ({
    ...top,
    event,
    distinct_id,
    timestamp: '2026-03-01T10:00:00Z',
    properties: {
      ...properties,
      ...links,
      ...profile,
      $groups: { [type]: group },
      $group_type: type,
      $group_key: group,
    },
  }));

/** The same attack in the words of Segment. */
const message = fc
  .record({
    type: fc.constantFrom('identify', 'track', 'page', 'screen', 'group', 'alias'),
    userId: id,
    previousId: id,
    groupId: fc.constantFrom(...companies),
    event: fc.constantFrom('$set', '$merge_dangerously', '$groupidentify', '$create_alias', 'seen'),
    traits: object,
    properties: operators(persons),
    alias: id,
    context: object.map((traits) => ({ traits })),
  })
  .chain((each) => fc.option(id).map((anonymousId) => ({ ...each, ...(anonymousId && { anonymousId }) })))
  .map(({ properties, alias, ...rest }) => ({ ...rest, properties: { ...properties, alias } }));

type Attack = Readonly<Record<string, unknown>>;

interface Request {
  readonly path: string;
  readonly body?: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Door = (token: string, batch: readonly Attack[]) => readonly Request[];

const json = JSON.stringify;
const inBatch =
  (path: string, pack: (text: string) => Buffer | string = (text) => text): Door =>
  (token, batch) => [{ path, body: pack(json({ api_key: token, batch })) }];
const oneByOne =
  (path: string): Door =>
  (token, batch) =>
    batch.map((event) => ({ path, body: json({ api_key: token, ...event }) }));

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const doors: Readonly<Record<string, Door>> = {
  batch: inBatch('/batch'),
  'e as a list': (token, batch) => [
    { path: '/e/?compression=gzip-js&beacon=1', body: gzipSync(json(batch.map((each) => ({ ...each, token })))) },
  ],
  'i/v0/e, packed': inBatch('/i/v0/e', gzipSync),
  'i/v1, with results': (token, batch) => [
    { path: '/i/v1/analytics/events', body: json({ batch }), headers: { authorization: `Bearer ${token}` } },
  ],
  'track, as a form': inBatch('/track', (text) => `data=${encodeURIComponent(base64(text))}`),
  engage: (token, batch) => [
    { path: '/engage', body: json({ api_key: token, batch: batch.map((each) => ({ ...each, event: undefined })) }) },
  ],
  capture: oneByOne('/capture'),
  'a picture': (token, batch) =>
    batch.map((event) => ({ path: `/e/?data=${encodeURIComponent(base64(json({ api_key: token, ...event })))}` })),
  'with cookies': (token, batch) => [
    {
      path: '/batch',
      body: json({ api_key: token, batch }),
      headers: { cookie: 'kohort_session=x', origin: 'https://a.test' },
    },
  ],
};

const segmentDoor: Door = (token, batch) => [
  { path: '/v1/batch', body: json({ batch }), headers: { authorization: `Basic ${base64(`${token}:`)}` } },
];

let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const send = async ({ path, body, headers = {} }: Request, key: string | null = null): Promise<void> => {
  const answer = await fetch(service.url + path, {
    ...(body === undefined ? {} : { method: 'POST', body }),
    headers: { ...headers, ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
  });
  const text = await answer.text();
  if (answer.status === 204) return;
  const { accepted, rejected } = JSON.parse(text) as { accepted?: number; rejected?: unknown[] };
  // The event stays, with or without its refused parts.
  if (answer.status !== 200 || rejected?.length !== 0 || !accepted)
    throw new Error(`${path}: ${answer.status} ${text.slice(0, 500)}`);
};

/** A project in which a server has set the truth with a key. */
const setUp = async (settings: object): Promise<ProjectDto> => {
  const project = await service.newProject();
  await service.call('PATCH', `/api/projects/${project.id}`, { body: settings });
  const at = { timestamp: '2026-03-01T09:00:00Z' };
  const batch = [
    ...[...truth].map(([distinct_id, $set]) => ({
      ...at,
      event: victims.includes(distinct_id) ? '$identify' : 'seen',
      distinct_id,
      $set,
    })),
    ...[...truthOfGroups].map(([key, values]) => ({
      ...at,
      event: '$groupidentify',
      distinct_id: 'server',
      properties: { $group_type: 'company', $group_key: key, $group_set: values },
    })),
  ];
  await send({ path: '/batch', body: json({ api_key: project.api_token, batch }) }, service.key);
  return project;
};

const everything = {
  protected_person_properties: ofPersons,
  protected_group_properties: ofGroups,
  protected_merges: true,
};

interface Row {
  readonly ids: readonly string[];
  readonly properties: Values;
}

const personsOf = async ({ id: projectId }: ProjectDto): Promise<Row[]> => {
  const { rows } = await service.pool.query<Row>(
    `SELECT array_agg(d.distinct_id ORDER BY d.distinct_id) AS ids, p.properties
     FROM persons p JOIN person_distinct_ids d ON (d.project_id, d.person_id) = (p.project_id, p.id)
     WHERE p.project_id = $1 GROUP BY p.id, p.properties ORDER BY 1`,
    [projectId],
  );
  return rows;
};

const groupsOf = async ({
  id: projectId,
}: ProjectDto): Promise<{ key: string; type: number; properties: Values }[]> => {
  const { rows } = await service.pool.query<{ key: string; type: number; properties: Values }>(
    'SELECT key, group_type_index AS type, properties FROM groups WHERE project_id = $1 ORDER BY type, key',
    [projectId],
  );
  return rows;
};

const only = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.filter((each) => Object.hasOwn(values, each)).map((each) => [each, values[each]]));

/**
 * A victim has what the server has set. What it lacks it may have from a visitor that became part of it: that, too, the server
 * has set for one of its ids.
 */
const assertUntouched = async (project: ProjectDto): Promise<void> => {
  for (const { ids, properties } of await personsOf(project)) {
    const identified = ids.filter((each) => victims.includes(each));
    if (identified.length > 1) throw new Error(`merged: ${identified.join(', ')}`);
    const known = ids.map((each): Values => truth.get(each) ?? {});
    const own = truth.get(identified[0] ?? '') ?? {};
    for (const each of ofPersons) {
      const isNow = Object.hasOwn(properties, each) ? properties[each] : undefined;
      const may = Object.hasOwn(own, each)
        ? [own[each]]
        : known.flatMap((values) => (Object.hasOwn(values, each) ? [values[each]] : []));
      if (may.length === 0 ? isNow !== undefined : !may.includes(isNow))
        throw new Error(`${ids.join(', ')} has ${each} = ${json(isNow)}, not one of ${json(may)}`);
    }
  }
  for (const { key, type, properties } of await groupsOf(project))
    expect([key, only(properties, ofGroups)]).toEqual([key, type === 0 ? (truthOfGroups.get(key) ?? {}) : {}]);
  const { rows } = await service.pool.query(
    'SELECT FROM person_merges WHERE project_id = $1 AND survivor_is_identified AND merged_is_identified',
    [project.id],
  );
  expect(rows).toEqual([]);
};

const batchesOf = (of: fc.Arbitrary<Attack>, count: number, shift: number): Attack[][] => {
  const all = fc.sample(of, { numRuns: count, seed: seed + shift });
  return Array.from({ length: Math.ceil(count / batchSize) }, (_, nth) =>
    all.slice(nth * batchSize, (nth + 1) * batchSize),
  );
};

describe(`${attacks} attacks with the project token`, () => {
  it.each([
    ...Object.entries(doors).map(([name, door], nth) => [name, door, attack, nth] as const),
    ['messages of Segment', segmentDoor, message, 90] as const,
  ])(
    'change no protected property and merge no identified persons: %s',
    async (_name, door, of, shift) => {
      const project = await setUp(everything);
      await assertUntouched(project);
      const share = Math.ceil(attacks / (Object.keys(doors).length + 1));
      for (const [nth, batch] of batchesOf(of as fc.Arbitrary<Attack>, share, shift).entries()) {
        for (const request of door(project.api_token, batch)) await send(request);
        if (nth % 20 === 19) await assertUntouched(project);
      }
      await assertUntouched(project);
    },
    600_000,
  );

  it('do with a key what they would in a project that protects nothing', async () => {
    const [guarded, open, attacked] = [await setUp(everything), await setUp({}), await setUp(everything)];
    for (const batch of batchesOf(attack, Math.ceil(attacks / 20), 500)) {
      const body = ({ api_token }: ProjectDto) => json({ api_key: api_token, batch });
      await send({ path: '/batch', body: body(guarded) }, service.key);
      await send({ path: '/batch', body: body(open) });
      await send({ path: '/batch', body: body(attacked) });
    }
    expect(await personsOf(guarded)).toEqual(await personsOf(open));
    expect(await groupsOf(guarded)).toEqual(await groupsOf(open));
    // The attacks are worth the name.
    await expect(assertUntouched(open)).rejects.toThrow();
    expect(await personsOf(attacked)).not.toEqual(await personsOf(open));
  });

  it('end alike in one batch and one by one', async () => {
    const [together, alone] = [await setUp(everything), await setUp(everything)];
    for (const batch of batchesOf(attack, Math.ceil(attacks / 100), 600)) {
      await send({ path: '/batch', body: json({ api_key: together.api_token, batch }) });
      for (const each of batch) await send({ path: '/batch', body: json({ api_key: alone.api_token, batch: [each] }) });
    }
    expect(await personsOf(together)).toEqual(await personsOf(alone));
    expect(await groupsOf(together)).toEqual(await groupsOf(alone));
  });
});
