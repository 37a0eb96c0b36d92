import { batchExport } from '../support/valid-bodies.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { openApiDocument } from '../../src/app/openapi/app.openapi.js';
import { Routes } from '../../src/kernel/access/routes.js';
import { all, CohortsOf, where } from '../support/cohorts/cohorts-of.js';
import { notesCommits } from '../support/noted-routes.js';
import { sampleOf } from '../support/sample.js';
import { type Answer, type CallOptions } from '../support/service-handle.js';
import { type TestService } from '../support/service.js';
import { makeUser } from '../support/signed-in.js';
import { faults, ServiceOnLinks } from './stores-down.fixture.js';
import { answeredWithinMs, backWithinMs } from '../support/promised-times.js';

let links: ServiceOnLinks;
let service: TestService;

beforeAll(async () => {
  links = await ServiceOnLinks.start();
  ({ service } = links);
  expect((await links.capture()).status).toBe(200);
});
afterEach(() => links.mend());
afterAll(() => links.stop());

interface Write {
  /** As the service declares the route. */
  readonly route: string;
  readonly send: () => Promise<Answer>;
}

type Method = Parameters<TestService['call']>[0];
type Ids = Partial<
  Record<
    'id' | 'project_id' | 'user_id' | 'merge_id' | 'delivery_id' | 'link_id' | 'schedule_id' | 'kind',
    number | string
  >
>;
type Made = { readonly id: number | string };

const receiver = 'https://receiver.invalid/hook';
const steps = { events: [{ id: 'seen' }, { id: 'seen' }] };
const question = { type: 'trends', params: {} };
const lines = (...records: object[]): CallOptions => ({
  body: records.map((record) => JSON.stringify(record)).join('\n'),
  headers: { 'content-type': 'application/x-ndjson' },
});

/** Each write of a project with records of its own, in a new project, so that the order does not matter. */
const everyWrite = async (): Promise<{ projectId: number; writes: Write[] }> => {
  const projectId = (await service.newProject()).id;
  const of = new CohortsOf(service, projectId);
  const writes: Write[] = [];
  const add = (route: string, options: CallOptions = {}, ids: Ids = {}) => {
    const [method, path = ''] = route.split(' ') as [Method, string];
    const url = path.replace(/:(\w+)/g, (_, name: string) =>
      String(ids[name === 'query' ? 'kind' : (name as keyof Ids)] ?? ''),
    );
    const key = `${projectId} ${route}`;
    const headers = { ...options.headers, ...(method === 'POST' ? { 'Idempotency-Key': key } : {}) };
    const named = `${method} /api/projects/:project_id${path === '' ? '' : `/${path}`}`;
    const full = `/api/projects/${ids.project_id ?? projectId}${url === '' ? '' : `/${url}`}`;
    writes.push({ route: named, send: () => service.call(method, full, { ...options, headers }) });
  };
  const make = async (path: string, body?: object) => (await of.call('POST', path, { body })).body as Made;
  const person = async (...ids: string[]) => ({ id: (await of.make(ids, { a: 1, b: 1 })).id });
  const fixed = () => of.create({ is_static: true, distinct_ids: [] });
  const user = (more: object = {}) => makeUser({ ...service, pool: links.pool }, more);
  const member = () => user({ roles: { [projectId]: 'viewer' } });
  const merged = async (into: string, other: string) => {
    const { id } = await person(into);
    await person(other);
    await of.call('POST', `persons/${id}/merge`, { body: { distinct_ids: [other] } });
    return id;
  };

  add('PATCH ', { body: { name: 'renamed' } });
  const doomed = await service.newProject('Doomed');
  add('DELETE ', { query: { confirm_name: 'Doomed' } }, { project_id: doomed.id });
  add('POST rotate_token', { body: { grace_seconds: 60 } }, { project_id: (await service.newProject()).id });
  add('POST invitations', { body: { email: 'once@example.test', role: 'viewer' } });
  add('DELETE invitations/:id', {}, await make('invitations', { email: 'gone@example.test', role: 'viewer' }));
  add('POST members', { body: { user_id: (await user()).id, role: 'viewer' } });
  add('PATCH members/:user_id', { body: { role: 'member' } }, { user_id: (await member()).id });
  add('DELETE members/:user_id', {}, { user_id: (await member()).id });
  const action = { name: 'made before', steps: [{ event: 'seen' }] };
  add('POST actions', { body: { ...action, name: 'made' } });
  add('PATCH actions/:id', { body: { description: 'changed' } }, await make('actions', action));
  add('DELETE actions/:id', {}, await make('actions', { ...action, name: 'doomed' }));
  add('POST import', lines({ type: 'event', event: 'imported', distinct_id: 'ivy' }));
  add('PATCH persons/:id', { body: { properties: { plan: 'pro' } } }, await person('patched'));
  add('POST persons/:id/delete_property', { body: { $unset: 'a' } }, await person('unset'));
  add('POST persons/:id/update_property', { body: { key: 'a', value: 2 } }, await person('set'));
  await person('joining');
  add('POST persons/:id/merge', { body: { distinct_ids: ['joining'] } }, await person('joined'));
  const survivor = await merged('unmerged', 'leaving');
  const merges = (await of.call('GET', `persons/${survivor}/merges`)).body as { results: Made[] };
  const mergeId = merges.results[0]?.id ?? 0;
  add('POST persons/:id/merges/:merge_id/undo', {}, { id: survivor, merge_id: mergeId });
  add('POST persons/:id/split', { body: { distinct_ids_to_split: ['s2'] } }, await person('s1', 's2'));
  const split = await person('u1', 'u2');
  await of.call('POST', `persons/${split.id}/split`, { body: { distinct_ids_to_split: ['u2'] } });
  add('POST persons/:id/split/undo', {}, split);
  add('POST persons/bulk_delete', { body: { ids: [(await person('bulk')).id] } });
  add('DELETE persons/:id', { query: { delete_events: 'true' } }, await person('deleted'));
  const group = (key: string) => ({ group_type: 'company', group_key: key });
  add('POST groups', { body: group('made') });
  add('PATCH groups/:id', { body: { properties: { plan: 'pro' } } }, await make('groups', group('changed')));
  add('DELETE groups/:id', {}, await make('groups', group('doomed')));
  add('PATCH groups_types/update_metadata', { body: [{ group_type_index: 0, name_plural: 'Companies' }] });
  add('POST cohorts', { body: { name: 'made', is_static: true, distinct_ids: ['visitor'] } });
  add('PATCH cohorts/:id', { body: { name: 'renamed' } }, await fixed());
  add('POST cohorts/:id/recalculate', {}, await of.create({ filters: all(where('plan', 'free')) }));
  add('POST cohorts/preview', { body: { filters: all(where('plan', 'free')) } });
  add('POST cohorts/membership', { body: { distinct_ids: ['set'], cohorts: [(await fixed()).id] } });
  const entering = await person('entering');
  const toAdd = { body: { person_ids: [entering.id] } };
  add('PATCH cohorts/:id/add_persons_to_static_cohort', toAdd, await fixed());
  const leaving = await person('leaves');
  const filled = await of.create({ is_static: true, person_ids: [leaving.id] });
  add('PATCH cohorts/:id/remove_person_from_static_cohort', { body: { person_id: leaving.id } }, filled);
  add('POST batch_exports', { body: batchExport });
  add('PATCH batch_exports/:id', { body: { name: 'changed' } }, await make('batch_exports', batchExport));
  add('DELETE batch_exports/:id', {}, await make('batch_exports', batchExport));
  const hook = () => make('webhooks', { url: receiver, paused: true });
  add('POST webhooks', { body: { url: receiver, paused: true } });
  add('PATCH webhooks/:id', { body: { batch_size: 7 } }, await hook());
  add('DELETE webhooks/:id', {}, await hook());
  add('POST webhooks/:id/test', {}, await hook());
  const destination = { url: receiver, paused: true, format: 'mixpanel', identifier: 'email' };
  add('POST webhooks/:id/resync', {}, await make('webhooks', destination));
  const tested = await hook();
  const delivery = await make(`webhooks/${tested.id}/test`);
  const replayed = { id: tested.id, delivery_id: delivery.id };
  add('POST webhooks/:id/deliveries/:delivery_id/replay', {}, replayed);
  add('POST insights', { body: { name: 'made', question } });
  add('PATCH insights/:id', { body: { description: 'changed' } }, await make('insights', { name: 'a', question }));
  add('DELETE insights/:id', {}, await make('insights', { name: 'b', question }));
  add('POST dashboards', { body: { name: 'made' } });
  add('PATCH dashboards/:id', { body: { description: 'changed' } }, await make('dashboards', { name: 'a' }));
  add('DELETE dashboards/:id', {}, await make('dashboards', { name: 'b' }));
  add('POST dashboards/:id/links', { body: {} }, await make('dashboards', { name: 'shown' }));
  const shown = await make('dashboards', { name: 'hidden again' });
  const link = await make(`dashboards/${shown.id}/links`, {});
  add('DELETE dashboards/:id/links/:link_id', {}, { id: shown.id, link_id: link.id });
  // Webhooks need no mail server.
  const monday = { webhooks: true, weekday: 'monday', hour: 9 };
  add('POST dashboards/:id/schedules', { body: monday }, await make('dashboards', { name: 'sent' }));
  const told = await make('dashboards', { name: 'not sent again' });
  const schedule = await make(`dashboards/${told.id}/schedules`, monday);
  add('DELETE dashboards/:id/schedules/:schedule_id', {}, { id: told.id, schedule_id: schedule.id });
  const toldNow = await make('dashboards', { name: 'sent now' });
  const { id: now } = await make(`dashboards/${toldNow.id}/schedules`, monday);
  add('POST dashboards/:id/schedules/:schedule_id/send', {}, { id: toldNow.id, schedule_id: now });
  await of.call('POST', 'import', lines({ type: 'event', event: 'seen', distinct_id: 'eve', properties: { a: 1 } }));
  add('PATCH catalogue/events', { body: { name: 'seen', description: 'changed' } });
  add('PATCH catalogue/properties', { body: { name: 'a', description: 'changed' } });
  const definitionOf = async (list: string, name: string) => {
    const { results } = (await of.call('GET', list)).body as { results: (Made & { readonly name: string })[] };
    return { id: results.find((one) => one.name === name)?.id ?? '' };
  };
  const named = { body: { tags: ['changed'] } };
  add('PATCH event_definitions/:id', named, await definitionOf('event_definitions', 'seen'));
  add('PATCH property_definitions/:id', named, await definitionOf('property_definitions', 'a'));
  const note = { content: 'made', date_marker: '2024-03-01' };
  add('POST annotations', { body: note });
  add('PATCH annotations/:id', { body: { content: 'changed' } }, await make('annotations', note));
  add('DELETE annotations/:id', {}, await make('annotations', note));
  add('POST feature_flags', { body: { key: 'made' } });
  add('PATCH feature_flags/:id', { body: { name: 'changed' } }, await make('feature_flags', { key: 'changed' }));
  add('DELETE feature_flags/:id', {}, await make('feature_flags', { key: 'deleted' }));
  add('POST feature_flags/preview', { body: { key: 'planned' } });
  const threshold = { configuration: { type: 'absolute', bounds: { upper: 1 } } };
  const watch = async () => ({
    insight: (await make('insights', { name: 'watched', question })).id,
    threshold,
    enabled: false,
  });
  add('POST alerts', { body: await watch() });
  add('PATCH alerts/:id', { body: { name: 'changed' } }, await make('alerts', await watch()));
  add('DELETE alerts/:id', {}, await make('alerts', await watch()));
  const { insight } = await watch();
  add('POST alerts/backtest', { body: { insight, threshold } });
  const selected = { events: ['unknown'] };
  const { confirm } = (await of.call('POST', 'deletion_requests', { body: selected })).body as { confirm: string };
  add('POST deletion_requests', { body: { ...selected, confirm } });
  add('POST persons/:id/delete_events', {}, await person('without events'));
  add('POST persons/batch_by_distinct_ids', { body: { distinct_ids: ['set'] } });
  add('POST persons/batch_by_uuids', { body: { uuids: [] } });
  add('POST persons/funnel', { body: steps });
  add('POST persons/funnel/correlation', { body: steps });
  add('POST persons/path', { body: { step_limit: 3 } });
  add('POST query', { body: { query: 'select 1' } });
  add('POST query/explain', { body: { query: 'select 1' } });
  const node = { kind: 'TrendsQuery', series: [] };
  add('POST query/:query', { body: { query: node } }, { kind: node.kind });
  return { projectId, writes };
};

interface Sent {
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly body: unknown;
}

const sendAll = async (writes: readonly Write[]): Promise<Sent[]> => {
  const waiting = [...writes];
  const sent: Sent[] = [];
  const sendInTurn = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const begun = performance.now();
      const { status, body } = await next.send();
      sent.push({ route: next.route, status, body, ms: Math.round(performance.now() - begun) });
    }
  };
  await Promise.all(Array.from({ length: 4 }, sendInTurn));
  return sent.sort((a, b) => (a.route < b.route ? -1 : 1));
};

/** The results of the writes of a project: rows by table, and entries of the activity log by kind. */
const effectsIn = async (projectId: number): Promise<unknown> => {
  const tables = [
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
    'person_distinct_ids',
    'events',
  ];
  const more = [
    'deletion_requests',
    'webhooks',
    'webhook_deliveries',
    'batch_exports',
    'invitations',
    'project_members',
  ];
  // A change of properties that is made twice is two events with the same effect.
  const but = { events: "AND event <> '$set'" } as Record<string, string>;
  const counts = [...tables, ...more].map(
    (table) => `(SELECT count(*)::integer FROM ${table} WHERE project_id = $1 ${but[table] ?? ''}) AS ${table}`,
  );
  const activity = `
    SELECT scope, activity, count(*)::integer AS entries FROM activity_log WHERE project_id = $1
    GROUP BY scope, activity ORDER BY scope, activity`;
  const [rows, entries] = await Promise.all(
    [`SELECT ${counts.join(', ')}`, activity].map((text) => links.pool.query<object>(text, [projectId])),
  );
  return [rows?.rows, entries?.rows];
};

const stores = [
  { store: 'ClickHouse', link: () => links.clickhouse },
  { store: 'PostgreSQL', link: () => links.postgres },
];
const away = stores.flatMap((store) => faults.map((fault) => ({ ...store, fault })));

/** The answer to a request that was done, but whose own answer was lost. */
const isLost = ({ status, body }: Sent): boolean =>
  status === 409 && String((body as { detail?: unknown }).detail).includes('was done, but its answer was lost');

/** A deletion that was done already finds nothing the second time. */
const isDone = (sent: Sent): boolean =>
  sent.status < 300 || isLost(sent) || (sent.route.startsWith('DELETE') && sent.status === 404);

/**
 * Sends what was sent before once more, and what is refused again until it is done or the time is over. The time begins after
 * all were sent once, which alone takes longer on a busy machine.
 */
const sendAgain = async (writes: readonly Write[]): Promise<Sent[]> => {
  let end: number | undefined;
  for (let left = writes; ; await sleep(100)) {
    const refused = (await sendAll(left)).filter((each) => !isDone(each));
    end ??= performance.now() + backWithinMs;
    if (refused.length === 0 || performance.now() > end) return refused;
    left = left.filter(({ route }) => refused.some((each) => each.route === route));
  }
};

describe('a service', () => {
  let healthy: unknown;
  let deliberate: readonly Sent[];

  beforeAll(async () => {
    const { projectId, writes } = await everyWrite();
    const routes = service.app
      .get(Routes)
      .all()
      .filter(({ method, path, rules, refuses }) => {
        return method !== 'GET' && rules[0]?.kind === 'key' && path.includes(':project_id') && !refuses;
      });
    expect(writes.map(({ route }) => route).sort()).toEqual(
      routes.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    deliberate = await sendAll(writes);
    healthy = await effectsIn(projectId);
  });

  it('does every write while its stores are there', () => {
    expect(deliberate.filter(({ status }) => status >= 300)).toEqual([]);
  });

  it.each(sampleOf(away, 6))(
    `whose $store is $fault does a write or answers 503 within ${answeredWithinMs / 1_000} s, and what is sent again is done once`,
    async ({ link, fault }) => {
      const { projectId, writes } = await everyWrite();
      await link().set(fault);
      const first = await sendAll(writes);
      await link().set('none');
      expect(first.filter(({ status }) => status >= 300 && status !== 503)).toEqual([]);
      expect(first.filter(({ ms }) => ms > answeredWithinMs)).toEqual([]);
      expect(await sendAgain(writes)).toEqual([]);
      expect(await effectsIn(projectId)).toEqual(healthy);
    },
    120_000,
  );

  it('answers each write with an Idempotency-Key whose connection breaks after its COMMIT, and does it once', async () => {
    const { projectId, writes } = await everyWrite();
    const broken: string[] = [];
    const failed: Sent[] = [];
    for (const write of writes) {
      const isKeyed = write.route.startsWith('POST');
      if (isKeyed) void links.postgres.loseCommit('idempotency-note', 'answer').then(() => broken.push(write.route));
      failed.push(...(await sendAll([write])).filter(({ status }) => status >= 300));
    }
    expect(failed).toEqual([]);
    const keyed = writes.map(({ route }) => route).filter((route) => route.startsWith('POST'));
    const document = openApiDocument(service.app);
    const pathOf = (route: string) => route.replace('POST ', '').replace(/:(\w+)/g, '{$1}');
    expect(broken).toEqual(keyed.filter((route) => notesCommits(document, pathOf(route))));
    expect(await effectsIn(projectId)).toEqual(healthy);
  }, 120_000);

  it('whose connections to PostgreSQL break in the middle of writes does once what is sent again', async () => {
    const { projectId, writes } = await everyWrite();
    const sending = sendAll(writes);
    let isOver = false;
    void sending.finally(() => (isOver = true));
    while (!isOver) {
      await sleep(Math.random() * 30);
      await links.postgres.set('cutting');
      await sleep(5);
      await links.postgres.set('none');
    }
    const first = await sending;
    expect(first.filter(({ status }) => status >= 300 && status !== 503)).toEqual([]);
    expect(first.filter(({ ms }) => ms > answeredWithinMs)).toEqual([]);
    expect(await sendAgain(writes)).toEqual([]);
    expect(await effectsIn(projectId)).toEqual(healthy);
  }, 120_000);
});
