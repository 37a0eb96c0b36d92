import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type KeyDto } from '../../src/auth/keys/key.dto.js';
import { all, CohortsOf, where } from '../support/cohorts/cohorts-of.js';
import { notesCommits } from '../support/noted-routes.js';
import { makeUser } from '../support/signed-in.js';
import { type Answer, type CallOptions, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { makeTenant, pathTo, type Tenant } from '../support/tenant.js';
import { batchExport, validBodies } from '../support/valid-bodies.js';

interface Operation {
  readonly parameters?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: object;
}

let service: ServiceHandle;
let document: OpenAPIObject;
let of: CohortsOf;
let tenant: Tenant;

beforeAll(async () => {
  service = await sharedService();
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
  tenant = await makeTenant(service, 'once');
  of = new CohortsOf(service, tenant.projectId);
});
afterAll(() => service.stop());

const reference = '#/components/parameters/IdempotencyKey';

const privatePosts = (): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    path.startsWith('/api/') && item.post?.security?.length ? [[path, item.post as Operation]] : [],
  );

/** A request of one route, and another request of the same route. */
interface Requests {
  readonly path: string;
  readonly first: CallOptions;
  readonly other: CallOptions;
  /** The answer of a replay, instead of the first one. */
  readonly replayed?: (first: unknown) => unknown;
  /** The status of the other request under a key of its own, when it cannot succeed after the first. */
  readonly otherStatus?: number;
}

const lines = (...records: object[]): CallOptions => ({
  body: records.map((record) => JSON.stringify(record)).join('\n'),
  headers: { 'content-type': 'application/x-ndjson' },
});
const bodies = (first: object, other: object): Pick<Requests, 'first' | 'other'> => ({
  first: { body: first },
  other: { body: other },
});

type Prepared = Omit<Requests, 'path'> & { readonly records?: Partial<Tenant> };

const receiver = 'https://receiver.invalid/hook';

const webhook = async (): Promise<number> => {
  const { body } = await of.call('POST', 'webhooks', { body: { url: receiver } });
  return (body as { id: number }).id;
};

/** What an alert watches. */
const watched = (): object => ({
  insight: tenant.insightId,
  threshold: { configuration: { type: 'absolute', bounds: { upper: 1 } } },
});

/** The routes that need more than a valid body and a record of each kind. */
const requestsOf: Readonly<Record<string, () => Prepared | Promise<Prepared>>> = {
  '/api/projects': () => bodies({ name: 'Once' }, { name: 'Twice' }),
  '/api/personal_api_keys': () => ({
    ...bodies({ label: 'once', scopes: ['person:read'] }, { label: 'twice', scopes: ['person:read'] }),
    replayed: (first) => ({ ...(first as KeyDto), value: null }),
  }),
  '/api/personal_api_keys/{id}/rotate': async () => ({
    records: { keyId: (await service.newKey({ scopes: ['person:read'] })).id },
    ...bodies({ overlap_seconds: 60 }, { overlap_seconds: 0 }),
    replayed: (first) => ({ ...(first as KeyDto), value: null }),
  }),
  '/api/projects/{project_id}/rotate_token': async () => ({
    records: { projectId: (await service.newProject()).id },
    ...bodies({ grace_seconds: 60 }, { grace_seconds: 0 }),
  }),
  '/api/users': () => ({
    ...bodies({ email: `${randomUUID()}@example.test` }, { email: `${randomUUID()}@example.test` }),
    replayed: (first) => ({ ...(first as object), link: null, link_expires_at: null }),
  }),
  '/api/users/{id}/password_link': async () => ({
    records: { userId: (await makeUser(service)).id },
    first: {},
    other: { query: elsewhere },
    replayed: () => ({ link: null, link_expires_at: null }),
  }),
  '/api/projects/{project_id}/members': async () => {
    const [one, other] = [await makeUser(service), await makeUser(service)];
    return bodies({ user_id: one.id, role: 'viewer' }, { email: other.email, role: 'viewer' });
  },
  '/api/projects/{project_id}/feature_flags': () => bodies({ key: 'once' }, { key: 'twice' }),
  '/api/projects/{project_id}/feature_flags/preview': () => bodies({ key: 'once' }, { key: 'twice' }),
  '/api/projects/{project_id}/alerts': () => bodies(watched(), { ...watched(), name: 'other' }),
  '/api/projects/{project_id}/alerts/backtest': () => bodies(watched(), { ...watched(), skip_weekend: true }),
  '/api/projects/{project_id}/invitations': () => ({
    ...bodies({ email: 'once@example.test', role: 'viewer' }, { email: 'twice@example.test', role: 'viewer' }),
    replayed: (first) => ({ ...(first as object), link: null }),
  }),
  '/api/projects/{project_id}/dashboards/{id}/links': () => ({
    ...bodies({ expires_in_days: 7 }, { expires_in_days: 8 }),
    replayed: (first) => ({ ...(first as object), link: null }),
  }),
  '/api/projects/{project_id}/dashboards/{id}/schedules': () =>
    bodies({ webhooks: true, hour: 8 }, { webhooks: true, hour: 9 }),
  '/api/projects/{project_id}/deletion_requests': async () => {
    const question = { events: ['once'] };
    const { body } = await of.call('POST', 'deletion_requests', { body: question });
    return bodies({ ...question, confirm: (body as { confirm: string }).confirm }, question);
  },
  '/api/projects/{project_id}/batch_exports': () => bodies(batchExport, { ...batchExport, name: 'other' }),
  '/api/projects/{project_id}/webhooks': () => ({
    ...bodies({ url: receiver }, { url: receiver, paused: true }),
    replayed: (first) => ({ ...(first as object), secret: null }),
  }),
  '/api/projects/{project_id}/webhooks/{id}/resync': async () => {
    const { id: cohort } = await of.create({ is_static: true, distinct_ids: [] });
    const body = { url: receiver, format: 'segment', cohorts: [cohort], paused: true };
    const { body: made } = await of.call('POST', 'webhooks', { body });
    return { records: { webhookId: (made as { id: number }).id }, ...bodies({ cohort }, {}) };
  },
  '/api/projects/{project_id}/webhooks/{id}/deliveries/{delivery_id}/replay': async () => {
    const id = await webhook();
    const { body } = await of.call('POST', `webhooks/${id}/test`);
    return {
      records: { webhookId: id, deliveryId: (body as { id: string }).id },
      first: {},
      other: { query: elsewhere },
    };
  },
  '/api/projects/{project_id}/cohorts/membership': async () => {
    const { id } = await of.create({ is_static: true, distinct_ids: [] });
    return bodies({ distinct_ids: ['ada'], cohorts: [id] }, { distinct_ids: ['bob'], cohorts: [id] });
  },
  '/api/projects/{project_id}/cohorts/{id}/recalculate': async () => {
    const { id } = await of.create({ filters: all(where('plan', 'pro')) });
    return { records: { cohortId: id }, first: { query: { wait: 20 } }, other: { query: { wait: 19 } } };
  },
  '/api/projects/{project_id}/groups': () =>
    bodies({ group_type: 'company', group_key: 'once' }, { group_type: 'company', group_key: 'twice' }),
  '/api/projects/{project_id}/import': () => ({
    first: lines({ type: 'event', event: 'imported', distinct_id: 'ivy' }, { type: 'odd' }),
    other: lines({ type: 'event', event: 'imported', distinct_id: 'ivan' }),
  }),
  '/api/projects/{project_id}/persons/bulk_delete': async () => {
    const { id } = await of.make(['bulk-1']);
    return bodies({ ids: [id] }, { distinct_ids: ['bulk-2'] });
  },
  '/api/projects/{project_id}/persons/{id}/split': async () => {
    const { id } = await of.make(['split-1', 'split-2', 'split-3']);
    return {
      records: { personId: id },
      ...bodies({ distinct_ids_to_split: ['split-2'] }, { distinct_ids_to_split: ['split-3'] }),
    };
  },
  '/api/projects/{project_id}/persons/{id}/merge': async () => {
    const { id } = await of.make(['merge-1']);
    await of.make(['merge-2']);
    return { records: { personId: id }, ...bodies({ distinct_ids: ['merge-2'] }, { distinct_ids: ['merge-3'] }) };
  },
  '/api/projects/{project_id}/persons/{id}/split/undo': async () => {
    const { id } = await of.make(['unsplit-1', 'unsplit-2', 'unsplit-3']);
    for (const leaving of ['unsplit-2', 'unsplit-3'])
      await of.call('POST', `persons/${id}/split`, { body: { distinct_ids_to_split: [leaving] } });
    return { records: { personId: id }, first: {}, other: { query: elsewhere } };
  },
  '/api/projects/{project_id}/persons/{id}/merges/{merge_id}/undo': async () => {
    const { id } = await of.make(['unmerge-1']);
    await of.make(['unmerge-2']);
    await of.call('POST', `persons/${id}/merge`, { body: { distinct_ids: ['unmerge-2'] } });
    const list = (await of.call('GET', `persons/${id}/merges`)).body as { results: { id: number }[] };
    const mergeId = list.results[0]?.id ?? 0;
    return { records: { personId: id, mergeId }, first: {}, other: { query: elsewhere }, otherStatus: 409 };
  },
  '/api/projects/{project_id}/persons/{id}/delete_property': async () => {
    const { id } = await of.make(['unset'], { a: 1, b: 1 });
    return { records: { personId: id }, ...bodies({ $unset: 'a' }, { $unset: 'b' }) };
  },
  '/api/projects/{project_id}/persons/{id}/update_property': async () => {
    const { id } = await of.make(['set'], { a: 1 });
    return { records: { personId: id }, ...bodies({ key: 'a', value: 2 }, { key: 'a', value: 3 }) };
  },
  '/api/projects/{project_id}/query': () => ({
    ...bodies({ query: 'select 1' }, { query: 'select 2' }),
    replayed: (body) => ({ ...(body as object), elapsed_ms: expect.any(Number) }),
  }),
  '/api/projects/{project_id}/query/{query}': () => ({
    ...bodies({ query: { kind: 'TrendsQuery', series: [] } }, { query: { kind: 'TrendsQuery', interval: 'week' } }),
    replayed: (body) => ({
      ...(body as object),
      timings: expect.any(Array),
      query_status: expect.objectContaining({ complete: true }),
    }),
  }),
};

/** The same request at another address is another request. */
const elsewhere = { session_id: 'other' };

/** By its valid body and the records of a tenant. */
const anyRequests = (template: string): Prepared => {
  const body = validBodies[`POST ${template.replace('/api/projects/{project_id}/', '')}`];
  if (body === undefined) return { first: {}, other: { query: elsewhere } };
  return 'name' in body
    ? bodies(body, { ...body, name: 'other' })
    : { first: { body }, other: { body, query: elsewhere } };
};

const prepared = async (template: string): Promise<Requests> => {
  const prepare = requestsOf[template] ?? (() => anyRequests(template));
  const { records, ...requests } = await prepare();
  return { path: pathTo(template, { ...tenant, ...records }), ...requests };
};

const post = (path: string, key: string, { headers, ...options }: CallOptions): Promise<Answer> =>
  service.call('POST', path, { ...options, headers: { ...headers, 'Idempotency-Key': key } });

const isReplayed = ({ headers }: Answer): boolean => headers['idempotent-replayed'] === 'true';

/** True if the work of a request was committed together with a note of it. */
const isNoted = async (key: string): Promise<boolean> =>
  ((await service.pool.query('SELECT FROM idempotency_keys WHERE key = $1 AND last_commit IS NOT NULL', [key]))
    .rowCount ?? 0) > 0;

/** Everything that a request of this project could change. */
const stored = async (): Promise<unknown> => {
  const inProject = [
    'activity_log',
    'actions',
    'insights',
    'dashboards',
    'dashboard_links',
    'dashboard_schedules',
    'annotations',
    'feature_flags',
    'alerts',
    'cohorts',
    'persons',
    'groups',
    'person_distinct_ids',
    'events',
    'deletion_requests',
    'webhooks',
    'webhook_deliveries',
    'batch_exports',
  ];
  const counts = [
    ...inProject.map((table) => `(SELECT count(*) FROM ${table} WHERE project_id = ${of.projectId}) AS ${table}`),
    ...['projects', 'personal_api_keys', 'account_activity'].map(
      (table) => `(SELECT count(*) FROM ${table}) AS ${table}`,
    ),
    `(SELECT sum(pending_version) FROM cohorts WHERE project_id = ${of.projectId}) AS calculations`,
    `(SELECT json_agg(properties ORDER BY id) FROM persons WHERE project_id = ${of.projectId}) AS properties`,
  ];
  return (await service.pool.query(`SELECT ${counts.join(', ')}`)).rows[0];
};

describe('an Idempotency-Key of a POST', () => {
  it('is documented once, and every route of the private API refers to it', () => {
    const routes = privatePosts();
    expect(routes.length).toBeGreaterThanOrEqual(13);
    for (const [path, { parameters = [] }] of routes)
      expect([path, parameters.filter((one) => one.$ref === reference || one.in === 'header')]).toEqual([
        path,
        [{ $ref: reference }],
      ]);
    expect(document.components?.parameters?.IdempotencyKey).toMatchObject({ in: 'header', name: 'Idempotency-Key' });
  });

  it('gives the same request the same answer and no second effect, and refuses another request', async () => {
    for (const [template] of privatePosts()) {
      const { path, first, other, otherStatus = 200, replayed = (body: unknown) => body } = await prepared(template);
      const key = `walk ${template}`;
      const answer = await post(path, key, first);
      expect([template, answer.status < 300, isReplayed(answer)]).toEqual([template, true, false]);
      expect([template, await isNoted(key)]).toEqual([template, notesCommits(document, template)]);
      const before = await stored();
      const again = await post(path, key, first);
      expect([template, again.status, isReplayed(again), again.body]).toEqual([
        template,
        answer.status,
        true,
        replayed(answer.body),
      ]);
      const refused = await post(path, key, other);
      expect([template, refused.status, refused.body]).toEqual([
        template,
        409,
        expect.objectContaining({ code: 'conflict', attr: 'Idempotency-Key' }),
      ]);
      expect(refused.headers['retry-after']).toBeUndefined();
      expect([template, await stored()]).toEqual([template, before]);
      const { status } = await post(path, `${key} 2`, other);
      expect([template, status < 300 ? 200 : status]).toEqual([template, otherStatus]);
    }
  });

  it('is noted with the copy of a cohort too, which is a GET', async () => {
    const { id } = await of.create({ is_static: true, distinct_ids: [] });
    const headers = { 'Idempotency-Key': 'copy' };
    expect((await of.call('GET', `cohorts/${id}/duplicate_as_static_cohort`, { headers })).status).toBe(200);
    expect(await isNoted('copy')).toBe(true);
  });

  it('runs a failed request again', async () => {
    const path = '/api/personal_api_keys';
    expect((await post(path, 'failed', { body: { label: '', scopes: ['person:read'] } })).status).toBe(400);
    const answer = await post(path, 'failed', { body: { label: 'right', scopes: ['person:read'] } });
    expect([answer.status, isReplayed(answer)]).toEqual([201, false]);
  });
});

describe('a replay', () => {
  it('of a new key shows no text, which is stored nowhere', async () => {
    const body = { label: 'secret', scopes: ['person:read'] };
    const made = (await post('/api/personal_api_keys', 'secret', { body })).body as KeyDto;
    expect(made.value).toMatch(/^phx_/);
    const { rows } = await service.pool.query<{ body: string }>(
      `SELECT body FROM idempotency_keys WHERE project_id = 0 AND key = 'secret'`,
    );
    expect(rows).toEqual([{ body: JSON.stringify({ id: made.id }) }]);
    const weaker = await service.newKey({ scopes: ['api_key:write'] });
    expect((await post('/api/personal_api_keys', 'secret', { body, key: weaker.text })).status).toBe(404);
    await service.call('DELETE', `/api/personal_api_keys/${made.id}`);
    expect((await post('/api/personal_api_keys', 'secret', { body })).status).toBe(404);
  });

  it('of a new project is refused to a key that could not have created it', async () => {
    const limited = await service.newKey({ projectIds: [service.project.id] });
    const options = { body: { name: 'Hidden' } };
    expect((await post('/api/projects', 'project', options)).status).toBe(201);
    expect((await post('/api/projects', 'project', { ...options, key: limited.text })).status).toBe(403);
  });

  it('of a question answers for the moment of the first request, also as CSV', async () => {
    const path = `/api/projects/${of.projectId}/persons/path`;
    const at = (time: string) => ({ headers: { 'X-Test-Now': `2030-01-01T${time}Z` } });
    const first = await post(path, 'moment', { body: {}, ...at('10:00:00') });
    const again = await post(path, 'moment', { body: {}, ...at('23:30:00') });
    expect((first.body as { insight: object }).insight).toMatchObject({ as_of: '2030-01-01T10:00:00.000Z' });
    expect([isReplayed(again), again.body]).toEqual([true, first.body]);
    const csv = { body: { format: 'csv' } };
    const [table, repeated] = [await post(path, 'csv', csv), await post(path, 'csv', csv)];
    expect([isReplayed(repeated), repeated.text]).toEqual([true, table.text]);
    const { rows } = await service.pool.query<{ body: string }>(
      `SELECT body FROM idempotency_keys WHERE project_id = $1 AND key = 'moment'`,
      [of.projectId],
    );
    expect(rows).toEqual([{ body: '{"at":"2030-01-01T10:00:00.000Z"}' }]);
  });

  it('of a changed person shows the person as it is now, and nothing once it is deleted', async () => {
    const { id } = await of.make(['changed'], { plan: 'free' });
    const path = `/api/projects/${of.projectId}/persons/${id}/update_property`;
    const body = { key: 'plan', value: 'pro' };
    await post(path, 'person', { body });
    await of.call('PATCH', `persons/${id}`, { body: { properties: { plan: 'team' } } });
    expect((await post(path, 'person', { body })).body).toMatchObject({ id, properties: { plan: 'team' } });
    await of.call('DELETE', `persons/${id}`);
    expect((await post(path, 'person', { body })).status).toBe(404);
  });

  it('of an import keeps no reason that names a person, and compares the whole body', async () => {
    await of.call('POST', 'import', lines({ type: 'person', distinct_ids: ['known-a'], is_identified: true }));
    await of.call('POST', 'import', lines({ type: 'person', distinct_ids: ['known-b'], is_identified: true }));
    const path = `/api/projects/${of.projectId}/import`;
    const sent = lines({ type: 'person', distinct_ids: ['known-a', 'known-b'] }, { type: 'odd' });
    const first = await post(path, 'import', sent);
    expect(first.text).toContain('known-b');
    const again = await post(path, 'import', sent);
    expect([again.status, isReplayed(again), again.text.includes('known-b')]).toEqual([200, true, false]);
    expect(again.body).toMatchObject({ persons: 0, rejected_count: 2, rejected: [{ line: 1 }, { line: 2 }] });
    const longer = lines({ type: 'person', distinct_ids: ['known-a', 'known-b'] }, { type: 'odd' }, { type: 'odd' });
    expect((await post(path, 'import', longer)).status).toBe(409);
  });

  it('of an import that still runs is refused for now', async () => {
    const path = `/api/projects/${of.projectId}/import`;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const first = fetch(`${service.url}${path}`, {
      method: 'POST',
      body: readable,
      duplex: 'half',
      headers: {
        authorization: `Bearer ${service.key}`,
        'content-type': 'application/x-ndjson',
        'Idempotency-Key': 'running',
      },
    });
    const written = writer.write(Buffer.from('{"type":"odd"}'));
    const isClaimed = async () =>
      (await service.pool.query(`SELECT 1 FROM idempotency_keys WHERE key = 'running'`)).rowCount === 1;
    for (let tries = 0; tries < 200 && !(await isClaimed()); tries += 1) await sleep(20);
    const early = await post(path, 'running', lines({ type: 'odd' }));
    expect([early.status, early.headers['retry-after']]).toEqual([409, '1']);
    await written;
    await writer.close();
    const answer = await first;
    const again = await post(path, 'running', lines({ type: 'odd' }));
    expect([answer.status, isReplayed(again), again.body]).toEqual([200, true, await answer.json()]);
  });

  it('of an upload compares the file', async () => {
    const send = (csv: string) =>
      of.upload('POST', 'cohorts?wait=20', { name: 'Up', is_static: 'true' }, csv, { 'Idempotency-Key': 'upload' });
    const [first, again, other] = [await send('ivy'), await send('ivy'), await send('ivan')];
    expect([first.status, again.status, other.status]).toEqual([201, 201, 409]);
    expect([again.headers.get('idempotent-replayed'), again.body.id]).toEqual(['true', first.body.id]);
    expect(await isNoted('upload')).toBe(true);
  });
});
