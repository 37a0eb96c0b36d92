import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { normalise } from '../../src/kernel/event-log/normalise/normalise.js';
import { personUuid } from '../../src/kernel/identity/person-ref.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { importLines } from '../support/import.js';
import { NaiveWorld } from '../support/identity-naive.js';
import { runsOf } from '../support/sample.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { until } from '../support/until.js';

let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const distinctId = fc.constantFrom('ada', 'bob', 'cyd', 'anon 1', 'anon 2', 'anon 3', 'anon 4');
const key = fc.constantFrom('plan', 'city', '$browser', '$current_url', '$initial_browser');
const value = fc.constantFrom<unknown>('a', 'b', 1, null);
const operators = fc.record(
  {
    $set: fc.dictionary(key, value, { maxKeys: 2 }),
    $set_once: fc.dictionary(key, value, { maxKeys: 2 }),
    $unset: fc.uniqueArray(key, { maxLength: 1 }),
  },
  { requiredKeys: [] },
);
/** What SDKs attach to each event, and users find on the person. */
const automatic = fc.record(
  {
    $browser: fc.constantFrom('Firefox', 'Safari'),
    $current_url: fc.constantFrom('https://a.example/1', 'https://a.example/2'),
    $pathname: fc.constantFrom('/1', '/2'),
    utm_source: fc.constantFrom('ad', 'mail', null),
  },
  { requiredKeys: [] },
);
const noProfile = fc
  .boolean()
  .map((isOff): Record<string, unknown> => (isOff ? { $process_person_profile: false } : {}));
const merging = fc
  .tuple(fc.constantFrom('$identify', '$create_alias', '$merge_dangerously'), distinctId)
  .map(([event, other]) => ({ event, [event === '$identify' ? '$anon_distinct_id' : 'alias']: other }));
const kind = fc.oneof(
  { weight: 3, arbitrary: noProfile.map((more) => ({ event: '$pageview', ...more })) },
  { weight: 2, arbitrary: merging },
);

interface Sent {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const event: fc.Arbitrary<Sent> = fc
  .record({ distinct_id: distinctId, kind, operators, automatic, hours: fc.nat({ max: 95 }) })
  .map(({ distinct_id, kind: { event: name, ...special }, hours, ...given }) => ({
    uuid: randomUUID(),
    event: name,
    distinct_id,
    timestamp: new Date(Date.UTC(2026, 2, 1, hours)).toISOString(),
    properties: { ...given.automatic, ...given.operators, ...special },
  }));

/** A stream of events, and after which of them a request ends. */
const stream = fc.array(fc.tuple(event, fc.boolean()), { minLength: 12, maxLength: 30, size: 'max' });

const split = <T>(events: readonly (readonly [T, boolean])[]): T[][] => {
  const requests: T[][] = [[]];
  for (const [sent, isLast] of events) {
    requests.at(-1)?.push(sent);
    if (isLast) requests.push([]);
  }
  return requests.filter((request) => request.length > 0);
};

type Send = (project: ProjectDto, events: readonly Sent[]) => Promise<void>;

const capture: Send = async (project, events) => {
  const body = { api_key: project.api_token, batch: events };
  const answer = await service.call('POST', '/batch', { key: null, body });
  expect([answer.status, answer.body]).toMatchObject([200, { accepted: events.length }]);
};

const importEvents: Send = (project, events) =>
  importLines(
    service,
    project.id,
    events.map((sent) => ({ type: 'event', ...sent })),
  );

interface PersonLine {
  readonly type: 'person';
  readonly distinct_ids: readonly string[];
  readonly properties: object;
  readonly created_at: string;
  readonly is_identified: boolean;
}

const personLine: fc.Arbitrary<PersonLine> = fc.record({
  type: fc.constant('person' as const),
  distinct_ids: fc.uniqueArray(distinctId, { minLength: 1, maxLength: 2 }),
  properties: fc.dictionary(key, value, { maxKeys: 2 }),
  created_at: fc.nat({ max: 95 }).map((hours) => new Date(Date.UTC(2026, 2, 1, hours)).toISOString()),
  is_identified: fc.boolean(),
});

type Line = PersonLine | (Sent & { readonly type: 'event' });

const line: fc.Arbitrary<Line> = fc.oneof(
  { weight: 3, arbitrary: event.map((sent) => ({ type: 'event' as const, ...sent })) },
  { weight: 1, arbitrary: personLine },
);

/** Some lines are refused, because they would join two identified persons. */
const importAll = async (project: ProjectDto, lines: readonly Line[], query: string): Promise<string[]> => {
  const answer = await fetch(`${service.url}/api/projects/${project.id}/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((each) => JSON.stringify(each)).join('\n'),
  });
  const reply = (await answer.json()) as { id: string; rejected: { code: string }[] };
  if (answer.status !== 202) return reply.rejected.map(({ code }) => code);
  const state = () => get<{ status: string; rejected: { code: string }[] }>(project, `import/${reply.id}`, {});
  await until(async () => (await state()).status === 'done');
  return (await state()).rejected.map(({ code }) => code);
};

const importOutcome = async (requests: readonly (readonly Line[])[], query = '') => {
  const project = await service.newProject();
  const refused: string[] = [];
  for (const request of requests) refused.push(...(await importAll(project, request, query)));
  const events = requests.flat().filter(({ type }) => type === 'event').length;
  const persons = comparable(await personsOf(project));
  return { refused, persons, answers: await answersOf(project, events) };
};

interface Person {
  readonly ids: readonly string[];
  readonly properties: object;
  readonly identified: boolean;
  readonly createdAt: number;
}

/** The persons, each with the distinct id of which its uuid was made. */
const personsOf = async ({ id }: ProjectDto): Promise<(Person & { readonly madeFor: string | undefined })[]> => {
  const { rows } = await service.pool.query<Person & { uuid: string; created_at: Date }>(
    `SELECT p.uuid, p.properties, p.is_identified AS identified, p.created_at,
       (SELECT array_agg(distinct_id ORDER BY position) FROM person_distinct_ids d
        WHERE d.project_id = p.project_id AND d.person_id = p.id) AS ids
     FROM persons p WHERE project_id = $1`,
    [id],
  );
  return rows
    .map(({ uuid, created_at, ...person }) => ({
      ...person,
      createdAt: created_at.getTime(),
      madeFor: person.ids.find((distinct) => personUuid(id, distinct) === uuid),
    }))
    .sort((a, b) => (a.ids.join() < b.ids.join() ? -1 : 1));
};

const get = async <T>({ id }: ProjectDto, path: string, query: Record<string, string>): Promise<T> => {
  const answer = await service.call('GET', `/api/projects/${id}/${path}`, { query });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body as T;
};

const days = { include: 'insight', date_from: '2026-03-01', date_to: '2026-03-05' };

/** Which ids are one person to those who ask, and what is counted of them. */
const answersOf = async (project: ProjectDto, events: number) => {
  const trends = (math: string) =>
    get<{ insight: { series: { data: number[] }[] } }>(project, 'persons/trends', {
      ...days,
      events: `[{"id":null,"math":"${math}"}]`,
    }).then(({ insight }) => insight.series.flatMap(({ data }) => data));
  const counts = () => trends('total');
  await until(async () => (await counts()).reduce((sum, count) => sum + count, 0) === events);
  const log = await get<{ results: { uuid: string; person_id: number | null; distinct_id: string }[] }>(
    project,
    'events',
    { limit: '100' },
  );
  const byPerson = new Map<number | null, string[]>();
  for (const { uuid, person_id } of log.results)
    byPerson.set(person_id, [...(byPerson.get(person_id) ?? []), uuid].sort());
  const { insight } = await get<{ insight: Record<string, number[]> }>(project, 'persons/lifecycle', {
    ...days,
    events: '[{"id":null}]',
  });
  const { new: born, returning, resurrecting, dormant } = insight;
  return {
    total: await counts(),
    active: await trends('dau'),
    lifecycle: { new: born, returning, resurrecting, dormant },
    eventsOfPersons: [...byPerson.values()].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  };
};

const outcomeOf = async (requests: readonly (readonly Sent[])[], send: Send) => {
  const project = await service.newProject();
  for (const request of requests) await send(project, request);
  return { persons: await personsOf(project), answers: await answersOf(project, requests.flat().length) };
};

/** The persons according to the rules, read one event after the other. */
const ruled = (events: readonly Sent[]): Person[] => {
  const world = new NaiveWorld();
  for (const sent of events) {
    const read = normalise(sent, { now: new Date(), sentAt: null, index: 0, engage: false });
    if (read.ok) world.receive([read.event]);
  }
  return world.persons
    .map(({ ids, properties, isIdentified, createdAt }) => ({ ids, properties, identified: isIdentified, createdAt }))
    .sort((a, b) => ([...a.ids].sort().join() < [...b.ids].sort().join() ? -1 : 1));
};

/** Persons that have nothing to do with each other may be made in another order than their lines: so may their distinct ids. */
const comparable = (persons: readonly Person[]) =>
  persons
    .map(({ ids, properties, identified, createdAt }) => ({ ids: [...ids].sort(), properties, identified, createdAt }))
    .sort((a, b) => (a.ids.join() < b.ids.join() ? -1 : 1));

describe('a stream of events', () => {
  it.each([
    ['captured', capture],
    ['imported', importEvents],
  ])('leaves the same persons and numbers however it is split into requests: %s', async (_name, send) => {
    await fc.assert(
      fc.asyncProperty(stream, async (events) => {
        const sent = events.map(([each]) => each);
        const alone = await outcomeOf(
          sent.map((each) => [each]),
          send,
        );
        expect(comparable(alone.persons)).toEqual(comparable(ruled(sent)));
        expect(await outcomeOf([sent], send)).toEqual(alone);
        expect(await outcomeOf(split(events), send)).toEqual(alone);
      }),
      { numRuns: runsOf(12, 6), endOnFailure: true },
    );
  });

  it('leaves the same persons and numbers when it is imported between lines of persons', async () => {
    const lines = fc.array(fc.tuple(line, fc.boolean()), { minLength: 12, maxLength: 30, size: 'max' });
    await fc.assert(
      fc.asyncProperty(lines, async (drawn) => {
        const sent = drawn.map(([each]) => each);
        const alone = await importOutcome(sent.map((each) => [each]));
        expect(await importOutcome([sent])).toEqual(alone);
        expect(await importOutcome(split(drawn))).toEqual(alone);
        expect(await importOutcome([sent], '?wait=0')).toEqual(alone);
      }),
      { numRuns: runsOf(12, 6), endOnFailure: true },
    );
  });

  it('creates a person at the time of the event that came first, not of the earliest in its request', async () => {
    const at = (day: number): Sent => ({
      uuid: randomUUID(),
      event: 'seen',
      distinct_id: 'ada',
      timestamp: `2026-03-0${day}T00:00:00.000Z`,
      properties: {},
    });
    const { persons, answers } = await outcomeOf([[at(2), at(1)]], capture);
    expect(persons.map(({ createdAt }) => new Date(createdAt).toISOString())).toEqual(['2026-03-02T00:00:00.000Z']);
    expect(answers.lifecycle).toMatchObject({ new: [0, 1, 0, 0, 0], resurrecting: [1, 0, 0, 0, 0] });
  });
});
