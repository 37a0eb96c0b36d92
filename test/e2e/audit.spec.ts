import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditEntryDto } from '../../src/audit/audit.dto.js';
import { hasPersonalData } from '../../src/kernel/access/personal-data.js';
import { Routes } from '../../src/kernel/access/routes.js';
import { DeletionsJob } from '../../src/deletions/deletions-job.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { PersonsOf } from '../support/persons.js';
import { startTestService, type TestService } from '../support/service.js';
import { signedIn } from '../support/signed-in.js';
import { validBodies } from '../support/valid-bodies.js';
import { ModulesContainer } from '@nestjs/core';

let service: TestService;
let people: PersonsOf;
let ada: PersonDto;

const audited = async (): Promise<PersonsOf> => {
  const project = await service.newProject();
  const answer = await service.call('PATCH', `/api/projects/${project.id}`, { body: { audit_reads: true } });
  expect([answer.status, (answer.body as { audit_reads: boolean }).audit_reads]).toEqual([200, true]);
  return new PersonsOf(service, project.id);
};

beforeAll(async () => {
  service = await startTestService();
  people = await audited();
  ada = await people.make(['ada', 'ada-2'], { email: 'ada@example.test' });
  await people.make(['bob'], { email: 'bob@example.test' });
});
afterAll(() => service.stop());

const entriesOf = async ({ projectId }: PersonsOf, query: Record<string, string | number> = {}) => {
  const answer = await service.call('GET', `/api/projects/${projectId}/audit`, { query: { limit: 1000, ...query } });
  expect(answer.status).toBe(200);
  return (answer.body as { results: AuditEntryDto[] }).results;
};

/** An answer that its handler sends itself is completed in the trail a moment later. */
const entryOf = async (answer: { headers: Record<string, string> }, of = people): Promise<AuditEntryDto> => {
  for (let tries = 1; ; tries += 1) {
    const [entry, ...others] = (await entriesOf(of)).filter(
      (each) => each.request_id === answer.headers['x-request-id'],
    );
    expect(others).toEqual([]);
    if (entry?.ended_at || tries === 40) return entry as AuditEntryDto;
    await sleep(25);
  }
};

describe('the audit trail of reads', () => {
  it('is off at first: no request leaves an entry', async () => {
    const project = await service.newProject();
    expect(project.audit_reads).toBe(false);
    const quiet = new PersonsOf(service, project.id);
    await quiet.make(['ada']);
    await quiet.call('GET', 'persons');
    expect(await entriesOf(quiet)).toEqual([]);
  });

  it('is turned on and off by owners only, and the change is in the activity log', async () => {
    const project = await service.newProject();
    const path = `/api/projects/${project.id}`;
    const admin = await signedIn(service, { roles: { [project.id]: 'admin' } });
    const { text: ofProject } = await service.newKey({ projectIds: [project.id] });
    const body = { audit_reads: true };
    for (const refused of [
      await admin.call('PATCH', path, { body }),
      await service.call('PATCH', path, { body, key: ofProject }),
    ])
      expect([refused.status, refused.body]).toEqual([403, expect.objectContaining({ attr: 'audit_reads' })]);
    const owner = await signedIn(service, { isOwner: true });
    expect((await owner.call('PATCH', path, { body })).status).toBe(200);
    expect((await admin.call('PATCH', path, { body: { audit_reads: false } })).status).toBe(403);
    const record = (await admin.call('GET', path)).body as object;
    expect((await admin.call('PATCH', path, { body: { ...record, name: 'Renamed' } })).status).toBe(200);
    const log = await new PersonsOf(service, project.id).activity('activity', { scope: 'Project' });
    expect(log[1]?.detail.changes).toEqual([
      expect.objectContaining({ field: 'audit_reads', before: false, after: true }),
    ]);
    expect((await service.call('PATCH', path, { body: { audit_reads: 'yes' } })).body).toMatchObject({
      status: 400,
      attr: 'audit_reads',
    });
    const made = await service.call('POST', '/api/projects', { body: { name: 'Watched', audit_reads: true } });
    expect(made.body).toMatchObject({ audit_reads: true });
  });

  it('has who read which person when, by which request', async () => {
    const before = Date.now();
    const answer = await people.call('GET', `persons/${ada.id}`);
    const [user] = (await service.pool.query('SELECT id FROM users WHERE email = $1', [service.email])).rows as {
      id: number;
    }[];
    const [key] = (await service.pool.query('SELECT id FROM personal_api_keys WHERE user_id = $1', [user?.id]))
      .rows as {
      id: string;
    }[];
    const entry = await entryOf(answer);
    expect(entry).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      user: expect.objectContaining({ id: user?.id, email: service.email }),
      key_id: key?.id,
      operation: 'getPerson',
      ids: { id: String(ada.id) },
      ended_at: expect.any(String),
      status: 200,
      rows: null,
      complete: true,
      request_id: answer.headers['x-request-id'],
    });
    expect(Date.parse(entry.created_at)).toBeGreaterThanOrEqual(before - 1000);
    const browser = await signedIn(service, { roles: { [people.projectId]: 'viewer' } });
    const seen = await browser.call('GET', `/api/projects/${people.projectId}/persons/${ada.uuid}`);
    expect(await entryOf(seen)).toMatchObject({
      user: { id: browser.userId, email: browser.email },
      key_id: null,
      ids: { id: ada.uuid },
    });
  });

  it.each<[string, number | null, () => ReturnType<PersonsOf['call']>]>([
    ['listPersons', 2, () => people.call('GET', 'persons')],
    ['listPersons', 1, () => people.call('GET', 'persons', { query: { limit: 1 } })],
    ['listPersons', 0, () => people.call('GET', 'persons', { query: { email: 'nobody@example.test' } })],
    ['listPersons', 2, () => people.call('GET', 'persons', { query: { format: 'csv' } })],
    ['listPersons', 1, () => people.call('GET', 'persons', { query: { format: 'csv', limit: 1 } })],
    ['listDistinctIds', 2, () => people.call('GET', `persons/${ada.id}/distinct_ids`)],
    ['listEvents', 3, () => people.call('GET', 'events')],
    ['exportEvents', 3, () => people.call('GET', 'export/events')],
    ['exportEvents', 3, () => people.call('GET', 'export/events', { query: { format: 'csv' } })],
    ['exportPersons', 2, () => people.call('GET', 'export/persons')],
    ['exportPersons', 2, () => people.call('GET', 'export/persons', { query: { format: 'parquet' } })],
    ['exportPerson', null, () => people.call('GET', `persons/${ada.id}/export`)],
    ['askInSql', 3, () => people.call('POST', 'query', { body: { query: 'select event from events' } })],
    ['askInSql', 3, () => people.call('POST', 'query', { body: { query: 'select event from events', format: 'csv' } })],
    [
      'askInSql',
      3,
      () => people.call('POST', 'query', { body: { query: 'select event from events', format: 'ndjson' } }),
    ],
    ['askInSql', 2, () => people.call('POST', 'query', { body: { query: 'select event from events limit 2' } })],
    ['getStickiness', 2, () => people.call('GET', 'persons/stickiness?date_from=2024-01-01&date_to=2024-01-03')],
  ])('%s has the %p rows that were sent', async (operation, rows, call) => {
    const answer = await call();
    expect(answer.status).toBe(200);
    expect(await entryOf(answer)).toMatchObject({ operation, rows, status: 200, complete: true });
  });

  it('has the events that a stream has sent', async () => {
    const of = await audited();
    const { api_token } = (await of.call('GET', '')).body as { api_token: string };
    const streaming = of.call('GET', 'events/live', { query: { max_seconds: 2 } });
    for (let tries = 0; (await entriesOf(of)).length === 0 && tries < 40; tries += 1) await sleep(25);
    const batch = [
      { event: 'seen', distinct_id: 'ada' },
      { event: 'seen', distinct_id: 'bob' },
    ];
    await service.call('POST', '/batch', { key: null, body: { api_key: api_token, batch } });
    const answer = await streaming;
    expect(answer.text.match(/^event: event$/gm)).toHaveLength(2);
    expect(await entryOf(answer, of)).toMatchObject({ operation: 'watchEvents', rows: 2, status: 200, complete: true });
  });

  it('has what failed, too, with its status', async () => {
    const missing = await people.call('GET', 'persons/999999');
    const wrong = await people.call('GET', 'persons', { query: { limit: 'many' } });
    const broken = await people.call('POST', 'query', { body: { query: 'select' } });
    const entries = [await entryOf(missing), await entryOf(wrong), await entryOf(broken)];
    expect(entries.map(({ operation, status, ids }) => [operation, status, ids])).toEqual([
      ['getPerson', 404, { id: '999999' }],
      ['listPersons', 400, {}],
      ['askInSql', 400, {}],
    ]);
  });

  it('has no values: no properties, searches, distinct ids or texts of questions, and no secret', async () => {
    const secret = 'zebra@example.test';
    await people.call('GET', 'persons', { query: { email: secret } });
    await people.call('GET', 'persons', { query: { search: secret } });
    await people.call('GET', 'persons', { query: { distinct_id: secret } });
    await people.call('GET', `persons/${secret}`);
    await people.call('GET', 'persons/cohorts', { query: { person_id: secret } });
    await people.call('GET', `events/${secret}`);
    await people.call('PATCH', `persons/${ada.id}`, { body: { properties: { note: secret } } });
    await people.call('POST', 'query', { body: { query: `select event from events where event = '${secret}'` } });
    const { rows } = await service.pool.query('SELECT * FROM audit_trail');
    expect(rows.length).toBeGreaterThan(20);
    expect(JSON.stringify(rows)).not.toContain('zebra');
    expect(JSON.stringify(rows)).not.toContain('phx_');
  });

  it('names the person and the cohort of a question', async () => {
    const of = await audited();
    const { id } = await of.make(['eve', 'eve-2']);
    const body = { name: 'A', is_static: true, person_ids: [id] };
    const cohort = (await of.call('POST', 'cohorts', { body })).body as { id: number };
    const answers = [
      await of.call('GET', 'events', { query: { person_id: id } }),
      await of.call('GET', 'persons', { query: { cohort: cohort.id } }),
      await of.call('GET', `cohorts/${cohort.id}/persons`),
    ];
    const entries: AuditEntryDto[] = [];
    for (const answer of answers) entries.push(await entryOf(answer, of));
    expect(entries.map(({ operation, ids, rows }) => [operation, ids, rows])).toEqual([
      ['listEvents', { person_id: String(id) }, 2],
      ['listPersons', { cohort: String(cohort.id) }, 1],
      ['listCohortPersons', { id: String(cohort.id) }, 1],
    ]);
  });

  it('has a replayed answer as a request of its own', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const merge = () => people.call('POST', `persons/${ada.id}/merge`, { body: { distinct_ids: ['ada-2'] }, headers });
    const [first, second] = [await merge(), await merge()];
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect([(await entryOf(first)).operation, (await entryOf(second)).operation]).toEqual([
      'mergePerson',
      'mergePerson',
    ]);
  });
});

describe('an entry of the audit trail', () => {
  it.each(['persons', 'persons?format=csv', 'export/events', 'persons/@ada', 'events'])(
    'is committed before anything of %s is sent',
    async (path) => {
      const address = `${service.url}/api/projects/${people.projectId}/${path.replace('@ada', String(ada.id))}`;
      const blocker = await service.pool.connect();
      let answered = false;
      try {
        await blocker.query('BEGIN');
        await blocker.query('LOCK TABLE audit_trail IN SHARE MODE');
        const answer = fetch(address, { headers: { authorization: `Bearer ${service.key}` } }).then((response) => {
          answered = true;
          return response;
        });
        await sleep(400);
        expect(answered).toBe(false);
        await blocker.query('ROLLBACK');
        const response = await answer;
        expect(response.status).toBe(200);
        await response.text();
      } finally {
        blocker.release();
      }
    },
  );

  it('is needed: where it cannot be written, nothing is sent', async () => {
    await service.pool.query('ALTER TABLE audit_trail RENAME TO hidden_trail');
    const answer = await fetch(`${service.url}/api/projects/${people.projectId}/persons`, {
      headers: { authorization: `Bearer ${service.key}` },
    });
    await service.pool.query('ALTER TABLE hidden_trail RENAME TO audit_trail');
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('ada');
  });

  it('says that a client went away, with what was sent by then', async () => {
    const gone = new AbortController();
    const id = randomUUID();
    const streaming = fetch(`${service.url}/api/projects/${people.projectId}/events/live?max_seconds=60`, {
      headers: { authorization: `Bearer ${service.key}`, 'X-Request-Id': id },
      signal: gone.signal,
    });
    await streaming;
    const open = (await entriesOf(people)).find((entry) => entry.request_id === id);
    expect(open).toMatchObject({ ended_at: null, status: null, rows: null, complete: null });
    gone.abort();
    const closed = await entryOf({ headers: { 'x-request-id': id } });
    expect(closed).toMatchObject({ status: 200, rows: 0, complete: false });
  });
});

describe('the list of the audit trail', () => {
  let of: PersonsOf;
  let other: { id: string; text: string };
  beforeAll(async () => {
    of = await audited();
    other = await service.newKey({ projectIds: [of.projectId], email: 'reader@example.test' });
    const at = (day: number) => ({ headers: { 'X-Test-Now': `2026-01-0${day}T00:00:00.000Z` } });
    await of.call('GET', 'persons', at(1));
    await of.call('GET', 'events', at(2));
    await of.call('GET', 'persons', { key: other.text, ...at(3) });
  });

  const operations = async (query: Record<string, string | number>) =>
    (await entriesOf(of, query)).map(({ operation, created_at }) => `${operation} ${created_at.slice(8, 10)}`);

  it('is newest first, and narrowed by key, user, operation and time, which combine', async () => {
    expect(await operations({})).toEqual(['listPersons 03', 'listEvents 02', 'listPersons 01']);
    expect(await operations({ key: other.id })).toEqual(['listPersons 03']);
    const [entry] = await entriesOf(of, { key: other.id });
    expect(await operations({ user: entry?.user.id ?? 0 })).toEqual(['listPersons 03']);
    expect(await operations({ operation: 'listPersons' })).toEqual(['listPersons 03', 'listPersons 01']);
    expect(await operations({ after: '2026-01-01T00:00:00Z' })).toEqual(['listPersons 03', 'listEvents 02']);
    expect(await operations({ before: '2026-01-02T00:00:00Z' })).toEqual(['listPersons 01']);
    expect(await operations({ operation: 'listPersons', before: '2026-01-03T00:00:00Z' })).toEqual(['listPersons 01']);
    expect(await operations({ user: 2_000_000_000 })).toEqual([]);
  });

  it('has pages, and is a table with format=csv', async () => {
    const page = (await of.call('GET', 'audit', { query: { limit: 2 } })).body as { count: number; next: string };
    expect([page.count, page.next]).toEqual([3, expect.stringContaining('offset=2')]);
    expect(await operations({ limit: 2, page: 2 })).toEqual(['listPersons 01']);
    const table = await of.call('GET', 'audit', { query: { format: 'csv', operation: 'listEvents' } });
    const [header, ...lines] = table.text.trim().split('\r\n');
    expect([header, lines.length, lines[0]]).toEqual([
      'id,created_at,user_id,user_email,key_id,operation,ids,ended_at,status,rows,complete,request_id',
      1,
      expect.stringMatching(/,listEvents,.*,200,0,true,/),
    ]);
  });

  it.each([
    [{ key: 'phx_x' }, 'key'],
    [{ user: 'ada' }, 'user'],
    [{ operation: '' }, 'operation'],
    [{ after: 'today' }, 'after'],
    [{ before: '2026-02-30' }, 'before'],
    [{ limit: 2, page: 2, offset: 1 }, 'page'],
  ])('refuses %j', async (query, attr) => {
    const answer = await of.call('GET', 'audit', { query });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ attr })]);
  });

  it('needs the scope of the activity log', async () => {
    const { text: key } = await service.newKey({ scopes: ['person:read', 'project:read'] });
    expect((await of.call('GET', 'audit', { key })).status).toBe(403);
  });

  it('is kept for 90 days', async () => {
    const kept = await audited();
    const daysAgo = (days: number) => ({
      headers: { 'X-Test-Now': new Date(Date.now() - days * 86_400_000).toISOString() },
    });
    await kept.call('GET', 'persons', daysAgo(91));
    await kept.call('GET', 'events', daysAgo(89));
    await service.app.get(DeletionsJob).run();
    expect((await entriesOf(kept)).map(({ operation }) => operation)).toEqual(['listEvents']);
  });
});

describe('the routes of a project', () => {
  /** Their scopes and the fields of their answers do not say that they are about persons. */
  const withPersonalData = [
    'GET dashboards/:id/answers',
    'GET insights/:id/answer',
    'PATCH cohorts/:id',
    'POST cohorts',
    'POST cohorts/:id/recalculate',
  ];

  /** The names of all fields of an answer, as the document describes it. */
  const fieldsOf = (node: unknown, schemas: Readonly<Record<string, unknown>>, seen: Set<unknown>): string[] => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return [];
    seen.add(node);
    const { $ref, properties, ...rest } = node as { $ref?: string; properties?: object };
    const named = schemas[$ref?.split('/').at(-1) ?? ''];
    const inner: unknown[] = [named, ...Object.values<unknown>({ ...properties }), ...Object.values<unknown>(rest)];
    return [...Object.keys(properties ?? {}), ...inner.flatMap((each) => fieldsOf(each, schemas, seen))];
  };
  const ofPersons = /^(distinct_ids?|person|person_id|people|unmatched)$/;

  it('leave an entry for each request, or have no personal data', async () => {
    const walked = await audited();
    const routes = service.app
      .get(Routes)
      .all()
      .filter(({ path, rules }) => path.startsWith('/api/projects/:project_id') && rules[0]?.kind === 'key');
    const controllers = [...service.app.get(ModulesContainer).values()].flatMap((module) => [
      ...module.controllers.values(),
    ]);
    const handlerOf = ({ controller, handler }: (typeof routes)[number]): object =>
      (controllers.find(({ name }) => name === controller)?.metatype?.prototype as Record<string, object>)[
        handler
      ] as object;
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
    const schemas: Readonly<Record<string, unknown>> = document.components?.schemas ?? {};
    const silent: string[] = [];
    const told = new Set<string>();
    for (const route of routes) {
      const path = route.path.replace(':project_id', String(walked.projectId)).replace(/:\w+/g, '999999');
      const name = `${route.method} ${route.path.replace(/^.api.projects.:project_id.?/, '')}`.trim();
      const isDeletion = route.method === 'DELETE' && route.path === '/api/projects/:project_id';
      const below = route.path.replace('/api/projects/:project_id/', '').replace(/:\w+/g, '{id}');
      const body = validBodies[`${route.method} ${below}`];
      const live = route.path.endsWith('/events/live') ? { query: { max_seconds: 1 } } : {};
      const before = (await entriesOf(walked)).length;
      if (!isDeletion)
        await service.call(route.method as 'GET', path, { ...live, ...(body === undefined ? {} : { body }) });
      const left = (await entriesOf(walked)).length - before;
      expect([name, left]).toEqual([name, !isDeletion && hasPersonalData(handlerOf(route)) ? 1 : 0]);
      const item = document.paths[route.path.replace(/:(\w+)/g, '{$1}')];
      const { responses = {} } = item?.[route.method.toLowerCase() as 'get'] ?? {};
      const successes = Object.entries(responses).flatMap(([status, answer]) => (status < '300' ? [answer] : []));
      // A user has a distinct id too, as the author of a record.
      const fields = fieldsOf(successes, schemas, new Set([schemas.UserDto])).filter((field) => ofPersons.test(field));
      if (left === 0) {
        expect([name, fields]).toEqual([name, []]);
        silent.push(name);
      } else for (const field of fields) told.add(field);
    }
    expect(withPersonalData.filter((name) => silent.includes(name))).toEqual([]);
    expect(told.size).toBeGreaterThan(3);
  });
});
